"""Where a tap's work runs without a queue: threads of this process, so many and no more."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

from bot.dispatch.pending import Tap
from bot.runtime import metrics

WORKERS = 8
WAITING = 1000  # taps that may wait or be under way before new ones are turned away: some seconds of work
log = logging.getLogger(__name__)


class Tasks(Protocol):
    def submit(self, work: Callable[..., None], *args: Any) -> bool:
        """Have the work done soon; False where too much is waiting already."""

    @property
    def room(self) -> int:
        """How much more may wait without getting in the way of new taps."""


class Queue(Protocol):
    def send(self, chat: str, tap: Tap) -> bool:
        """Hand a tap to the workers; False where they can't be reached, or have too much to do."""


class Threads:
    """A pool of threads, made anew in each process (a pool does not survive a fork)."""

    def __init__(self, workers: int = WORKERS, waiting: int = WAITING, name: str = "tap") -> None:
        self._workers, self._most, self._name = workers, waiting, name
        self._pool: ThreadPoolExecutor | None = None
        self._pid = 0
        self._open = 0
        self._lock = threading.Lock()

    def submit(self, work: Callable[..., None], *args: Any) -> bool:
        with self._lock:
            if self._pool is None or self._pid != os.getpid():
                self._pool = ThreadPoolExecutor(self._workers, thread_name_prefix=self._name)
                self._pid, self._open = os.getpid(), 0
            if self._open >= self._most:
                return False
            self._open += 1
            future = self._pool.submit(work, *args)
        metrics.waiting(self._name, self._open)
        future.add_done_callback(self._done)
        return True

    @property
    def room(self) -> int:
        """Half of what may wait is left to new taps."""
        return self._most // 2 - (self._open if self._pid == os.getpid() else 0)

    def _done(self, future: Future[None]) -> None:
        with self._lock:
            self._open -= 1
        metrics.waiting(self._name, self._open)
        if not future.cancelled() and (error := future.exception()) is not None:
            log.error("a task died: %s", type(error).__name__)

    def close(self) -> None:
        """Finish what is under way and take no more."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True)
