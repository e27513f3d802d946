"""Build webhook events in LINE's form, and the signed request that carries them; nothing is sent here.

The form: https://developers.line.biz/en/reference/messaging-api/#webhook-event-objects
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Sequence
from typing import Any

from bot.console import ids
from bot.demo_chat import User

Json = dict[str, Any]


def source(chat: str, user: str | None) -> Json:
    """Return an event's source. A chat id that starts with `C` is a group, any other is the 1:1 chat with
    that user."""
    if not chat.startswith("C"):
        return {"type": "user", "userId": chat}
    where = {"type": "group", "groupId": chat}
    return where | {"userId": user} if user else where


def event(kind: str, origin: Json, milliseconds: int, token: str | None = None, **fields: Any) -> Json:
    """Return a new event of the kind at an epoch time in milliseconds; `token` is its reply token."""
    made: Json = {
        "type": kind,
        "webhookEventId": ids.ulid(milliseconds),
        "deliveryContext": {"isRedelivery": False},
        "timestamp": milliseconds,
        "source": origin,
        "mode": "active",
    }
    if token is not None:
        made["replyToken"] = token
    return made | fields


def redelivered(original: Json) -> Json:
    """Return the same event, with the same id, marked as a redelivery."""
    return original | {"deliveryContext": {"isRedelivery": True}}


def text_message(text: str, bot: User) -> Json:
    """Return a text message's content. The first `@` and bot's name in it is a mention of the bot."""
    content: Json = {"type": "text", "id": ids.message_id(), "quoteToken": ids.quote_token(), "text": text}
    mention = "@" + bot.name
    start = text.find(mention)
    if start >= 0:
        mentionee: Json = {"index": utf16(text[:start]), "length": utf16(mention), "type": "user"}
        content["mention"] = {"mentionees": [mentionee | {"userId": bot.id, "isSelf": True}]}
    return content


def file_message(name: str, size: int) -> Json:
    return {"type": "file", "id": ids.message_id(), "fileName": name, "fileSize": size}


def image_message() -> Json:
    token = ids.quote_token()
    provider = {"type": "line"}
    return {"type": "image", "id": ids.message_id(), "quoteToken": token, "contentProvider": provider}


def sticker_message(package: str, sticker: str) -> Json:
    content = {"type": "sticker", "id": ids.message_id(), "quoteToken": ids.quote_token()}
    return content | {"packageId": package, "stickerId": sticker, "stickerResourceType": "STATIC"}


def members(users: Sequence[str]) -> Json:
    return {"members": [{"type": "user", "userId": user} for user in users]}


def utf16(text: str) -> int:
    """Return the text's length in UTF-16 code units, as LINE counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def body(destination: str, events: Sequence[Json]) -> bytes:
    """Return the body of a webhook request: JSON in UTF-8. `destination` is the bot's user id."""
    return json.dumps({"destination": destination, "events": list(events)}, ensure_ascii=False).encode()


def signature(secret: str, raw: bytes) -> str:
    """Return the signature of a body: the base64 of its HMAC-SHA256 with the channel secret.

    https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/
    """
    return base64.b64encode(hmac.new(secret.encode(), raw, hashlib.sha256).digest()).decode()
