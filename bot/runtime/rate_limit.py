"""Bounds on the taps of a member and a chat.

Written by hand because one of the taps that are too many is answered: a library's buckets would
need as much code around them.
"""

import threading
import time
from enum import Enum
from typing import NamedTuple

from bot.runtime.cache import Lru
from storage.ports import Clock

USER = (120.0, 2.0)  # taps at once, then taps a second
CHAT = (600.0, 10.0)
REMEMBERED = 20_000  # members and chats; the one idle for longest is forgotten first


class RateVerdict(Enum):
    ANSWER = "answer"
    REFUSE = "refuse"  # too many taps: reply so, once
    IGNORE = "ignore"


class _Bucket(NamedTuple):
    """The tokens at a time, and whether a tap has been refused since there was one."""

    level: float
    at: float
    has_refused: bool


class RateLimits:
    """A token bucket for each member and chat of one process.

    It guarantees that a flood from one member or chat leaves threads to the others, and that the
    member gets one reply about it. The lock guarantees this for all threads of a process. Shown by
    tests/runtime/test_rate_limit.py. `clock` gives seconds; `user` are a member's taps at once, and
    each second.
    """

    def __init__(
        self,
        clock: Clock = time.monotonic,
        size: int = REMEMBERED,
        user: tuple[float, float] = USER,
    ) -> None:
        self._clock = clock
        self._user = user
        self._buckets: Lru[str, _Bucket] = Lru(size)
        self._lock = threading.Lock()

    def ask(self, chat: str, user: str) -> RateVerdict:
        with self._lock:
            verdict = self._take(user or chat, *self._user)
            if verdict is not RateVerdict.ANSWER or chat == user:
                return verdict
            return self._take(f"chat {chat}", *CHAT)

    def _take(self, key: str, size: float, refill: float) -> RateVerdict:
        """Take a token and return ANSWER.

        If there is none: REFUSE at first, then IGNORE until there is one.
        """
        now = self._clock()
        bucket = self._buckets.get(key) or _Bucket(level=size, at=now, has_refused=False)
        level = min(size, bucket.level + (now - bucket.at) * refill)
        if level >= 1:
            self._buckets.put(key, _Bucket(level - 1, now, has_refused=False))
            return RateVerdict.ANSWER
        self._buckets.put(key, _Bucket(level, now, has_refused=True))
        if bucket.has_refused:
            return RateVerdict.IGNORE
        return RateVerdict.REFUSE
