"""Compile loops over columns of games with numba where it is installed, and check the columns.

`make(seats)` returns the loop for that number of seats, so that the compiler knows it as a constant.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rating.columns import Floats
from rating.games import GameError

Loop = Callable[..., Any]


@cache
def has_numba() -> bool:
    return find_spec("numba") is not None


@cache
def compiled(make: Callable[[int], Loop], seats: int) -> Loop:
    """The loop for `seats` seats, compiled on its first call."""
    loop: Loop = import_module("numba").njit(make(seats))
    return loop


def bad_row(seats: int) -> Loop:
    def run(players: Any, count: int) -> int:
        for row in range(players.shape[0]):
            bad = False
            for seat in range(seats):
                bad |= players[row, seat] >= count
                for other in range(seat):
                    bad |= players[row, seat] == players[row, other]
            if bad:
                return row
        return -1

    return run


def bad_row_by_columns(players: Any, count: int) -> int:
    """The same as `bad_row`, with numpy over whole columns."""
    bad = (players >= count).any(axis=1)
    for one in range(players.shape[1]):
        for other in range(one):
            bad |= players[:, one] == players[:, other]
    return int(np.argmax(bad)) if bad.any() else -1


def unsigned(table: Any) -> Any:
    """The same numbers viewed as unsigned: a negative one exceeds every player's number, and indexing is
    faster."""
    return table.view(f"u{table.itemsize}")


def table_of(players: ArrayLike) -> Any:
    """Players as a contiguous integer table (N, K). Raises GameError unless K is 3 or 4."""
    table = np.ascontiguousarray(players)
    if table.ndim != 2 or table.shape[1] not in (3, 4) or table.dtype.kind not in "iu" or not len(table):
        raise GameError("players must be a table of whole numbers with 3 or 4 columns, one row a game")
    return table.astype(np.int64) if table.dtype == np.uint64 else table


def check_table(table: Any, count: int, use: bool) -> None:
    """Raise GameError for the first game with a player twice or a number outside 0 to `count` - 1. `use`:
    numba."""
    seen = unsigned(table)
    row = compiled(bad_row, table.shape[1])(seen, count) if use else bad_row_by_columns(seen, count)
    if row >= 0:
        refuse(table, count, row)


def refuse(table: Any, count: int, row: int) -> None:
    """Raise GameError with what is wrong with a row of players."""
    players = table[row].tolist()
    twice = [player for player in players if players.count(player) > 1]
    if twice:
        raise GameError(f"game {row}: player {twice[0]} sits twice in one game")
    odd = next(player for player in players if not 0 <= player < count)
    raise GameError(f"game {row}: there is no player {odd}, they are numbered 0 to {count - 1}")


def scores_of(scores: ArrayLike, table: Any) -> Floats:
    """Scores (N, K) as doubles. Raises GameError unless their shape is the players'."""
    found = np.ascontiguousarray(scores, dtype=np.float64)
    if found.shape != table.shape:
        raise GameError(f"scores are {found.shape}, but players {table.shape}")
    return found


def check_scores(scores: Floats, squares: float | None = None) -> None:
    """Raise GameError for the first game with a score that is not finite. `squares`: the sum of squares, if
    known."""
    if squares is None:
        squares = float(np.dot(scores.ravel(), scores.ravel()))
    if not np.isfinite(squares):
        bad = np.flatnonzero(~(np.abs(scores) < 1e9).all(axis=1))
        raise GameError(f"game {bad[0]}: a score is not a number")
