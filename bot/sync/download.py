"""Read Tenhou's daily results for all leagues in one round: each file is downloaded once, each league's lines are kept.

The files and Tenhou's rules for programs that read them: https://tenhou.net/sc/raw/. A file whose size in the index has
not grown is not downloaded again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from gettext import gettext as _
from typing import Protocol

from bot.runtime import metrics
from bot.sync.file_sizes import FileSizes, Sizes
from bot.sync.pending_results import PendingResults, ReadMark, read_marks, waiting
from bot.tenhou.errors import TenhouError, TenhouUnreachable
from bot.tenhou.results import ResultsFile, by_room, lines_in
from storage.ports import StateStore

FAILURES = 3  # files in a row that can't be read, after which the round ends
Progress = Callable[[int, int, str], None]


class ResultsSource(Protocol):
    """Lists and downloads results; `bot.tenhou.client.TenhouClient` does."""

    def index(self, old: bool = False) -> list[ResultsFile]: ...

    def results(self, file: ResultsFile) -> bytes: ...


@dataclass(slots=True)
class LeagueDownload:
    """A league in the round: its rooms, what it has read before, and whether something waits to be delivered to it.

    `sizes` are the packed sizes in bytes at which it has read files for at least these rooms, by day.
    """

    pending: PendingResults
    rooms: frozenset[str]
    read: ReadMark | None
    sizes: Sizes
    waits: bool


class Downloader:
    """One round at Tenhou.

    `members` are its leagues by folder name. `seen` counts the files looked at, `downloaded` those downloaded. `notes`
    and `problems` are for the report.
    """

    def __init__(self, state: StateStore, tenhou: ResultsSource, progress: Progress) -> None:
        self.tenhou, self.progress = tenhou, progress
        self.members: dict[str, LeagueDownload] = {}
        self.seen = self.downloaded = 0
        self.notes: list[str] = []
        self.problems: list[str] = []
        self._state = state
        self._sizes_read = FileSizes(state)

    def add(self, leagues: Mapping[str, Sequence[str]]) -> None:
        """Add leagues to the round, each with its rooms. A league without rooms gets those of its last round.

        Raises StorageError when the store cannot be reached.
        """
        known, waits = read_marks(self._state), waiting(self._state)
        for league, rooms in leagues.items():
            read = known.get(league)
            wanted = frozenset(rooms) or (read.rooms if read else frozenset())
            if wanted:
                same = read is not None and read.rooms >= wanted
                sizes = self._sizes_read.sizes(read.mark if read is not None and same else "")
                self.members[league] = LeagueDownload(
                    PendingResults(self._state, league), wanted, read, sizes, league in waits
                )

    def read(self, since: date | None, ask: Callable[[], None]) -> None:
        """Download the files that are new or have grown. `ask` is called before each request.

        Raises TenhouError when the index cannot be read or another process took over the connection, and StorageError
        when the store cannot be reached. A day's file that cannot be read is noted in `problems`.
        """
        files = self._listed(since, ask)
        self.seen = len(files)
        wanted = [file for file in files if any(map(_lacks(file), self.members.values()))]
        failed = self._take_all(wanted, ask)
        self.progress(len(wanted), len(wanted), "")
        self._remember(files, failed)

    def _listed(self, since: date | None, ask: Callable[[], None]) -> list[ResultsFile]:
        """Return the files to look at, oldest first: the last week's, and older ones where a league has a gap."""
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
                self.notes.append(
                    _(
                        "Tenhou lists nothing before {first}: games from {begin} on until then are only in its yearly archives, which Janroku does not read"
                    ).format(first=first, begin=begin)
                )
        elif not through and since is None:
            self.notes.append(
                _("first sync: games before {oldest} are fetched by `flask sync --since DATE`").format(
                    oldest=oldest
                )
            )
        return [files[day] for day in sorted(files) if day >= min(begin, oldest)]

    def _take_all(self, wanted: Sequence[ResultsFile], ask: Callable[[], None]) -> list[date]:
        """Download these files one after the other, and return the days that could not be read."""
        failed: list[date] = []
        row = 0
        for number, file in enumerate(wanted):
            self.progress(number, len(wanted), file.name)
            ask()
            try:
                self._take(file)
                row = 0
            except TenhouError as error:
                note_failure(error)
                self.problems.append(str(error))
                failed.append(file.day)
                row += 1
            if row == FAILURES:
                return failed + [other.day for other in wanted[number + 1 :]]
        return failed

    def _take(self, file: ResultsFile) -> None:
        """Download a day's file, and keep its lines for each league that has not read it at this size."""
        rooms = by_room(file.name, self.tenhou.results(file))
        for member in self.members.values():
            if member.sizes.get(file.day, -1) < file.size:
                lines = lines_in(rooms, member.rooms)
                member.waits |= member.pending.put(file.day, file.size, member.rooms, lines)
        self.downloaded += 1

    def _remember(self, files: Sequence[ResultsFile], failed: Sequence[date]) -> None:
        """Note which files each league has read, and up to which day it has read all."""
        day = min(failed) - timedelta(days=1) if failed else max(file.day for file in files)
        sizes = {file.day: file.size for file in files if file.day not in failed}
        for member in self.members.values():
            before = member.read
            mark = before.mark if before and before.rooms >= member.rooms else ""
            now = ReadMark(day, self._sizes_read.with_more(mark, sizes), member.rooms)
            if now != before:
                member.pending.has_read(now)


def note_failure(error: Exception) -> None:
    """Count the error in the metrics when it means that Tenhou could not be reached."""
    if isinstance(error, TenhouUnreachable):
        metrics.count("outside_errors", service="tenhou")


def _lacks(file: ResultsFile) -> Callable[[LeagueDownload], bool]:
    """Return a test of whether a league has not read the file at its size."""

    def lacks(member: LeagueDownload) -> bool:
        known = member.sizes.get(file.day, -1) >= file.size
        return not known and not member.pending.has(file.day, file.size, member.rooms)

    return lacks
