"""PNG pictures of results, one module for each picture. matplotlib is loaded when something is first
drawn."""
