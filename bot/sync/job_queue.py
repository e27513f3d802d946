"""Leagues' jobs of a sync through Redis to Celery's workers, their outcomes back through the StateStore.

Taps come first. A job's task has the lowest priority of the taps' own queue, so whoever is free takes a tap where one
waits; and no more jobs are handed out than half the workers can have in hand, so the other half is there for taps while a
league's folder is slow. Nothing here needs to survive: a job counts as done when its outcome is in the StateStore, where
a claim that its worker must renew keeps two from doing it; what nobody claims, or whose claim ends, is done by
`flask sync` itself.
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
LAST = 9  # Redis's lowest priority
WORKERS = f"{NAME}:workers"
ALIVE = 5.0  # seconds a worker's sign of life holds
COUNTED = 2.0  # seconds for which the number of workers holds
UNCLAIMED = 5.0  # seconds a task may wait for a worker
VOID = 30.0  # seconds after which no worker takes it any more
CLAIM = 10.0  # seconds a claim holds that is not renewed
OUTCOME_LIFE = 3600.0  # seconds an outcome is kept
SILENT = 60.0  # seconds without the StateStore after which a job is taken back
_TAKEN = "taken "


@dataclass(frozen=True, slots=True)
class _Out:
    """A job handed out: when, when something was last known of it, whether a worker has claimed it."""

    since: float
    heard: float
    claimed: bool = False


class JobQueue:
    """The side of `flask sync`: see bot.sync.job_runner.JobWorkers. For one run, in one thread."""

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
        self._stuck: set[Job] = set()  # given up here, still in a worker's hands
        self._workers, self._counted = 0, float("-inf")

    @property
    def busy(self) -> int:
        """How many jobs are under way."""
        return len(self._out)

    def offer(self, left: deque[Job]) -> bool:
        """Hand out jobs from the left end, to half the workers at most; whether there are workers."""
        workers = self._count()
        while workers and left and len(self._out) + len(self._stuck) < max(1, workers // 2):
            job = left.popleft()
            if not self._asked(lambda job=job: self._send(job)):  # type: ignore[misc]
                left.appendleft(job)
                return False
            self._out[job] = _Out(time.monotonic(), time.monotonic())
        return workers > 0

    def look(self) -> tuple[list[Done], list[Job]]:
        """The jobs done since the last look, and those that no worker does (any more)."""
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
        """The outcome, if there is one; what is known now, unless the job is out no longer."""
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
        """Claim a job for this process; False where a worker has come meanwhile, who goes on with it."""
        try:
            mine = self._state.add(key_of(self._run, job), "{}", OUTCOME_LIFE)
        except StorageError:
            return True  # at worst it is done twice, which harms nothing
        if not mine:
            self._out[job] = _Out(time.monotonic(), time.monotonic())
        return mine

    def close(self) -> None:
        """Hang up."""
        self._redis.close()
        self._app.close()

    def _count(self) -> int:
        """How many workers have shown that they live."""
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
        """What Redis answers; None where it is out of reach."""
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
    """The worker's side. `renew` and `here` are chores of its keeper."""

    def __init__(self, url: str, state: StateStore, work: Callable[[Job], Outcome]) -> None:
        self._redis = connect(url)
        self._state = state
        self._work = work
        self._name = secrets.token_hex(6)
        self._held: dict[str, str] = {}

    def do(self, run: str, job: Job) -> Outcome | None:
        """Do a job and leave its outcome; None where another has it, or did it. StorageError."""
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
        """Keep hold of the jobs under way."""
        with suppress(StorageError):
            for key, mine in list(self._held.items()):
                self._state.replace(key, mine, mine, CLAIM)

    def here(self) -> None:
        """Show that a worker lives here."""
        with suppress(*OUTAGE):
            now = _clock(self._redis)
            signs: Any = self._redis.pipeline()
            signs.zadd(WORKERS, {self._name: now}).zremrangebyscore(WORKERS, "-inf", now - 60)
            signs.expire(WORKERS, 60).execute()

    def leave(self) -> None:
        """This worker ends."""
        with suppress(*OUTAGE):
            self._redis.zrem(WORKERS, self._name)


def key_of(run: str, job: Job) -> str:
    """Where the StateStore has a job's claim, then its outcome."""
    return f"sync/{run}/{job.go}/{job.stage}/{job.league}"


def _clock(server: Any) -> float:
    """Redis's own time, which is the same for all."""
    seconds, millionths = server.time()
    return float(seconds) + float(millionths) / 1e6
