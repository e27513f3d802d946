"""Check what every picture must be: a PNG that opens and is small enough for LINE's preview."""

import io

from PIL import Image


def opened(data: bytes) -> Image.Image:
    """The picture as RGB, after a check of its format and size (1 MB, LINE's limit for
    previews).
    """
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert len(data) <= 1_000_000
    with Image.open(io.BytesIO(data)) as picture:
        picture.verify()
    with Image.open(io.BytesIO(data)) as picture:
        return picture.convert("RGB")
