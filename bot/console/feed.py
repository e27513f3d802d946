"""What happened in the console's LINE, in order: a bounded, numbered list that readers can wait on."""

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
    """One thing that happened. `kind`: message, refused, webhook, api, loading, menu or unsend."""

    number: int
    kind: str
    chat: str | None
    data: Json

    def as_json(self) -> Json:
        return {"n": self.number, "kind": self.kind, "chat": self.chat} | self.data


class Feed:
    """Safe in threads. The condition is shared with the platform, so that one lock guards all of its state."""

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
        """Entries newer than `after`, as soon as there is one; none when the time is up."""
        self.wait(lambda: self._last > after, timeout)
        return self.entries(after=after)

    def wait(self, ready: Callable[[], T], timeout: float) -> T:
        """What `ready` gives as soon as it is true of something, else its last value at the end of the time."""
        deadline = time.monotonic() + timeout
        with self.condition:
            while not (value := ready()):
                left = deadline - time.monotonic()
                if left <= 0 or self._closed:
                    return value
                self.condition.wait(left)
            return value

    def close(self) -> None:
        """Lets every waiting reader go."""
        with self.condition:
            self._closed = True
            self.condition.notify_all()
