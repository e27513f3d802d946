"""What the platform remembers: groups, what was sent either way, files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.demo_chat import User

Json = dict[str, Any]


@dataclass
class Group:
    id: str
    name: str
    members: list[str]
    bot_inside: bool = True


@dataclass
class Delivery:
    """An event sent to the bot's webhook, and what the webhook said."""

    chat: str
    event: Json
    status: int | None = None
    error: str | None = None
    seconds: float = 0.0

    @property
    def token(self) -> str | None:
        token: str | None = self.event.get("replyToken")
        return token

    @property
    def message_id(self) -> str:
        return str(self.event["message"]["id"])


@dataclass
class Content:
    data: bytes
    mimetype: str


class NoAnswer(AssertionError):
    """The bot did not answer in time; says what was refused meanwhile."""


@dataclass
class SentMessages:
    """What the bot sent at once: by reply (with its token) or by push (without)."""

    chat: str
    messages: list[Json]
    token: str | None = None


@dataclass
class Directory:
    users: dict[str, User] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
