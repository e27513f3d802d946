"""Plackett-Luce with skill that drifts: a filter that learns one game after another.

Each player's strength is normal with a mean and a variance. Between two games of a player the variance grows by
drift^2. A game multiplies the table's normal density by the Plackett-Luce probability of its placings (R. Plackett,
Applied Statistics 24, 1975, doi:10.2307/2346567). The product is replaced by the normal around its maximum (Laplace's
method), seat by seat. Unit: natural log-odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from rating.columns import Floats
from rating.games import Game
from rating.models.base import Sequential, within
from rating.models.fitting import Z95, Slope, minimise
from rating.standings import Rating


class DriftingState(NamedTuple):
    mean: float
    variance: float
    games: int


def slope(x: Floats, means: Floats, precisions: Floats) -> Slope:
    """Negative log posterior of a table's strengths x (K,), best placing first, with gradient and Hessian."""
    away = x - means
    value = 0.5 * float(precisions @ (away * away))
    gradient, hessian = precisions * away, np.diag(precisions)
    for stage in range(len(x) - 1):
        left = x[stage:]
        top = left.max()
        weights = np.exp(left - top)
        total = weights.sum()
        shares = weights / total
        value += float(top + np.log(total) - left[0])
        gradient[stage:] += shares
        gradient[stage] -= 1
        hessian[stage:, stage:] += np.diag(shares) - np.outer(shares, shares)
    return value, gradient, hessian


@dataclass(frozen=True)
class Drifting(Sequential[DriftingState]):
    """A filter for strengths that drift.

    `prior`: standard deviation of a new player's strength; `drift`: of its change between two games; both in
    log-odds.
    """

    name: ClassVar[str] = "plackett_luce_drift"
    title: ClassVar[str] = "着順の強さ（調子）"
    meaning: ClassVar[str] = "着順から見た、いまの強さです。0が平均です。"
    decimals: ClassVar[int] = 2

    prior: float = 0.3
    drift: float = 0.01

    def __post_init__(self) -> None:
        within(self.name, "prior", self.prior, 1e-6, 1e3)
        within(self.name, "drift", self.drift, 0, 10)

    def initial(self, player: str) -> DriftingState:
        return DriftingState(0.0, self.prior**2, 0)

    def play(self, game: Game, before: Sequence[DriftingState]) -> list[DriftingState]:
        means = np.array([state.mean for state in before])
        grown = [state.variance + (self.drift**2 if state.games else 0.0) for state in before]
        precisions = 1 / np.array(grown)
        x = minimise(lambda y: slope(y, means, precisions), means)
        variances = np.diag(np.linalg.inv(slope(x, means, precisions)[2]))
        return [
            DriftingState(float(mean), float(variance), state.games + 1)
            for mean, variance, state in zip(x, variances, before, strict=True)
        ]

    def rating(self, state: DriftingState) -> Rating:
        error = state.variance**0.5
        low, high = state.mean - Z95 * error, state.mean + Z95 * error
        return Rating(state.mean, state.games, error, low, high)
