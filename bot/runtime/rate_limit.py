"""How much one member and one chat may ask: far more than people do, far less than a script."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from enum import Enum

USER = (120.0, 2.0)  # taps at once, taps a second that come back
CHAT = (600.0, 10.0)
KEPT = 10_000  # members and chats remembered


class Verdict(Enum):
    """What to do with a tap."""

    ANSWER = "answer"
    TELL = "tell"  # too much: say so, once
    IGNORE = "ignore"


class Buckets:
    """A token bucket for each key, full at first. Those asked longest ago are forgotten. Safe in threads."""

    def __init__(self, size: float, refill: float, clock: Callable[[], float], kept: int = KEPT) -> None:
        self._size, self._refill, self._clock, self._kept = size, refill, clock, kept
        self._levels: OrderedDict[str, tuple[float, float, bool]] = OrderedDict()

    def take(self, key: str) -> Verdict:
        """Take a token: ANSWER. Where there is none: TELL the first time, IGNORE until there is one again."""
        now = self._clock()
        level, at, told = self._levels.pop(key, (self._size, now, False))
        level = min(self._size, level + (now - at) * self._refill)
        verdict = Verdict.ANSWER if level >= 1 else Verdict.IGNORE if told else Verdict.TELL
        left = level - 1 if verdict is Verdict.ANSWER else level
        self._levels[key] = (left, now, verdict is not Verdict.ANSWER)
        while len(self._levels) > self._kept:
            self._levels.popitem(last=False)
        return verdict


class Limits:
    """The limits of one process, for members and for chats."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._users = Buckets(*USER, clock)
        self._chats = Buckets(*CHAT, clock)
        self._lock = threading.Lock()

    def ask(self, chat: str, user: str) -> Verdict:
        """What to do with a tap of this user in this chat."""
        with self._lock:
            verdict = self._users.take(user or chat)
            return verdict if verdict is not Verdict.ANSWER or chat == user else self._chats.take(chat)
