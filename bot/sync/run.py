"""Bring Tenhou's daily results into the season logs (`flask sync`): each game of the leagues' rooms exactly
once.

Only this process reads Tenhou, each file once for all leagues. What concerns one league (its folder, its
logs, what follows) is a job of its own, done by a thread here or by a worker (bot/sync/jobs.py).

The process may be killed at any point. A day's lines are kept before anything else. Then the log is written,
only if it still has the revision that was read; after somebody else's edit it is read and merged again. Only
then do the lines count as merged. Merging a line a second time changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from gettext import gettext as _

from bot.league.season_log import HandsVersion
from bot.sync.download import Downloader, Progress, ResultsSource, note_failure
from bot.sync.jobs import Job, JobRunner, Outcome
from bot.sync.room_watch import RoomNews, RoomWatch
from bot.tenhou.client import TenhouError
from bot.tenhou.throttle import Throttle, TooSoon
from rating.logdates import JST
from storage.ports import StorageError
from storage.state import State

LEAGUES = "leagues"  # the name given to `progress` while leagues, not files, are counted
SYNCED = "synced"


def last_sync(state: State) -> datetime | None:
    """Return when the last sync ended; None before the first. Raises StorageError when the store cannot be
    reached."""
    told = state.values.get(SYNCED)
    return datetime.fromisoformat(told) if told else None


@dataclass
class SyncResult:
    """What a sync saw and did.

    `seen` counts the files looked at, `added` games by log. `kept` tells the games that Tenhou offers and a
    hand corrected: the hand's version stands. The admin should act on `problems`; `notes` only inform.
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

    def add(self, league: str, outcome: Outcome) -> None:
        """Join what a league's job has found. Its problems and notes get the league's name in front; each is
        said once."""
        said, inside = (f"{league}: ", f"{league}/") if league else ("", "")
        self.added |= {inside + log: count for log, count in outcome.added.items()}
        self.days = sorted({*self.days, *map(date.fromisoformat, outcome.days)})
        self.kept += [HandsVersion(**{**one, "log": inside + one["log"]}) for one in outcome.kept]
        self.notes = [*dict.fromkeys((*self.notes, *(said + note for note in outcome.notes)))]
        self.problems = [*dict.fromkeys((*self.problems, *(said + one for one in outcome.problems)))]
        self.refused |= outcome.refused

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
    progress: Progress = lambda done, total, name: None,
    wait: Callable[[float], None] = time.sleep,
    rooms: RoomWatch | None = None,
) -> SyncResult:
    """Bring every league's logs up to date with Tenhou's results. A failure of Tenhou or a store becomes a
    problem.

    Without `since`, the files of the last week are read, and older ones back to the last complete sync. With
    `since`, files from that day on are read, and lines merged before are merged once more. `leagues` are
    folder names; `now` returns an aware time; `wait` sleeps so many seconds. `rooms` reads the leagues'
    rooms' own results, whenever these are due, and whatever becomes of the day's files.
    """
    result, download = SyncResult(), Downloader(state.results, tenhou, progress)
    prepared = _done(runner, [Job("prepare", league, since) for league in leagues], progress)
    if len(prepared) > 1 and "" in prepared and prepared[""].nothing:
        del prepared[""]  # where there are several leagues, the root folder may hold none
    counted = {league: outcome.rooms for league, outcome in prepared.items()}
    news = (
        rooms.look({league: frozenset(found) for league, found in counted.items()}) if rooms else RoomNews()
    )
    try:
        # a league whose folder can't be read takes part with the rooms of its last round
        download.add(counted)
        if download.members:
            with Throttle(state, now, wait).round() as ask:
                download.read(since, ask)
        state.values.put(SYNCED, now().isoformat())
    except TooSoon as early:
        words = _("Tenhou was asked less than 20 minutes ago; it is asked again from {until:%H:%M}")
        result.notes.append(words.format(until=early.until.astimezone(JST)))
    except (TenhouError, StorageError) as error:
        note_failure(error)
        download.problems.append(str(error))
    waits = {league for league, member in download.members.items() if member.waits}
    with suppress(StorageError):  # what reads Tenhou's files tells that the store can't be reached
        waits |= state.own_games.leagues_waiting()
    ready = [league for league, found in counted.items() if found and league in waits]
    delivered = _done(runner, [Job("deliver", league) for league in ready], progress)
    for league, outcome in prepared.items():
        result.add(league, news.said[league])
        result.add(league, outcome)
    result.add("", Outcome(notes=download.notes, problems=download.problems))
    for league, outcome in delivered.items():
        result.add(league, outcome)
    result.seen, result.downloaded = download.seen, download.downloaded
    return result


def _done(runner: JobRunner, jobs: Sequence[Job], progress: Progress) -> dict[str, Outcome]:
    """Return the outcomes of one stage by league, in the order of the jobs."""
    outcomes = dict[str, Outcome]()
    for job, outcome in runner.do(jobs):
        outcomes[job.league] = _joined(outcomes.get(job.league, Outcome()), outcome)
        progress(len(outcomes), len(jobs), LEAGUES)
    return {job.league: outcomes[job.league] for job in jobs}


def _joined(before: Outcome, last: Outcome) -> Outcome:
    """Join the outcomes of two tries of a job: games and notes of both, problems of the last try only.

    A corrected game that both tries met is told once.
    """
    added = {log: before.added.get(log, 0) + last.added.get(log, 0) for log in {**before.added, **last.added}}
    days = sorted({*before.days, *last.days})
    kept = [*before.kept, *(one for one in last.kept if one not in before.kept)]
    return replace(last, added=added, days=days, kept=kept, notes=[*before.notes, *last.notes])
