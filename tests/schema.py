"""Check messages with the console's checks, and with two that share no code with them: LINE's SDK, and a
table of limits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from linebot.v3.messaging.models import Message
from pydantic.v1 import BaseModel

from bot.console import checks

# What the SDK's models don't hold, by model and property: the least and greatest length of a list, or of a
# text in UTF-16 code units. Source: https://developers.line.biz/en/reference/messaging-api/ (message,
# template, Flex, action and rich menu objects).
TEXT, ALT_TEXT, URL, LABEL, SAID, LINK = (1, 5000), (1, 1500), (1, 2000), (0, 20), (1, 300), (1, 1000)
LIMITS = {
    "TextMessage": {"text": TEXT, "emojis": (1, 20)},
    "TextMessageV2": {"text": TEXT},
    "ImageMessage": {"original_content_url": URL, "preview_image_url": URL},
    "VideoMessage": {"original_content_url": URL, "preview_image_url": URL, "tracking_id": (1, 100)},
    "AudioMessage": {"original_content_url": URL},
    "LocationMessage": {"title": (1, 100), "address": (1, 100)},
    "ImagemapMessage": {"alt_text": ALT_TEXT, "base_url": URL, "actions": (0, 50)},
    "TemplateMessage": {"alt_text": ALT_TEXT},
    "FlexMessage": {"alt_text": ALT_TEXT},
    "QuickReply": {"items": (1, 13)},
    "ButtonsTemplate": {
        "thumbnail_image_url": URL,
        "title": (1, 40),
        "text": (1, 160),
        "actions": (1, 4),
    },
    "ConfirmTemplate": {"text": (1, 240), "actions": (2, 2)},
    "CarouselTemplate": {"columns": (1, 10)},
    "CarouselColumn": {"thumbnail_image_url": URL, "title": (1, 40), "text": (1, 120), "actions": (1, 3)},
    "ImageCarouselTemplate": {"columns": (1, 10)},
    "ImageCarouselColumn": {"image_url": URL},
    "FlexCarousel": {"contents": (1, 12)},
    "FlexImage": {"url": URL},
    "FlexIcon": {"url": URL},
    "FlexVideo": {"url": URL, "preview_url": URL},
    "PostbackAction": {
        "label": LABEL,
        "data": SAID,
        "display_text": SAID,
        "text": SAID,
        "fill_in_text": SAID,
    },
    "MessageAction": {"label": LABEL, "text": SAID},
    "URIAction": {"label": LABEL, "uri": LINK},
    "DatetimePickerAction": {"label": LABEL, "data": SAID},
    "ClipboardAction": {"label": LABEL},
    "RichMenuSwitchAction": {"label": LABEL, "data": SAID},
    "RichMenuRequest": {"areas": (0, 20)},
}
BYTES = {"FlexBubble": 30 * 1024, "FlexCarousel": 50 * 1024}  # of its JSON


def _models(value: Any) -> Iterator[BaseModel]:
    """The model and all inside it."""
    if isinstance(value, BaseModel):
        yield value
    inner = dict(value) if isinstance(value, BaseModel) else value
    parts = inner.values() if isinstance(inner, dict) else inner if isinstance(inner, list) else ()
    for part in parts:
        yield from _models(part)


def _kept(given: Any, read: Any) -> bool:
    """Whether all that was given came back as it was. The SDK passes over what it doesn't know."""
    if type(given) is not type(read):
        return False
    if isinstance(given, dict):
        return all(key in read and _kept(part, read[key]) for key, part in given.items())
    if isinstance(given, list):
        return len(given) == len(read) and all(map(_kept, given, read))
    return bool(given == read)


def sdk_problems(value: Any, model: Any = Message) -> list[str]:
    """What LINE's SDK or the table of limits refuses in a message, or in the JSON of another of the SDK's
    models."""
    try:
        read = model.from_dict(value)
        kept = _kept(value, read.to_dict())
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        return [f"{model.__name__}: {error!r}"]
    found = [] if kept else ["a property is unknown, null or of another type"]
    for part in _models(read):
        name = type(part).__name__
        for key, (least, most) in LIMITS.get(name, {}).items():
            inside = getattr(part, key)
            length = (
                len(inside.encode("utf-16-le", "surrogatepass")) // 2
                if isinstance(inside, str)
                else len(inside or ())
            )
            if inside is not None and not least <= length <= most:
                found.append(f"{name}.{key} has a length of {length}, not {least} to {most}")
        if name in BYTES:
            text = json.dumps(part.to_dict(), ensure_ascii=False, separators=(",", ":"))
            if (size := len(text.encode("utf-8", "surrogatepass"))) > BYTES[name]:
                found.append(f"{name} has {size} bytes")
    return found


def assert_messages_pass(messages: list[dict[str, Any]]) -> None:
    """Check that one to five messages keep LINE's limits and are what its SDK would send."""
    assert 1 <= len(messages) <= 5
    problems = checks.reply_problems({"replyToken": "t", "messages": messages})
    assert not problems, problems
    for message in messages:
        assert not sdk_problems(message)
