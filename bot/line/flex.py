"""Parts of Flex messages (https://developers.line.biz/en/docs/messaging-api/flex-message-elements/):
components, bubbles, carousels, and what a tap does.
"""

import json
from typing import Any

from bot.chat import replies
from rating.names import visible_text

Json = dict[str, Any]
INK = "#111111"
MUTED = "#666666"
FAINT = "#767676"
MINE = "#F1F8E9"
GREEN = "#06704A"
RED = "#B3261E"
WHITE = "#FFFFFF"
GROUND = "#F2F4F3"
PALE = "#F0F7F3"
ROSE = "#FCEEED"
# bytes of JSON without a footer; LINE takes 30 KB and 50 KB
BUBBLE = 27_500
CAROUSEL = 47_500
BUBBLES = 12  # in a carousel
ALT = 400  # characters of a notification


def text(words: str, **style: Any) -> Json:
    return {"type": "text", "text": visible_text(words) or " ", **style}


def box(layout: str, contents: list[Json], **style: Any) -> Json:
    """A box component; `layout` is vertical, horizontal or baseline."""
    return {"type": "box", "layout": layout, "contents": contents, **style}


def flex_bubble(size: str, body: list[Json], **style: Any) -> Json:
    return {"type": "bubble", "size": size, "body": box("vertical", body, **style)}


def flex_message(contents: Json, alt: str) -> Json:
    return {"type": "flex", "altText": clip(alt, ALT), "contents": contents}


def clip(words: str, units: int) -> str:
    """The beginning of a text, cut to so many UTF-16 units (LINE counts these)."""
    words = visible_text(words)
    return words.encode("utf-16-le", "replace")[: 2 * units].decode("utf-16-le", "ignore")


def length(words: str) -> float:
    """The length of a text in widths of a digit."""
    return sum(map(_width, words))


def _width(char: str) -> float:
    if char in ",.":
        return 0.5
    if char in "−±%":
        return 1.5
    if char.isascii():
        return 1.0
    return 1.8


def carousel(bubbles: list[Json]) -> Json:
    """The only bubble, or a carousel of as many bubbles as LINE takes; the rest is left out."""
    contents = bubbles[:1]
    size = json_size(bubbles[0])
    for bubble in bubbles[1:BUBBLES]:
        size += json_size(bubble)
        if size > CAROUSEL:
            break
        contents.append(bubble)
    if len(contents) == 1:
        return contents[0]
    return {"type": "carousel", "contents": contents}


def json_size(value: Json) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def action(choice: replies.Choice) -> Json:
    """A postback action that shows its label in the chat, or a calendar that sends the command with
    a day. LINE wants the first day before the last, so equal ones are left out.
    https://developers.line.biz/en/reference/messaging-api/#datetime-picker-action"""
    common = {"label": clip(choice.label, 20) or " ", "data": choice.data[:300]}
    if not choice.pick:
        return {"type": "postback", **common, "displayText": clip(choice.label, 300) or " "}
    bounds = {"initial": choice.initial, "min": choice.earliest, "max": choice.latest}
    if choice.earliest and choice.earliest >= (choice.latest or "9"):
        bounds = {"initial": choice.initial}
    days = {name: day for name, day in bounds.items() if day}
    return {"type": "datetimepicker", **common, "mode": choice.pick, **days}
