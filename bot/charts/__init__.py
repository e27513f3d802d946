"""Results drawn as PNG pictures: one file a picture. The drawing library is loaded by the file that draws."""
