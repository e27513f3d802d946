"""Put a room's rows together as games: which result belongs to which start, and which games still run. No
I/O.

A result belongs to the latest start before it with the same players. A start followed by another start of the
same players was broken off. A result whose start is not there counts too, with its own time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import isclose

from bot.tenhou.room_rows import EndRow, ResultRow, Row, StartRow

LONGEST = timedelta(hours=24)  # a result belongs to no start longer ago
TWICE = timedelta(seconds=60)  # no game is over so soon: an equal result within this time is the same one


@dataclass(frozen=True, slots=True)
class RoomGame:
    """A finished game of the room; `start` is None where its start row is not there. Times are JST."""

    result: ResultRow
    start: StartRow | None = None

    @property
    def key(self) -> str:
        """What tells this game from every other: its result, whatever is known of its start."""
        told = repr((self.result.names, self.result.scores, self.result.chips))
        return (
            f"{self.result.at:%Y%m%d%H%M%S}{hashlib.sha256(told.encode('utf-8', 'replace')).hexdigest()[:8]}"
        )

    @property
    def begun(self) -> datetime:
        """The start, or the result's own time."""
        return self.start.at if self.start else self.result.at

    @property
    def day(self) -> date:
        return self.begun.date()

    @property
    def paifu(self) -> str:
        """The record's id, "" if none is known."""
        return self.start.id if self.start else ""

    def line(self, room: str) -> bytes:
        """Return the line of the day's file for the room `C####`."""
        bits = self.result.bits if self.result.bits is not None else self.start.bits if self.start else None
        return self.result.line(room, self.begun, bits or 0)


@dataclass(slots=True)
class _Open:
    """A game that began; `over` is when its end was announced, with `scores`."""

    start: StartRow
    over: datetime | None = None
    scores: Sequence[dict[str, float]] = ()


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game without a result; `over` is when its end was announced, None while it runs."""

    at: datetime
    over: datetime | None


def put_together(rows: Iterable[Row]) -> tuple[list[RoomGame], list[RunningGame]]:
    """Return the finished games by time of result, and those without a result. The order of the rows does not
    count."""
    games: list[RoomGame] = []
    begun: list[_Open] = []
    for row in sorted(set(rows), key=_order):
        if isinstance(row, StartRow):
            players = row.players
            begun = [one for one in begun if not any(other in players for other in one.start.players)]
            begun.append(_Open(row))
        elif isinstance(row, EndRow):
            _announce(row, begun)
        elif not any(_twice(row, game.result) for game in games):
            found = _start_of(row, begun)
            if found is not None:
                begun.remove(found)
            games.append(RoomGame(row, found.start if found else None))
    return games, [RunningGame(one.start.at, one.over) for one in begun]


def _order(row: Row) -> tuple[datetime, int, str]:
    """By time; in the same second a result comes before an end, and an end before the next start."""
    rank = 0 if isinstance(row, ResultRow) else 1 if isinstance(row, EndRow) else 2
    return row.at, rank, repr(row)


def _announce(row: EndRow, begun: Sequence[_Open]) -> None:
    """Note at the latest start of the same players that its game is over."""
    readings = row.scores
    for one in reversed(begun):
        if one.over is None and any(
            set(scores) == set(names) for scores in readings for names in one.start.players
        ):
            one.over, one.scores = row.at, readings
            return


def _start_of(row: ResultRow, begun: Sequence[_Open]) -> _Open | None:
    names = {name: row.names.count(name) for name in row.names}
    for one in reversed(begun):
        fits = row.at - one.start.at <= LONGEST and any(names == players for players in one.start.players)
        if fits and (one.over is None or any(_same_end(row, scores) for scores in one.scores)):
            return one
    return None


def _same_end(row: ResultRow, scores: dict[str, float]) -> bool:
    """Whether the announced end is this result's; guests of one name are not told apart."""
    return all(
        row.names.count(name) > 1 or (name in scores and isclose(scores[name], score, abs_tol=0.06))
        for name, score in zip(row.names, row.scores, strict=True)
    )


def _twice(row: ResultRow, other: ResultRow) -> bool:
    same = (row.names, row.scores, row.chips) == (other.names, other.scores, other.chips)
    return same and abs(row.at - other.at) <= TWICE
