"""A bound on calls of an outside service that hangs or fails.

By hand: one caller alone tries after a pause, and some errors count as answers; a library's breaker
would need as much code around it.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bot.runtime import metrics
from storage.ports import LASTING, Clock, StorageError, Unavailable

FAILURES = 5  # in a row, before the circuit opens
PAUSE = 5.0  # seconds before the next try
# seconds after a pause without a call, after which the failures before it say nothing any more
STALE = 30.0


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
