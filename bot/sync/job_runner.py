"""Run the leagues' jobs of a sync, in threads of this process or, where there are any, by workers.

No league waits for a slow one. A job that takes longer than SLOW seconds keeps its thread but no longer counts, so another
one begins. A job that takes longer than its stage allows is given up and reported with its league's name. Its thread
can't be ended and goes on; this is harmless, because whatever it still does may be done twice. The process does not wait for
such threads when it ends, as it would for those of a ThreadPoolExecutor.

When a service outside fails for all leagues, no job begins for REST seconds, and the jobs it prevented are done again. So
a short outage of Dropbox costs no league its results.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from gettext import gettext as _
from queue import Empty, SimpleQueue
from typing import Protocol

from bot.sync.league_job import Job, Outcome
from storage.events import HERE, Jobs
from storage.ports import StorageError

THREADS = 8
SLOW = 20.0  # seconds after which a job no longer counts among the threads
MOST = 32  # threads in all, with those of slow jobs and of jobs given up
# Seconds by stage. That of `prepare` is short because Tenhou is read only after every league is prepared.
LIMITS = {"prepare": 30.0, "deliver": 900.0, "records": 300.0}
HEAD_START = 1.0  # seconds in which only workers begin jobs
REST = 2.0  # seconds without a new job while a service outside is not asked (bot/runtime/circuit_breaker.py)
GOES = 60  # how often a job may be begun: two minutes of rests
LOOK = 0.1  # seconds between looks at the workers' jobs
LEAGUE = "league"  # the workers' name for a job
Done = tuple[Job, Outcome]


class Messenger(Protocol):
    """Sends messages to the workers: `bot.runtime.work_queue.Sender`."""

    def send(self, task: str, word: str | int, time_limit: float | None = None) -> bool: ...


class Workers:
    """The way to other processes that do jobs, by their numbers in the database. For use in one thread.

    A message that is lost does no harm: whoever put the job does itself what no worker claims.
    """

    def __init__(self, jobs: Jobs, sender: Messenger) -> None:
        self._jobs = jobs
        self._sender = sender
        self._numbers: dict[Job, int] = {}

    def offer(self, jobs: Collection[Job], limits: Mapping[str, float]) -> bool:
        """Put jobs and send them to the workers. Return False when they are out of reach."""
        try:
            numbers = self._jobs.put([job.to_text() for job in jobs])
        except StorageError:
            return False
        self._numbers = dict(zip(jobs, numbers, strict=True))
        return all(self._sender.send(LEAGUE, n, limits[job.stage]) for job, n in self._numbers.items())

    def take(self, job: Job) -> bool:
        """Claim a job for this process and return True; False when a worker has it or has done it."""
        with suppress(StorageError):
            return job not in self._numbers or self._jobs.claim(self._numbers[job], HERE) is not None
        return True  # the job may be done twice, which is harmless

    def look(self, left: Collection[Job]) -> tuple[list[Done], set[Job]]:
        """Return which of these jobs the workers have done, and which of them living workers have."""
        jobs = {self._numbers[job]: job for job in left if job in self._numbers}
        with suppress(StorageError):
            kept = self._jobs.look(jobs)
            done = [(jobs[one.number], Outcome.from_text(one.outcome)) for one in kept if one.outcome]
            return done, {jobs[one.number] for one in kept if one.owner and not one.outcome}
        return [], set()


def work_through(
    jobs: Jobs, number: int, owner: str, work: Callable[[Job], Outcome]
) -> tuple[Job, Outcome] | None:
    """Do a job in a worker and keep its outcome; None when another process has it or has done it.

    Raises StorageError when the store cannot be reached.
    """
    text = jobs.claim(number, owner)
    if text is None:
        return None
    job = Job.from_text(text)
    outcome = work(job)
    jobs.done(number, outcome.to_text())
    return job, outcome


class JobThreads:
    """A bounded number of threads, one for each job under way."""

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
        late = too_late(self._since, self._limits, self._clock())
        for job, _outcome in late:
            del self._since[job]
            self._given_up.add(job)
        return told + late


def too_late(since: Mapping[Job, float], limits: Mapping[str, float], now: float) -> list[Done]:
    """Return the jobs that take longer than their stages allow, with outcomes that say so."""
    words = _("its folder keeps us waiting for more than {seconds:.0f} seconds: gone on without it")
    return [
        (job, Outcome(problems=[words.format(seconds=limits[job.stage])]))
        for job, begun in since.items()
        if now - begun > limits[job.stage]
    ]


class JobRunner:
    """Runs jobs in no fixed order, in threads and by the workers. Times are in seconds."""

    def __init__(
        self,
        work: Callable[[Job], Outcome],
        workers: Workers | None = None,
        *,
        size: int = THREADS,
        limits: Mapping[str, float] = LIMITS,
        head_start: float = HEAD_START,
        rest: float = REST,
    ) -> None:
        self._threads = JobThreads(work, size, limits)
        self._workers = workers
        self._limits = limits
        self._head_start = head_start
        self._rest = rest
        self._held: dict[Job, float] = {}  # the jobs workers have, and since when
        self._looked = float("-inf")

    def do(self, jobs: Sequence[Job]) -> Iterator[Done]:
        """Yield every job with its outcome as it ends. A job that an outage prevented comes again after its next try."""
        left, later = dict.fromkeys(jobs), list[Job]()  # not begun here; to be done again
        alone_from, rests_until = self._offered(left), 0.0
        while left or later or self._threads.busy:
            if later and not left and time.monotonic() > rests_until:
                left, later = dict.fromkeys(later), []
                alone_from = self._offered(left)
            if time.monotonic() > max(alone_from, rests_until):
                self._begin(left)
            if self._stuck and left:
                yield from (
                    (job, Outcome(problems=[_("not begun: too much hangs")])) for job in (*left, *later)
                )
                return
            done = self._threads.ended(LOOK) + self._by_workers(left)
            yield from done
            later += filter(None, map(_next_go, done))
            if any(outcome.again for _, outcome in done):
                rests_until = time.monotonic() + self._rest

    def _offered(self, jobs: Collection[Job]) -> float:
        """Offer jobs to the workers. Return when threads may begin them."""
        self._held.clear()
        offered = self._workers is not None and self._workers.offer(jobs, self._limits)
        return time.monotonic() + (self._head_start if offered else 0)

    def _begin(self, left: dict[Job, None]) -> None:
        """Begin the last of the jobs, of which workers have the first, as far as threads are free."""
        for job in [job for job in reversed(left) if job not in self._held]:
            if not self._threads.free:
                return
            if self._workers is None or self._workers.take(job):
                del left[job]
                self._threads.begin(job)

    def _by_workers(self, left: dict[Job, None]) -> list[Done]:
        """Return the jobs that workers have done, or have had for too long."""
        now = time.monotonic()
        if self._workers is None or not left or now - self._looked < LOOK:
            return []
        self._looked = now
        done, held = self._workers.look(left)
        self._held = {job: self._held.get(job, now) for job in held}
        done = [one for one in done + too_late(self._held, self._limits, now) if one[0] in left]
        for job, _outcome in done:
            del left[job]
        return done

    @property
    def _stuck(self) -> bool:
        """Whether only threads of jobs that were given up are left, and leave no room for another."""
        return not self._threads.busy and not self._threads.free and not self._held


def _next_go(done: Done) -> Job | None:
    """Return the job with its next number if it is to be done again.

    One that a service prevented is, until it was begun GOES times. One whose store failed is once: an outage may have begun.
    """
    job, outcome = done
    again = (outcome.again and job.go + 1 < GOES) or (outcome.failed and not job.go)
    return replace(job, go=job.go + 1) if again else None
