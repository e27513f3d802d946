"""Read Tenhou's daily results for all leagues in one round: each file is downloaded once, each league's lines
are kept.

The files and Tenhou's rules for programs that read them: https://tenhou.net/sc/raw/. A file whose size in the
index has not grown is not downloaded again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from gettext import gettext as _
from typing import Protocol

from bot.runtime import metrics
from bot.tenhou.client import ResultsFile, TenhouError, TenhouUnreachable, by_room, lines_in
from storage.tenhou import EMPTY, FileRead, ReadMark, Results

FAILURES = 3  # files in a row that can't be read, after which the round ends
Progress = Callable[[int, int, str], None]


class ResultsSource(Protocol):
    """Lists and downloads results; `bot.tenhou.client.TenhouClient` does."""

    def index(self, old: bool = False) -> list[ResultsFile]: ...

    def results(self, file: ResultsFile) -> bytes: ...


@dataclass(slots=True)
class LeagueDownload:
    """A league in the round: its rooms, what it has read before, and whether something waits to be delivered
    to it."""

    rooms: frozenset[str]
    read: ReadMark | None
    waits: bool


class Downloader:
    """One round at Tenhou.

    `members` are its leagues by folder name. `seen` counts the files looked at, `downloaded` those
    downloaded. `notes` and `problems` are for the report.
    """

    def __init__(self, results: Results, tenhou: ResultsSource, progress: Progress) -> None:
        self.tenhou, self.progress = tenhou, progress
        self.members: dict[str, LeagueDownload] = {}
        self.seen = self.downloaded = 0
        self.notes: list[str] = []
        self.problems: list[str] = []
        self._results = results
        self._read: dict[tuple[str, date], FileRead] = {}
        self._newest = date.min  # the day of the newest file

    def add(self, leagues: Mapping[str, Sequence[str]]) -> None:
        """Add leagues to the round, each with its rooms. A league without rooms gets those of its last round.

        Raises StorageError when the store cannot be reached.
        """
        known, waits = self._results.read_marks(), self._results.leagues_waiting()
        for league, rooms in leagues.items():
            read = known.get(league)
            wanted = frozenset(rooms) or (read.rooms if read else frozenset())
            if wanted:
                self.members[league] = LeagueDownload(wanted, read, league in waits)

    def read(self, since: date | None, ask: Callable[[], None]) -> None:
        """Download the files that are new or have grown. `ask` is called before each request.

        Raises TenhouError when the index cannot be read or another process took over the connection, and
        StorageError when the store cannot be reached. A day's file that cannot be read is noted in
        `problems`.
        """
        files = self._listed(since, ask)
        self.seen = len(files)
        self._newest = files[-1].day
        self._read = self._results.files_read(files[0].day)
        wanted = [file for file in files if any(self._lacks(league, file) for league in self.members)]
        failed = self._take_all(wanted, ask)
        self.progress(len(wanted), len(wanted), "")
        self._remember(files, failed)

    def _listed(self, since: date | None, ask: Callable[[], None]) -> list[ResultsFile]:
        """Return the files to look at, oldest first: the last week's, and older ones where a league has a
        gap."""
        ask()
        files = {file.day: file for file in self.tenhou.index()}
        oldest = min(files)
        through = [member.read.through for member in self.members.values() if member.read]
        begin = min([since or oldest, *through])
        if begin < oldest:
            ask()
            older = self.tenhou.index(old=True)
            files = {file.day: file for file in older} | files
            first = min(files)
            if begin < first:
                words = _(
                    "Tenhou lists nothing before {first}: games from {begin} on until then are only in its "
                    "yearly archives, which Janroku does not read"
                )
                self.notes.append(words.format(first=first, begin=begin))
        elif not through and since is None:
            words = _("first sync: games before {oldest} are fetched by `flask sync --since DATE`")
            self.notes.append(words.format(oldest=oldest))
        return [files[day] for day in sorted(files) if day >= min(begin, oldest)]

    def _take_all(self, wanted: Sequence[ResultsFile], ask: Callable[[], None]) -> list[date]:
        """Download these files one after the other, and keep each league's lines. Return the days that could
        not be read."""
        failed: list[date] = []
        row = 0
        for number, file in enumerate(wanted):
            self.progress(number, len(wanted), file.name)
            ask()
            try:
                rooms = by_room(file.name, self.tenhou.results(file))
            except TenhouError as error:
                note_failure(error)
                self.problems.append(str(error))
                failed.append(file.day)
                row += 1
                if row == FAILURES:
                    return failed + [other.day for other in wanted[number + 1 :]]
                continue
            row = 0
            for league, member in self.members.items():
                if self._lacks(league, file):
                    lines = lines_in(rooms, member.rooms)
                    member.waits |= self._results.put(league, file.day, file.size, member.rooms, lines)
            self.downloaded += 1
        return failed

    def _lacks(self, league: str, file: ResultsFile) -> bool:
        """Whether a league has not read the file at its size; of what it read long ago no size is kept.

        Of late days each file that was read is known, so one that is not has come into the index since.
        """
        member, found = self.members[league], self._read.get((league, file.day))
        if found is not None:
            return found.size < file.size or not found.rooms >= member.rooms
        before = member.read
        if before is None or file.day >= self._newest - EMPTY:
            return True
        return not (before.rooms >= member.rooms and before.begin <= file.day <= before.through)

    def _remember(self, files: Sequence[ResultsFile], failed: Sequence[date]) -> None:
        """Note for each league from which day to which it has read all files."""
        through = min(failed) - timedelta(days=1) if failed else max(file.day for file in files)
        first, marks = min(file.day for file in files), {}
        for league, member in self.members.items():
            same = member.read if member.read and member.read.rooms >= member.rooms else None
            begin = min(same.begin, first) if same and first <= same.through + timedelta(days=1) else first
            marks[league] = ReadMark(begin, through, member.rooms)
        self._results.has_read(
            {league: mark for league, mark in marks.items() if mark != self.members[league].read}
        )


def note_failure(error: Exception) -> None:
    """Count the error in the metrics when it means that Tenhou could not be reached."""
    if isinstance(error, TenhouUnreachable):
        metrics.count("outside_errors", service="tenhou")
