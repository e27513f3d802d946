"""Simulate where a rating settles: mean and variance of many chains of games, beside theory.

A game changes a rating R to R + r + w (Rbar - R), where r is the player's rating points, w the pull and Rbar the
opponents' mean rating. With mean e and variance v of r, R - Rbar tends to mean e / w and variance v / (w (2 - w)). A
South game counts as two East games: twice the mean and variance of r, and twice the pull.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from rating.calibrate import POINTS, VARIANCE, W

Progress = Callable[[int, int], None]
SNAPSHOTS = 6
LEAST_W = 1e-4  # a chain plays about 22 / w games: 220,000 here


@dataclass(frozen=True, slots=True)
class Simulation:
    """A settled rating minus its opponents' mean rating: mean and variance, simulated and in theory.

    `games`: East games of each chain. `south_mean`, `south_variance`, `theory_south_variance`: of the same player
    where every game is South. `ratio`, `theory_ratio`: variance South over East, in theory (2 - w) / (2 - 2 w).
    """

    seats: int
    chains: int
    games: int
    w: float
    e: float
    v: float
    mean: float
    variance: float
    theory_mean: float
    theory_variance: float
    south_mean: float
    south_variance: float
    theory_south_variance: float
    ratio: float
    theory_ratio: float


def theory(e: float, v: float, w: float, games: int | None = None) -> tuple[float, float]:
    """Mean and variance of R - Rbar after so many games from R = Rbar; None stands for the long run."""
    left = 0.0 if games is None else (1 - w) ** games
    return e * (1 - left) / w, v * (1 - left * left) / (w * (2 - w))


def simulate(
    seats: int = 4,
    e: float = 0.5,
    w: float = W,
    chains: int = 20_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Simulation:
    """Run the chains. `e`: the player's mean rating points a game; `w`: the pull, from LEAST_W to below 1/2.

    `progress(done, all)` gets numbers of games, about a hundred times. Raises ValueError when an option is out of
    range.
    """
    if seats not in POINTS or chains < 2:
        raise ValueError("seats are 3 or 4, and there are two chains or more")
    if not LEAST_W <= w < 0.5:
        raise ValueError(
            f"the weight lies between {LEAST_W} and 0.5: {w:g} would take {22 / w:.0g} games to settle"
        )
    if not abs(e) < 1e6:
        raise ValueError(f"the mean of a game's result is a number of points, not {e:g}")
    points = np.array(POINTS[seats])
    v = VARIANCE[seats]
    random = np.random.default_rng(seed)
    games, south_games = games_of(w), games_of(2 * w)
    told = _Told(progress, games + south_games)
    mean, variance = settle(points + e, w, chains, random, told.next)
    south_mean, south_variance = settle(sqrt(2) * points + 2 * e, 2 * w, chains, random, told.next)
    theory_mean, theory_variance = theory(e, v, w)
    _, theory_south = theory(2 * e, 2 * v, 2 * w)
    return Simulation(
        seats=seats,
        chains=chains,
        games=games,
        w=w,
        e=e,
        v=v,
        mean=mean,
        variance=variance,
        theory_mean=theory_mean,
        theory_variance=theory_variance,
        south_mean=south_mean,
        south_variance=south_variance,
        theory_south_variance=theory_south,
        ratio=south_variance / variance,
        theory_ratio=(2 - w) / (2 - 2 * w),
    )


class _Told:
    """Calls `progress` about a hundred times in all, not after every game."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress = progress
        self.total = total
        self.done = 0

    def next(self) -> None:
        self.done += 1
        if self.progress and (self.done % (self.total // 100 + 1) == 0 or self.done == self.total):
            self.progress(self.done, self.total)


def spans(w: float) -> tuple[int, int]:
    """The games until a rating has settled, and the games from one snapshot of it to the next."""
    return int(10 / w), int(2 / w) + 1


def games_of(w: float) -> int:
    """The games each chain plays."""
    settling, apart = spans(w)
    return settling + SNAPSHOTS * apart


def settle(
    points: np.ndarray, w: float, chains: int, random: np.random.Generator, told: Callable[[], None]
) -> tuple[float, float]:
    """Mean and variance of settled chains.

    points: (K,) r by placing, where all placings are equally likely. `told` is called after each game.
    """
    rating = np.zeros(chains)
    seen = []
    settling, apart = spans(w)
    for game in range(1, games_of(w) + 1):
        rating *= 1 - w
        rating += points.take(random.integers(0, len(points), chains, dtype=np.int8))
        if game > settling and (game - settling) % apart == 0:
            seen.append(rating.copy())
        told()
    values = np.concatenate(seen)
    return float(values.mean()), float(values.var())
