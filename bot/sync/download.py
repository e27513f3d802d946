"""Read Tenhou's daily files, each once for all leagues (https://tenhou.net/sc/raw/), and none whose
size in the index has not grown."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from gettext import gettext as _

from bot.sync.jobs import Progress
from bot.tenhou.client import (
    Lines,
    ResultsFile,
    TenhouClient,
    TenhouError,
    by_room,
    lines_in,
    note_failure,
)
from storage.results import EMPTY_RETENTION, FileRead, LeagueDay, ReadMark, Results

FAILURES = 3  # files in a row that can't be read, after which the round ends
# A day's file may grow on the next day: a game is in the file of the day on which it began.
GROWS = timedelta(days=1)


@dataclass(slots=True)
class LeagueDownload:
    """A league in the round: its rooms, what it has read before, and whether lines wait to be merged
    for it.
    """

    rooms: frozenset[str]
    read: ReadMark | None
    waits: bool


def _begin(league: LeagueDownload, first: date) -> date:
    """The day from which a league has read every file, where the index begins with `first`."""
    before = league.read
    if before is None or not before.rooms >= league.rooms:
        return first  # of a new room nothing was read before
    if first > before.through + timedelta(days=1):
        return first  # of the days in between nothing was read
    return min(before.begin, first)


class Downloader:
    """One round at Tenhou.

    `members` are its leagues by folder name; `early_note` is the reason why the round could not
    begin yet. The rest is for the SyncResult.
    """

    def __init__(self, results: Results, tenhou: TenhouClient, progress: Progress) -> None:
        self.tenhou = tenhou
        self.progress = progress
        self._results = results
        self.members: dict[str, LeagueDownload] = {}
        self.seen = 0
        self.downloaded = 0
        self.early_note = ""
        self.notes = list[str]()
        self.problems = list[str]()
        self._read: dict[LeagueDay, FileRead] = {}
        self._newest = date.min  # the day of the newest file

    def add(self, leagues: Mapping[str, Sequence[str]]) -> None:
        """Add leagues with their rooms; without any, those of its last round.

        Raises StorageError.
        """
        marks = self._results.read_marks()
        waiting = self._results.leagues_waiting()
        for league, room_names in leagues.items():
            mark = marks.get(league)
            rooms = frozenset(room_names)
            if not rooms and mark:
                rooms = mark.rooms
            if rooms:
                self.members[league] = LeagueDownload(rooms, mark, league in waiting)

    def read(self, since: date | None, ask: Callable[[], None]) -> None:
        """Download the files that are new or have grown. `ask` is called before each request.
        Raises TenhouError when the index cannot be read or another process took over the
        connection, and StorageError when the store cannot be reached. An unreadable file is listed
        in `problems`.

        The read marks are written last: where the process ends before, the same files are read once
        more, and no file counts as read whose lines are not stored. Shown by
        tests/sync/test_crash.py."""
        files = self._listed(since, ask)
        self.seen = len(files)
        self._newest = files[-1].day
        first = files[0].day
        self._read = self._results.files_read(first)
        new_files = [file for file in files if self._is_lacking(file)]
        failed_days = self._take_all(new_files, ask)
        self.progress(len(new_files), len(new_files), "")
        through = self._newest
        if failed_days:
            through = min(failed_days) - timedelta(days=1)
        self._mark_read(first, through)

    def _mark_read(self, first: date, through: date) -> None:
        """Record of each league from which day on, and until which, it has read every file."""
        marks: dict[str, ReadMark] = {}
        for league, member in self.members.items():
            mark = ReadMark(_begin(member, first), through, member.rooms)
            if mark != member.read:
                marks[league] = mark
        self._results.set_read_marks(marks)

    def _listed(
        self,
        since: date | None,
        ask: Callable[[], None],
    ) -> list[ResultsFile]:
        """The files to look at, oldest first: the last week's, older ones where a league has a
        gap.
        """
        ask()
        files = {file.day: file for file in self.tenhou.index()}
        oldest = min(files)
        # Up to these days the leagues have read; a league has nothing from its day on.
        last_days = [member.read.through for member in self.members.values() if member.read]
        gap = min([since or oldest, *last_days])
        begin = min([gap, *(day - GROWS for day in last_days)])
        if begin < oldest:
            ask()
            files = {file.day: file for file in self.tenhou.index(old=True)} | files
            self._note_gap(gap, min(files))
        elif not last_days and since is None:
            text = _("first sync: games before {oldest} are fetched by `flask sync --since DATE`")
            self.notes.append(text.format(oldest=oldest))
        return [files[day] for day in sorted(files) if day >= min(begin, oldest)]

    def _note_gap(self, gap: date, first: date) -> None:
        """Note that Tenhou has no files of the days from `gap` on until `first`, if there are any."""
        if gap < first:
            text = _(
                "Tenhou lists nothing before {first}: games from {begin} on until then are only in its "
                "yearly archives, which Janroku does not read"
            )
            self.notes.append(text.format(first=first, begin=gap))

    def _take_all(
        self,
        new_files: Sequence[ResultsFile],
        ask: Callable[[], None],
    ) -> list[date]:
        """Download these files, and store each league's lines.

        Return the days that could not be read.
        """
        failed_days: list[date] = []
        failures_in_row = 0
        for number, file in enumerate(new_files):
            self.progress(number, len(new_files), file.name)
            ask()
            try:
                rooms = by_room(file.name, self.tenhou.results(file))
            except TenhouError as error:
                note_failure(error)
                self.problems.append(str(error))
                failed_days.append(file.day)
                failures_in_row += 1
                if failures_in_row == FAILURES:
                    return failed_days + [skipped.day for skipped in new_files[number + 1 :]]
                continue
            failures_in_row = 0
            self._store(file, rooms)
            self.downloaded += 1
        return failed_days

    def _store(self, file: ResultsFile, rooms: Mapping[str, Lines]) -> None:
        """Store the lines of a day for each league that lacks them."""
        for league, member in self.members.items():
            if self._lacks(league, file):
                lines = lines_in(rooms, member.rooms)
                if self._results.put(league, file.day, file.size, member.rooms, lines):
                    member.waits = True

    def _is_lacking(self, file: ResultsFile) -> bool:
        return any(self._lacks(league, file) for league in self.members)

    def _lacks(self, league: str, file: ResultsFile) -> bool:
        """Whether a league has not read the file at its size; of what it read long ago no size is
        stored. Of late days each file that was read is known, so one that is not has come into the
        index since."""
        member = self.members[league]
        reading = self._read.get(LeagueDay(league, file.day))
        if reading is not None:
            return reading.size < file.size or not reading.rooms >= member.rooms
        before = member.read
        if before is None or file.day >= self._newest - EMPTY_RETENTION:
            return True
        return not (before.rooms >= member.rooms and before.begin <= file.day <= before.through)
