"""Limit how much one member and one chat may ask: far more than people do, far less than a script."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from enum import Enum

from bot.runtime.cache import Lru

USER = (120.0, 2.0)  # taps at once, then taps a second
CHAT = (600.0, 10.0)
REMEMBERED = 10_000  # members and chats


class RateVerdict(Enum):
    """What to do with a tap."""

    ANSWER = "answer"
    TELL = "tell"  # too much: say so, once
    IGNORE = "ignore"


class TokenBuckets:
    """A token bucket for each key, full at first. The key asked longest ago is forgotten first.

    Not safe in threads: `RateLimits` holds a lock.
    """

    def __init__(
        self, size: float, refill: float, clock: Callable[[], float], most: int = REMEMBERED
    ) -> None:
        """`size` tokens at most, `refill` tokens a second, `most` keys. `clock` gives seconds."""
        self._size = size
        self._refill = refill
        self._clock = clock
        self._levels: Lru[str, tuple[float, float, bool]] = Lru(most)

    def take(self, key: str) -> RateVerdict:
        """Take a token and return ANSWER. If there is none: TELL at first, then IGNORE until there is one."""
        now = self._clock()
        level, at, told = self._levels.get(key) or (self._size, now, False)
        level = min(self._size, level + (now - at) * self._refill)
        if level >= 1:
            verdict = RateVerdict.ANSWER
            level -= 1
        else:
            verdict = RateVerdict.IGNORE if told else RateVerdict.TELL
        self._levels.put(key, (level, now, verdict is not RateVerdict.ANSWER))
        return verdict


class RateLimits:
    """The limits of one process for members and for chats. Safe in threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._users = TokenBuckets(*USER, clock)
        self._chats = TokenBuckets(*CHAT, clock)
        self._lock = threading.Lock()

    def ask(self, chat: str, user: str) -> RateVerdict:
        """Return what to do with a tap of this user in this chat."""
        with self._lock:
            verdict = self._users.take(user or chat)
            if verdict is not RateVerdict.ANSWER or chat == user:
                return verdict
            return self._chats.take(chat)
