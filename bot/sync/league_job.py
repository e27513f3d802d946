"""One league's part of a sync, the same in a thread of `flask sync` and in a worker.

Before Tenhou is read, a league is prepared: its folder is listed, league.toml read, its rooms are known. When its lines
are kept (see PendingResults), they are delivered: merged into its logs, and what follows is done for this league alone. Either can be
done again from the start: what is kept and the logs tell what there is left to do.
"""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Literal

from bot.league.season_log import LeagueFolder, NoLeague, SeasonLogs
from bot.runtime.json_log import log_fault
from bot.sync.pending_results import PendingResults
from rating.games import GameError
from rating.logdates import JST
from storage.ports import Conflict, Denied, NotFound, StateStore, StorageError, Unavailable

BATCH = 31  # days merged at once
EXPECTED = (StorageError, GameError, ValueError)  # whose words are for the admin
LASTING = (NotFound, Denied, Conflict)  # what a moment later will be the same
After = Callable[[str, Sequence[date]], bool]
"""What follows, for a league and the days that got games; False where some of it is to be tried again."""

OWED = timedelta(days=7)  # how long what follows a day's games is tried again


@dataclass(frozen=True, slots=True)
class Job:
    """A league to prepare (with `since`, its lines from that day on are offered again) or to deliver to."""

    stage: Literal["prepare", "deliver"]
    league: str
    since: date | None = None
    go: int = 0  # a job that a service outside prevented is done again with the next number

    def to_words(self) -> list[Any]:
        """As a queue carries it."""
        return [self.stage, self.league, self.since.isoformat() if self.since else None, self.go]

    @classmethod
    def from_words(cls, words: Sequence[Any]) -> Job:
        """What `to_words` made."""
        stage, league, since, go = words
        return cls(stage, league, date.fromisoformat(since) if since else None, go)


@dataclass(slots=True)
class Outcome:
    """What a job found and did. `added` counts games by log; `problems` are for the admin to act on, `notes` to know."""

    rooms: list[str] = field(default_factory=list)
    nothing: bool = False  # no league is there at all
    again: bool = False  # a service outside is left alone at the moment: to be done once more
    failed: bool = False  # a service outside failed: to be done once more, if others are
    added: dict[str, int] = field(default_factory=dict)
    days: list[str] = field(default_factory=list)  # ISO dates that got new games
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def to_text(self) -> str:
        """As the state store carries it."""
        return json.dumps({key: value for key, value in asdict(self).items() if value})

    @classmethod
    def from_text(cls, text: str) -> Outcome:
        """What `to_text` made."""
        return cls(**json.loads(text))


class LeagueWork:
    """Does jobs. `open_league` gives a league's folder and league.toml. Never raises; safe in threads."""

    def __init__(
        self,
        open_league: Callable[[str], LeagueFolder],
        state: StateStore,
        now: Callable[[], datetime],
        after: After | None = None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._open = open_league
        self._state = state
        self._now = now
        self._after = after
        self._wait = wait

    def __call__(self, job: Job) -> Outcome:
        outcome = Outcome()
        try:
            pending = PendingResults(self._state, job.league)
            if job.stage == "prepare":
                self._prepare(job, pending, outcome)
            else:
                self._deliver(job, pending, outcome)
        except NoLeague as error:
            outcome.nothing = True
            outcome.problems.append(str(error))
        except EXPECTED as error:
            outcome.again = isinstance(error, Unavailable)
            outcome.failed = isinstance(error, StorageError) and not isinstance(error, LASTING)
            outcome.problems.append(str(error))
        except Exception as error:  # whatever one league's files set off, the others are served
            log_fault("a league could not be synced", error)
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"
            outcome.problems.append(f"{type(error).__name__} at {place}")
        return outcome

    def _prepare(self, job: Job, pending: PendingResults, outcome: Outcome) -> None:
        logs = SeasonLogs(self._open(job.league), self._now, self._wait)
        if job.since is not None:
            pending.offer_again(job.since)
        outcome.notes = logs.take_notes()
        outcome.rooms = sorted(logs.rooms)

    def _deliver(self, job: Job, pending: PendingResults, outcome: Outcome) -> None:
        owed = pending.owed() if self._after else []
        days: set[date] = set()
        try:
            self._merge_all(job.league, pending, owed, days, outcome)
        finally:
            outcome.days = [day.isoformat() for day in sorted(days)]
            if self._after:
                follows = sorted({*days, *owed})
                done = not follows or _follow(self._after, job.league, follows)
                oldest = self._now().astimezone(JST).date() - OWED
                pending.owe(() if done else [day for day in follows if day >= oldest])

    def _merge_all(
        self, league: str, pending: PendingResults, owed: Sequence[date], days: set[date], outcome: Outcome
    ) -> None:
        waiting = pending.waiting()
        if not waiting:
            return
        logs = SeasonLogs(self._open(league), self._now, self._wait)
        for begin in range(0, len(waiting), BATCH):
            kept = [day_lines for day in waiting[begin : begin + BATCH] if (day_lines := pending.get(day))]
            if self._after:
                pending.owe({*owed, *days, *(day_lines.day for day_lines in kept)})
            added = logs.add({day_lines.day: day_lines.fresh for day_lines in kept})
            for day_lines in kept:
                pending.done(day_lines)
            for log, played in added.items():
                outcome.added[log] = outcome.added.get(log, 0) + len(played)
                days.update(played)
        outcome.notes = logs.take_notes()


def _follow(after: After, league: str, days: Sequence[date]) -> bool:
    """Do what follows; whether it is done. The games are safe already."""
    try:
        return after(league, days)
    except Exception as error:
        log_fault("what follows a sync failed", error)
        return True
