"""Say again and again what happens again and again, but seldom: with the number of times since the last line."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

MINUTE = 60.0  # seconds


class Seldom:
    """Counts what happens, and says at most once in `pause` seconds how often it did. Safe in threads.

    Each process counts by itself. `clock` gives seconds.
    """

    def __init__(self, pause: float = MINUTE, clock: Callable[[], float] = time.monotonic) -> None:
        self._pause = pause
        self._clock = clock
        self._count = 0
        self._said = float("-inf")
        self._lock = threading.Lock()

    def happened(self) -> int:
        """Count once more. Return how often it has happened since the last line, 0 where it is too early for another."""
        with self._lock:
            self._count += 1
            now = self._clock()
            if now - self._said < self._pause:
                return 0
            count, self._count, self._said = self._count, 0, now
            return count
