"""Limit how much one member and one chat may ask: far more than people do, far less than a script."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from enum import Enum

from bot.runtime.cache import Lru

USER = (120.0, 2.0)  # taps at once, then taps a second
CHAT = (600.0, 10.0)
REMEMBERED = 20_000  # members and chats; who asked longest ago is forgotten first


class RateVerdict(Enum):
    """What to do with a tap."""

    ANSWER = "answer"
    TELL = "tell"  # too much: say so, once
    IGNORE = "ignore"


class RateLimits:
    """A token bucket for each member and chat of one process, full at first. Safe in threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = REMEMBERED) -> None:
        """`clock` gives seconds."""
        self._clock = clock
        self._levels: Lru[str, tuple[float, float, bool]] = Lru(most)
        self._lock = threading.Lock()

    def ask(self, chat: str, user: str) -> RateVerdict:
        """Return what to do with a tap of this user in this chat."""
        with self._lock:
            verdict = self._take(user or chat, *USER)
            if verdict is not RateVerdict.ANSWER or chat == user:
                return verdict
            return self._take(f"chat {chat}", *CHAT)

    def _take(self, key: str, size: float, refill: float) -> RateVerdict:
        """Take a token and return ANSWER. If there is none: TELL at first, then IGNORE until there is one."""
        now = self._clock()
        level, at, told = self._levels.get(key) or (size, now, False)
        level = min(size, level + (now - at) * refill)
        if level >= 1:
            verdict = RateVerdict.ANSWER
            level -= 1
        else:
            verdict = RateVerdict.IGNORE if told else RateVerdict.TELL
        self._levels.put(key, (level, now, verdict is not RateVerdict.ANSWER))
        return verdict
