"""Circuit breakers: a service outside that hangs or fails is left alone for some seconds, so that no thread waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

from bot.runtime import metrics
from storage.ports import Conflict, Denied, NotFound, StorageError

T = TypeVar("T")


class Resting(StorageError):
    """The service is left alone at the moment: nobody was asked, and asking again in some seconds may help."""


FAILURES = 5  # in a row, before the circuit opens
PAUSE = 5.0  # seconds before the next try


class Breaker:
    """Closed: calls go through. Open, after `failures` in a row: none for `pause` seconds. Then one call tries. Safe in threads."""

    def __init__(
        self,
        name: str,
        failures: int = FAILURES,
        pause: float = PAUSE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._most, self._pause, self._clock = failures, pause, clock
        self._failed = 0
        self._until = float("-inf")
        self._lock = threading.Lock()

    def allow(self) -> bool:
        """Whether to call now. Of an open circuit whose pause is over one caller gets True, who tells how it went."""
        with self._lock:
            if self._failed < self._most:
                return True
            if self._clock() < self._until:
                return False
            self._until = self._clock() + self._pause
            return True

    @property
    def is_open(self) -> bool:
        """Whether calls are refused at the moment."""
        with self._lock:
            return self._failed >= self._most and self._clock() < self._until

    def worked(self) -> None:
        """The service answered, be it with a refusal."""
        with self._lock:
            self._failed = 0

    def failed(self) -> None:
        """The service could not be reached, or could not answer."""
        metrics.count("outside_errors", service=self.name)
        with self._lock:
            self._failed += 1
            if self._failed >= self._most:
                self._until = self._clock() + self._pause


def guarded(store: T, breaker: Breaker, *methods: str) -> T:
    """The store with these methods behind the breaker: while it is open they raise Resting at once."""
    return cast(T, _Guarded(store, breaker, frozenset(methods)))


class _Guarded:
    def __init__(self, store: Any, breaker: Breaker, methods: frozenset[str]) -> None:
        self._store, self._breaker, self._methods = store, breaker, methods

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if name not in self._methods:
            return found

        def call(*args: Any, **kwargs: Any) -> Any:
            breaker = self._breaker
            if not breaker.allow():
                raise Resting(f"{breaker.name} does not answer at the moment; it is asked again in seconds")
            try:
                result = found(*args, **kwargs)
            except (NotFound, Conflict, Denied):
                breaker.worked()
                raise
            except StorageError:
                breaker.failed()
                raise
            breaker.worked()
            return result

        return call
