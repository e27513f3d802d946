"""Find how a league's scores compare with Tenhou's ranked games: jansou's factors f and g, with their errors.

r is the rating points of one game, with mean e and variance v; w is the pull to the opponents' mean rating.
Where other rules turn e and v into k e and l v, a rating behaves as before when r is scaled by f = k / l and
the pull by g = k^2 / l. l v is the variance of score. k comes from m, which says how fast the players' mean
placings fall with their mean scores. One place is worth 4 rating points at four seats (r = +6 +2 -2 -6, v =
20) and 6 at three (r = +6 0 -6, v = 24), so k = 1 / (4 m) or 1 / (6 m).

Within a game the placing follows from the scores, so m would come out much the same whoever had played. k is
therefore also given for names shuffled within games, and for split halves, which are free of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np

from rating.columns import Floats, columns_of, enough
from rating.games import MOST, Game, GameError, same_seats
from rating.ranked import POINTS, VARIANCE, WEIGHT
from rating.slopes import ChanceCheck, Fit, chance_check, halves, k_of, line, shuffled, sums_of

ENOUGH_PLAYERS, MIN_GAMES = 100, 50  # what the method asks for


@dataclass(frozen=True, slots=True)
class Calibration:
    """jansou's factors for one league, each with its standard error.

    `variance`: l v, of score in thousands of points. `m`: places per thousand points. `r2`: of the regression
    that gives m, over the `players` who have at least `min_games`. `means`: their (name, mean score, mean
    placing from 1), for a picture. `totsugeki_f`: f found by `totsugeki`. `sufficient`: there are the players
    and games that are asked for, and `chance.precise`. `chips_left_out`: games whose chips are worth nothing.
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
    chips_left_out: int
    chance: ChanceCheck
    means: tuple[tuple[str, float, float], ...]


def factors(k: float, l: float) -> tuple[float, float]:  # noqa: E741
    """(f, g) = (k / l, k^2 / l), which holds where the pull is small."""
    return k / l, k * k / l


def exact_factors(k: float, l: float, w: float = WEIGHT[4]) -> tuple[float, float]:  # noqa: E741
    """(f, g) for any pull w: g = 2 / ((l / k^2) (2 - w) + w), f = g / k."""
    g = 2 / (l / (k * k) * (2 - w) + w)
    return g / k, g


def calibrate(
    games: Sequence[Game],
    min_games: int = MIN_GAMES,
    chip: float = 0.0,
    season_chip: Mapping[str, float] | None = None,
) -> Calibration:
    """The factors from the league's games of the commonest number of seats, which are in order of time.

    A chip counts `chip` thousand points, or what `season_chip` says for the season log that the game stands
    in. Raises GameError when fewer than three players have `min_games`, when higher scores do not bring
    better placings, when a chip's worth is out of range, or when there is nothing to learn from.
    """
    games = same_seats(enough(games))
    columns, chips = columns_of(games), chips_worth(games, chip, season_chip or {})
    players, scores = columns.blocks[0].players, columns.blocks[0].scores + chips
    count, total, placed = sums_of(players, scores, len(columns.names))
    kept = count >= max(min_games, 2)
    names = [columns.names[i] for i in np.flatnonzero(kept)]
    if len(names) < 3:
        raise GameError(
            f"{games[-1].where}: the last of {len(games)} games, but only {len(names)} players have"
            f" {min_games} or more; three are needed"
        )
    mean_score, mean_placing = total[kept] / count[kept], placed[kept] / count[kept]
    own = line(mean_score, mean_placing)
    if own.m <= 0:
        raise GameError(f"{games[-1].where}: up to here, higher scores do not bring better placings")
    others, split = shuffled(players, scores, kept), halves(players, scores, kept)
    return _calibration(
        own,
        scores,
        chance_check(own, others, split, scores.shape[1]),
        min_games=min_games,
        means=tuple(zip(names, mean_score.tolist(), mean_placing.tolist(), strict=True)),
        chips_left_out=sum(_has_chips(game) and not any(row) for game, row in zip(games, chips, strict=True)),
    )


def _calibration(
    own: Fit,
    scores: Floats,
    chance: ChanceCheck,
    *,
    min_games: int,
    means: tuple[tuple[str, float, float], ...],
    chips_left_out: int,
) -> Calibration:
    """The factors that follow from the players' own line and the scores, (N, K)."""
    seats = scores.shape[1]
    variance, variance_error = spread(scores)
    k, l = k_of(own.m, seats), variance / VARIANCE[seats]  # noqa: E741
    of_k, of_l = own.error / own.m, variance_error / variance
    f, g = factors(k, l)
    return Calibration(
        games=len(scores),
        seats=seats,
        players=len(means),
        min_games=min_games,
        variance=variance,
        m=own.m,
        k=k,
        l=l,
        f=f,
        g=g,
        m_error=own.error,
        k_error=k * of_k,
        l_error=l * of_l,
        f_error=f * hypot(of_k, of_l),
        g_error=g * hypot(2 * of_k, of_l),
        r2=own.r2,
        totsugeki_f=totsugeki(scores),
        sufficient=len(means) >= ENOUGH_PLAYERS and min_games >= MIN_GAMES and chance.precise,
        chips_left_out=chips_left_out,
        chance=chance,
        means=means,
    )


def chips_worth(games: Sequence[Game], chip: float, season_chip: Mapping[str, float]) -> Floats:
    """Each seat's chips in thousands of points, (N, K). Raises GameError for a worth out of range."""
    for worth in (chip, *season_chip.values()):
        if not abs(worth) <= MOST:
            raise GameError(f"a chip's worth must be a number from {-MOST:g} to {MOST:g}, not {worth}")
    rates = [season_chip.get(game.source, chip) for game in games]
    return np.array([[rate * (s.chips or 0) for s in g.seats] for rate, g in zip(rates, games, strict=True)])


def _has_chips(game: Game) -> bool:
    return any(seat.chips for seat in game.seats)


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
