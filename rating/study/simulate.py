"""Simulate where a rating settles: mean and variance of many chains of games, and in theory.

A game changes a rating R to R + r + w (Rbar - R), where r is the player's rating points, w the pull
and Rbar the opponents' mean rating. With mean e and variance v of r, R - Rbar tends to mean e / w
and variance v / (w (2 - w)). A South game counts as two East games: twice the mean and variance of
r, and twice the pull. r and w are those of Tenhou's ranked games with as many seats.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from math import hypot, nan, sqrt
from typing import NamedTuple

import numpy as np

# Tenhou's ranked games by the number of seats (https://tenhou.net/man/#RATING).
POINTS = {
    3: (6.0, 0.0, -6.0),
    4: (6.0, 2.0, -2.0, -6.0),
}  # r by placing
VARIANCE = {3: 24.0, 4: 20.0}  # v, of r
WEIGHT = {3: 1 / 300, 4: 3 / 800}  # w: 0.2 (2 / 3) / 40 and 0.2 (3 / 4) / 40
PER_PLACE = {3: 6.0, 4: 4.0}  # rating points that one place is worth
Progress = Callable[[int, int], None]
SNAPSHOTS = 6
LEAST_W = 1e-4  # a chain plays about 22 / w games
MOST_W = 0.5  # a South game pulls by 2 w, which stays below 1
MOST_E = 1e6


@dataclass(frozen=True, slots=True)
class Simulation:
    """A settled rating minus its opponents' mean rating: mean and variance, simulated and in
    theory. `games`: East games of each chain. `south_mean`, `south_variance`,
    `theory_south_variance`: of the same player where every game is South. `ratio`, `theory_ratio`:
    variance South over East, in theory (2 - w) / (2 - 2 w). `mean_error` and its siblings: the
    Monte Carlo standard error of the simulated figure."""

    seats: int
    chains: int
    games: int
    w: float
    e: float
    v: float
    mean: float
    mean_error: float
    variance: float
    variance_error: float
    theory_mean: float
    theory_variance: float
    south_mean: float
    south_mean_error: float
    south_variance: float
    south_variance_error: float
    theory_south_variance: float
    ratio: float
    ratio_error: float
    theory_ratio: float


class Moments(NamedTuple):
    """Mean and variance."""

    mean: float
    variance: float


def theory(
    e: float,
    v: float,
    w: float,
    games: int | None = None,
) -> Moments:
    """Mean and variance of R - Rbar after a number of games from R = Rbar; None is the limit."""
    start_weight = 0.0
    if games is not None:
        start_weight = (1 - w) ** games
    variance = v * (1 - start_weight**2) / (w * (2 - w))
    return Moments(e * (1 - start_weight) / w, variance)


class Settled(NamedTuple):
    """Mean and variance of settled chains, with their standard errors."""

    mean: float
    mean_error: float
    variance: float
    variance_error: float


def simulate(
    seats: int = 4,
    e: float = 0.5,
    w: float | None = None,
    chains: int = 20_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Simulation:
    """Run the chains. `e`: the player's mean rating points a game; `w`: the pull, by default that
    of the number of seats. `progress(done, all)` gets numbers of games, about a hundred times.
    Raises ValueError when an option is out of range: w lies from LEAST_W to below MOST_W."""
    if w is None:
        w = WEIGHT.get(seats, nan)  # `_check` refuses other numbers of seats
    _check(seats, e, w, chains)
    points = np.array(POINTS[seats])
    random = np.random.default_rng(seed)
    count_game = _game_counter(progress, games_of(w) + games_of(2 * w))
    east = settle(points + e, w, chains, random, count_game)
    # a South game has twice the mean and variance of r, and twice the pull
    south = settle(sqrt(2) * points + 2 * e, 2 * w, chains, random, count_game)
    return _simulation(seats, chains, w, e, east, south)


def _check(seats: int, e: float, w: float, chains: int) -> None:
    if seats not in POINTS or chains < 2:
        raise ValueError("seats are 3 or 4, and there are two chains or more")
    if not abs(e) < MOST_E:
        raise ValueError(f"the mean of a game's result is a number of points, not {e:g}")
    if not LEAST_W <= w < MOST_W:
        raise ValueError(f"the weight lies from {LEAST_W:g} to below {MOST_W:g}, not {w:g}")


def _game_counter(progress: Progress | None, games: int) -> Callable[[], None]:
    """A function to call after each game, which reports about every hundredth of them."""
    numbers = count(1)

    def count_game() -> None:
        done = next(numbers)
        if progress and (done % (games // 100 + 1) == 0 or done == games):
            progress(done, games)

    return count_game


def _simulation(
    seats: int, chains: int, w: float, e: float, east: Settled, south: Settled
) -> Simulation:
    """The figures of settled chains, and those of theory."""
    v = VARIANCE[seats]
    limit = theory(e, v, w)
    ratio = south.variance / east.variance
    return Simulation(
        seats=seats,
        chains=chains,
        games=games_of(w),
        w=w,
        e=e,
        v=v,
        **east._asdict(),
        theory_mean=limit.mean,
        theory_variance=limit.variance,
        **{f"south_{name}": value for name, value in south._asdict().items()},
        theory_south_variance=theory(2 * e, 2 * v, 2 * w).variance,
        ratio=ratio,
        ratio_error=ratio
        * hypot(south.variance_error / south.variance, east.variance_error / east.variance),
        theory_ratio=(2 - w) / (2 - 2 * w),
    )


class Spans(NamedTuple):
    """The games until a rating has settled, and those from one snapshot of it to the next."""

    settling: int
    step: int


def spans(w: float) -> Spans:
    return Spans(int(10 / w), int(2 / w) + 1)


def games_of(w: float) -> int:
    """The games of a chain: until it has settled, and for the snapshots."""
    settling, step = spans(w)
    return settling + SNAPSHOTS * step


def settle(
    points: np.ndarray,
    w: float,
    chains: int,
    random: np.random.Generator,
    count_game: Callable[[], None],
) -> Settled:
    """Mean and variance of settled chains, from SNAPSHOTS snapshots.

    points: (K,) r by placing, where all placings are equally likely. `count_game()` is called after
    each game. The errors count chains, because one chain's snapshots are not independent.
    """
    rating = np.zeros(chains)
    snapshots = []
    settling, step = spans(w)
    for game in range(1, games_of(w) + 1):
        rating *= 1 - w
        placings = random.integers(0, len(points), chains, dtype=np.int8)
        rating += points.take(placings)
        if game > settling and (game - settling) % step == 0:
            snapshots.append(rating.copy())
        count_game()
    values = np.stack(snapshots)
    mean = float(values.mean())
    squares = (values - mean) ** 2
    return Settled(mean, _error(values), float(squares.mean()), _error(squares))


def _error(values: np.ndarray) -> float:
    """The standard error of the mean of values (snapshots, chains) of which only chains are
    independent."""
    chains = values.mean(axis=0)
    return float(chains.std(ddof=1)) / sqrt(len(chains))
