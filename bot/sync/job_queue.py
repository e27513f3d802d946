"""Send the leagues' jobs of a sync to Celery's workers through Redis, and read their outcomes from the StateStore.

Members' taps come first. Jobs wait in the same queue as taps, with the lowest priority, so a free worker takes a tap
before a job. At most half of the workers have a job at one time, so the others are free for taps while folders are slow.

A job is done when its outcome is in the StateStore. Its worker claims it there and renews the claim, so that no two
processes do it at once. `flask sync` does a job itself when no worker claims it or when the claim ends. So a task that
Redis loses does no harm.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from bot.runtime.circuit_breaker import CircuitBreaker
from bot.runtime.work_queue import NAME, OUTAGE, celery_app, connect
from bot.sync.job_runner import LIMITS, Done, too_long
from bot.sync.league_job import Job, Outcome
from storage.ports import StateStore, StorageError

TASK = "janroku.sync"
# The lowest priority: https://docs.celeryq.dev/en/stable/userguide/routing.html#redis-message-priorities
LAST = 9
WORKERS = f"{NAME}:workers"
ALIVE = 5.0  # seconds for which a worker counts as alive after its last sign of life
COUNTED = 2.0  # seconds between counts of the workers
UNCLAIMED = 5.0  # seconds a task may wait for a worker before the job is taken back
VOID = 30.0  # seconds after which a waiting task expires
CLAIM = 10.0  # seconds after which a claim ends that is not renewed
OUTCOME_LIFE = 3600.0  # seconds an outcome is kept
SILENT = 60.0  # seconds without the StateStore after which a job is taken back
_TAKEN = "taken "


@dataclass(frozen=True, slots=True)
class _Out:
    """A job handed out at `since`, last looked up in the StateStore at `heard`; `claimed`: a worker has it.

    Times are seconds of the monotonic clock.
    """

    since: float
    heard: float
    claimed: bool = False


class JobQueue:
    """Hands out jobs for one run of `flask sync`, as bot.sync.job_runner.JobWorkers describes. For use in one thread."""

    def __init__(
        self, url: str, state: StateStore, limits: Mapping[str, float] = LIMITS, app: Any = None
    ) -> None:
        self._redis = connect(url)
        self._app = app or celery_app(url)
        self._state = state
        self._limits = limits
        self._run = secrets.token_hex(6)
        self._breaker = CircuitBreaker("redis", failures=2, pause=3.0)
        self._out: dict[Job, _Out] = {}
        self._stuck: set[Job] = set()  # given up, but a worker still has them
        self._workers, self._counted = 0, float("-inf")

    @property
    def busy(self) -> int:
        """How many jobs are handed out."""
        return len(self._out)

    def offer(self, left: deque[Job]) -> bool:
        """Hand out jobs from the left end, to at most half the workers, and return whether there are workers."""
        workers = self._count()
        while workers and left and len(self._out) + len(self._stuck) < max(1, workers // 2):
            job = left.popleft()
            if not self._asked(lambda job=job: self._send(job)):  # type: ignore[misc]
                left.appendleft(job)
                return False
            self._out[job] = _Out(time.monotonic(), time.monotonic())
        return workers > 0

    def look(self) -> tuple[list[Done], list[Job]]:
        """Return the jobs done since the last call, and those that no worker does."""
        done: list[Done] = []
        lost: list[Job] = []
        for job, out in list(self._out.items()):
            outcome, known = self._news(job, out)
            if known is not None:
                self._out[job] = known
                continue
            del self._out[job]
            if outcome is None:
                lost.append(job)
            else:
                done.append((job, outcome))
        return done, lost

    def _news(self, job: Job, out: _Out) -> tuple[Outcome | None, _Out | None]:
        """Return the outcome, if there is one, and the job's new state, unless it is done or lost."""
        now = time.monotonic()
        try:
            text = self._state.get(key_of(self._run, job))
        except StorageError:
            return None, out if now - out.heard < SILENT else None
        if text is None:
            waits = not out.claimed and now - out.since < UNCLAIMED
            return None, replace(out, heard=now) if waits else None
        if not text.startswith(_TAKEN):
            return Outcome.from_text(text), None
        limit = self._limits[job.stage]
        if now - out.since > limit + UNCLAIMED:
            self._stuck.add(job)
            return too_long(limit), None
        return None, replace(out, heard=now, claimed=True)

    def take_back(self, job: Job) -> bool:
        """Claim a job for this process and return True; False when a worker has claimed it meanwhile and goes on with it."""
        try:
            mine = self._state.add(key_of(self._run, job), "{}", OUTCOME_LIFE)
        except StorageError:
            return True  # the job may be done twice, which is harmless
        if not mine:
            self._out[job] = _Out(time.monotonic(), time.monotonic())
        return mine

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()
        self._app.close()

    def _count(self) -> int:
        """Return how many workers are alive, counted at most every COUNTED seconds."""
        if time.monotonic() - self._counted > COUNTED:
            self._workers = self._asked(self._living) or 0
            self._stuck = set(filter(self._is_taken, self._stuck))
            self._counted = time.monotonic()
        return self._workers

    def _is_taken(self, job: Job) -> bool:
        with suppress(StorageError):
            return (self._state.get(key_of(self._run, job)) or "").startswith(_TAKEN)
        return True

    def _living(self) -> int:
        return int(self._redis.zcount(WORKERS, _clock(self._redis) - ALIVE, "+inf"))

    def _send(self, job: Job) -> bool:
        words = [self._run, job.to_words()]
        self._app.send_task(TASK, args=words, queue=NAME, priority=LAST, expires=VOID)
        return True

    def _asked(self, call: Callable[[], Any]) -> Any:
        """Return what the call returns; None when Redis cannot be reached or its circuit is open."""
        if not self._breaker.allow():
            return None
        try:
            answer = call()
        except OUTAGE:
            self._breaker.failed()
            return None
        self._breaker.worked()
        return answer


class JobWorker:
    """Does jobs in a worker process. The process calls `renew` and `here` at short intervals (bot/runtime/background.py)."""

    def __init__(self, url: str, state: StateStore, work: Callable[[Job], Outcome]) -> None:
        self._redis = connect(url)
        self._state = state
        self._work = work
        self._name = secrets.token_hex(6)
        self._held: dict[str, str] = {}

    def do(self, run: str, job: Job) -> Outcome | None:
        """Do a job, store its outcome and return it; None when another process has claimed or done it.

        Raises StorageError when the store cannot be reached.
        """
        key, mine = key_of(run, job), f"{_TAKEN}{self._name}"
        if not self._state.add(key, mine, CLAIM):
            return None
        self._held[key] = mine
        try:
            outcome = self._work(job)
        finally:
            del self._held[key]
        self._state.put(key, outcome.to_text(), OUTCOME_LIFE)
        return outcome

    def renew(self) -> None:
        """Renew the claims of the jobs under way."""
        with suppress(StorageError):
            for key, mine in list(self._held.items()):
                self._state.replace(key, mine, mine, CLAIM)

    def here(self) -> None:
        """Note in Redis that this worker is alive."""
        with suppress(*OUTAGE):
            now = _clock(self._redis)
            signs: Any = self._redis.pipeline()
            signs.zadd(WORKERS, {self._name: now}).zremrangebyscore(WORKERS, "-inf", now - 60)
            signs.expire(WORKERS, 60).execute()

    def leave(self) -> None:
        """Remove this worker from the list of those alive, when it ends."""
        with suppress(*OUTAGE):
            self._redis.zrem(WORKERS, self._name)


def key_of(run: str, job: Job) -> str:
    """Return the StateStore's key of a job: its value is the claim, later the outcome."""
    return f"sync/{run}/{job.go}/{job.stage}/{job.league}"


def _clock(server: Any) -> float:
    """Return Redis's time in epoch seconds; it is the same for all processes."""
    seconds, millionths = server.time()
    return float(seconds) + float(millionths) / 1e6
