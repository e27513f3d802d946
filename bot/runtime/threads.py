"""Pools of threads, the loop of a process's chores, and work that one process of all does at a
time.

A fork ends threads: they are for the processes that fork no more.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any, Protocol

from bot.runtime import metrics
from bot.runtime.json_log import log_fault
from storage.chats import Lease
from storage.ports import StorageError

WORKERS = 12  # they mostly wait for LINE
WAITING = (
    1000  # jobs that may wait or be under way before new ones are turned away: some seconds of work
)
PATIENCE = 1.2  # seconds a caller waits; LINE waits two for its 200
INTERVAL = 1.5  # seconds between two rounds of chores
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
    """A bounded pool of threads. `name` is their place in the metrics."""

    def __init__(
        self,
        workers: int = WORKERS,
        waiting: int = WAITING,
        name: str = "tap",
    ) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix=name)
        self._most = waiting
        self._name = name
        self._open = 0
        self._closed = False
        self._lock = threading.Lock()

    def submit(self, work: Callable[..., None], *args: Any) -> bool:
        with self._lock:
            if self._closed or self._open >= self._most:
                return False
            self._open += 1
            future = self._pool.submit(work, *args)
        metrics.waiting(self._name, self._open)
        future.add_done_callback(self._done)
        return True

    @property
    def room(self) -> int:
        """Half of the places are left to new taps."""
        return 0 if self._closed else self._most // 2 - self._open

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
        self._pool.shutdown(wait=True)


class BoundedWait:
    """Does work on threads of its own; the caller waits `patience` seconds.

    `name`: see ThreadPool.
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


class BackgroundLoop:
    """Runs its chores in order every INTERVAL seconds until stopped, beside a process's taps. The
    log gets a line with a chore's name when it begins to fail, and one when it works again."""

    def __init__(self, **chores: Callable[[], object]) -> None:
        self._chores = chores
        self._failing = set[str]()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="background", daemon=True)

    def start(self) -> None:
        """Once."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread, and wait five seconds at most for its end."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(5)

    def run_once(self) -> None:
        for name, chore in self._chores.items():
            words = name.replace("_", " ")
            try:
                chore()
            except Exception as error:
                if name not in self._failing:
                    log.warning("%s failed and is tried again: %s", words, type(error).__name__)
                self._failing.add(name)
            else:
                if name in self._failing:
                    log.info("%s works again", words)
                self._failing.discard(name)

    def _run(self) -> None:
        self.run_once()
        while not self._stop.wait(INTERVAL):
            self.run_once()


class Duty:
    """Rounds of work that one process of all does, by a lease, on a thread of its own named `name`.
    The process may end anywhere: a round can be done again from the start. One of more than
    `longest` hangs, and its lease is renewed no more. `first`: from a process's start to its first
    look. `later` and `failed` are the words for the log when a store is away, and for other errors.
    """

    later = failed = ""

    def __init__(
        self, name: str, lease: Lease, longest: timedelta, first: timedelta = timedelta()
    ) -> None:
        self.pool: WorkPool = ThreadPool(workers=1, waiting=1, name=name)
        self.ended = False
        self.since: datetime | None = None  # when the round under way began
        self.next: datetime | None = None  # look whether a round is due
        self._lease = lease
        self._longest = longest
        self._first = first

    def rests(self, now: datetime) -> bool:
        """Whether it is not time to look yet; not for ever where the clock was set back."""
        if self.next is None:
            self.next = now + self._first
        return self.ended or now < self.next <= now + self._longest

    def begin(self, now: datetime) -> bool:
        """Begin a round, or renew the lease; False where another process has it.

        Raises StorageError.
        """
        if self.since is not None:
            if now - self.since < self._longest:
                self._lease.renew()
            return True
        if not self._lease.take():
            return False
        self.since = now
        if not self.pool.submit(self.round):
            self.since = None
        return True

    def round(self) -> None:
        """Do one round, on the pool's thread. Never raises."""
        try:
            self.do()
        except StorageError as error:
            log.warning("%s: %s", self.later, error)
        except Exception as error:
            log_fault(self.failed, error)
        finally:
            self.since = None

    def do(self) -> None:
        """What a round is."""
        raise NotImplementedError

    def close(self) -> None:
        """Finish the round under way, begin no other, and leave the work to other processes."""
        self.ended = True
        if isinstance(self.pool, ThreadPool):
            self.pool.close()
        try:
            self._lease.release()
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)
