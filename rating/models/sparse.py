"""Strengths in leagues of thousands of players.

Where each of n players plays a few others, an (n, n) matrix is nearly all zeros. The equations of
`btr` and `bradley_terry` need only its product with a vector, which follows from the pairs that
played each other.
"""

import numpy as np

from rating.columns import Columns, Floats
from rating.models.base import ModelError
from rating.models.equations import conjugate_gradients
from rating.models.fitting import Slope, centred, joined, minimise, sigmoid
from rating.models.pairs import Pairs, pairs_of

DENSE = 1000  # up to so many players equations are solved with matrices, and there are intervals
NO_ERRORS = (
    f"There are more than {DENSE} players: strengths are given without errors and intervals."
)


def sparse_ridge(columns: Columns, totals: Floats, ridge: float) -> Floats:
    """BTR's strengths (n,), with X'X from the pairs: X'X s + ridge s = totals (n,). Groups have
    mean 0."""
    pairs = pairs_of(columns, by_seats=True)
    weights = pairs.above + pairs.below
    groups = joined(pairs.n, pairs.first, pairs.second)
    strengths = solved_ridge(pairs, weights, ridge, centred(totals, groups))
    return centred(strengths, groups)


def sparse_bradley_terry(columns: Columns, alpha: float) -> Floats:
    """Bradley-Terry's most probable strengths (n,) under a normal prior of precision alpha."""
    pairs = pairs_of(columns)

    def slope_at(s: Floats) -> Slope:
        return slope_of_pairs(pairs, alpha, s)

    def step(weights: Floats, gradient: Floats) -> Floats:
        return solved_ridge(pairs, weights, alpha, gradient)

    return minimise(slope_at, np.zeros(pairs.n), solve=step)


def slope_of_pairs(pairs: Pairs, alpha: float, s: Floats) -> Slope:
    """`bradley_terry.slope` from the pairs. In place of the Hessian it has the weights (M,) of the
    pairs: the Hessian is their Laplacian plus alpha."""
    games = pairs.above + pairs.below
    log_odds = s[pairs.first] - s[pairs.second]
    loss = pairs.above @ np.logaddexp(0, -log_odds)
    loss = loss + pairs.below @ np.logaddexp(0, log_odds)
    chance = sigmoid(log_odds)
    surplus = games * chance - pairs.above
    of_firsts = np.bincount(pairs.first, surplus, pairs.n)
    of_seconds = np.bincount(pairs.second, surplus, pairs.n)
    value = float(loss + alpha / 2 * (s @ s))
    gradient = of_firsts - of_seconds + alpha * s
    return Slope(value, gradient, games * chance * (1 - chance))


def solved_ridge(pairs: Pairs, weights: Floats, ridge: float, right: Floats) -> Floats:
    """The x (n,) for which (Laplacian of the weights (M,) + ridge) x = right (n,)."""

    def times(x: Floats) -> Floats:
        return pairs.laplacian(weights, x) + ridge * x

    return conjugate_gradients(times, right, pairs.sums(weights) + ridge)


def few_enough(name: str, players: int) -> None:
    """Raise ModelError, with the limit, where a system that needs an (n, n) matrix has too many
    players."""
    if players > DENSE:
        raise ModelError(f"{name} takes at most {DENSE} players; there are {players}")
