"""Run the leagues' jobs of a sync, in threads of this process and in other processes (helpers) where there are any.

No league waits for a slow one. A job that takes longer than SLOW seconds keeps its thread but no longer counts, so another
one begins. A job that takes longer than its stage allows is given up and reported with its league's name. Its thread
can't be ended and goes on; this is harmless, because whatever it still does may be done twice.

When a service outside fails for all leagues, no job begins for REST seconds, and the jobs it prevented are done again. So
a short outage of Dropbox costs no league its results.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Protocol

from bot.sync.league_job import Job, Outcome

THREADS = 8
SLOW = 20.0  # seconds after which a job no longer counts among the threads
MOST = 32  # threads in all, with those of slow jobs and of jobs given up
# Seconds by stage. That of `prepare` is short because Tenhou is read only after every league is prepared.
LIMITS = {"prepare": 30.0, "deliver": 900.0}
HEAD_START = 3.0  # seconds in which only helpers begin jobs
REST = 2.0  # seconds without a new job while a circuit is open (bot/runtime/circuit_breaker.py)
OUTAGE = 120.0  # seconds without any success, after which a prevented job is not done again
GOES = 20  # how often a job may be begun
LOOK = 0.05  # seconds between looks at the helpers' jobs
Done = tuple[Job, Outcome]


class JobWorkers(Protocol):
    """Other processes that do jobs (helpers); `bot.sync.job_queue.JobQueue` is one."""

    def offer(self, left: deque[Job]) -> bool:
        """Hand out jobs from the left end, as many as the helpers may have, and return whether there are helpers."""

    def look(self) -> tuple[list[Done], list[Job]]:
        """Return the jobs done since the last call, and those that no helper does."""

    def take_back(self, job: Job) -> bool:
        """Take a job that no helper does and return True; False when a helper has begun it meanwhile and goes on."""

    @property
    def busy(self) -> int:
        """How many jobs the helpers have."""

    def close(self) -> None:
        """Close the connections."""


class JobThreads:
    """A bounded number of threads. The process does not wait for them when it ends."""

    def __init__(
        self,
        work: Callable[[Job], Outcome],
        size: int = THREADS,
        limits: Mapping[str, float] = LIMITS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._work = work
        self._size = size
        self._limits = limits
        self._clock = clock
        self._since: dict[Job, float] = {}
        self._given_up: set[Job] = set()
        self._ended: SimpleQueue[Done] = SimpleQueue()

    @property
    def busy(self) -> int:
        return len(self._since)

    @property
    def free(self) -> bool:
        """Whether another job may begin."""
        quick = sum(self._clock() - since < SLOW for since in self._since.values())
        return quick < self._size and len(self._since) + len(self._given_up) < max(MOST, self._size)

    @property
    def stuck(self) -> bool:
        """Whether only jobs that were given up are left, and their threads leave no room for another."""
        return not self._since and not self.free

    def begin(self, job: Job) -> None:
        self._since[job] = self._clock()
        threading.Thread(target=self._run, args=(job,), name="league", daemon=True).start()

    def _run(self, job: Job) -> None:
        self._ended.put((job, self._work(job)))

    def ended(self, timeout: float) -> list[Done]:
        """Return the jobs that ended or were given up since the last call; wait up to `timeout` seconds for the first."""
        done: list[Done] = []
        try:
            done.append(self._ended.get(timeout=timeout))
            while True:
                done.append(self._ended.get_nowait())
        except Empty:
            pass
        told = [one for one in done if self._since.pop(one[0], None) is not None]
        self._given_up -= {job for job, _ in done}
        for job, since in list(self._since.items()):
            if self._clock() - since > self._limits[job.stage]:
                del self._since[job]
                self._given_up.add(job)
                told.append((job, too_long(self._limits[job.stage])))
        return told


def too_long(seconds: float) -> Outcome:
    """Return the outcome of a job that was given up after so many seconds."""
    return Outcome(
        problems=[f"its folder keeps us waiting for more than {seconds:.0f} seconds: gone on without it"]
    )


class _Outage:
    """Tracks whether a service outside fails, and which jobs must be done again because of it. `rest`: seconds."""

    def __init__(self, rest: float) -> None:
        self._rest = rest
        self._until = self._since = float("-inf")
        self._seen = self._lasts = False
        self._shaken: list[Job] = []

    @property
    def rests(self) -> bool:
        """Whether no job may begin."""
        return time.monotonic() < self._until

    def again(self, done: Sequence[Done]) -> list[Job]:
        """Return those of the jobs that the outage prevented, each with the next number, to be done again."""
        return [replace(job, go=job.go + 1) for job, outcome in done if self._prevented(job, outcome)]

    def _prevented(self, job: Job, outcome: Outcome) -> bool:
        now = time.monotonic()
        if not outcome.again:
            self._lasts = self._lasts and outcome.failed
            if outcome.failed and not job.go:
                self._shaken.append(job)
            return False
        if not self._lasts:
            self._seen = True
            self._lasts = True
            self._since = now
        if now - self._since > OUTAGE or job.go + 1 >= GOES:
            return False
        self._until = now + self._rest
        return True

    def shaken(self) -> list[Job]:
        """Return the jobs that failed before the outage was noticed, for one last try; none unless it has ended."""
        jobs, self._shaken = self._shaken if self._seen and not self._lasts else [], []
        return [replace(job, go=GOES) for job in jobs]


class JobRunner:
    """Runs jobs in no fixed order, in threads and by the helpers. Times are in seconds."""

    def __init__(
        self,
        work: Callable[[Job], Outcome],
        helpers: JobWorkers | None = None,
        *,
        size: int = THREADS,
        limits: Mapping[str, float] = LIMITS,
        head_start: float = HEAD_START,
        rest: float = REST,
    ) -> None:
        self._threads = JobThreads(work, size, limits)
        self._helpers = helpers
        self._head_start = head_start
        self._rest = rest

    def do(self, jobs: Sequence[Job]) -> Iterator[Done]:
        """Yield every job with its outcome as it ends. A job that an outage prevented comes again after its next try."""
        left, later, back = deque(jobs), deque[Job](), deque[Job]()
        outage, alone_from = _Outage(self._rest), time.monotonic() + self._head_start
        while left or later or back or self._busy:
            if not left:
                left, later = later, left
            helped = self._helpers is not None and not outage.rests and self._helpers.offer(left)
            self._take_back(back)
            while left and self._may_begin(outage, not helped or time.monotonic() > alone_from):
                self._threads.begin(left.pop() if helped else left.popleft())
            if self._threads.stuck and self._all_mine:
                rest = (*back, *left, *later)
                yield from ((job, Outcome(problems=["not begun: too much hangs"])) for job in rest)
                return
            done = self._threads.ended(LOOK if helped or outage.rests or not self._all_mine else 1.0)
            if self._helpers is not None:
                told, lost = self._helpers.look()
                done += told
                back += lost
            yield from done
            later += outage.again(done)
            if not (left or later or back or self._busy):
                later += outage.shaken()

    def _may_begin(self, outage: _Outage, alone: bool) -> bool:
        return alone and not outage.rests and self._threads.free

    @property
    def _all_mine(self) -> bool:
        return self._helpers is None or not self._helpers.busy

    @property
    def _busy(self) -> int:
        return self._threads.busy + (self._helpers.busy if self._helpers is not None else 0)

    def _take_back(self, back: deque[Job]) -> None:
        """Begin the jobs that no helper does."""
        while back and self._threads.free and self._helpers is not None:
            job = back.popleft()
            if self._helpers.take_back(job):
                self._threads.begin(job)
