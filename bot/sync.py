"""Tenhou's daily results into the season logs: each game of the leagues' rooms exactly once, whatever happens between.

The order of steps makes it safe to be killed anywhere: a day's lines are kept in the inbox before anything else, the
log is written at the revision it was read at (someone else's edit means reading and merging again), and only then the
lines count as merged. Merging is idempotent, so a step done twice is done once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Protocol

from bot.inbox import Inbox
from bot.rounds import Rounds, TooSoon
from bot.seasonlogs import SeasonLogs, Target
from bot.tenhou import ResultsFile, TenhouError, lines_of
from bot.texts import JST
from rating.league import LeagueError
from storage.ports import StateStore, StorageError

__all__ = ["Results", "SyncResult", "Target", "sync"]

BATCH = 31  # files read before their lines are written to the logs
FAILURES = 3  # files in a row that can't be read before the round is given up
Progress = Callable[[int, int, str], None]


class Results(Protocol):
    """What lists and reads results: `bot.tenhou.Tenhou`."""

    def index(self, old: bool = False) -> list[ResultsFile]: ...

    def results(self, file: ResultsFile) -> bytes: ...


@dataclass
class SyncResult:
    """What a sync saw and did. `added` counts games by log; `problems` are for the admin to act on, `notes` to know."""

    seen: int = 0
    downloaded: int = 0
    added: dict[str, int] = field(default_factory=dict)
    days: list[date] = field(default_factory=list)  # the days that got new games
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def games(self) -> int:
        return sum(self.added.values())

    def lines(self) -> list[str]:
        """The result in words, a line each."""
        logs = [f"{log}: {count} game{'s' * (count != 1)} added" for log, count in self.added.items()]
        files = f"{self.seen} files in Tenhou's index, {self.downloaded} downloaded"
        return [*self.notes, files, *(logs or ["no new games"])]

    def as_dict(self) -> dict[str, object]:
        """The same for programs."""
        return {
            "seen": self.seen,
            "downloaded": self.downloaded,
            "added": self.added,
            "games": self.games,
            "days": [day.isoformat() for day in self.days],
            "notes": self.notes,
            "problems": self.problems,
        }


def sync(
    targets: Sequence[Target],
    state: StateStore,
    tenhou: Results,
    now: Callable[[], datetime],
    since: date | None = None,
    progress: Progress | None = None,
    after: Callable[[SyncResult], None] | None = None,
    wait: Callable[[float], None] = time.sleep,
) -> SyncResult:
    """Bring every target's logs up to date with Tenhou's results; never raises for Tenhou's or a store's failure.

    Without `since`: the week Tenhou lists, and further back to the last complete sync. With it: from that day on, also
    what was merged before. `after` is called with the result when games were added.
    """
    result = SyncResult()
    run = _Run(targets, state, tenhou, result, progress or (lambda done, total, name: None), now, wait)
    run.deliver()
    try:
        with Rounds(state, now, wait).round() as ask:
            run.read(since, ask)
    except TooSoon as early:
        until = early.until.astimezone(JST)
        result.notes.append(
            f"Tenhou was asked less than 20 minutes ago; it is asked again from {until:%H:%M}"
        )
        if since is not None:
            run.offer_again(since)
    except (TenhouError, StorageError) as error:
        result.problems += [str(error)] if str(error) not in result.problems else []
    run.deliver()
    if after is not None and result.added:
        after(result)
    return result


class _Run:
    """One sync: its leagues, and what it has found so far."""

    def __init__(
        self,
        targets: Sequence[Target],
        state: StateStore,
        tenhou: Results,
        result: SyncResult,
        progress: Progress,
        now: Callable[[], datetime],
        wait: Callable[[float], None],
    ) -> None:
        self.state, self.tenhou, self.result, self.progress = state, tenhou, result, progress
        self.leagues: list[tuple[SeasonLogs, Inbox]] = []
        for target in targets:
            with self.reported(target.key):
                self.leagues.append((SeasonLogs(target, now, wait), Inbox(state, target.key)))
        for logs, _ in self.leagues:
            result.notes += logs.notes

    @contextmanager
    def reported(self, label: str) -> Iterator[None]:
        """A league's own trouble is the admin's to know, and no other league's."""
        try:
            yield
        except (StorageError, LeagueError) as error:
            problem = f"{label}: {error}" if label else str(error)
            if problem not in self.result.problems:
                self.result.problems.append(problem)

    def read(self, since: date | None, ask: Callable[[], None]) -> None:
        """Read the files that are new or have grown; their lines are in the inboxes, most in the logs already."""
        if not self.leagues:
            return
        files = self.listed(since, ask)
        self.result.seen = len(files)
        if since is not None:
            self.offer_again(since)
        wanted = [file for file in files if self.lacking(file)]
        failed = self.take_all(wanted, ask)
        self.progress(len(wanted), len(wanted), "")
        self.remember(files, failed)

    def take_all(self, wanted: Sequence[ResultsFile], ask: Callable[[], None]) -> list[date]:
        """Read these files one after the other; the days that could not be read."""
        failed: list[date] = []
        row = 0
        for number, file in enumerate(wanted):
            self.progress(number, len(wanted), file.name)
            ask()
            try:
                self.take(file)
                row = 0
            except TenhouError as error:
                self.result.problems.append(str(error))
                failed.append(file.day)
                row += 1
            if row == FAILURES:
                return failed + [other.day for other in wanted[number + 1 :]]
            if number % BATCH == BATCH - 1:
                self.deliver()
        return failed

    def listed(self, since: date | None, ask: Callable[[], None]) -> list[ResultsFile]:
        """The files to look at, by day: the last week's, and older ones where there is a gap to fill."""
        ask()
        files = {file.day: file for file in self.tenhou.index()}
        oldest = min(files)
        begin = min([since or oldest, *(day for _, inbox in self.leagues if (day := inbox.through()))])
        if begin < oldest:
            ask()
            older = self.tenhou.index(old=True)
            files = {file.day: file for file in older} | files
            first = min(files)
            if begin < first:
                self.result.notes.append(
                    f"Tenhou lists nothing before {first}: games from {begin} on until then are only in its yearly "
                    "archives, which Janroku does not read"
                )
        elif all(inbox.through() is None for _, inbox in self.leagues) and since is None:
            self.result.notes.append(
                f"first sync: games before {oldest} are fetched by `flask sync --since DATE`"
            )
        return [files[day] for day in sorted(files) if day >= min(begin, oldest)]

    def remember(self, files: Iterable[ResultsFile], failed: Sequence[date]) -> None:
        """Note up to which day all was read."""
        day = min(failed) - timedelta(days=1) if failed else max(file.day for file in files)
        for _, inbox in self.leagues:
            inbox.read_through(day)

    def lacking(self, file: ResultsFile) -> bool:
        return any(not inbox.has(file.day, file.size, logs.rooms) for logs, inbox in self.leagues)

    def take(self, file: ResultsFile) -> None:
        """Download a day's file once, and keep each league's lines."""
        text = self.tenhou.results(file)
        for logs, inbox in self.leagues:
            inbox.put(file.day, file.size, logs.rooms, lines_of(file.name, text, logs.rooms))
        self.result.downloaded += 1

    def offer_again(self, since: date) -> None:
        for _, inbox in self.leagues:
            inbox.offer_again(since)

    def deliver(self) -> None:
        """Merge what waits in the inboxes into the logs; a league whose store fails is tried again next time."""
        for logs, inbox in self.leagues:
            with self.reported(logs.target.key):
                waiting = inbox.waiting()
                for begin in range(0, len(waiting), BATCH):
                    self.merge(logs, inbox, waiting[begin : begin + BATCH])

    def merge(self, logs: SeasonLogs, inbox: Inbox, days: Sequence[date]) -> None:
        parcels = [parcel for day in days if (parcel := inbox.get(day))]
        added = logs.add({parcel.day: parcel.fresh for parcel in parcels})
        for parcel in parcels:
            inbox.done(parcel)
        self.count(added, logs)

    def count(self, added: dict[str, list[date]], logs: SeasonLogs) -> None:
        for name, days in added.items():
            log = f"{logs.target.key}/{name}" if logs.target.key else name
            self.result.added[log] = self.result.added.get(log, 0) + len(days)
            self.result.days = sorted({*self.result.days, *days})
        self.result.notes += [note for note in logs.take_notes() if note not in self.result.notes]
