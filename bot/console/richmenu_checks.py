"""Check rich menus and their images by LINE's rules.

The rules: https://developers.line.biz/en/reference/messaging-api/#rich-menu
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any

from bot.console.action_checks import RICH_MENU_ACTION
from bot.console.shapes import Shape, ShapeProblem, boolean, items, joined, matching, objects, string, whole

AREAS = 20
IMAGE_BYTES = 1024 * 1024
LEAST_RATIO = 1.45
MIMETYPES = {"image/png": "png", "image/jpeg": "jpeg"}
ALIAS_ID = matching("[a-z0-9_-]{1,32}", "1 to 32 characters of a-z, 0-9, _ and -")


def _ratio(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    width, height = value.get("width"), value.get("height")
    if isinstance(width, int) and isinstance(height, int) and width < height * LEAST_RATIO:
        yield ShapeProblem(at, f"width / height must be at least {LEAST_RATIO}")


def _inside(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    """Every area must be inside the menu."""
    size = value.get("size")
    for index, area in objects(value, "areas"):
        bounds = area.get("bounds")
        if isinstance(size, dict) and isinstance(bounds, dict) and not _within(bounds, size):
            yield ShapeProblem(f"{joined(at, 'areas')}[{index}].bounds", "must be inside the rich menu")


def _within(bounds: Mapping[str, Any], size: Mapping[str, Any]) -> bool:
    numbers = [bounds.get(name) for name in ("x", "y", "width", "height")]
    numbers += [size.get("width"), size.get("height")]
    if not all(isinstance(number, int) for number in numbers):
        return True  # another check reports it
    x, y, width, height, whole_width, whole_height = (int(number or 0) for number in numbers)
    return x + width <= whole_width and y + height <= whole_height


BOUNDS = Shape({"x": whole(0), "y": whole(0), "width": whole(1), "height": whole(1)}, {})
RICH_MENU = Shape(
    {
        "size": Shape({"width": whole(800, 2500), "height": whole(250)}, {}, [_ratio]),
        "selected": boolean,
        "name": string(300),
        "chatBarText": string(14),
        "areas": items(Shape({"bounds": BOUNDS, "action": RICH_MENU_ACTION}, {}), 0, AREAS),
    },
    {},
    [_inside],
)
ALIAS = Shape({"richMenuAliasId": ALIAS_ID, "richMenuId": string()}, {})
ALIAS_UPDATE = Shape({"richMenuId": string()}, {})


def image_problems(data: bytes, mimetype: str, size: Mapping[str, int]) -> list[ShapeProblem]:
    """Return what LINE would refuse in a rich menu's image: its type, its bytes, or its size in pixels."""
    if mimetype not in MIMETYPES:
        return [ShapeProblem("", "The content type must be image/png or image/jpeg")]
    if len(data) > IMAGE_BYTES:
        return [ShapeProblem("", f"The image must be at most {IMAGE_BYTES} bytes")]
    measured = image_size(data)
    if measured is None or measured[0] != MIMETYPES[mimetype]:
        return [ShapeProblem("", f"The image is not {mimetype}")]
    if measured[1:] != (size["width"], size["height"]):
        return [ShapeProblem("", f"The image size {measured[1:]} does not match the rich menu's")]
    return []


def image_size(data: bytes) -> tuple[str, int, int] | None:
    """Return the kind ("png" or "jpeg"), width and height in pixels; None when the image is neither.

    PNG: https://www.w3.org/TR/png-3/; JPEG: ITU-T T.81 (https://www.w3.org/Graphics/JPEG/itu-t81.pdf), annex
    B.
    """
    if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return "png", width, height
    return _jpeg_size(data) if data[:2] == b"\xff\xd8" else None


def _jpeg_size(data: bytes) -> tuple[str, int, int] | None:
    """Read the size from the frame header: SOF0 to SOF15. Among these codes, DHT, JPG and DAC are no frame
    headers."""
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        marker, length = data[place + 1], struct.unpack(">H", data[place + 2 : place + 4])[0]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return "jpeg", width, height
        place += 2 + length
    return None
