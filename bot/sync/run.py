"""Bring Tenhou's daily results into the season logs (`flask sync`): each game of the leagues' rooms exactly once.

Only this process reads Tenhou, each file once for all leagues. What concerns one league (its folder, its logs, what
follows) is a job of its own, done by a thread here or by a worker (bot/sync/job_runner.py).

The process may be killed at any point. A day's lines are kept before anything else. Then the log is written, only if it
still has the revision that was read; after somebody else's edit it is read and merged again. Only then do the lines count
as merged. Merging a line a second time changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from gettext import gettext as _
from typing import Literal

from bot.league.corrections import HandsVersion
from bot.sync.download import Downloader, Progress, ResultsSource, note_failure
from bot.sync.job_runner import JobRunner
from bot.sync.league_job import Job, Outcome
from bot.sync.room_watch import RoomNews, RoomWatch
from bot.tenhou.errors import TenhouError
from bot.tenhou.throttle import Throttle, TooSoon
from rating.logdates import JST
from storage.ports import StorageError
from storage.state import State

LEAGUES = "leagues"  # the name given to `progress` while leagues, not files, are counted
SYNCED = "synced"


def last_sync(state: State) -> datetime | None:
    """Return when the last sync ended; None before the first. Raises StorageError when the store cannot be reached."""
    told = state.values.get(SYNCED)
    return datetime.fromisoformat(told) if told else None


@dataclass
class SyncResult:
    """What a sync saw and did.

    `seen` counts the files looked at, `added` games by log. `kept` tells the games that Tenhou offers and a hand corrected:
    the hand's version stands. The admin should act on `problems`; `notes` only inform.
    """

    seen: int = 0
    downloaded: int = 0
    added: dict[str, int] = field(default_factory=dict)
    days: list[date] = field(default_factory=list)  # the days that got new games
    kept: list[HandsVersion] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    refused: bool = False  # a season log of some league cannot be read

    @property
    def games(self) -> int:
        return sum(self.added.values())

    def lines(self) -> list[str]:
        """Return the notes, the corrected games and the result as lines of text; without the problems."""
        logs = [
            (_("{log}: 1 game added") if count == 1 else _("{log}: {count} games added")).format(
                log=log, count=count
            )
            for log, count in self.added.items()
        ]
        files = _("{seen} files in Tenhou's index, {downloaded} downloaded").format(
            seen=self.seen, downloaded=self.downloaded
        )
        return [*self.notes, *map(str, self.kept), files, *(logs or [_("no new games")])]

    def as_dict(self) -> dict[str, object]:
        """Return all fields, for JSON. Days are ISO dates."""
        return {
            "seen": self.seen,
            "downloaded": self.downloaded,
            "added": self.added,
            "games": self.games,
            "days": [day.isoformat() for day in self.days],
            "corrected": [version.as_dict() for version in self.kept],
            "notes": self.notes,
            "problems": self.problems,
        }


def sync_leagues(
    leagues: Sequence[str],
    runner: JobRunner,
    state: State,
    tenhou: ResultsSource,
    now: Callable[[], datetime],
    since: date | None = None,
    progress: Progress | None = None,
    wait: Callable[[float], None] = time.sleep,
    rooms: RoomWatch | None = None,
) -> SyncResult:
    """Bring every league's logs up to date with Tenhou's results. A failure of Tenhou or a store becomes a problem.

    Without `since`, the files of the last week are read, and older ones back to the last complete sync. With `since`,
    files from that day on are read, and lines merged before are merged once more. `leagues` are folder names; `now`
    returns an aware time; `wait` sleeps so many seconds. `rooms` reads the leagues' rooms' own results, whenever these are
    due, and whatever becomes of the day's files.
    """
    run = _Run(leagues, runner, state, tenhou, progress or (lambda done, total, name: None))
    run.prepare(since)
    run.look(rooms)
    try:
        run.gather()
        if run.download.members:
            with Throttle(state, now, wait).round() as ask:
                run.download.read(since, ask)
        state.values.put(SYNCED, now().isoformat())
    except TooSoon as early:
        until = early.until.astimezone(JST)
        run.notes.append(
            _("Tenhou was asked less than 20 minutes ago; it is asked again from {until:%H:%M}").format(
                until=until
            )
        )
    except (TenhouError, StorageError) as error:
        note_failure(error)
        run.download.problems.append(str(error))
    run.deliver()
    return run.result()


class _Run:
    """One sync: its leagues, and the outcomes of their jobs so far."""

    def __init__(
        self,
        leagues: Sequence[str],
        runner: JobRunner,
        state: State,
        tenhou: ResultsSource,
        progress: Progress,
    ) -> None:
        self.leagues = leagues
        self.runner = runner
        self.progress = progress
        self.download = Downloader(state.results, tenhou, progress)
        self.notes: list[str] = []
        self.prepared: dict[str, Outcome] = {}
        self.delivered: dict[str, Outcome] = {}
        self.news = RoomNews()
        self._state = state

    def prepare(self, since: date | None) -> None:
        """Prepare every league. Where there are several, the root folder may hold no league."""
        self.prepared = self._done("prepare", self.leagues, since)
        root = self.prepared.get("")
        if root is not None and root.nothing and len(self.prepared) > 1:
            del self.prepared[""]

    def look(self, rooms: RoomWatch | None) -> None:
        """Read the own results of the leagues' rooms."""
        if rooms is not None:
            self.news = rooms.look(
                {league: frozenset(found.rooms) for league, found in self.prepared.items()}
            )

    def gather(self) -> None:
        """Add the leagues to the round. One whose folder can't be read takes part with the rooms of its last round."""
        self.download.add({league: outcome.rooms for league, outcome in self.prepared.items()})

    def deliver(self) -> None:
        """Deliver to the leagues for which something waits, except those that could not be prepared."""
        waits = {league for league, member in self.download.members.items() if member.waits}
        with suppress(StorageError):  # what reads Tenhou's files tells that the store can't be reached
            waits |= self._state.own_games.leagues_waiting()
        ready = [league for league, outcome in self.prepared.items() if outcome.rooms and league in waits]
        self.delivered = self._done("deliver", ready)

    def _done(
        self, stage: Literal["prepare", "deliver"], leagues: Sequence[str], since: date | None = None
    ) -> dict[str, Outcome]:
        """Return the outcomes of one stage by league, in the order of `leagues`."""
        outcomes: dict[str, Outcome] = {}
        for job, outcome in self.runner.do([Job(stage, league, since) for league in leagues]):
            outcomes[job.league] = _joined(outcomes.get(job.league, Outcome()), outcome)
            self.progress(len(outcomes), len(leagues), LEAGUES)
        return {league: outcomes[league] for league in leagues}

    def result(self) -> SyncResult:
        """Join the outcomes of all leagues and stages; a problem or note gets its league's name in front."""
        told = [("", Outcome(notes=self.notes))]
        for league, outcome in self.prepared.items():
            news = self.news.notes.get(league, []), self.news.problems.get(league, [])
            told += [(league, Outcome(notes=news[0], problems=news[1])), (league, outcome)]
        download = Outcome(notes=self.download.notes, problems=self.download.problems)
        result = SyncResult(self.download.seen, self.download.downloaded)
        for league, outcome in [*told, ("", download), *self.delivered.items()]:
            said, inside = (f"{league}: ", f"{league}/") if league else ("", "")
            result.added |= {inside + log: count for log, count in outcome.added.items()}
            result.days += map(date.fromisoformat, outcome.days)
            result.kept += [HandsVersion(**{**one, "log": inside + one["log"]}) for one in outcome.kept]
            result.notes += [said + note for note in outcome.notes]
            result.problems += [said + problem for problem in outcome.problems]
            result.refused |= outcome.refused
        result.days = sorted({*result.days})
        result.notes = [*dict.fromkeys(result.notes)]  # each once, in order
        result.problems = [*dict.fromkeys(result.problems)]
        return result


def _joined(before: Outcome, last: Outcome) -> Outcome:
    """Join the outcomes of two tries of a job: games and notes of both, problems of the last try only.

    A corrected game that both tries met is told once.
    """
    added = {log: before.added.get(log, 0) + last.added.get(log, 0) for log in {**before.added, **last.added}}
    days = sorted({*before.days, *last.days})
    kept = [*before.kept, *(one for one in last.kept if one not in before.kept)]
    return replace(last, added=added, days=days, kept=kept, notes=[*before.notes, *last.notes])
