"""Read score tables, for games without a room log.

In CSV the columns are p1..pK, s1..sK, and `date` (YYYY-MM-DD) if known. Players may be in any
order. Scores are thousands of points, with any sign (rating/numerals.py). Equal scores keep the
order of the columns. Games are put in order of date, those of one day in the file's order. Only a
table without any date keeps the file's order.

A table may also be two arrays as numpy prints them, first the names (N, K) and then the scores (N,
K), without dates: the form in which the notebook
「Bradley-TerryモデルでMリーガーの強さを推定する」 prints its games. A third array, of the scores
without rank points, and other lines are ignored; rows that a printed `...` left out are missing.
"""

import codecs
import csv
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from enum import StrEnum
from io import StringIO
from typing import NamedTuple

import numpy as np

from rating.columns import without_uma
from rating.games import Game, GameError, check, game_of, score_of
from rating.names import LONGEST_NAME, canonical_name

_SEAT = re.compile(r"[ps][0-9]+")  # the columns of a seat
_ARRAY_ROW = re.compile(r"\[(?P<cells>[^\[\]]*)\]")
_QUOTED = re.compile(r"""'(?P<single>[^']*)'|"(?P<double>[^"]*)\"""")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Order(StrEnum):
    DATE = "date"
    FILE = "file"


def read(
    data: bytes,
    name: str = "table.csv",
    uma: Sequence[float] = (),
) -> list[Game]:
    """The games of a table, oldest first where they have dates. Raises GameError, with file and
    line, when it cannot be read, or when only some of its rows have a date. `uma`: rank points
    (thousands) by placing to take out of the scores, () for none. The text is UTF-8, with or
    without a BOM, or Shift_JIS or UTF-16 as Excel writes it."""
    text = _decoded(data, name)
    if text.lstrip().startswith("[["):
        return [_game(row, uma, name) for row in _array_rows(text, name)]
    games = [_game(row, uma, name) for row in _csv_rows(text, uma, name)]
    if not games:
        raise GameError(f"{name}: no games")
    undated = [game for game in games if game.day is None]
    if undated and len(undated) < len(games):
        raise GameError(f"{undated[0].where}: no date, but other rows have one")
    return sorted(games, key=lambda game: game.day or date.min)


def _decoded(data: bytes, name: str) -> str:
    encodings: tuple[str, ...] = ("utf-8-sig", "cp932")
    if data.startswith(_UTF16):
        encodings = ("utf-16",)
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            return data.decode(encoding)
    raise GameError(f"{name}: neither UTF-8 nor Shift_JIS nor UTF-16")


class _Row(NamedTuple):
    """A game of a table: its line, its cells by column, and its number of seats."""

    line: int
    cells: Mapping[str, str]
    seats: int


def _seat_columns(kind: str, seats: int) -> list[str]:
    """The columns of players (kind p) or scores (kind s)."""
    return [f"{kind}{seat}" for seat in range(1, seats + 1)]


def _csv_rows(text: str, uma: Sequence[float], name: str) -> list[_Row]:
    reader = csv.reader(StringIO(text, newline=""))
    header = [cell.strip().lower() for cell in next(reader, [])]
    seats = header.count("p4") + 3
    required = _seat_columns("p", seats) + _seat_columns("s", seats)
    if sorted(required) != sorted(filter(_SEAT.fullmatch, header)):
        raise GameError(f"{name}:1: the columns must be p1..pK and s1..sK, with K = 3 or 4")
    if len(uma) not in (0, seats):
        raise GameError(f"{name}:1: uma has {len(uma)} numbers, but games have {seats} seats")
    rows = []
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                row = dict(zip(header, cells, strict=False))
                rows.append(_Row(reader.line_num, row, seats))
    except csv.Error as error:
        raise GameError(f"{name}:{reader.line_num}: {error}") from None
    return rows


def _array_rows(text: str, name: str) -> list[_Row]:
    """The games of two arrays as numpy prints them."""
    arrays = _arrays_in(text)
    seats = len(arrays.names[0]) if arrays.names else 0
    rows = arrays.names + arrays.scores
    if seats not in (3, 4) or any(len(row) != seats for row in rows):
        raise GameError(
            f"{name}:1: the arrays must have 3 or 4 columns, first of names and then of scores"
        )
    games = len(arrays.names)
    if len(arrays.scores) not in (games, 2 * games):
        raise GameError(f"{name}:1: {games} rows of names, but {len(arrays.scores)} rows of scores")
    header = _seat_columns("p", seats) + _seat_columns("s", seats)
    return [
        _Row(line, dict(zip(header, players + points, strict=True)), seats)
        for line, players, points in zip(arrays.lines, arrays.names, arrays.scores, strict=False)
    ]


class _Arrays(NamedTuple):
    """Rows of names with the numbers of their lines, and rows of scores. A second array of scores
    may follow the first."""

    lines: list[int]
    names: list[list[str]]
    scores: list[list[str]]


def _arrays_in(text: str) -> _Arrays:
    arrays = _Arrays([], [], [])
    for row in _ARRAY_ROW.finditer(text):
        quoted = [match["single"] or match["double"] for match in _QUOTED.finditer(row["cells"])]
        if quoted:
            arrays.lines.append(text.count("\n", 0, row.start()) + 1)
            arrays.names.append(quoted)
        else:
            arrays.scores.append(row["cells"].split())
    return arrays


def order_of(games: Sequence[Game]) -> Order:
    """The order of a table's games: by date, or as in the file where they have no dates."""
    return Order.DATE if games and games[0].day else Order.FILE


def _game(row: _Row, uma: Sequence[float], name: str) -> Game:
    where = f"{name}:{row.line}"
    player_columns = _seat_columns("p", row.seats)
    score_columns = _seat_columns("s", row.seats)
    for column in player_columns + score_columns:
        if not row.cells.get(column, "").strip():
            raise GameError(f"{where}: {column} is empty")
    players = [_name(row.cells[column], where) for column in player_columns]
    scores = [_number(row.cells[column], where) for column in score_columns]
    day = _day(row.cells.get("date", ""), where)
    game = check(game_of(players, scores, day=day, source=name, line=row.line))
    if not uma:
        return game
    with_uma = np.array([[seat.score for seat in game.seats]])
    [scores] = without_uma(with_uma, uma).tolist()
    return game_of(game.players, scores, day=day, source=name, line=row.line)


def _name(text: str, where: str) -> str:
    name = canonical_name(text.strip())
    if len(name) > LONGEST_NAME:
        reason = f"a name has {len(name)} characters, more than {LONGEST_NAME}"
        raise GameError(f"{where}: {reason}")
    return name


def _number(text: str, where: str) -> float:
    score = score_of(text)
    if score is not None:
        return score
    try:
        return float(text)
    except ValueError:
        raise GameError(f"{where}: {text.strip()} is no number") from None


def _day(text: str, where: str) -> date | None:
    try:
        return date.fromisoformat(text.strip()) if text.strip() else None
    except ValueError:
        raise GameError(f"{where}: {text.strip()} is no date (YYYY-MM-DD)") from None
