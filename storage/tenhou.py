"""What Tenhou offers each league: lines of day files, a room's own results, and the records that
rooms name.

It is kept for longer than Tenhou lists it, so that after a crash nothing is asked again. Merged
lines are remembered too: a game that somebody corrected in the log or removed from it by hand is
not added again.
"""

import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, case, or_, select, update

from storage.database import Subject
from storage.schema import OWN_GAMES, READ, RECORDS, RESULTS, ROOMS

KEPT = timedelta(days=420)  # longer than Tenhou lists a file
# Seconds a record that is done with stays known: longer than a room lists a game.
_KNOWN = 60 * 86400.0
EMPTY = timedelta(days=40)  # for a day without lines; a file that old does not grow


@dataclass(frozen=True, slots=True)
class DayLines:
    """The lines of these rooms in a day's file of `size` bytes (packed); `merged` are already in
    the log. `version` tells whether others were put meanwhile."""

    day: date
    size: int
    rooms: frozenset[str]
    lines: tuple[bytes, ...]
    merged: tuple[bytes, ...] = ()
    version: int = 0

    @property
    def fresh(self) -> list[bytes]:
        """The lines not merged yet, in the order of the file; of the same line the last ones."""
        merged = Counter(self.merged)
        fresh = []
        for line in self.lines:
            merged[line] -= 1
            if merged[line] < 0:
                fresh.append(line)
        return fresh


class ReadMark(NamedTuple):
    """A league has read the files from `begin` to `through`, for `rooms`; none where `begin` is
    later.
    """

    begin: date
    through: date
    rooms: frozenset[str]


class FileRead(NamedTuple):
    """At which size (packed bytes) a day's file was read, and for which rooms."""

    size: int
    rooms: frozenset[str]


class Results(Subject):
    """The lines of the day files, by league and day."""

    def read_marks(self) -> dict[str, ReadMark]:
        """What each league has read so far; a league that has read nothing is missing."""
        rows = self._database.rows(select(READ).where(READ.c.through != ""))
        return {row.league: _read_mark(row) for row in rows}

    def has_read(self, marks: Mapping[str, ReadMark]) -> None:
        rows = [
            {
                "league": league,
                "begin": str(mark.begin),
                "through": str(mark.through),
                "rooms": _words(mark.rooms),
            }
            for league, mark in sorted(marks.items())
        ]
        self._database.put(READ, *rows)

    def files_read(self, since: date) -> dict[tuple[str, date], FileRead]:
        """At which size each league has read each day's file from `since` on."""
        columns = RESULTS.c.league, RESULTS.c.day, RESULTS.c.size, RESULTS.c.rooms
        query = select(*columns).where(RESULTS.c.day >= since.isoformat())
        files: dict[tuple[str, date], FileRead] = {}
        for row in self._database.rows(query):
            day = date.fromisoformat(row.day)
            files[row.league, day] = FileRead(row.size, _rooms(row.rooms))
        return files

    def put(
        self,
        league: str,
        day: date,
        size: int,
        rooms: Collection[str],
        lines: Sequence[bytes],
    ) -> bool:
        """Keep the lines of a day's file, and return whether there are lines to merge. A file that
        was read at a greater size, for all these rooms, stays."""
        query = select(RESULTS).where(*_at(league, day))
        with self._database.begin(f"keep {league} {day}", alone=f"results/{league}") as connection:
            before = connection.execute(query).first()
            known = DayLines(day, -1, frozenset(), ())
            if before is not None:
                known = _lines(before)
            if known.size > size and known.rooms.issuperset(rooms):
                return bool(known.fresh)
            new = DayLines(
                day=day,
                size=size,
                rooms=frozenset(rooms),
                lines=tuple(lines),
                merged=known.merged,
                version=known.version + 1,
            )
            row = {
                "league": league,
                "day": day.isoformat(),
                "size": size,
                "rooms": _words(rooms),
                "lines": zlib.compress(b"\n".join(lines)) if lines else b"",
                "waiting": bool(new.fresh),
                "version": new.version,
            }
            # what is merged stays as it is: another process may note it meanwhile
            connection.execute(self._database.replacing(RESULTS, row), row | {"merged": b""})
        return bool(new.fresh)

    def get(self, league: str, day: date) -> DayLines | None:
        row = self._database.first(select(RESULTS).where(*_at(league, day)))
        return _lines(row) if row else None

    def offered(self, league: str) -> dict[date, tuple[bytes, ...]]:
        """All kept lines of a league by day: what Tenhou is known to offer in its files."""
        query = select(RESULTS.c.day, RESULTS.c.lines).where(RESULTS.c.league == league)
        rows = self._database.rows(query.order_by(RESULTS.c.day))
        return {date.fromisoformat(row.day): _unpack(row.lines) for row in rows}

    def offer_again(self, league: str, since: date) -> None:
        """Mark the kept lines of all days from `since` on as not merged, so that they are merged
        again.
        """
        days = RESULTS.c.league == league, RESULTS.c.day >= since.isoformat()
        self._change(
            RESULTS,
            *days,
            merged=b"",
            waiting=RESULTS.c.lines != b"",
            version=RESULTS.c.version + 1,
        )

    def waiting(self, league: str) -> list[date]:
        """The days with lines to merge, oldest first."""
        query = select(RESULTS.c.day).where(
            RESULTS.c.league == league,
            RESULTS.c.waiting,
        )
        rows = self._database.rows(query.order_by(RESULTS.c.day))
        return [date.fromisoformat(row.day) for row in rows]

    def leagues_waiting(self) -> set[str]:
        """The leagues with lines to merge, or with days for which what follows is still to be
        done.
        """
        lines = select(RESULTS.c.league).where(RESULTS.c.waiting)
        follows = select(READ.c.league).where(READ.c.owed != "")
        rows = self._database.rows(lines.union(follows), "leagues waiting")
        return {row.league for row in rows}

    def done(self, league: str, lines: DayLines) -> None:
        """Note that these lines are in the log.

        If others were put meanwhile, the day keeps waiting.
        """
        same = *_at(league, lines.day), RESULTS.c.version == lines.version
        self._change(RESULTS, *same, merged=RESULTS.c.lines, waiting=False)

    def owe(
        self,
        league: str,
        days: Iterable[date],
        done: Iterable[date] = (),
    ) -> None:
        """Note for which days what follows the merging (charts, digest) is to be done, perhaps
        none, and for which it is `done`. What others have noted meanwhile stays."""
        new_days = {day.isoformat() for day in days}
        done_days = {day.isoformat() for day in done}
        query = select(READ.c.owed).where(READ.c.league == league)
        with self._database.begin(f"owe {league}", alone=f"owed/{league}") as connection:
            owed = connection.execute(query).scalar() or ""
            owed_days = set(filter(None, owed.split(",")))
            row = {"league": league, "owed": _words((owed_days | new_days) - done_days)}
            connection.execute(self._database.replacing(READ, row), row)

    def owed(self, league: str) -> list[date]:
        """The days for which what follows the merging is not done: a process ended, or it
        failed.
        """
        owed = self._value(READ.c.owed, READ.c.league == league)
        return [date.fromisoformat(word) for word in owed.split(",")] if owed else []

    def sweep(self, today: date) -> int:
        """Remove what Tenhou lists no more, and old days without lines; return the number of
        rows.
        """
        old = (today - KEPT).isoformat()
        late = RESULTS.c.day < (today - EMPTY).isoformat()
        empty = and_(RESULTS.c.lines == b"", RESULTS.c.merged == b"", late)
        games = self._remove(OWN_GAMES, OWN_GAMES.c.day < old)
        return games + self._remove(RESULTS, or_(RESULTS.c.day < old, empty))


class KeptGame(NamedTuple):
    """A game of a room's own results; `day` is that of its end, `fresh` whether it is to be
    merged.
    """

    key: str
    day: date
    game: str
    fresh: bool


class OwnGames(Subject):
    """The games that leagues' rooms have told by themselves."""

    def all(
        self,
        league: str,
        days: Collection[date] | None = None,
    ) -> list[KeptGame]:
        """A league's games by the day of their end, of these days where they are given."""
        query = select(OWN_GAMES).where(OWN_GAMES.c.league == league)
        if days is not None:
            names = [day.isoformat() for day in sorted(days)]
            query = query.where(OWN_GAMES.c.day.in_(names))
        rows = self._database.rows(query.order_by(OWN_GAMES.c.day, OWN_GAMES.c.key))
        return [_game(row) for row in rows]

    def change(
        self,
        league: str,
        days: Iterable[date],
        new: Callable[[list[KeptGame]], Iterable[KeptGame]],
    ) -> None:
        """Store what `new` makes of a league's games of these days, in one transaction: those that
        change.
        """
        names = sorted(day.isoformat() for day in days)
        games = select(OWN_GAMES).where(
            OWN_GAMES.c.league == league,
            OWN_GAMES.c.day.in_(names),
        )
        query = games.order_by(OWN_GAMES.c.key)
        what = f"change own games of {league}"
        with self._database.begin(what, alone=f"own/{league}") as connection:
            for game in new([_game(row) for row in connection.execute(query)]):
                row = {"league": league, **game._asdict(), "day": game.day.isoformat()}
                connection.execute(self._database.replacing(OWN_GAMES, row), row)

    def leagues_waiting(self) -> set[str]:
        query = select(OWN_GAMES.c.league).where(OWN_GAMES.c.fresh).distinct()
        return {row.league for row in self._database.rows(query)}


def _at(league: str, day: date) -> tuple[ColumnElement[bool], ...]:
    return RESULTS.c.league == league, RESULTS.c.day == day.isoformat()


def _game(row: Any) -> KeptGame:
    return KeptGame(
        key=row.key,
        day=date.fromisoformat(row.day),
        game=row.game,
        fresh=bool(row.fresh),
    )


def _read_mark(row: Any) -> ReadMark:
    return ReadMark(
        begin=date.fromisoformat(row.begin),
        through=date.fromisoformat(row.through),
        rooms=_rooms(row.rooms),
    )


def _lines(row: Any) -> DayLines:
    return DayLines(
        day=date.fromisoformat(row.day),
        size=row.size,
        rooms=_rooms(row.rooms),
        lines=_unpack(row.lines),
        merged=_unpack(row.merged),
        version=row.version,
    )


def _rooms(words: str) -> frozenset[str]:
    return frozenset(words.split(",")) - {""}


def _words(words: Iterable[str]) -> str:
    return ",".join(sorted(words))


def _unpack(packed: bytes) -> tuple[bytes, ...]:
    return tuple(zlib.decompress(packed).split(b"\n")) if packed else ()


class RoomKey(NamedTuple):
    """A room's name (`C1017`), and its management id, encrypted; "" where it is known from
    elsewhere.
    """

    room: str
    id: str


class Rooms(Subject):
    """The rooms by league ("" for the root folder's). Times are in epoch seconds."""

    def all(self) -> dict[str, RoomKey]:
        rows = self._database.rows(select(ROOMS).where(ROOMS.c.room != ""))
        return {row.league: RoomKey(row.room, row.id) for row in rows}

    def key(self, league: str) -> RoomKey | None:
        query = select(ROOMS).where(ROOMS.c.league == league, ROOMS.c.room != "")
        row = self._database.first(query)
        return RoomKey(row.room, row.id) if row else None

    def set(self, league: str, key: RoomKey) -> None:
        """Give a league a room, which is due at once; `id` "" leaves the id to another place."""
        row = {"league": league, "room": key.room, "id": key.id, "due": 0.0}
        self._database.put(ROOMS, row)

    def remove(self, league: str) -> None:
        self._remove(ROOMS, ROOMS.c.league == league)

    def memory(self, league: str) -> str:
        """What is remembered of a league's room, "" for nothing."""
        return self._value(ROOMS.c.memory, ROOMS.c.league == league) or ""

    def remember(self, league: str, room: str, memory: str) -> None:
        self._database.put(ROOMS, {"league": league, "room": room, "memory": memory})

    def due(self, now: float, most: int) -> list[str]:
        """The leagues whose room's turn it is, those first that have waited the longest."""
        query = select(ROOMS.c.league).where(
            ROOMS.c.room != "",
            ROOMS.c.due <= now,
        )
        rows = self._database.rows(query.order_by(ROOMS.c.due).limit(most))
        return [row.league for row in rows]

    def wait(self, league: str, until: float) -> None:
        self._change(ROOMS, ROOMS.c.league == league, due=until)

    def used(self, leagues: Collection[str], now: float) -> None:
        """Note that members have asked about these leagues: it is their rooms' turn."""
        if leagues:
            due = case((ROOMS.c.due > now, now), else_=ROOMS.c.due)
            self._change(ROOMS, ROOMS.c.league.in_(sorted(leagues)), used=now, due=due)

    def last_used(self, league: str) -> float | None:
        return self._value(ROOMS.c.used, ROOMS.c.league == league)


class DueRecord(NamedTuple):
    """A record that is to be asked for, and how often it was not there."""

    league: str
    id: str
    tries: int


class Records(Subject):
    """The game records that leagues wait for. Times are in epoch seconds."""

    def put(self, league: str, ids: Collection[str], now: float) -> None:
        """Wait for these records, except those that were waited for before."""
        new = {"league": league, "due": now, "noted": now}
        rows = [{**new, "id": id_} for id_ in sorted(set(ids))]
        if rows:
            insert = self._database.insert(RECORDS).values(rows)
            self._database.write(insert.on_conflict_do_nothing())

    def due(
        self,
        leagues: Collection[str] | None,
        now: float,
        most: int,
    ) -> list[DueRecord]:
        """The records to ask for now, of these leagues (None: of all), the oldest first."""
        columns = RECORDS.c.league, RECORDS.c.id, RECORDS.c.tries
        query = select(*columns).where(RECORDS.c.due <= now)
        if leagues is not None:
            query = query.where(RECORDS.c.league.in_(sorted(leagues)))
        query = query.order_by(RECORDS.c.due, RECORDS.c.id).limit(most)
        return [DueRecord(*row) for row in self._database.rows(query)]

    def done(self, league: str, id_: str) -> None:
        """Note that a record was fetched. Those given up before it are no news any more."""
        with self._database.begin(f"record {id_} of {league} is there") as connection:
            all_records = update(RECORDS).where(RECORDS.c.league == league)
            connection.execute(all_records.values(refused=False))
            connection.execute(update(RECORDS).where(*_record(league, id_)).values(due=None))

    def wait(
        self,
        league: str,
        id_: str,
        until: float,
        tries: int | None = None,
    ) -> None:
        """Ask for a record then; `tries` is how often it was not there by now."""
        is_due = *_record(league, id_), RECORDS.c.due.is_not(None)
        if tries is None:
            self._change(RECORDS, *is_due, due=until)
        else:
            self._change(RECORDS, *is_due, due=until, tries=tries)

    def give_up(self, league: str, id_: str) -> None:
        """Never wait for a record again."""
        self._change(RECORDS, *_record(league, id_), due=None, refused=True)

    def refused(self, league: str) -> list[str]:
        """The records that were given up since the last one that was fetched, the latest last."""
        query = select(RECORDS.c.id).where(
            RECORDS.c.league == league,
            RECORDS.c.refused,
        )
        rows = self._database.rows(query.order_by(RECORDS.c.noted))
        return [row.id for row in rows]

    def sweep(self) -> int:
        old = RECORDS.c.noted < self._database.clock() - _KNOWN
        return self._remove(RECORDS, RECORDS.c.due.is_(None), old)


def _record(league: str, id_: str) -> tuple[ColumnElement[bool], ...]:
    return RECORDS.c.league == league, RECORDS.c.id == id_
