"""Bounds on calls: of services outside that hang or fail, and of members and chats that ask too much.

By hand: one caller alone tries after a pause, some errors count as answers, and of taps that are too many one
is told of it; a library's breaker and buckets would need as much code around them.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum

from bot.runtime import metrics
from bot.runtime.cache import Lru
from storage.ports import LASTING, StorageError, Unavailable

FAILURES = 5  # in a row, before the circuit opens
PAUSE = 5.0  # seconds before the next try
STALE = 30.0  # seconds after a pause without a call, after which the failures before it say nothing any more
USER = (120.0, 2.0)  # taps at once, then taps a second
CHAT = (600.0, 10.0)
REMEMBERED = 20_000  # members and chats; who asked longest ago is forgotten first
Clock = Callable[[], float]


class CircuitBreaker:
    """Counts the failures of one outside service. Safe in threads. After `failures` failures in a row no call
    goes through for `pause` seconds; then one may try. When nobody has tried for long, all calls go through,
    and the next failure closes the way at once."""

    def __init__(
        self, name: str, failures: int = FAILURES, pause: float = PAUSE, clock: Clock = time.monotonic
    ) -> None:
        self.name, self._most, self._pause, self._clock = name, failures, pause, clock
        self._failed = 0
        self._until = float("-inf")
        self._lock = threading.Lock()

    def allow(self) -> bool:
        """Whether to call now. After a pause one caller gets True, who reports worked() or failed()."""
        with self._lock:
            if self._failed < self._most:
                return True
            now = self._clock()
            if now < self._until:
                return False
            if now - self._until > STALE:
                self._failed = self._most - 1
            else:
                self._until = now + self._pause
            return True

    @contextmanager
    def call(self) -> Iterator[None]:
        """A call of the service; an error that says it is well counts as an answer. Raises Unavailable."""
        if not self.allow():
            refusal = Unavailable(f"{self.name} does not answer at the moment; it is asked again in seconds")
            refusal.store = self.name
            raise refusal
        try:
            yield
        except StorageError as error:
            error.store = self.name
            (self.worked if isinstance(error, LASTING) else self.failed)()
            raise
        self.worked()

    @property
    def is_open(self) -> bool:
        with self._lock:
            return self._failed >= self._most and self._clock() < self._until

    def worked(self) -> None:
        """Note that the service answered. A refusal is an answer too."""
        with self._lock:
            self._failed = 0

    def failed(self) -> None:
        metrics.count("outside_errors", service=self.name)
        with self._lock:
            self._failed += 1
            if self._failed >= self._most:
                self._until = self._clock() + self._pause


class RateVerdict(Enum):
    """What to do with a tap."""

    ANSWER = "answer"
    TELL = "tell"  # too much: say so, once
    IGNORE = "ignore"


class RateLimits:
    """A token bucket for each member and chat of one process. Safe in threads. `clock` gives seconds."""

    def __init__(self, clock: Clock = time.monotonic, most: int = REMEMBERED) -> None:
        self._clock = clock
        self._levels: Lru[str, tuple[float, float, bool]] = Lru(most)
        self._lock = threading.Lock()

    def ask(self, chat: str, user: str) -> RateVerdict:
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
            self._levels.put(key, (level - 1, now, False))
            return RateVerdict.ANSWER
        self._levels.put(key, (level, now, True))
        return RateVerdict.IGNORE if told else RateVerdict.TELL
