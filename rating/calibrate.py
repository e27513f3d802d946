"""Find how a league's scores compare with Tenhou's ranked games: jansou's factors f and g, with their errors.

r is the rating points of one game, with mean e and variance v; w is the pull to the opponents' mean rating. Where
other rules turn e and v into k e and l v, a rating behaves as before when r is scaled by f = k / l and the pull by
g = k^2 / l. l v is the variance of score. k comes from m, which says how fast the players' mean placings fall with
their mean scores. One place is worth 4 rating points at four seats (r = +6 +2 -2 -6, v = 20) and 6 at three
(r = +6 0 -6, v = 24), so k = 1 / (4 m) or 1 / (6 m).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np

from rating.columns import Floats, Ints, columns_of, enough
from rating.games import Game, GameError, same_seats
from rating.ranked import PER_PLACE, POINTS, VARIANCE, WEIGHT

ENOUGH_PLAYERS, MIN_GAMES = 100, 50  # what the method asks for
MOST_CHIP = 1e9  # thousands of points, as in league.toml


@dataclass(frozen=True, slots=True)
class Calibration:
    """jansou's factors for one league, each with its standard error.

    `variance`: l v, of score in thousands of points. `m`: places per thousand points. `r2`: of the regression that
    gives m, over the `players` who have at least `min_games`. `means`: their (name, mean score, mean placing from 1),
    for a picture. `totsugeki_f`: f found by `totsugeki`. `sufficient`: there are as many players and games as the
    method asks for.
    """

    games: int
    seats: int
    players: int
    min_games: int
    variance: float
    m: float
    k: float
    l: float  # noqa: E741
    f: float
    g: float
    m_error: float
    k_error: float
    l_error: float
    f_error: float
    g_error: float
    r2: float
    totsugeki_f: float
    sufficient: bool
    means: tuple[tuple[str, float, float], ...]


def factors(k: float, l: float) -> tuple[float, float]:  # noqa: E741
    """(f, g) = (k / l, k^2 / l), which holds where the pull is small."""
    return k / l, k * k / l


def exact_factors(k: float, l: float, w: float = WEIGHT[4]) -> tuple[float, float]:  # noqa: E741
    """(f, g) for any pull w: g = 2 / ((l / k^2) (2 - w) + w), f = g / k."""
    g = 2 / (l / (k * k) * (2 - w) + w)
    return g / k, g


def calibrate(games: Sequence[Game], min_games: int = MIN_GAMES, chip: float = 0.0) -> Calibration:
    """The factors from the league's games of the commonest number of seats; a chip counts `chip` thousand points.

    Raises GameError when fewer than three players have `min_games`, when higher scores do not bring better placings,
    when `chip` is out of range, or when there is nothing to learn from.
    """
    if not abs(chip) <= MOST_CHIP:
        raise GameError(f"a chip's worth must be a number from {-MOST_CHIP:g} to {MOST_CHIP:g}, not {chip}")
    games = same_seats(enough(games))
    seats = len(games[0].seats)
    scores = np.array([[s.score + chip * (s.chips or 0) for s in game.seats] for game in games])
    columns = columns_of(games)
    means = means_of(columns.names, columns.blocks[0].players, scores, min_games)
    if len(means) < 3:
        raise GameError(
            f"{games[-1].where}: the last of {len(games)} games, but only {len(means)} players have {min_games}"
            " or more; three are needed"
        )
    m, m_error, r2 = line(
        np.array([score for _, score, _ in means]), np.array([place for _, _, place in means])
    )
    if m <= 0:
        raise GameError(f"{games[-1].where}: up to here, higher scores do not bring better placings")
    variance, variance_error = spread(scores)
    k, l = 1 / (PER_PLACE[seats] * m), variance / VARIANCE[seats]  # noqa: E741
    of_k, of_l = m_error / m, variance_error / variance
    f, g = factors(k, l)
    return Calibration(
        games=len(games),
        seats=seats,
        players=len(means),
        min_games=min_games,
        variance=variance,
        m=m,
        k=k,
        l=l,
        f=f,
        g=g,
        m_error=m_error,
        k_error=k * of_k,
        l_error=l * of_l,
        f_error=f * hypot(of_k, of_l),
        g_error=g * hypot(2 * of_k, of_l),
        r2=r2,
        totsugeki_f=totsugeki(scores),
        sufficient=len(means) >= ENOUGH_PLAYERS and min_games >= MIN_GAMES,
        means=means,
    )


def means_of(
    names: Sequence[str], players: Ints, scores: Floats, min_games: int
) -> tuple[tuple[str, float, float], ...]:
    """(name, mean score, mean placing from 1) of every player with at least `min_games`.

    players, scores: (N, K), seats in order of placing.
    """
    count = np.bincount(players.ravel(), minlength=len(names))
    total = np.bincount(players.ravel(), scores.ravel(), len(names))
    places = np.broadcast_to(np.arange(1, players.shape[1] + 1), players.shape)
    placed = np.bincount(players.ravel(), places.ravel(), len(names))
    return tuple(
        (name, float(total[i] / count[i]), float(placed[i] / count[i]))
        for i, name in enumerate(names)
        if count[i] >= min_games
    )


def line(x: Floats, y: Floats) -> tuple[float, float, float]:
    """How fast y falls with x by least squares: (-slope, its standard error, r^2); zeros where x or y does not vary.

    It needs three points or more.
    """
    dx, dy = x - x.mean(), y - y.mean()
    xx, xy, yy = float(dx @ dx), float(dx @ dy), float(dy @ dy)
    if xx <= 0 or yy <= 0:
        return 0.0, 0.0, 0.0
    slope = xy / xx
    rest = max(yy - slope * xy, 0.0)
    return -slope, sqrt(rest / (len(x) - 2) / xx), xy * xy / (xx * yy)


def spread(scores: Floats) -> tuple[float, float]:
    """Variance of score and its standard error.

    The error counts games, because the K scores of one game are not independent.
    """
    squares = ((scores - scores.mean()) ** 2).mean(axis=1)
    return float(squares.mean()), float(squares.std(ddof=1) / sqrt(len(squares)))


def totsugeki(scores: Floats) -> float:
    """f in a second way, totsugeki's: r' = |r| / |A| times score, where A is the mean score of each placing.

    scores: (N, K), seats in order of placing.
    """
    by_placing = scores.mean(axis=0)
    return float(np.linalg.norm(POINTS[scores.shape[1]]) / np.linalg.norm(by_placing))
