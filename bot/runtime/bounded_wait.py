"""Do work on threads and wait for it, but not for long: whoever calls must get an answer although a store hangs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from bot.runtime.thread_pool import ThreadPool

PATIENCE = 1.2  # seconds; LINE waits two for its 200


class BoundedWait:
    """Does work on threads of its own. Safe in threads and after a fork."""

    def __init__(self, name: str, workers: int, patience: float = PATIENCE) -> None:
        """`name` is the threads' place in the metrics."""
        self._pool = ThreadPool(workers, name=name)
        self._patience = patience
        self._begun: dict[threading.Event, float] = {}  # the work under way, oldest first
        self._lock = threading.Lock()

    def do(self, work: Callable[..., object], *args: Any) -> None:
        """Do the work, which goes on when the wait ends before it.

        The wait ends `patience` seconds after the oldest work under way has begun: what comes while something hangs does
        not wait as long as the first did. Where too much waits already, the caller does the work.
        """
        done = threading.Event()
        with self._lock:
            self._begun[done] = time.monotonic()
            oldest = next(iter(self._begun.values()))
        if not self._pool.submit(self._run, done, work, args):
            self._run(done, work, args)
        done.wait(max(0.0, oldest + self._patience - time.monotonic()))

    def _run(self, done: threading.Event, work: Callable[..., object], args: tuple[Any, ...]) -> None:
        try:
            work(*args)
        finally:
            with self._lock:
                del self._begun[done]
            done.set()

    def close(self) -> None:
        """Finish what is under way."""
        self._pool.close()
