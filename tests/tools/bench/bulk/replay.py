"""Replay millions of games, given as columns, with the tenhou and jansou models, in one loop.

With numba installed the loop is compiled (on its first call, about a second); without it the same function
runs as plain Python and gives the same results, to the bit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from math import copysign
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rating.columns import Floats, Ints
from rating.games import GameError
from rating.models.jansou import CORRECTIONS, EXPONENTIAL, F, G
from rating.models.tenhou import BASE, FLOOR, games_correction
from tests.tools.bench.bulk.compiled import (
    Loop,
    check_scores,
    check_table,
    has_numba,
    scores_of,
    table_of,
    unsigned,
)

FADING = 400  # games after which the correction is constant
SPLIT = 134217729.0  # 2^27 + 1 cuts a double into halves (T. Dekker, Numerische Mathematik 18, 1971)
# 1.5 * 2^52: adding and subtracting it rounds to the nearest whole number, ties to even
WHOLE = 6755399441055744.0


class Replayed(NamedTuple):
    """Ratings and games by player, (n,), and each seat's rating after its game, (N, K), or None if not asked
    for."""

    ratings: Floats
    games: Ints
    after: Floats | None


def round3(x: float) -> float:
    """Python's round(x, 3) for abs(x) < 2^42, in operations that compile.

    Where 1000 x is halfway between two whole numbers, its rounding error says on which side of the tie the
    exact binary value lies. An exact tie goes to the even digit. n / 1000 is the double nearest to the
    decimal, as if it were parsed.
    """
    product = x * 1000.0
    whole = (product + WHOLE) - WHOLE
    if abs(product - whole) == 0.5:
        big = SPLIT * x
        high = big - (big - x)
        error = (high * 1000.0 - product) + (x - high) * 1000.0
        if error != 0.0:
            whole = product + copysign(0.5, error)
    return copysign(whole / 1000.0, x)


def loop_of(seats: int, rounding: Callable[[float], float]) -> Loop:
    """The loop over games with `seats` seats. `rounding` is `round3`, plain or compiled.

    Columns are flat. With `placing` the rule is tenhou's and `points` are the base points by seat; without it
    the rule is jansou's and `points` are the scaled scores.
    """
    floor, fading = float(FLOOR), FADING

    def run(
        players: Any,
        points: Any,
        ratings: Any,
        games: Any,
        after: Any,
        corrections: Any,
        pull: float,
        placing: bool,
        extra: int,
    ) -> None:
        keep = len(after) > 0
        for start in range(0, len(players), seats):
            total = 0.0
            for seat in range(seats):
                total += ratings[players[start + seat]]
            average = total / seats
            if placing:
                average = max(rounding(average), floor)
            for seat in range(seats):
                player = players[start + seat]
                rating = ratings[player]
                correction = corrections[min(games[player] + extra, fading)]
                if placing:
                    rating += rounding(correction * (points[seat] + (average - rating) / 40) * 1.0)
                else:
                    rating += correction * (points[start + seat] + (average - rating) * pull)
                ratings[player] = rating
                games[player] += 1
                if keep:
                    after[start + seat] = rating

    return run


@cache
def _loop(seats: int, use: bool) -> Loop:
    if not use:
        return loop_of(seats, round3)
    njit = import_module("numba").njit
    loop: Loop = njit(loop_of(seats, njit(round3)))
    return loop


def _replay(
    table: Any,
    points: Floats,
    corrections: list[float],
    rule: tuple[float, bool, int],
    start: Floats | None,
    games: Ints | None,
    history: bool,
    use: bool,
) -> Replayed:
    """Check the players and run the loop. `rule`: (pull, placing, extra) as the loop takes them."""
    count = max(int(table.max()) + 1, 0) if start is None else len(start)
    check_table(table, count, use)
    ratings = np.full(count, 1500.0) if start is None else np.array(start, dtype=np.float64)
    played = np.zeros(count, np.int64) if games is None else np.array(games, dtype=np.int64)
    if len(played) != count:
        raise GameError(f"{count} ratings to start from, but {len(played)} counts of games")
    after = np.empty(table.size if history else 0)
    flat = unsigned(table).ravel()
    columns: list[Any] = [flat, points.ravel(), ratings, played, after, np.array(corrections)]
    if not use:  # in plain Python, lists are faster than arrays
        columns = [column.tolist() for column in columns]
    _loop(table.shape[1], use)(*columns, *rule)
    ratings, played, after = (np.asarray(column) for column in columns[2:5])
    return Replayed(ratings, played, after.reshape(table.shape) if history else None)


def replay_tenhou(
    players: ArrayLike,
    *,
    start: Floats | None = None,
    games: Ints | None = None,
    count_this_game: bool = False,
    history: bool = False,
    compiled: bool | None = None,
) -> Replayed:
    """Ratings by placing, bit-equal to the tenhou model; players: (N, K) numbers, first place first.

    `start`, `games`: ratings and games (n,) before the first game, 1500 and 0 if not given. `compiled`: with
    numba; None: if it is installed.
    """
    table = table_of(players)
    corrections = [games_correction(n) for n in range(FADING + 1)]
    base = np.array(BASE[table.shape[1]], dtype=np.float64)
    use = has_numba() if compiled is None else compiled
    rule = (1 / 40, True, int(count_this_game))
    return _replay(table, base, corrections, rule, start=start, games=games, history=history, use=use)


def replay_jansou(
    players: ArrayLike,
    scores: ArrayLike,
    *,
    f: float = F,
    g: float = G,
    correction: str = EXPONENTIAL,
    start: Floats | None = None,
    games: Ints | None = None,
    history: bool = False,
    compiled: bool | None = None,
) -> Replayed:
    """Ratings by score, equal to the jansou model; players, scores: (N, K), scores in thousands, chips
    included."""
    table = table_of(players)
    points = scores_of(scores, table)
    check_scores(points)
    corrections = [CORRECTIONS[correction](n) for n in range(FADING + 1)]
    use = has_numba() if compiled is None else compiled
    return _replay(
        table,
        5 * f * points,
        corrections,
        (g / 40, False, 0),
        start=start,
        games=games,
        history=history,
        use=use,
    )
