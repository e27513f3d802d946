"""Read score tables, for games without a room log.

In CSV the columns are p1..pK, s1..sK, and `date` (YYYY-MM-DD) if known. Players may be in any
order. Scores are thousands of points, with any sign (rating/numerals.py). Equal scores keep the
order of the columns. Games are put in order of date, those of one day in the file's order. Only a
table without any date keeps the file's order.

A table may also be two arrays as numpy prints them, first the names (N, K) and then the scores (N,
K), without dates: so the notebook 「Bradley-TerryモデルでMリーガーの強さを推定する」 prints its
games. A third array, of the scores without rank points, and other lines are passed over; rows that
a printed `...` left out are missing.
"""

import codecs
import csv
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from enum import StrEnum
from io import StringIO

import numpy as np

from rating.columns import without_uma
from rating.games import Game, GameError, check, game_of, score_of
from rating.names import LONGEST_NAME, canonical_name

_SEAT = re.compile(r"[ps][0-9]+")  # the columns of a seat
_ARRAY_ROW = re.compile(r"\[([^\[\]]*)\]")
_QUOTED = re.compile(r"""'([^']*)'|"([^"]*)\"""")
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
    encodings: tuple[str, ...] = ("utf-8-sig", "cp932")
    if data.startswith(_UTF16):
        encodings = ("utf-16",)
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            break
    else:
        raise GameError(f"{name}: neither UTF-8 nor Shift_JIS nor UTF-16")
    if text.lstrip().startswith("[["):
        seats, lines = _printed(text, name)
        header = [f"{kind}{i}" for kind in "ps" for i in range(1, seats + 1)]
        return [
            _game(dict(zip(header, row, strict=True)), seats, uma, name, line)
            for line, row in lines
        ]
    rows = csv.reader(StringIO(text, newline=""))
    header = [cell.strip().lower() for cell in next(rows, [])]
    seats = header.count("p4") + 3
    wanted = [f"{kind}{i}" for kind in "ps" for i in range(1, seats + 1)]
    if sorted(wanted) != sorted(filter(_SEAT.fullmatch, header)):
        raise GameError(f"{name}:1: the columns must be p1..pK and s1..sK, with K = 3 or 4")
    if len(uma) not in (0, seats):
        raise GameError(f"{name}:1: uma has {len(uma)} numbers, but games have {seats} seats")
    try:
        lines = [(rows.line_num, row) for row in rows if any(map(str.strip, row))]
    except csv.Error as error:
        raise GameError(f"{name}:{rows.line_num}: {error}") from None
    games = [
        _game(
            dict(zip(header, row, strict=False)),
            seats,
            uma,
            name,
            line,
        )
        for line, row in lines
    ]
    if not games:
        raise GameError(f"{name}: no games")
    undated = [game for game in games if game.day is None]
    if undated and len(undated) < len(games):
        raise GameError(f"{undated[0].where}: no date, but other rows have one")
    return sorted(games, key=lambda game: game.day or date.min)


def _printed(
    text: str,
    name: str,
) -> tuple[int, list[tuple[int, list[str]]]]:
    """The number of seats, and (line, names and scores) of each game in two arrays as numpy prints
    them.
    """
    names: list[tuple[int, list[str]]] = []
    scores: list[list[str]] = []
    for row in _ARRAY_ROW.finditer(text):
        if quoted := _QUOTED.findall(row[1]):
            line = text.count("\n", 0, row.start()) + 1
            names.append((line, [single or double for single, double in quoted]))
        else:
            scores.append(row[1].split())
    seats = len(names[0][1]) if names else 0
    if seats not in (3, 4) or any(
        len(row) != seats for row in (*(row for _, row in names), *scores)
    ):
        raise GameError(
            f"{name}:1: the arrays must have 3 or 4 columns, first of names and then of scores"
        )
    if len(scores) not in (len(names), 2 * len(names)):
        raise GameError(f"{name}:1: {len(names)} rows of names, but {len(scores)} rows of scores")
    rows = zip(names, scores, strict=False)
    return seats, [(line, row + points) for (line, row), points in rows]


def order_of(games: Sequence[Game]) -> Order:
    """What the games of a table are in order of: their dates, or the file's lines where they have
    none.
    """
    return Order.DATE if games and games[0].day else Order.FILE


def _game(
    row: dict[str, str],
    seats: int,
    uma: Sequence[float],
    name: str,
    line: int,
) -> Game:
    where = f"{name}:{line}"
    for column in (f"{kind}{i}" for kind in "ps" for i in range(1, seats + 1)):
        if not row.get(column, "").strip():
            raise GameError(f"{where}: {column} is empty")
    players = [_name(row[f"p{i}"], where) for i in range(1, seats + 1)]
    scores = [_number(row[f"s{i}"], where) for i in range(1, seats + 1)]
    game = check(
        game_of(
            players,
            scores,
            day=_day(row.get("date", ""), where),
            source=name,
            line=line,
        )
    )
    if not uma:
        return game
    with_uma = np.array([[seat.score for seat in game.seats]])
    scores = without_uma(with_uma, uma)[0].tolist()
    return game_of(game.players, scores, day=game.day, source=name, line=line)


def _name(text: str, where: str) -> str:
    name = canonical_name(text.strip())
    if len(name) > LONGEST_NAME:
        told = f"a name has {len(name)} characters, more than {LONGEST_NAME}"
        raise GameError(f"{where}: {told}")
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
