"""Bounds: on calls of services outside that hang or fail, on members and chats that ask too much,
on caches.

By hand: one caller alone tries after a pause, some errors count as answers, and of taps that are
too many one is told of it; a library's breaker and buckets would need as much code around them.
cachetools' caches are not safe in threads, and none shares its room among owners as SharedLru does.
"""

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Generic, TypeVar

from bot.runtime import metrics
from storage.ports import LASTING, Clock, StorageError, Unavailable

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Lru(Generic[K, V]):
    """At most `most` values by key. Safe in threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: K, value: V) -> bool:
        """Keep the value in the place of a former one. Return whether there was none."""
        with self._lock:
            new = key not in self._values
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._most:
                self._drop()
        return new

    def _drop(self) -> None:
        self._values.popitem(last=False)

    def made(self, key: K, make: Callable[[], V]) -> V:
        if (value := self.get(key)) is None:
            self.put(key, value := make())
        return value

    def forget(self, key: K) -> None:
        with self._lock:
            self._values.pop(key, None)

    def __len__(self) -> int:
        return len(self._values)


class SharedLru(Lru[tuple[str, Hashable], V]):
    """Values by owner and key.

    The owner with the most values loses one: a busy league displaces its own.
    """

    def _drop(self) -> None:
        [(busiest, _)] = Counter(owner for owner, _ in self._values).most_common(1)
        del self._values[next(key for key in self._values if key[0] == busiest)]


FAILURES = 5  # in a row, before the circuit opens
PAUSE = 5.0  # seconds before the next try
# seconds after a pause without a call, after which the failures before it say nothing any more
STALE = 30.0
USER = (120.0, 2.0)  # taps at once, then taps a second
CHAT = (600.0, 10.0)
REMEMBERED = 20_000  # members and chats; who asked longest ago is forgotten first


class CircuitBreaker:
    """Counts the failures of one outside service. Safe in threads. After `failures` failures in a
    row no call goes through for `pause` seconds; then one may try. When nobody has tried for long,
    all calls go through, and the next failure closes the way at once."""

    def __init__(
        self,
        name: str,
        failures: int = FAILURES,
        pause: float = PAUSE,
        clock: Clock = time.monotonic,
    ) -> None:
        self.name = name
        self._most = failures
        self._pause = pause
        self._clock = clock
        self._failed = 0
        self._until = float("-inf")
        self._lock = threading.Lock()

    def allow(self) -> bool:
        """Whether to call now.

        After a pause one caller gets True, who reports worked() or failed().
        """
        with self._lock:
            if self._failed < self._most:
                return True
            if (now := self._clock()) < self._until:
                return False
            if now - self._until > STALE:
                self._failed = self._most - 1
            else:
                self._until = now + self._pause
            return True

    @contextmanager
    def call(self) -> Iterator[None]:
        """A call of the service; an error that says it is well counts as an answer.

        Raises Unavailable.
        """
        if not self.allow():
            refusal = Unavailable(
                f"{self.name} does not answer at the moment; it is asked again in seconds"
            )
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


class NoTurn(Exception):
    """Too much work is under way or waits already."""


class WorkTurns:
    """Turns for work that keeps the processor busy, so that it leaves room for taps. Safe in
    threads. At most `together` have a turn at once, and at most `waiting` wait for one, each for
    `patience` seconds.
    """

    def __init__(self, together: int, waiting: int, patience: float) -> None:
        self._turns = threading.BoundedSemaphore(together)
        self._places = threading.BoundedSemaphore(together + waiting)
        self._patience = patience

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Do the work of the block in its turn. Raises NoTurn."""
        if not self._places.acquire(blocking=False):
            raise NoTurn
        try:
            if not self._turns.acquire(timeout=self._patience):
                raise NoTurn
            try:
                yield
            finally:
                self._turns.release()
        finally:
            self._places.release()
