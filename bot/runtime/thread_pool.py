"""Run taps on threads of this process, with a bound on how many may wait."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

from bot.runtime import metrics

WORKERS = 8
WAITING = 1000  # jobs that may wait or be under way before new ones are turned away: some seconds of work
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
