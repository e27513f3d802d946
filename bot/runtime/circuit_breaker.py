"""A bound on calls of an outside service that hangs or fails.

Written by hand because one caller alone tries after a pause, and some errors count as answers: a
library's breaker would need as much code around it.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bot.runtime import metrics
from storage.ports import LASTING, Clock, StorageError, Unavailable

FAILURES = 5  # in a row, before the circuit opens
PAUSE = 5.0  # seconds before the next try
STALE = 30.0  # seconds without a call after a pause; the failures before it count no more then


class CircuitBreaker:
    """Counts the failures of one outside service.

    It guarantees that after `failures` failures in a row no call goes through for `pause` seconds,
    and that then one caller may try while the others go on without. When nobody has tried for long,
    all calls go through, and the next failure opens the circuit at once. The lock guarantees this
    for all threads of a process. Shown by tests/runtime/test_circuit_breaker.py."""

    def __init__(
        self,
        name: str,
        failures: int = FAILURES,
        pause: float = PAUSE,
        clock: Clock = time.monotonic,
    ) -> None:
        self.name = name
        self._limit = failures
        self._pause = pause
        self._clock = clock
        self._failures = 0
        self._paused_until = float("-inf")
        self._lock = threading.Lock()

    def allow(self) -> bool:
        """Whether to call now.

        After a pause one caller gets True, who reports worked() or failed().
        """
        with self._lock:
            if self._failures < self._limit:
                return True
            now = self._clock()
            if now < self._paused_until:
                return False
            if now - self._paused_until > STALE:
                self._failures = self._limit - 1
            else:
                self._paused_until = now + self._pause
            return True

    @contextmanager
    def call(self) -> Iterator[None]:
        """A call of the service; an error that shows it is well counts as an answer.

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
            if isinstance(error, LASTING):
                self.worked()
            else:
                self.failed()
            raise
        self.worked()

    @property
    def is_open(self) -> bool:
        with self._lock:
            return self._failures >= self._limit and self._clock() < self._paused_until

    def worked(self) -> None:
        """Record that the service answered. A refusal is an answer too."""
        with self._lock:
            self._failures = 0

    def failed(self) -> None:
        metrics.count("outside_errors", service=self.name)
        with self._lock:
            self._failures += 1
            if self._failures >= self._limit:
                self._paused_until = self._clock() + self._pause
