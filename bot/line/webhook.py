"""LINE's webhook: is it LINE's, and what its events say.

Events are read from the body's JSON, not through the SDK's parser: one event it does not know, or one field missing,
makes that refuse the whole batch.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import time
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
TOKEN_LIFE = 50.0  # seconds after the event in which a reply is tried; LINE's token lives about a minute
_EVENT_ID = re.compile(r"[^0-9A-Za-z_-]")


def signature_is_valid(secret: str, body: bytes, signature: str) -> bool:
    """HMAC-SHA256 of the raw body with the channel secret, base64; compared in constant time."""
    digest = base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest())
    return hmac.compare_digest(digest, signature.encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class Event:
    """What the bot looks at in an event.

    `at` is LINE's own time of it, in seconds; `users` are those who joined or left; sizes are in bytes.
    """

    id: str
    type: str
    chat: str
    user: str
    token: str
    at: float
    text: str = ""
    mentioned: bool = False
    data: str = ""
    message_id: str = ""
    message_type: str = ""
    file_name: str = ""
    file_size: int = 0
    users: tuple[str, ...] = ()

    @property
    def alone(self) -> bool:
        return self.chat == self.user


def read_event(raw: Any) -> Event | None:
    """An Event of a webhook's JSON, None where it has no place we could answer in."""
    if not isinstance(raw, dict) or raw.get("mode") == "standby":
        return None
    source = _dict(raw, "source")
    user = _text(source, "userId")
    chat = _text(source, "groupId") or _text(source, "roomId") or user
    if not chat:
        return None
    message = _dict(raw, "message")
    at = raw.get("timestamp")
    return Event(
        id=_EVENT_ID.sub("", _text(raw, "webhookEventId"))[:64],
        type=_text(raw, "type"),
        chat=chat,
        user=user,
        token=_text(raw, "replyToken"),
        at=at / 1000 if isinstance(at, int | float) and at > 0 else time.time(),
        text=_without_mention(message),
        mentioned=_mentioned(message),
        data=_text(_dict(raw, "postback"), "data"),
        message_id=_text(message, "id"),
        message_type=_text(message, "type"),
        file_name=_text(message, "fileName"),
        file_size=message["fileSize"] if isinstance(message.get("fileSize"), int) else 0,
        users=_users(_dict(raw, "left")) + _users(_dict(raw, "joined")),
    )


def _dict(value: Json, key: str) -> Json:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _text(value: Json, key: str) -> str:
    """A text, without what is no character (half a surrogate pair, which JSON can spell)."""
    found = value.get(key)
    return found.encode("utf-8", "replace").decode() if isinstance(found, str) else ""


def _users(part: Json) -> tuple[str, ...]:
    """The users a memberLeft or memberJoined event names."""
    members = part.get("members")
    found = [_text(m, "userId") for m in members if isinstance(m, dict)] if isinstance(members, list) else []
    return tuple(filter(None, found))


def _mentionees(message: Json) -> list[Json]:
    found = _dict(message, "mention").get("mentionees")
    return [m for m in found if isinstance(m, dict)] if isinstance(found, list) else []


def _mentioned(message: Json) -> bool:
    """Whether the bot itself is mentioned."""
    return any(m.get("isSelf") is True for m in _mentionees(message))


def _without_mention(message: Json) -> str:
    """The text without the mention of the bot; places are counted in UTF-16 units."""
    words = _text(message, "text")
    units = words.encode("utf-16-le", "surrogatepass")
    for m in sorted(
        _mentionees(message), key=lambda m: -m["index"] if isinstance(m.get("index"), int) else 0
    ):
        index, length = m.get("index"), m.get("length")
        if m.get("isSelf") is True and isinstance(index, int) and isinstance(length, int):
            units = units[: 2 * index] + units[2 * (index + length) :]
    return units.decode("utf-16-le", "replace").strip()
