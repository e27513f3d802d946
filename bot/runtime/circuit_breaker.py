"""Circuit breakers: a service that hangs or fails is not called for some seconds, so that no thread waits for
it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.runtime import metrics
from storage.ports import LASTING, StorageError, Unavailable

FAILURES = 5  # in a row, before the circuit opens
PAUSE = 5.0  # seconds before the next try
STALE = 30.0  # seconds after a pause without a call, after which the failures before it say nothing any more


class CircuitBreaker:
    """Counts the failures of one outside service. Safe in threads.

    While it is closed, calls go through. After `failures` failures in a row it opens: no call goes through
    for `pause` seconds. Then one call may try. When nobody has tried for long, all calls go through again,
    and the next failure opens it at once.
    """

    def __init__(
        self,
        name: str,
        failures: int = FAILURES,
        pause: float = PAUSE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._most = failures
        self._pause = pause
        self._clock = clock
        self._failed = 0
        self._until = float("-inf")
        self._lock = threading.Lock()

    def allow(self) -> bool:
        """Return whether to call now. After the pause one caller gets True, and reports with worked() or
        failed()."""
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
        """A call of the service. An error that says that the service is well counts as an answer.

        Raises Unavailable while the circuit is open.
        """
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
        """Whether calls are refused at the moment."""
        with self._lock:
            return self._failed >= self._most and self._clock() < self._until

    def worked(self) -> None:
        """Note that the service answered. A refusal is an answer too."""
        with self._lock:
            self._failed = 0

    def failed(self) -> None:
        """Note that the service could not be reached or could not answer."""
        metrics.count("outside_errors", service=self.name)
        with self._lock:
            self._failed += 1
            if self._failed >= self._most:
                self._until = self._clock() + self._pause
