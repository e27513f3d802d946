"""Record what happens on the platform: a numbered list of bounded length, for whose next entry readers can
wait."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Json = dict[str, Any]
T = TypeVar("T")

ENTRIES = 2000


@dataclass(frozen=True)
class FeedEntry:
    """One thing that happened. `kind` is message, refused, webhook, api, loading, menu, unsend or evening."""

    number: int
    kind: str
    chat: str | None
    data: Json

    def as_json(self) -> Json:
        return {"n": self.number, "kind": self.kind, "chat": self.chat} | self.data


class Feed:
    """The entries. Safe in threads: the platform shares the condition, so one lock guards all its state."""

    def __init__(self, condition: threading.Condition) -> None:
        self.condition = condition
        self.epoch = secrets.token_hex(4)
        self._entries: deque[FeedEntry] = deque(maxlen=ENTRIES)
        self._last = 0
        self._closed = False

    def add(self, kind: str, chat: str | None = None, **data: Any) -> FeedEntry:
        with self.condition:
            self._last += 1
            entry = FeedEntry(self._last, kind, chat, data)
            self._entries.append(entry)
            self.condition.notify_all()
            return entry

    def entries(self, kind: str | None = None, chat: str | None = None, after: int = 0) -> list[FeedEntry]:
        with self.condition:
            return [
                entry
                for entry in self._entries
                if entry.number > after
                and (kind is None or entry.kind == kind)
                and (chat is None or entry.chat == chat)
            ]

    def updates(self, after: int, timeout: float) -> list[FeedEntry]:
        """Return the entries after number `after` as soon as there is one; none after `timeout` seconds."""
        self.wait(lambda: self._last > after, timeout)
        return self.entries(after=after)

    def wait(self, ready: Callable[[], T], timeout: float) -> T:
        """Return what `ready` returns, as soon as it is true; after `timeout` seconds or `close`, its last
        value."""
        deadline = time.monotonic() + timeout
        with self.condition:
            while not (value := ready()):
                left = deadline - time.monotonic()
                if left <= 0 or self._closed:
                    return value
                self.condition.wait(left)
            return value

    def close(self) -> None:
        """End every wait."""
        with self.condition:
            self._closed = True
            self.condition.notify_all()
