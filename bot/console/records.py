"""The records that the platform keeps: users and groups, what was sent either way, and files."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from bot.demo_chat import User

Json = dict[str, Any]


@dataclass
class Group:
    """A group chat: the user ids of its members, and whether the bot is in it."""

    id: str
    name: str
    members: list[str]
    bot_inside: bool = True


@dataclass
class Delivery:
    """An event sent to the bot's webhook, and the answer: HTTP status or error, and the seconds it took."""

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
    """The content of a file or image message."""

    data: bytes
    mimetype: str


class NoAnswer(AssertionError):
    """The bot did not answer in time. The message says what was refused meanwhile."""


@dataclass
class SentMessages:
    """The messages of one call of the bot: a reply, with its token, or a push, without one. `ids` are those
    LINE gave them."""

    chat: str
    messages: list[Json]
    token: str | None = None
    ids: list[str] = field(default_factory=list)


@dataclass
class Directory:
    """Users and groups by their ids."""

    users: dict[str, User] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)


class Quotes:
    """The messages that can be quoted, by their tokens and ids, each in its own chat; at most `most`, the
    oldest go first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tokens: OrderedDict[str, tuple[str, str]] = OrderedDict()
        self._ids: dict[str, str] = {}

    def add(self, token: str, message: str, chat: str) -> None:
        self._tokens[token] = (message, chat)
        self._ids[message] = chat
        while len(self._tokens) > self._most:
            _, (oldest, _) = self._tokens.popitem(last=False)
            self._ids.pop(oldest, None)

    def get(self, token: str) -> str | None:
        """The chat in which a token can be used."""
        found = self._tokens.get(token)
        return found[1] if found else None

    def chat_of(self, message: str) -> str | None:
        """The chat of a message that can be quoted."""
        return self._ids.get(message)
