"""What LINE accepts as a rich menu and as its picture."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from bot.console import checks
from bot.console.richmenu_checks import IMAGE_BYTES, image_size
from bot.console.shapes import paths
from tests.console.samples import png, rich_menu

Json = dict[str, Any]


def where(**change: Any) -> list[str]:
    return paths(checks.rich_menu_problems(rich_menu() | change))


def area(x: int, y: int, width: int, height: int) -> Json:
    return {
        "bounds": {"x": x, "y": y, "width": width, "height": height},
        "action": {"type": "postback", "data": "d"},
    }


def test_the_sample_is_taken() -> None:
    assert where() == []


@pytest.mark.parametrize(
    ("good", "bad", "at"),
    [
        ({"chatBarText": "あ" * 14}, {"chatBarText": "あ" * 15}, "chatBarText"),
        ({"name": "n" * 300}, {"name": "n" * 301}, "name"),
        ({"areas": [area(0, 0, 1, 1)] * 20}, {"areas": [area(0, 0, 1, 1)] * 21}, "areas"),
        ({"areas": [area(1, 0, 2499, 1)]}, {"areas": [area(2, 0, 2499, 1)]}, "areas[0].bounds"),
        ({"areas": [area(0, 1, 1, 1685)]}, {"areas": [area(0, 2, 1, 1685)]}, "areas[0].bounds"),
        ({"areas": []}, {"areas": [area(-1, 0, 5, 5)]}, "areas[0].bounds.x"),
        ({"areas": []}, {"size": {"width": 2501, "height": 800}, "areas": []}, "size.width"),
        ({"size": {"width": 800, "height": 250}, "areas": []}, {"size": {"width": 799, "height": 250}, "areas": []}, "size.width"),
        ({"areas": []}, {"size": {"width": 800, "height": 249}, "areas": []}, "size.height"),
        ({"size": {"width": 1450, "height": 1000}, "areas": []}, {"size": {"width": 1449, "height": 1000}, "areas": []}, "size"),
        ({"selected": False}, {"selected": "no"}, "selected"),
        ({"areas": []}, {"colour": "red"}, "colour"),
    ],
)  # fmt: skip
def test_limit(good: Json, bad: Json, at: str) -> None:
    assert where(**good) == []
    assert at in where(**bad)


def jpeg(width: int, height: int) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(made, "JPEG")
    return made.getvalue()


def test_picture_sizes_are_read_from_the_bytes() -> None:
    assert image_size(png(800, 300)) == ("png", 800, 300)
    assert image_size(jpeg(810, 310)) == ("jpeg", 810, 310)
    assert image_size(b"GIF89a") is None
    assert image_size(b"\xff\xd8\xff") is None


SIZE = {"width": 800, "height": 300}


def test_the_picture_is_png_or_jpeg_of_the_menus_size_and_light_enough() -> None:
    good = png(800, 300)
    assert checks.image_problems(good, "image/png", SIZE) == []
    assert checks.image_problems(jpeg(800, 300), "image/jpeg", SIZE) == []
    assert checks.image_problems(good, "image/gif", SIZE)
    assert checks.image_problems(good, "image/jpeg", SIZE)
    assert checks.image_problems(png(801, 300), "image/png", SIZE)
    assert checks.image_problems(good + bytes(IMAGE_BYTES - len(good)), "image/png", SIZE) == []
    assert checks.image_problems(good + bytes(IMAGE_BYTES + 1 - len(good)), "image/png", SIZE)


@pytest.mark.parametrize("alias", ["", "A", "a b", "a" * 33])
def test_alias_ids(alias: str) -> None:
    assert paths(checks.alias_problems({"richMenuAliasId": alias, "richMenuId": "r"})) == ["richMenuAliasId"]
    assert checks.alias_problems({"richMenuAliasId": "a" * 32, "richMenuId": "r"}) == []
