"""Check the messages and requests that a bot sends by LINE's rules: pure functions from JSON to the problems
in it.

An empty list means that LINE would accept it. The rules:
https://developers.line.biz/en/reference/messaging-api/.

Lengths are UTF-16 code units. LINE counts some texts, such as an action's label, in grapheme clusters, which
are never more (https://developers.line.biz/en/docs/messaging-api/text-character-count/): these checks are
stricter there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bot.console.action_checks import QUICK_REPLY_ACTION, URI_SCHEMES
from bot.console.flex_checks import CONTAINER
from bot.console.richmenu_checks import ALIAS, RICH_MENU, image_problems
from bot.console.shapes import (
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
    number,
    objects,
    one_of,
    string,
    url,
    whole,
)
from bot.console.template_checks import TEMPLATE

__all__ = [
    "ShapeProblem",
    "alias_problems",
    "image_problems",
    "loading_problems",
    "message_problems",
    "push_problems",
    "reply_problems",
    "rich_menu_problems",
    "validate_problems",
]

TEXT = 5000
ALT_TEXT = 1500
QUICK_REPLIES = 13
MESSAGES = 5
LINK = url(1000, *URI_SCHEMES)

QUICK_REPLY = Shape(
    {
        "items": items(
            Shape({"action": QUICK_REPLY_ACTION}, {"type": one_of("action"), "imageUrl": MEDIA_URL}),
            1,
            QUICK_REPLIES,
        )
    },
    {},
)
COMMON: dict[str, Check] = {
    "quickReply": QUICK_REPLY,
    "sender": Shape({}, {"name": string(20), "iconUrl": MEDIA_URL}),
}


def _emojis_stand(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    """Each LINE emoji must stand at a `$` in the text."""
    text = value.get("text")
    for place, emoji in objects(value, "emojis"):
        index = emoji.get("index")
        if isinstance(text, str) and isinstance(index, int) and text[index : index + 1] != "$":
            yield ShapeProblem(
                f"{joined(at, 'emojis')}[{place}].index", "must be the place of a $ in the text"
            )


def _braces(value: Mapping[str, Any], at: str) -> Iterator[ShapeProblem]:
    """Every {name} in a textV2 must have a substitution, and every substitution a {name}."""
    text, given = value.get("text"), value.get("substitution") or {}
    if isinstance(text, str) and isinstance(given, dict):
        named = set(re.findall(r"(?<!\{)\{([0-9A-Za-z_]{1,20})\}", text))
        for name in sorted(named ^ set(given)):
            yield ShapeProblem(joined(at, "substitution"), f"{name} must be in both text and substitution")


def _values(each: Check) -> Check:
    def check(value: Any, at: str) -> Iterator[ShapeProblem]:
        if not isinstance(value, dict):
            yield ShapeProblem(at, "must be an object")
            return
        for name, part in value.items():
            yield from each(part, joined(at, name))

    return check


def message(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None, *rules: Any) -> Shape:
    """Return the shape of a message: its own properties, and those that every message may have."""
    return Shape({"type": anything, **required}, {**COMMON, **(optional or {})}, rules)


EMOJI = Shape({"index": whole(0), "productId": string(), "emojiId": string()}, {})
MENTIONEE = ByType(
    lambda: {
        "user": Shape({"type": anything, "userId": matching("U[0-9a-f]{32}", "a user id")}, {}),
        "all": Shape({"type": anything}, {}),
    }
)
SUBSTITUTION = ByType(
    lambda: {
        "mention": Shape({"type": anything, "mentionee": MENTIONEE}, {}),
        "emoji": Shape({"type": anything, "productId": string(), "emojiId": string()}, {}),
    }
)
AREA = Shape({"x": whole(0), "y": whole(0), "width": whole(1), "height": whole(1)}, {})
IMAGEMAP_ACTION = ByType(
    lambda: {
        "message": Shape({"type": anything, "area": AREA, "text": string(400)}, {"label": string(50)}),
        "uri": Shape(
            {"type": anything, "area": AREA, "linkUri": LINK},
            {"label": string(50)},
        ),
        "clipboard": Shape(
            {"type": anything, "area": AREA, "clipboardText": string(1000)}, {"label": string(50)}
        ),
    }
)
IMAGEMAP_VIDEO = Shape(
    {"originalContentUrl": MEDIA_URL, "previewImageUrl": MEDIA_URL, "area": AREA},
    {"externalLink": Shape({"linkUri": LINK, "label": string(30)}, {})},
)


MESSAGE_SHAPES: dict[str, Check] = {
    "text": message(
        {"text": string(TEXT)}, {"emojis": items(EMOJI, 1, 20), "quoteToken": string()}, _emojis_stand
    ),
    "textV2": message(
        {"text": string(TEXT)}, {"substitution": _values(SUBSTITUTION), "quoteToken": string()}, _braces
    ),
    "sticker": message({"packageId": string(), "stickerId": string()}, {"quoteToken": string()}),
    "image": message({"originalContentUrl": MEDIA_URL, "previewImageUrl": MEDIA_URL}),
    "video": message(
        {"originalContentUrl": MEDIA_URL, "previewImageUrl": MEDIA_URL},
        {"trackingId": matching(r"[0-9A-Za-z\-.=,+*()%$&;:@{}!?<>\[\]]{1,100}", "a tracking id")},
    ),
    "audio": message({"originalContentUrl": MEDIA_URL, "duration": whole(1)}),
    "location": message(
        {
            "title": string(100),
            "address": string(100),
            "latitude": number(-90, 90),
            "longitude": number(-180, 180),
        }
    ),
    "imagemap": message(
        {
            "baseUrl": MEDIA_URL,
            "altText": string(ALT_TEXT),
            "baseSize": Shape({"width": whole(1040, 1040), "height": whole(1)}, {}),
            "actions": items(IMAGEMAP_ACTION, 0, 50),
        },
        {"video": IMAGEMAP_VIDEO},
    ),
    "template": message({"altText": string(ALT_TEXT), "template": TEMPLATE}),
    "flex": message({"altText": string(ALT_TEXT), "contents": CONTAINER}),
}
MESSAGE = ByType(lambda: MESSAGE_SHAPES)
MESSAGE_LIST = items(MESSAGE, 1, MESSAGES)
REPLY = Shape({"replyToken": string(), "messages": MESSAGE_LIST}, {"notificationDisabled": boolean})
PUSH = Shape(
    {"to": string(), "messages": MESSAGE_LIST},
    {"notificationDisabled": boolean, "customAggregationUnits": items(string(30), 0, 1)},
)
MULTICAST = Shape({**PUSH.required, "to": items(string(), 1, 500)}, PUSH.optional)


def _fives(value: Any, at: str) -> Iterator[ShapeProblem]:
    if not isinstance(value, int) or isinstance(value, bool) or value % 5 or not 5 <= value <= 60:
        yield ShapeProblem(at, "must be a multiple of 5, from 5 to 60")


LOADING = Shape({"chatId": string()}, {"loadingSeconds": _fives})


def message_problems(value: Any, at: str = "messages[0]") -> list[ShapeProblem]:
    """Return what LINE would refuse in one message; `at` is its place in the request."""
    return list(MESSAGE(value, at))


def reply_problems(body: Any) -> list[ShapeProblem]:
    return list(REPLY(body, ""))


def push_problems(body: Any) -> list[ShapeProblem]:
    return list(PUSH(body, ""))


def multicast_problems(body: Any) -> list[ShapeProblem]:
    return list(MULTICAST(body, ""))


def validate_problems(body: Any) -> list[ShapeProblem]:
    """Return the problems of a body for the validate endpoints, which has only messages."""
    return list(Shape({"messages": MESSAGE_LIST}, {})(body, ""))


def rich_menu_problems(body: Any) -> list[ShapeProblem]:
    return list(RICH_MENU(body, ""))


def alias_problems(body: Any) -> list[ShapeProblem]:
    return list(ALIAS(body, ""))


def loading_problems(body: Any) -> list[ShapeProblem]:
    return list(LOADING(body, ""))
