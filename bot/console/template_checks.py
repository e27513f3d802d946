"""Check template messages by LINE's rules.

The rules: https://developers.line.biz/en/reference/messaging-api/#template-messages
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.console.action_checks import DEFAULT_ACTION, IMAGE_CAROUSEL_ACTION, TEMPLATE_ACTION
from bot.console.shapes import (
    COLOUR,
    MEDIA_URL,
    ByType,
    Check,
    Rule,
    Shape,
    ShapeProblem,
    anything,
    items,
    joined,
    listed,
    objects,
    one_of,
    string,
)


def _text_beside(wide: int, narrow: int, image: str) -> Rule:
    """Return a rule for a text of at most `wide` characters, or `narrow` with a title or the property
    `image`."""

    def rule(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
        longest = narrow if value.get("title") or value.get(image) else wide
        if value.get("text") is not None:
            yield from string(longest)(value["text"], joined(at, "text"))

    return rule


def _columns_alike(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    columns = [column for _, column in objects(value, "columns")]
    if len({len(listed(column, "actions")) for column in columns}) > 1:
        yield ShapeProblem(joined(at, "columns"), "every column must have the same number of actions")
    for name in ("thumbnailImageUrl", "title"):
        if len({column.get(name) is None for column in columns}) > 1:
            yield ShapeProblem(joined(at, "columns"), f"{name} must be in every column or in none")


LOOKS: dict[str, Check] = {
    "imageAspectRatio": one_of("rectangle", "square"),
    "imageSize": one_of("cover", "contain"),
}
PICTURED: dict[str, Check] = {
    "thumbnailImageUrl": MEDIA_URL,
    "imageBackgroundColor": COLOUR,
    "title": string(40),
    "defaultAction": DEFAULT_ACTION,
}
COLUMN = Shape(
    {"text": anything, "actions": items(TEMPLATE_ACTION, 1, 3)},
    PICTURED,
    [_text_beside(120, 60, "thumbnailImageUrl")],
)
IMAGE_COLUMN = Shape({"imageUrl": MEDIA_URL, "action": IMAGE_CAROUSEL_ACTION}, {})
TEMPLATES: dict[str, Check] = {
    "buttons": Shape(
        {"type": anything, "text": anything, "actions": items(TEMPLATE_ACTION, 1, 4)},
        PICTURED | LOOKS,
        [_text_beside(160, 60, "thumbnailImageUrl")],
    ),
    "confirm": Shape({"type": anything, "text": string(240), "actions": items(TEMPLATE_ACTION, 2, 2)}, {}),
    "carousel": Shape({"type": anything, "columns": items(COLUMN, 1, 10)}, LOOKS, [_columns_alike]),
    "image_carousel": Shape({"type": anything, "columns": items(IMAGE_COLUMN, 1, 10)}, {}),
}

TEMPLATE = ByType(lambda: TEMPLATES)
