"""PNG pictures of results. matplotlib is loaded when something is first drawn."""
