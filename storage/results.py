"""The tables `results` and `read`: the lines of Tenhou's day files, for each league.

`results` has a row for a league and a day: the lines of its rooms, at which size the file was read, and
which of the lines are already in the league's log. `read` has a row for a league: which files it has
read, and its open days, for which the work after merging (charts, digest) is still to be done.

What the tables promise:

- Never lost: lines are stored before anything else is done with them, and stay in `days_waiting` until
  they are in the log. After a crash nothing has to be requested again.
- Once: a line that was merged stays known for RETENTION, longer than Tenhou lists its file. A game that
  somebody corrected in the log, or removed from it by hand, is not added again.
- Two processes at once: a day has a version, so that lines stored while others were merged keep waiting.

The tests of this are tests/storage/test_results.py and test_once.py.
"""

import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa

from storage.database import Subject
from storage.schema import READ, RESULTS

RETENTION = timedelta(days=420)  # longer than Tenhou lists a file
EMPTY_RETENTION = timedelta(days=40)  # for a day without lines; a file that old does not grow


@dataclass(frozen=True, slots=True)
class DayLines:
    """The lines of these rooms in a day's file, which had `size` bytes (packed) when it was read.

    `merged` are the lines that are already in the log. `version` counts the changes of the row.
    """

    day: date
    size: int
    rooms: frozenset[str]
    lines: tuple[bytes, ...]
    merged: tuple[bytes, ...] = ()
    version: int = 0

    @property
    def fresh(self) -> list[bytes]:
        """The lines not merged yet, in the order of the file. Of equal lines the last are fresh."""
        to_skip = Counter(self.merged)
        lines = []
        for line in self.lines:
            if to_skip[line] > 0:
                to_skip[line] -= 1
            else:
                lines.append(line)
        return lines


class ReadMark(NamedTuple):
    """A league has read the files from `begin` to `through`, for `rooms`.

    It has read none where `begin` is later than `through`.
    """

    begin: date
    through: date
    rooms: frozenset[str]


class LeagueDay(NamedTuple):
    """A day's file as a league reads it."""

    league: str
    day: date


class FileRead(NamedTuple):
    """At which size (packed bytes) a day's file was read, and for which rooms."""

    size: int
    rooms: frozenset[str]


class Results(Subject):
    """The lines of the day files, by league and day."""

    def read_marks(self) -> dict[str, ReadMark]:
        """Which files each league has read; a league that has read nothing is missing."""
        rows = self._rows(READ, READ.c.through != "")
        return {row.league: _read_mark(row) for row in rows}

    def set_read_marks(self, marks: Mapping[str, ReadMark]) -> None:
        rows = [
            {
                "league": league,
                "begin": str(mark.begin),
                "through": str(mark.through),
                "rooms": _joined(mark.rooms),
            }
            for league, mark in sorted(marks.items())
        ]
        self._database.put(READ, *rows)

    def files_read(self, since: date) -> dict[LeagueDay, FileRead]:
        """At which size each league has read each day's file, from the day `since` on."""
        columns = RESULTS.c.league, RESULTS.c.day, RESULTS.c.size, RESULTS.c.rooms
        query = sa.select(*columns).where(RESULTS.c.day >= since.isoformat())
        files: dict[LeagueDay, FileRead] = {}
        for row in self._database.rows(query):
            league_day = LeagueDay(row.league, date.fromisoformat(row.day))
            files[league_day] = FileRead(row.size, _split(row.rooms))
        return files

    def put(
        self,
        league: str,
        day: date,
        size: int,
        rooms: Collection[str],
        lines: Sequence[bytes],
    ) -> bool:
        """Store the lines of a day's file, and return whether the day has lines to merge.

        A stored version that is larger and covers all these rooms is kept.
        """
        query = sa.select(RESULTS).where(*_is_day(league, day))
        with self._database.begin(f"keep {league} {day}", alone=_lock_of(league)) as connection:
            row = connection.execute(query).first()
            stored = None if row is None else _day_lines(row)
            new = DayLines(day, size, frozenset(rooms), tuple(lines), version=1)
            if stored is not None:
                if stored.size > size and stored.rooms.issuperset(rooms):
                    return bool(stored.fresh)
                new = replace(new, merged=stored.merged, version=stored.version + 1)
            new_row = _row_of(league, new)
            # Only a new row gets a value of `merged`: that of an existing one stays as it is, since
            # `mark_merged` may have changed it after it was read here.
            replacing = self._database.replacing(RESULTS, new_row)
            connection.execute(replacing, new_row | {"merged": b""})
        return bool(new.fresh)

    def get(self, league: str, day: date) -> DayLines | None:
        row = self._first(RESULTS, *_is_day(league, day))
        if row is None:
            return None
        return _day_lines(row)

    def offered(self, league: str) -> dict[date, tuple[bytes, ...]]:
        """All stored lines of a league by day, oldest first, whether they are merged or not."""
        query = (
            sa.select(RESULTS.c.day, RESULTS.c.lines)
            .where(RESULTS.c.league == league)
            .order_by(RESULTS.c.day)
        )
        rows = self._database.rows(query)
        return {date.fromisoformat(row.day): _unpacked(row.lines) for row in rows}

    def offer_again(self, league: str, since: date) -> None:
        """Mark the lines of all days from `since` on as not merged, so that they are merged again."""
        days = RESULTS.c.league == league, RESULTS.c.day >= since.isoformat()
        change = sa.update(RESULTS).where(*days)
        not_merged = change.values(
            merged=b"",
            waiting=RESULTS.c.lines != b"",
            version=RESULTS.c.version + 1,
        )
        # A `put` that has read a day before must not write its `waiting` after this.
        with self._database.begin(f"offer {league} again", alone=_lock_of(league)) as connection:
            connection.execute(not_merged)

    def days_waiting(self, league: str) -> list[date]:
        """The days with lines to merge, oldest first."""
        query = (
            sa.select(RESULTS.c.day)
            .where(RESULTS.c.league == league, RESULTS.c.waiting)
            .order_by(RESULTS.c.day)
        )
        return [date.fromisoformat(row.day) for row in self._database.rows(query)]

    def leagues_waiting(self) -> set[str]:
        """The leagues that have lines to merge or open days."""
        with_lines = sa.select(RESULTS.c.league).where(RESULTS.c.waiting)
        with_open_days = sa.select(READ.c.league).where(READ.c.owed != "")
        rows = self._database.rows(with_lines.union(with_open_days), "leagues waiting")
        return {row.league for row in rows}

    def mark_merged(self, league: str, lines: DayLines) -> None:
        """Note that these lines are in the log.

        If the day has got other lines meanwhile, it keeps waiting.
        """
        is_unchanged = RESULTS.c.version == lines.version
        self._change(
            RESULTS,
            *_is_day(league, lines.day),
            is_unchanged,
            merged=RESULTS.c.lines,
            waiting=False,
        )

    def change_open_days(
        self,
        league: str,
        opened: Iterable[date] = (),
        done: Iterable[date] = (),
    ) -> None:
        """Add days for which the work after merging is to be done, and remove those that are done.

        Days that other processes add or remove at the same time are neither lost nor restored.
        """
        opened_days = {day.isoformat() for day in opened}
        done_days = {day.isoformat() for day in done}
        query = sa.select(READ.c.owed).where(READ.c.league == league)
        with self._database.begin(f"owe {league}", alone=f"owed/{league}") as connection:
            days_before = _split(connection.execute(query).scalar() or "")
            days_after = (days_before | opened_days) - done_days
            # of a league's row that exists only this column is replaced
            row = {"league": league, "owed": _joined(days_after)}
            connection.execute(self._database.replacing(READ, row), row)

    def open_days(self, league: str) -> list[date]:
        """The days for which the work after merging was not done, as it failed or a process ended."""
        owed = self._value(READ.c.owed, READ.c.league == league)
        return [date.fromisoformat(day) for day in sorted(_split(owed or ""))]

    def sweep(self, today: date) -> int:
        """Remove the days that Tenhou lists no more, and old days without lines.

        Return the number of rows removed.
        """
        is_old = RESULTS.c.day < (today - RETENTION).isoformat()
        is_empty = sa.and_(
            RESULTS.c.lines == b"",
            RESULTS.c.merged == b"",
            RESULTS.c.day < (today - EMPTY_RETENTION).isoformat(),
        )
        return self._remove(RESULTS, sa.or_(is_old, is_empty))


def _lock_of(league: str) -> str:
    return f"results/{league}"


def _is_day(league: str, day: date) -> tuple[sa.ColumnElement[bool], ...]:
    return RESULTS.c.league == league, RESULTS.c.day == day.isoformat()


def _read_mark(row: Any) -> ReadMark:
    return ReadMark(
        begin=date.fromisoformat(row.begin),
        through=date.fromisoformat(row.through),
        rooms=_split(row.rooms),
    )


def _day_lines(row: Any) -> DayLines:
    return DayLines(
        day=date.fromisoformat(row.day),
        size=row.size,
        rooms=_split(row.rooms),
        lines=_unpacked(row.lines),
        merged=_unpacked(row.merged),
        version=row.version,
    )


def _row_of(league: str, lines: DayLines) -> dict[str, Any]:
    """The row of these lines without the column `merged`."""
    return {
        "league": league,
        "day": lines.day.isoformat(),
        "size": lines.size,
        "rooms": _joined(lines.rooms),
        "lines": _packed(lines.lines),
        "waiting": bool(lines.fresh),
        "version": lines.version,
    }


def _split(joined: str) -> frozenset[str]:
    """The names in a column that has several, separated by commas."""
    return frozenset(joined.split(",")) - {""}


def _joined(names: Iterable[str]) -> str:
    return ",".join(sorted(names))


def _packed(lines: Sequence[bytes]) -> bytes:
    """The lines as they are stored, b"" for none."""
    if not lines:
        return b""
    return zlib.compress(b"\n".join(lines))


def _unpacked(packed: bytes) -> tuple[bytes, ...]:
    if not packed:
        return ()
    return tuple(zlib.decompress(packed).split(b"\n"))
