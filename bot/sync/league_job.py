"""Do one league's part of a sync, in a thread of `flask sync` or in a worker.

`prepare` comes before Tenhou is read: it lists the league's folder, reads league.toml and finds the rooms. `deliver` comes
when lines are kept for the league (storage/results.py): it merges them into the season logs and does what follows (charts,
digest). `records` fetches the records that the league's room has named. Each can be done again from the start: the kept
lines, the logs and the records waited for show what is left to do.
"""

from __future__ import annotations

import json
import logging
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from gettext import gettext as _
from typing import Literal

from bot.league.league_folder import LeagueFolder
from bot.league.season_log import NoLeague, SeasonLogs, UnreadableLog
from bot.runtime.json_log import log_fault
from bot.sync.own_merge import offers, plan
from bot.sync.own_results import OwnResults
from rating.logdates import JST
from storage.ports import LASTING, Denied, StorageError, Unavailable
from storage.results import DayLines
from storage.state import State

log = logging.getLogger(__name__)
BATCH = 31  # days merged at once
EXPECTED = (StorageError, ValueError)  # their messages are written for the admin
After = Callable[[str, Sequence[date]], bool]
"""What follows, for a league and the days that got games; False where some of it is to be tried again."""

Came = Callable[[str], None]
"""What follows for a league whose own room has told games that are in its log now."""

Collect = Callable[[str], Sequence[str]]
"""Fetches a league's records, and returns what to say of it. Raises StorageError when the state store cannot be reached."""

OWED = timedelta(days=7)  # how long what follows a day's games is tried again, from that day on


@dataclass(frozen=True, slots=True)
class Job:
    """One stage for one league. `since`, for `prepare`: the kept lines from that day on are merged once more."""

    stage: Literal["prepare", "deliver", "records"]
    league: str
    since: date | None = None
    go: int = 0  # how often it was prevented before: a job that is done again gets the next number

    def to_text(self) -> str:
        """Return the job as JSON."""
        return json.dumps([self.stage, self.league, self.since and self.since.isoformat(), self.go])

    @classmethod
    def from_text(cls, text: str) -> Job:
        """Return the job that `to_text` was called on."""
        stage, league, since, go = json.loads(text)
        return cls(stage, league, date.fromisoformat(since) if since else None, go)


@dataclass(slots=True)
class Outcome:
    """What a job found and did.

    `added` counts games by log. `kept` tells the games that a hand corrected and Tenhou offers. The admin should act on
    `problems`; `notes` only inform.
    """

    rooms: list[str] = field(default_factory=list)
    nothing: bool = False  # the folder holds no league
    refused: bool = False  # a season log cannot be read; its games keep waiting
    again: bool = False  # a service outside is not asked at the moment (Unavailable): do the job once more
    failed: bool = False  # a store failed: do the job once more if an outage is noticed later
    added: dict[str, int] = field(default_factory=dict)
    days: list[str] = field(default_factory=list)  # ISO dates that got new games
    kept: list[dict[str, str]] = field(default_factory=list)  # each has the fields of HandsVersion
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def to_text(self) -> str:
        """Return the outcome as JSON, without empty fields."""
        return json.dumps({key: value for key, value in asdict(self).items() if value})

    @classmethod
    def from_text(cls, text: str) -> Outcome:
        """Return the outcome that `to_text` was called on."""
        return cls(**json.loads(text))


class LeagueWork:
    """Does jobs. Never raises: every error becomes a problem of the outcome. Safe in threads.

    `open_league` returns a league's folder with its league.toml, `now` an aware time; `wait` sleeps so many seconds.
    `own_room` returns the name of the room whose own results a league reads, "" for none. `came` does what follows games
    of such a room, `collect` fetches its records.
    """

    def __init__(
        self,
        open_league: Callable[[str], LeagueFolder],
        state: State,
        now: Callable[[], datetime],
        after: After | None = None,
        wait: Callable[[float], None] = time.sleep,
        own_room: Callable[[str], str] = lambda league: "",
        came: Came = lambda league: None,
        collect: Collect = lambda league: (),
    ) -> None:
        self._open = open_league
        self._state = state
        self._now = now
        self._after = after
        self._wait = wait
        self._own_room = own_room
        self._came = came
        self._collect = collect

    def __call__(self, job: Job) -> Outcome:
        outcome = Outcome()
        try:
            if job.stage == "records":
                outcome.notes = list(self._collect(job.league))
            elif job.stage == "prepare":
                self._prepare(job, outcome)
            else:
                self._deliver(job.league, outcome)
        except NoLeague as error:
            outcome.nothing = True
            outcome.problems.append(str(error))
        except EXPECTED as error:
            outcome.refused = isinstance(error, UnreadableLog)
            outcome.again = isinstance(error, Unavailable)
            outcome.failed = isinstance(error, StorageError) and not isinstance(error, LASTING)
            outcome.problems.append(str(error))
        except Exception as error:  # one league's files must not stop the sync of the others
            log_fault("a league could not be synced", error)
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"
            outcome.problems.append(f"{type(error).__name__} at {place}")
        return outcome

    def _prepare(self, job: Job, outcome: Outcome) -> None:
        logs = self._opened(job.league, outcome)
        if job.since is not None:
            self._state.results.offer_again(job.league, job.since)
            OwnResults(self._state, job.league).offer_again(job.since)
        outcome.rooms = sorted(logs.rooms)
        _say(logs, outcome)

    def _opened(self, league: str, outcome: Outcome) -> SeasonLogs:
        """Open a league's logs. That league.toml is unusable is a problem, though its last good version serves."""
        folder = self._open(league)
        if folder.fault is not None:
            outcome.problems.append(str(folder.fault))
        return SeasonLogs(folder, self._now, self._wait, lambda: self._own_room(league))

    def _deliver(self, league: str, outcome: Outcome) -> None:
        results = self._state.results
        owed = results.owed(league) if self._after else []
        days: set[date] = set()  # what follows is due for them
        try:
            self._merge_all(league, owed, days, outcome)
            if outcome.added and not days:  # else what follows a sync does it
                self._follow_own(league)
        finally:
            if self._after:
                follows = sorted({*days, *owed})
                done = not follows or _follow(self._after, league, follows)
                oldest = self._now().astimezone(JST).date() - OWED
                results.owe(league, [] if done else [day for day in follows if day >= oldest])

    def _follow_own(self, league: str) -> None:
        try:
            self._came(league)
        except StorageError as error:
            log.warning("what follows a room's games is done at the next tap: %s", error)
        except Exception as error:
            log_fault("what follows a room's games failed", error)

    def _merge_all(self, league: str, owed: Sequence[date], days: set[date], outcome: Outcome) -> None:
        results, own = self._state.results, OwnResults(self._state, league)
        ends, offered = own.waiting(), results.waiting(league)
        waiting = sorted({*offered, *ends})
        if not waiting:
            return
        logs = self._opened(league, outcome)
        for begin in range(0, len(waiting), BATCH):
            part = waiting[begin : begin + BATCH]
            kept = [lines for day in part if day in offered and (lines := results.get(league, day))]
            if self._after:
                results.owe(league, {*owed, *days, *(lines.day for lines in kept)})
            self._merge(league, logs, kept, [day for day in part if day in ends], own, (days, outcome))
        _say(logs, outcome)

    def _merge(
        self,
        league: str,
        logs: SeasonLogs,
        kept: Sequence[DayLines],
        ends: Sequence[date],
        own: OwnResults,
        told: tuple[set[date], Outcome],
    ) -> None:
        """Merge the lines of some days. What follows a day waits for Tenhou's own lines, so that it tells the whole day."""
        results, (days, outcome) = self._state.results, told

        def offered(day: date) -> Sequence[bytes]:
            found = results.get(league, day)
            return found.lines if found else ()

        todo = plan({lines.day: lines.fresh for lines in kept}, ends, own, offered)
        added = logs.add(todo.days, partial(offers, offered, own), todo.own)
        outcome.kept = [version.as_dict() for version in logs.kept]
        for lines in kept:
            if not logs.stuck(lines.day, lines.fresh):
                results.done(league, lines)
        own.done(
            {game: logs.counts(*line) for line, game in todo.looked if not logs.stuck(line[0], [line[1]])}
        )
        got = {day for played in added.values() for day in played}
        days |= todo.follows | (got & {lines.day for lines in kept})
        outcome.days = sorted({*outcome.days, *(day.isoformat() for day in got)})
        for log, played in added.items():
            outcome.added[log] = outcome.added.get(log, 0) + len(played)


def _say(logs: SeasonLogs, outcome: Outcome) -> None:
    """Put what the logs noted into the outcome, and a problem for each log that cannot be read."""
    outcome.notes = logs.take_notes()
    outcome.refused = bool(logs.refused)
    outcome.problems += [
        _("{name}: {reason}; nothing is added to it, its games keep waiting").format(name=name, reason=reason)
        for name, reason in sorted(logs.refused.items())
    ]


def _follow(after: After, league: str, days: Sequence[date]) -> bool:
    """Do what follows, and return whether it is done. An error is logged only: the games are already in the log."""
    try:
        return after(league, days)
    except Exception as error:
        log_fault("what follows a sync failed", error)
        return not isinstance(error, StorageError) or isinstance(error, Denied)
