"""Pools of threads, and a bounded wait for work.

A fork ends threads: they are for the processes that fork no more.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

from bot.runtime import metrics

WORKERS = 12  # they mostly wait for LINE
WAITING = 1000  # jobs waiting or under way, above which new ones are refused: some seconds of work
PATIENCE = 1.2  # seconds a caller waits; LINE waits two for its 200
log = logging.getLogger(__name__)


class WorkPool(Protocol):
    """Runs work soon, elsewhere."""

    def submit(self, work: Callable[..., None], *args: Any) -> bool:
        """Have the work done soon.

        Return False when too much waits already, or when the pool is closed.
        """

    @property
    def room(self) -> int:
        """How many jobs may still wait without delaying new taps. Zero or less means none."""


class ThreadPool:
    """A bounded pool of threads. `name` is their place in the metrics.

    The lock guarantees that no more than `waiting` jobs are taken, and none once it is closed; what
    was taken is done before `close` returns. Shown by tests/runtime/test_threads.py."""

    def __init__(
        self,
        workers: int = WORKERS,
        waiting: int = WAITING,
        name: str = "tap",
    ) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix=name)
        self._limit = waiting
        self._name = name
        self._unfinished = 0
        self._closed = False
        self._lock = threading.Lock()

    def submit(self, work: Callable[..., None], *args: Any) -> bool:
        with self._lock:
            if self._closed or self._unfinished >= self._limit:
                return False
            self._unfinished += 1
            future = self._pool.submit(work, *args)
        metrics.waiting(self._name, self._unfinished)
        future.add_done_callback(self._done)
        return True

    @property
    def room(self) -> int:
        """Half of the places are left to new taps."""
        if self._closed:
            return 0
        return self._limit // 2 - self._unfinished

    def _done(self, future: Future[None]) -> None:
        with self._lock:
            self._unfinished -= 1
        metrics.waiting(self._name, self._unfinished)
        if future.cancelled():
            return
        error = future.exception()
        if error is not None:
            log.error("a task died: %s", type(error).__name__)

    def close(self) -> None:
        """Take no more work, and finish what was taken."""
        with self._lock:
            self._closed = True
        self._pool.shutdown(wait=True)


class BoundedWait:
    """Does work on threads of its own; the caller waits `patience` seconds.

    `name`: see ThreadPool. The lock guards the list of the work under way: no caller waits longer
    than `patience` after the oldest work has begun (tests/runtime/test_threads.py).
    """

    def __init__(self, name: str, workers: int, patience: float = PATIENCE) -> None:
        self._pool = ThreadPool(workers, name=name)
        self._patience = patience
        self._begun: dict[threading.Event, float] = {}  # the work under way, oldest first
        self._lock = threading.Lock()

    def do(self, work: Callable[..., object], *args: Any) -> None:
        """Do the work, which goes on when the wait ends: `patience` after the oldest under way has
        begun. Where too much waits already, the caller does it."""
        done = threading.Event()

        def run() -> None:
            try:
                work(*args)
            finally:
                with self._lock:
                    del self._begun[done]
                done.set()

        with self._lock:
            self._begun[done] = time.monotonic()
            oldest = next(iter(self._begun.values()))
        if not self._pool.submit(run):
            run()
        done.wait(max(0.0, oldest + self._patience - time.monotonic()))

    def close(self) -> None:
        self._pool.close()
