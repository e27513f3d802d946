"""Check Flex messages by LINE's rules: which component may be in which box, with which properties and values.

The rules: https://developers.line.biz/en/reference/messaging-api/#flex-message and
https://developers.line.biz/en/docs/messaging-api/flex-message-elements/
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from bot.console.action_checks import FLEX_ACTION, FLEX_BUTTON_ACTION
from bot.console.shapes import (
    COLOUR,
    MEDIA_URL,
    ByType,
    Check,
    Shape,
    ShapeProblem,
    anything,
    boolean,
    items,
    joined,
    matching,
    objects,
    one_of,
    string,
    whole,
)

BUBBLE_BYTES = 30 * 1024
CAROUSEL_BYTES = 50 * 1024
BUBBLES = 12

SPACES = "none|xs|sm|md|lg|xl|xxl"
SIZES = "xxs|xs|sm|md|lg|xl|xxl|3xl|4xl|5xl"
PX = r"\d+(\.\d+)?px"
PERCENT = r"\d+(\.\d+)?%"

SPACE = matching(f"{SPACES}|{PX}", "a keyword (none to xxl) or pixels")
PADDING = matching(f"{SPACES}|{PX}|{PERCENT}", "a keyword (none to xxl), pixels or a percentage")
OFFSET = matching(f"{SPACES}|-?{PX}|-?{PERCENT}", "a keyword (none to xxl), pixels or a percentage")
LENGTH = matching(f"{PX}|{PERCENT}", "pixels or a percentage")
TEXT_SIZE = matching(f"{SIZES}|{PX}", "a keyword (xxs to 5xl) or pixels")
IMAGE_SIZE = matching(f"{SIZES}|full|{PX}|{PERCENT}", "a keyword (xxs to full), pixels or a percentage")
BORDER = matching(f"none|light|normal|medium|semi-bold|bold|{PX}", "a keyword (none to bold) or pixels")
ALIGN = one_of("start", "end", "center")
GRAVITY = one_of("top", "bottom", "center")
FLEX: Check = whole(0)
VIDEO_BUBBLES = ("kilo", "mega", "giga")


def aspect_ratio(value: Any, at: str) -> Iterator[ShapeProblem]:
    """Check `width:height`: each from 1 to 100000, the height at most three times the width."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)", value) if isinstance(value, str) else None
    if found is None:
        yield ShapeProblem(at, "must be an aspect ratio (width:height)")
        return
    width, height = float(found[1]), float(found[2])
    if not (1 <= width <= 100_000 and 1 <= height <= 100_000 and height <= 3 * width):
        yield ShapeProblem(at, "aspect ratio out of range")


PLACED: dict[str, Check] = {
    "margin": SPACE,
    "position": one_of("relative", "absolute"),
    "offsetTop": OFFSET,
    "offsetBottom": OFFSET,
    "offsetStart": OFFSET,
    "offsetEnd": OFFSET,
}
LETTERS: dict[str, Check] = {
    "size": TEXT_SIZE,
    "color": COLOUR,
    "weight": one_of("regular", "bold"),
    "style": one_of("normal", "italic"),
    "decoration": one_of("none", "underline", "line-through"),
}
TYPE: dict[str, Check] = {"type": anything}


def _children(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    """The layout decides what may be in a box. In a baseline box gravity and offsetBottom have no effect."""
    baseline = value.get("layout") == "baseline"
    allowed = IN_BASELINE if baseline else IN_BOX
    yield from items(ByType(lambda: COMPONENTS, allowed))(value.get("contents", []), joined(at, "contents"))
    if baseline:
        for index, child in objects(value, "contents"):
            for name in ("gravity", "offsetBottom"):
                if child.get(name) is not None:
                    yield ShapeProblem(
                        f"{joined(at, 'contents')}[{index}].{name}", "not allowed in a baseline box"
                    )


def _says_something(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    if value.get("text") is None and not value.get("contents"):
        yield ShapeProblem(joined(at, "text"), "text or contents must be specified")


def _hero_of(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    hero = value.get("hero")
    video = isinstance(hero, dict) and hero.get("type") == "video"
    if video and value.get("size", "mega") not in VIDEO_BUBBLES:
        yield ShapeProblem(joined(at, "size"), "must be kilo, mega or giga when the hero is a video")


def _some_block(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    if not any(value.get(name) for name in ("header", "hero", "body", "footer")):
        yield ShapeProblem(at, "At least one block must be specified")


def weight(value: Any) -> int:
    """Return the size of the JSON as it is sent, in bytes."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))


def _bubble_weight(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    if weight(value) > BUBBLE_BYTES:
        yield ShapeProblem(at, f"bubble must be at most {BUBBLE_BYTES} bytes")


def _carousel_rules(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    if weight(value) > CAROUSEL_BYTES:
        yield ShapeProblem(at, f"carousel must be at most {CAROUSEL_BYTES} bytes")
    bubbles = objects(value, "contents")
    if len({str(bubble.get("size", "mega")) for _, bubble in bubbles}) > 1:
        yield ShapeProblem(joined(at, "contents"), "bubbles of a carousel must be of the same size")
    for index, bubble in bubbles:
        if isinstance(bubble.get("hero"), dict) and bubble["hero"].get("type") == "video":
            yield ShapeProblem(
                f"{joined(at, 'contents')}[{index}].hero", "video is not allowed in a carousel"
            )


GRADIENT = Shape(
    TYPE
    | {
        "angle": matching(r"\d+(\.\d+)?deg", "an angle (0deg to 359deg)"),
        "startColor": COLOUR,
        "endColor": COLOUR,
    },
    {"centerColor": COLOUR, "centerPosition": matching(PERCENT, "a percentage")},
)

BOX = Shape(
    TYPE | {"layout": one_of("horizontal", "vertical", "baseline"), "contents": anything},
    PLACED
    | {
        "flex": FLEX,
        "spacing": SPACE,
        "backgroundColor": COLOUR,
        "borderColor": COLOUR,
        "borderWidth": BORDER,
        "cornerRadius": SPACE,
        "width": LENGTH,
        "maxWidth": LENGTH,
        "height": LENGTH,
        "maxHeight": LENGTH,
        "paddingAll": PADDING,
        "paddingTop": PADDING,
        "paddingBottom": PADDING,
        "paddingStart": PADDING,
        "paddingEnd": PADDING,
        "action": FLEX_ACTION,
        "justifyContent": one_of(
            "center", "flex-start", "flex-end", "space-between", "space-around", "space-evenly"
        ),
        "alignItems": one_of("center", "flex-start", "flex-end"),
        "background": ByType(lambda: {"linearGradient": GRADIENT}),
    },
    [_children],
)

SPAN = Shape(TYPE, {"text": string()} | LETTERS)

COMPONENTS: dict[str, Check] = {
    "box": BOX,
    "button": Shape(
        TYPE | {"action": FLEX_BUTTON_ACTION},
        PLACED
        | {
            "flex": FLEX,
            "color": COLOUR,
            "style": one_of("primary", "secondary", "link"),
            "gravity": GRAVITY,
            "height": one_of("md", "sm"),
            "adjustMode": one_of("shrink-to-fit"),
            "scaling": boolean,
        },
    ),
    "image": Shape(
        TYPE | {"url": MEDIA_URL},
        PLACED
        | {
            "flex": FLEX,
            "align": ALIGN,
            "gravity": GRAVITY,
            "size": IMAGE_SIZE,
            "aspectRatio": aspect_ratio,
            "aspectMode": one_of("fit", "cover"),
            "backgroundColor": COLOUR,
            "action": FLEX_ACTION,
            "animated": boolean,
        },
    ),
    "icon": Shape(
        TYPE | {"url": MEDIA_URL},
        PLACED | {"size": TEXT_SIZE, "aspectRatio": aspect_ratio, "scaling": boolean},
    ),
    "text": Shape(
        TYPE,
        PLACED
        | LETTERS
        | {
            "text": string(),
            "contents": items(ByType(lambda: {"span": SPAN}), 1),
            "flex": FLEX,
            "align": ALIGN,
            "gravity": GRAVITY,
            "wrap": boolean,
            "lineSpacing": matching(PX, "pixels"),
            "action": FLEX_ACTION,
            "maxLines": whole(0),
            "adjustMode": one_of("shrink-to-fit"),
            "scaling": boolean,
        },
        [_says_something],
    ),
    "separator": Shape(TYPE, {"margin": SPACE, "color": COLOUR}),
    "filler": Shape(TYPE, {"flex": FLEX}),
    "video": Shape(
        TYPE
        | {
            "url": MEDIA_URL,
            "previewUrl": MEDIA_URL,
            "altContent": ByType(lambda: COMPONENTS, ("box", "image")),
        },
        {"aspectRatio": aspect_ratio, "action": FLEX_ACTION},
    ),
}
IN_BOX = ("box", "button", "image", "text", "separator", "filler")
IN_BASELINE = ("icon", "text", "filler")

A_BOX = ByType(lambda: COMPONENTS, ("box",))
BLOCK_STYLE = Shape({}, {"backgroundColor": COLOUR, "separator": boolean, "separatorColor": COLOUR})

BUBBLE = Shape(
    TYPE,
    {
        "direction": one_of("ltr", "rtl"),
        "styles": Shape({}, dict.fromkeys(("header", "hero", "body", "footer"), BLOCK_STYLE)),
        "header": A_BOX,
        "hero": ByType(lambda: COMPONENTS, ("box", "image", "video")),
        "body": A_BOX,
        "footer": A_BOX,
        "size": one_of("nano", "micro", "deca", "hecto", "kilo", "mega", "giga"),
        "action": FLEX_ACTION,
    },
    [_some_block, _hero_of, _bubble_weight],
)

CAROUSEL = Shape(
    TYPE | {"contents": items(ByType(lambda: {"bubble": BUBBLE}), 1, BUBBLES)}, {}, [_carousel_rules]
)

CONTAINER = ByType(lambda: {"bubble": BUBBLE, "carousel": CAROUSEL})
