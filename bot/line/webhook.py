"""LINE's webhook: checks the signature and reads the events (not with the SDK's parser, which
refuses the whole batch when one event has a missing field).
https://developers.line.biz/en/reference/messaging-api/"""

import base64
import hashlib
import hmac
import re
import time
from dataclasses import dataclass
from datetime import date
from typing import Any

Json = dict[str, Any]
# Seconds after an event in which a reply is tried; LINE's token lives about a minute.
TOKEN_LIFE = 50.0
LATEST = 1e14  # milliseconds: the year 5138
LARGEST = 2**40  # bytes
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
_EVENT_ID = re.compile(r"[^0-9A-Za-z_-]")


def signature_is_valid(secret: str, body: bytes, signature: str) -> bool:
    """Compared in constant time.
    https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/"""
    code = hmac.new(secret.encode(), body, hashlib.sha256)
    digest = base64.b64encode(code.digest())
    return hmac.compare_digest(digest, signature.encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class Event:
    """The parts of a webhook event that the bot uses.

    `chat` is the id of the group, room or user; `at` is LINE's time of the event in epoch seconds;
    `users` are the ids of the members who joined or left; `message_id` may be that of a message
    taken back; `file_size` is in bytes; `data` is a postback's, `day` the ISO day that was picked
    with it. `again`: LINE sends it once more, with its first time. `quotes` is the token that
    an answer quotes a message with, `quoted` the id of the message that a text quotes.
    """

    id: str
    type: str
    chat: str
    user: str
    token: str
    at: float
    again: bool = False
    text: str = ""
    mentioned: bool = False
    data: str = ""
    day: str = ""
    quotes: str = ""
    quoted: str = ""
    message_id: str = ""
    message_type: str = ""
    file_name: str = ""
    file_size: int = 0
    users: tuple[str, ...] = ()

    @property
    def alone(self) -> bool:
        return self.chat == self.user


def read_event(raw: Any) -> Event | None:
    """The Event of a webhook event's JSON, or None where it names no chat or the channel is on
    standby.
    """
    if not isinstance(raw, dict) or raw.get("mode") == "standby":
        return None
    source = _dict(raw, "source")
    user = _text(source, "userId")
    chat = _text(source, "groupId") or _text(source, "roomId") or user
    if not chat:
        return None
    message = _dict(raw, "message")
    postback = _dict(raw, "postback")
    quoted = _text(message, "quotedMessageId")
    if not _ID.fullmatch(quoted):
        quoted = ""
    moved = [
        *_dicts(_dict(raw, "left"), "members"),
        *_dicts(
            _dict(
                raw,
                "joined",
            ),
            "members",
        ),
    ]
    users = (_text(member, "userId") for member in moved)
    mentions = _dicts(_dict(message, "mention"), "mentionees")
    return Event(
        id=_EVENT_ID.sub("", _text(raw, "webhookEventId"))[:64],
        type=_text(raw, "type"),
        chat=chat,
        user=user,
        token=_text(raw, "replyToken"),
        at=_seconds(raw.get("timestamp")),
        again=_dict(raw, "deliveryContext").get("isRedelivery") is True,
        text=_without_mention(message),
        mentioned=any(mention.get("isSelf") is True for mention in mentions),
        data=_text(postback, "data"),
        day=_picked_day(postback),
        quotes=_text(message, "quoteToken"),
        quoted=quoted,
        message_id=_text(message, "id") or _text(_dict(raw, "unsend"), "messageId"),
        message_type=_text(message, "type"),
        file_name=_text(message, "fileName"),
        file_size=_size(message.get("fileSize")),
        users=tuple(user for user in users if user),
    )


def _dict(value: Json, key: str) -> Json:
    part = value.get(key)
    if isinstance(part, dict):
        return part
    return {}


def _seconds(timestamp: Any) -> float:
    """Epoch seconds of LINE's milliseconds; the time now where they are none."""
    if isinstance(timestamp, int | float) and 0 < timestamp < LATEST:
        return timestamp / 1000
    return time.time()


def _size(size: Any) -> int:
    """A file's size in bytes, 0 where it is none. At most LARGEST."""
    if isinstance(size, int) and size > 0:
        return min(size, LARGEST)
    return 0


def _text(value: Json, key: str) -> str:
    """The text under a key, "" for none; half a surrogate pair becomes a question mark."""
    text = value.get(key)
    if isinstance(text, str):
        return text.encode("utf-8", "replace").decode()
    return ""


def _picked_day(postback: Json) -> str:
    """The picked day, "" for anything but `{"date": "2026-06-01"}` alone."""
    picked = _dict(postback, "params")
    day = picked.get("date")
    if len(picked) != 1 or not isinstance(day, str) or not _DAY.fullmatch(day):
        return ""
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        return ""


def _dicts(value: Json, key: str) -> list[Json]:
    parts = value.get(key)
    if isinstance(parts, list):
        return [part for part in parts if isinstance(part, dict)]
    return []


def _without_mention(message: Json) -> str:
    """The text without the mention of the bot; LINE counts positions in UTF-16 units."""
    units = _text(message, "text").encode("utf-16-le", "surrogatepass")
    mentions = _dicts(_dict(message, "mention"), "mentionees")
    # From the last to the first, so that a cut does not move the others.
    for mention in sorted(mentions, key=_mention_index, reverse=True):
        index = mention.get("index")
        length = mention.get("length")
        if mention.get("isSelf") is True and isinstance(index, int) and isinstance(length, int):
            units = units[: 2 * index] + units[2 * (index + length) :]
    return units.decode("utf-16-le", "replace").strip()


def _mention_index(mention: Json) -> int:
    index = mention.get("index")
    if isinstance(index, int):
        return index
    return 0
