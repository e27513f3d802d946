"""Leagues of thousands of players: who met whom as a list of pairs, and linear equations without a
matrix.

Where each of n players meets a few others, an (n, n) matrix is nearly all zeros. The equations of
`btr` and `bradley_terry` need only its product with a vector, and are solved by conjugate gradients
(M. Hestenes and E. Stiefel, Journal of Research of the National Bureau of Standards 49, 1952,
doi:10.6028/jres.049.044).
"""

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np

from rating.columns import Columns, Floats, Ints
from rating.models.base import ModelError
from rating.models.fitting import Slope, centred, joined, minimise, sigmoid

DENSE = (
    1000  # players up to whom the equations are solved with matrices, and strengths have intervals
)
TOLERANCE = 1e-10  # of the residual, as a share of the right side
NO_ERRORS = (
    f"There are more than {DENSE} players: strengths are given without errors and intervals."
)


class Pairs(NamedTuple):
    """Every two players who met, once: n players; `first` and `second` their numbers, (M,).
    `above`, `below`: (M,) how often the first finished above the second, and below."""

    n: int
    first: Ints
    second: Ints
    above: Floats
    below: Floats

    def laplacian(self, weights: Floats, x: Floats) -> Floats:
        """The sums (n,) over a player's pairs of weight (M,) times x (n,) of the player less the
        other's.
        """
        flow = weights * (x[self.first] - x[self.second])
        outflow = np.bincount(self.first, flow, self.n)
        return np.asarray(outflow - np.bincount(self.second, flow, self.n))

    def sums(self, weights: Floats) -> Floats:
        """The sums (n,) of the weights (M,) of each player's pairs."""
        firsts = np.bincount(self.first, weights, self.n)
        return np.asarray(firsts + np.bincount(self.second, weights, self.n))


def pairs_of(columns: Columns, by_seats: bool = False) -> Pairs:
    """All pairs of the games.

    `by_seats` counts a meeting once for each seat of its table, as BTR does.
    """
    n = len(columns.names)
    codes = []
    weights = []
    for block in columns.blocks:
        for first, other in combinations(block.players.T, 2):
            codes.append(first * n + other)
            weights.append(np.full(len(block), float(block.seats if by_seats else 1)))
    winners, losers = np.divmod(np.concatenate(codes), n)
    forward = winners < losers
    both = np.where(forward, winners * n + losers, losers * n + winners)
    pair_codes, place = np.unique(both, return_inverse=True)
    weight = np.concatenate(weights)
    above = np.bincount(
        place,
        np.where(forward, weight, 0.0),
        len(pair_codes),
    ).astype(np.float64)
    below = np.bincount(
        place,
        np.where(forward, 0.0, weight),
        len(pair_codes),
    ).astype(np.float64)
    return Pairs(n, pair_codes // n, pair_codes % n, above, below)


def conjugate_gradients(
    times: Callable[[Floats], Floats], right: Floats, diagonal: Floats, tolerance: float = TOLERANCE
) -> Floats:
    """Solve A x = right (n,) for a positive definite A given by `times(x)`; `diagonal` (n,) is
    A's.
    """
    x = np.zeros(len(right))
    residual = right
    goal = tolerance * float(np.linalg.norm(right))
    direction = residual / diagonal
    reach = float(residual @ direction)
    for _ in range(10 * len(right)):
        if float(np.linalg.norm(residual)) <= goal:
            break
        image = times(direction)
        step = reach / float(direction @ image)
        x = x + step * direction
        residual = residual - step * image
        scaled = residual / diagonal
        reach, before = float(residual @ scaled), reach
        direction = scaled + reach / before * direction
    return x


def sparse_ridge(columns: Columns, totals: Floats, ridge: float) -> Floats:
    """BTR's strengths (n,):

    X'X s + ridge s = totals (n,), with X'X from the pairs; groups have mean 0.
    """
    pairs = pairs_of(columns, by_seats=True)
    met = pairs.above + pairs.below
    groups = joined(pairs.n, pairs.first, pairs.second)
    strengths = conjugate_gradients(
        lambda s: pairs.laplacian(met, s) + ridge * s,
        centred(totals, groups),
        pairs.sums(met) + ridge,
    )
    return centred(strengths, groups)


def sparse_bradley_terry(columns: Columns, alpha: float) -> Floats:
    """Bradley-Terry's most probable strengths (n,) under a normal prior of precision alpha."""
    pairs = pairs_of(columns)
    met = pairs.above + pairs.below

    def slope(s: Floats) -> Slope:
        """As in bradley_terry, but with the weights (M,) of the pairs for the Hessian."""
        apart = s[pairs.first] - s[pairs.second]
        loss = pairs.above @ np.logaddexp(0, -apart)
        loss = loss + pairs.below @ np.logaddexp(0, apart)
        chance = sigmoid(apart)
        surplus = met * chance - pairs.above
        pull = np.bincount(pairs.first, surplus, pairs.n) - np.bincount(
            pairs.second, surplus, pairs.n
        )
        value = float(loss + alpha / 2 * (s @ s))
        return value, pull + alpha * s, met * chance * (1 - chance)

    def solve(weights: Floats, right: Floats) -> Floats:
        return conjugate_gradients(
            lambda x: pairs.laplacian(weights, x) + alpha * x,
            right,
            pairs.sums(weights) + alpha,
        )

    return minimise(slope, np.zeros(pairs.n), solve=solve)


def few_enough(name: str, players: int) -> None:
    """Raise ModelError, with the limit, where a system that needs an (n, n) matrix has too many
    players.
    """
    if players > DENSE:
        raise ModelError(f"{name} takes at most {DENSE} players; there are {players}")
