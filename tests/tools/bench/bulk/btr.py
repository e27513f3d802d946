"""Fit BTR to millions of games, given as columns: exactly for few players, by conjugate gradients for many.

With numba installed the passes over the games are compiled; without it numpy makes them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rating.columns import Floats
from rating.games import GameError
from rating.models.btr import Sums, solve
from rating.models.sparse import conjugate_gradients
from tests.tools.bench.bulk.compiled import (
    Loop,
    check_scores,
    check_table,
    compiled,
    has_numba,
    refuse,
    scores_of,
    table_of,
    unsigned,
)

DENSE = 2000  # up to this many players the equations are solved directly


def count_loop(seats: int) -> Loop:
    """The loop that counts what `btr_sums` needs in one pass.

    It fills `met` (games of each pair, [later seat, earlier seat]), `totals` (each player's scores minus
    their games' means) and `sums` (of y, of y^2, and of K mean^2 over the games). It returns the row of the
    first game with a player twice or out of range, else -1.
    """

    def run(players: Any, scores: Any, met: Any, totals: Any, sums: Any) -> int:
        count = len(totals)
        plain = squares = level = 0.0
        for row in range(players.shape[0]):
            mean, bad = 0.0, False
            for seat in range(seats):
                bad |= players[row, seat] >= count
                for other in range(seat):
                    bad |= players[row, seat] == players[row, other]
                mean += scores[row, seat]
            if bad:
                return row
            plain += mean
            mean /= seats
            level += seats * mean * mean
            for seat in range(seats):
                score = scores[row, seat]
                squares += score * score
                totals[players[row, seat]] += score - mean
                for other in range(seat):
                    met[players[row, seat], players[row, other]] += 1
        sums[0], sums[1], sums[2] = plain, squares, level
        return -1

    return run


def count_columns(table: Any, y: Floats, met: Any, totals: Floats, sums: Floats) -> None:
    """The same as `count_loop`, with numpy over whole columns. Raises GameError for a bad game."""
    count, seats = len(totals), table.shape[1]
    check_table(table, count, use=False)
    wide = table.astype(np.int64)
    for one in range(seats):
        for other in range(one):
            pair = wide[:, one] * count + wide[:, other]
            met += np.bincount(pair, minlength=count * count).reshape(count, count)
    means = y.mean(axis=1, keepdims=True)
    totals += np.bincount(wide.ravel(), (y - means).ravel(), count)
    sums += [y.sum(), (y * y).sum(), seats * (means * means).sum()]


def btr_sums(players: ArrayLike, scores: ArrayLike, count: int, use: bool | None = None) -> Sums:
    """The sums a fit needs (X'X, X'y and so on) for `count` players; players, scores: (N, K), scores in
    thousands.

    `use`: with numba; None: if it is installed. Raises GameError for the first game with bad players or
    scores.
    """
    table = table_of(players)
    y = scores_of(scores, table)
    games, k = table.shape
    met, totals, sums = np.zeros((count, count), np.int64), np.zeros(count), np.zeros(3)
    if has_numba() if use is None else use:
        row = compiled(count_loop, k)(unsigned(table), y, met, totals, sums)
        if row >= 0:
            refuse(table, count, row)
    else:
        count_columns(table, y, met, totals, sums)
    check_scores(y, float(sums[1]))
    together = (met + met.T).astype(np.float64)
    laplacian = np.diag(together.sum(axis=1)) - together
    plain, squares, level = (float(x) for x in sums)
    rows, freedom = games * k, games * (k - 1)
    return Sums(
        k * laplacian, k * totals, y=plain, yy=squares, level=level, games=games, rows=rows, freedom=freedom
    )


def btr(
    players: ArrayLike,
    scores: ArrayLike,
    count: int | None = None,
    alpha: float = 1e-6,
    *,
    tolerance: float = 1e-10,
    use: bool | None = None,
) -> Floats:
    """BTR strengths (n,) in thousands of points a game; players, scores: (N, K). `use`: with numba; None: if
    installed.

    Up to 2,000 players the solution is exact. For more, conjugate gradients run over the games until the
    residual is `tolerance` times the right side; they need memory for a few vectors of players only. Raises
    GameError for bad input.
    """
    table = table_of(players)
    n = int(table.max()) + 1 if count is None else count
    if not 0 < alpha < float("inf"):
        raise GameError(f"alpha must be positive, not {alpha}")
    if n <= DENSE:
        return solve(btr_sums(table, scores, n, use), alpha)
    y = scores_of(scores, table)
    numba = has_numba() if use is None else use
    check_table(table, n, numba)
    check_scores(y)
    return by_gradients(table, y, n, alpha, tolerance=tolerance, numba=numba)


def apart_loop(seats: int) -> Loop:
    """The loop that adds the sum over games of (K I - J) s to `out`."""

    def run(players: Any, s: Any, out: Any) -> None:
        for row in range(players.shape[0]):
            total = 0.0
            for seat in range(seats):
                total += s[players[row, seat]]
            for seat in range(seats):
                out[players[row, seat]] += seats * s[players[row, seat]] - total

    return run


def totals_loop(seats: int) -> Loop:
    """The loop that adds up each player's games, and scores minus their games' means."""

    def run(players: Any, scores: Any, played: Any, totals: Any) -> None:
        for row in range(players.shape[0]):
            mean = 0.0
            for seat in range(seats):
                mean += scores[row, seat]
            mean /= seats
            for seat in range(seats):
                played[players[row, seat]] += 1.0
                totals[players[row, seat]] += scores[row, seat] - mean

    return run


def totals_columns(table: Any, y: Floats, played: Floats, totals: Floats) -> None:
    """The same as `totals_loop`, with numpy over whole columns."""
    means = y.mean(axis=1)
    for seat in range(table.shape[1]):
        played += np.bincount(table[:, seat], minlength=len(played))
        totals += np.bincount(table[:, seat], y[:, seat] - means, len(totals))


def apart_columns(table: Any, s: Floats, out: Floats) -> None:
    """The same as `apart_loop`, with numpy over whole columns."""
    k = table.shape[1]
    total = sum(s[table[:, seat]] for seat in range(k))
    for seat in range(k):
        own = k * s[table[:, seat]] - total
        out += np.bincount(table[:, seat], own, len(out))


def by_gradients(table: Any, y: Floats, n: int, alpha: float, tolerance: float, numba: bool) -> Floats:
    """Strengths (n,) by conjugate gradients. The preconditioner is the diagonal, from each player's number of
    games."""
    k = table.shape[1]
    games, totals = np.zeros(n), np.zeros(n)
    (compiled(totals_loop, k) if numba else totals_columns)(_seen(table, numba), y, games, totals)
    ridge = alpha * len(table)
    diagonal = k * (k - 1) * games + ridge

    def times(s: Floats) -> Floats:
        out = np.zeros(n)
        (compiled(apart_loop, k) if numba else apart_columns)(_seen(table, numba), s, out)
        return np.asarray(k * out + ridge * s)

    return conjugate_gradients(times, k * totals, diagonal, tolerance)


def _seen(table: Any, numba: bool) -> Any:
    return unsigned(table) if numba else table
