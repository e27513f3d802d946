"""Run work on threads of this process, with a bound on how much may wait, and on how long the caller waits
for it."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

from bot.runtime import metrics

WORKERS = 8
WAITING = 1000  # jobs that may wait or be under way before new ones are turned away: some seconds of work
PATIENCE = 1.2  # seconds a caller waits; LINE waits two for its 200
log = logging.getLogger(__name__)


class WorkPool(Protocol):
    """Runs work soon, elsewhere."""

    def submit(self, work: Callable[..., None], *args: Any) -> bool:
        """Have the work done soon. Return False when too much waits already, or when the pool is closed."""

    @property
    def room(self) -> int:
        """How many jobs may still wait without delaying new taps. Zero or less means none."""


class ThreadPool:
    """A bounded pool of threads. It starts anew in each process, because threads do not survive a fork."""

    def __init__(self, workers: int = WORKERS, waiting: int = WAITING, name: str = "tap") -> None:
        self._workers = workers
        self._most = waiting
        self._name = name
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0
        self._open = 0
        self._closed = False
        self._lock = threading.Lock()

    def submit(self, work: Callable[..., None], *args: Any) -> bool:
        """See WorkPool. After close() it returns False."""
        with self._lock:
            if self._closed:
                return False
            if self._pool is None or self._process != os.getpid():
                self._pool = ThreadPoolExecutor(self._workers, thread_name_prefix=self._name)
                self._process = os.getpid()
                self._open = 0
            if self._open >= self._most:
                return False
            self._open += 1
            future = self._pool.submit(work, *args)
        metrics.waiting(self._name, self._open)
        future.add_done_callback(self._done)
        return True

    @property
    def room(self) -> int:
        """See WorkPool. Half of the places are left to new taps."""
        if self._closed:
            return 0
        return self._most // 2 - (self._open if self._process == os.getpid() else 0)

    def _done(self, future: Future[None]) -> None:
        with self._lock:
            self._open -= 1
        metrics.waiting(self._name, self._open)
        if not future.cancelled() and (error := future.exception()) is not None:
            log.error("a task died: %s", type(error).__name__)

    def close(self) -> None:
        """Take no more work, and finish what was taken."""
        with self._lock:
            self._closed = True
            pool = self._pool if self._process == os.getpid() else None
            self._pool = None
        if pool is not None:
            pool.shutdown(wait=True)


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

        The wait ends `patience` seconds after the oldest work under way has begun: what comes while something
        hangs does not wait as long as the first did. Where too much waits already, the caller does the work.
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
