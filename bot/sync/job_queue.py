"""Offer the leagues' jobs of a sync to the workers, and read their outcomes from the StateStore.

Whoever does a job, a worker or `flask sync` itself, claims it in the StateStore first. A claim holds while its process shows
that it lives (`living` of bot/dispatch/pending.py), so a job of a process that died is free again. A message that Redis loses
does no harm: `flask sync` does itself what no worker claims.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Container
from contextlib import suppress
from typing import Any

from bot.runtime.work_queue import Sender, Task, TryAgain
from bot.sync.job_runner import LIMITS, Done
from bot.sync.league_job import Job, Outcome
from storage.ports import StateStore, StorageError

LEAGUE = Task("league", "queue_league", life=900, share=0.5, priority=10, waiting=10_000)
LIFE = 3600.0  # seconds a claim or an outcome is kept
SYNC = "sync"  # in place of a claim or an outcome: `flask sync` does the job, or has read its outcome
Living = Callable[[], Container[str]]


class JobQueue:
    """The jobs of one run of `flask sync`, as bot.sync.job_runner.Workers describes. For use in one thread."""

    def __init__(self, url: str, state: StateStore, living: Living) -> None:
        """`url` is Redis's address; `living` returns the processes that live."""
        self._sender = Sender(url, LEAGUE)
        self._state = state
        self._living = living
        self._run = secrets.token_hex(6)
        self._jobs: dict[str, Job] = {}

    def offer(self, jobs: Collection[Job]) -> bool:
        """Send each job to the workers. Return False when Redis is out of reach."""
        self._jobs |= {key_of(self._run, job): job for job in jobs}
        return all(
            self._sender.send(self._run, job.to_words(), time_limit=round(1000 * LIMITS[job.stage]))
            for job in jobs
        )

    def take(self, job: Job) -> bool:
        """Claim a job for this process and return True; False when a worker has it or has done it."""
        with suppress(StorageError):
            return claim(self._state, key_of(self._run, job), SYNC, self._living)
        return True  # the job may be done twice, which is harmless

    def look(self) -> tuple[list[Done], set[Job]]:
        """Return the jobs the workers have done since the last call, and those that living workers have."""
        done: list[Done] = []
        held: set[Job] = set()
        with suppress(StorageError):
            living = self._living()
            for key, value in self._state.items(f"sync/{self._run}/", SYNC).items():
                if _is_outcome(value):
                    self._state.put(key, SYNC, LIFE)
                    done.append((self._jobs[key], Outcome.from_text(value)))
                elif value in living:
                    held.add(self._jobs[key])
        return done, held

    def close(self) -> None:
        """Close the connections."""
        self._sender.close()


class JobWorker:
    """Does jobs in a worker process. `owner` returns its name, by which it shows that it lives. Safe in threads."""

    def __init__(
        self, state: StateStore, owner: Callable[[], str], living: Living, work: Callable[[Job], Outcome]
    ) -> None:
        self._state = state
        self._owner = owner
        self._living = living
        self._work = work

    def do(self, run: str, words: list[Any]) -> Outcome | None:
        """Do a job and store its outcome; None when another process has the job or has done it.

        `run` is the sync's id, `words` are the job as `Job.to_words` wrote it. Raises TryAgain when the store cannot be
        reached.
        """
        job = Job.from_words(words)
        key = key_of(run, job)
        try:
            if not claim(self._state, key, self._owner(), self._living):
                return None
            outcome = self._work(job)
            self._state.put(key, outcome.to_text(), LIFE)
        except StorageError as error:
            raise TryAgain(str(error)) from None
        return outcome


def claim(state: StateStore, key: str, owner: str, living: Living) -> bool:
    """Make a job the owner's own. Return False when another process that lives has it, or when it is done.

    Raises StorageError when the store cannot be reached.
    """
    if state.add(key, owner, LIFE):
        return True
    holder = state.get(key) or SYNC
    if holder == SYNC or _is_outcome(holder) or (holder != owner and holder in living()):
        return False
    return state.replace(key, holder, owner, LIFE)


def key_of(run: str, job: Job) -> str:
    """Return the StateStore's key of a job: its value is the claim, later the outcome."""
    return f"sync/{run}/{job.go}/{job.stage}/{job.league}"


def _is_outcome(value: str) -> bool:
    return value.startswith("{")
