"""Who does the leagues' jobs of a sync: threads of this process, so many and no more, and helpers where there are any.

No league waits for another that is slow: a job that takes long keeps its thread but no longer counts, so another is begun
beside it; one that takes longer than its stage allows is given up and told by its league's name. It is left to itself
then (a thread can't be ended), which harms nothing: whatever it still does may be done again.

Where a service outside fails for all, everybody rests for a moment and goes on where they were, so that Dropbox's bad
minute costs no league its day.
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
MOST = 32  # threads in all, slow ones and those given up included
LIMITS = {"prepare": 30.0, "deliver": 900.0}  # seconds; the others wait for the first before Tenhou is read
HEAD_START = 3.0  # seconds the helpers have for themselves
REST = 2.0  # seconds without a new job when a service outside is left alone (bot/runtime/circuit_breaker.py)
OUTAGE = 120.0  # seconds in which nothing succeeds after which what fails has failed
GOES = 20  # times a job may be begun
LOOK = 0.05  # seconds between looks at what helpers have done
Done = tuple[Job, Outcome]


class JobWorkers(Protocol):
    """Other processes that do jobs: `bot.sync.job_queue.JobQueue`."""

    def offer(self, left: deque[Job]) -> bool:
        """Hand out jobs from the left end, as many as may be under way; whether there are helpers at all."""

    def look(self) -> tuple[list[Done], list[Job]]:
        """The jobs done since the last look, and those that nobody does (any more)."""

    def take_back(self, job: Job) -> bool:
        """Take a job that nobody does; False where a helper was quicker, who goes on with it."""

    @property
    def busy(self) -> int:
        """How many jobs are under way."""

    def close(self) -> None:
        """Hang up."""


class JobThreads:
    """A bounded number of threads, none of which the process waits for when it ends."""

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
        """Whether another job may be begun."""
        quick = sum(self._clock() - since < SLOW for since in self._since.values())
        return quick < self._size and len(self._since) + len(self._given_up) < max(MOST, self._size)

    @property
    def stuck(self) -> bool:
        """Whether none will ever be free again, as far as one can know."""
        return not self._since and not self.free

    def begin(self, job: Job) -> None:
        self._since[job] = self._clock()
        threading.Thread(target=self._run, args=(job,), name="league", daemon=True).start()

    def _run(self, job: Job) -> None:
        self._ended.put((job, self._work(job)))

    def ended(self, timeout: float) -> list[Done]:
        """What has ended meanwhile, or was given up; waits so many seconds for the first."""
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
    """Of a job that was given up."""
    return Outcome(
        problems=[f"its folder keeps us waiting for more than {seconds:.0f} seconds: gone on without it"]
    )


class _Outage:
    """Whether a service outside fails at the moment, and what is to be done again for it."""

    def __init__(self, rest: float) -> None:
        self._rest = rest
        self._until = self._since = float("-inf")
        self._seen = self._lasts = False
        self._shaken: list[Job] = []

    @property
    def rests(self) -> bool:
        """Whether nothing is to be begun."""
        return time.monotonic() < self._until

    def again(self, done: Sequence[Done]) -> list[Job]:
        """The jobs among these that were prevented, to be done again."""
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
        """The jobs that failed when an outage began, before anybody knew: to be done again at the end."""
        jobs, self._shaken = self._shaken if self._seen and not self._lasts else [], []
        return [replace(job, go=GOES) for job in jobs]


class JobRunner:
    """Has jobs done, each once, in no certain order."""

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
        self._hands = JobThreads(work, size, limits)
        self._helpers = helpers
        self._head_start = head_start
        self._rest = rest

    def do(self, jobs: Sequence[Job]) -> Iterator[Done]:
        """Every job with its outcome, as they end; a job that was prevented comes again."""
        left, later, back = deque(jobs), deque[Job](), deque[Job]()
        outage, alone_from = _Outage(self._rest), time.monotonic() + self._head_start
        while left or later or back or self._busy:
            if not left:
                left, later = later, left
            helped = self._helpers is not None and not outage.rests and self._helpers.offer(left)
            self._take_back(back)
            while left and self._may_begin(outage, not helped or time.monotonic() > alone_from):
                self._hands.begin(left.pop() if helped else left.popleft())
            if self._hands.stuck and self._all_mine:
                rest = (*back, *left, *later)
                yield from ((job, Outcome(problems=["not begun: too much hangs"])) for job in rest)
                return
            done = self._hands.ended(LOOK if helped or outage.rests or not self._all_mine else 1.0)
            if self._helpers is not None:
                told, lost = self._helpers.look()
                done += told
                back += lost
            yield from done
            later += outage.again(done)
            if not (left or later or back or self._busy):
                later += outage.shaken()

    def _may_begin(self, outage: _Outage, alone: bool) -> bool:
        return alone and not outage.rests and self._hands.free

    @property
    def _all_mine(self) -> bool:
        return self._helpers is None or not self._helpers.busy

    @property
    def _busy(self) -> int:
        return self._hands.busy + (self._helpers.busy if self._helpers is not None else 0)

    def _take_back(self, back: deque[Job]) -> None:
        """Begin the jobs that helpers have left."""
        while back and self._hands.free and self._helpers is not None:
            job = back.popleft()
            if self._helpers.take_back(job):
                self._hands.begin(job)
