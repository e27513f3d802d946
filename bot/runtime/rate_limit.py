"""Bounds on members and chats that ask too much.

By hand: of taps that are too many one is answered; a library's buckets would need as much code
around them.
"""

import threading
import time
from enum import Enum

from bot.runtime.cache import Lru
from storage.ports import Clock

USER = (120.0, 2.0)  # taps at once, then taps a second
CHAT = (600.0, 10.0)
REMEMBERED = 20_000  # members and chats; who asked longest ago is forgotten first


class RateVerdict(Enum):
    ANSWER = "answer"
    TELL = "tell"  # too much: say so, once
    IGNORE = "ignore"


class RateLimits:
    """A token bucket for each member and chat of one process.

    Safe in threads. `clock` gives seconds. `user` is what one has at once, and each second.
    """

    def __init__(
        self,
        clock: Clock = time.monotonic,
        most: int = REMEMBERED,
        user: tuple[float, float] = USER,
    ) -> None:
        self._clock = clock
        self._user = user
        self._levels: Lru[str, tuple[float, float, bool]] = Lru(most)
        self._lock = threading.Lock()

    def ask(self, chat: str, user: str) -> RateVerdict:
        with self._lock:
            verdict = self._take(user or chat, *self._user)
            if verdict is not RateVerdict.ANSWER or chat == user:
                return verdict
            return self._take(f"chat {chat}", *CHAT)

    def _take(self, key: str, size: float, refill: float) -> RateVerdict:
        """Take a token and return ANSWER.

        If there is none: TELL at first, then IGNORE until there is one.
        """
        now = self._clock()
        level, at, told = self._levels.get(key) or (size, now, False)
        level = min(size, level + (now - at) * refill)
        if level >= 1:
            self._levels.put(key, (level - 1, now, False))
            return RateVerdict.ANSWER
        self._levels.put(key, (level, now, True))
        return RateVerdict.IGNORE if told else RateVerdict.TELL
