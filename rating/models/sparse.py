"""Leagues of thousands of players: a list of the pairs that played each other, and linear equations
solved without a matrix.

Where each of n players plays a few others, an (n, n) matrix is nearly all zeros. The equations of
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

DENSE = 1000  # up to so many players equations are solved with matrices, and there are intervals
TOLERANCE = 1e-10  # of the residual, as a share of the right side
NO_ERRORS = (
    f"There are more than {DENSE} players: strengths are given without errors and intervals."
)


class Pairs(NamedTuple):
    """The M pairs of players who played each other, of n players. first, second: (M,) numbers of
    players. above, below: (M,) how often the first finished above the second, and below."""

    n: int
    first: Ints
    second: Ints
    above: Floats
    below: Floats

    def laplacian(self, weights: Floats, x: Floats) -> Floats:
        """The sums (n,) over a player's pairs of weight (M,) times x (n,) of the player less the
        opponent's."""
        flow = weights * (x[self.first] - x[self.second])
        outflow = np.bincount(self.first, flow, self.n)
        return np.asarray(outflow - np.bincount(self.second, flow, self.n))

    def sums(self, weights: Floats) -> Floats:
        """The sums (n,) of the weights (M,) of each player's pairs."""
        firsts = np.bincount(self.first, weights, self.n)
        return np.asarray(firsts + np.bincount(self.second, weights, self.n))


def pairs_of(columns: Columns, by_seats: bool = False) -> Pairs:
    """Who finished above whom how often, for each pair that met (first < second). With `by_seats`
    a game weighs as much as its table has seats, as in BTR."""
    n = len(columns.names)
    upper_players = []
    lower_players = []
    game_weights = []
    for block in columns.blocks:
        weight = float(block.seats if by_seats else 1)
        # columns are in order of placing
        for upper, lower in combinations(block.players.T, 2):
            upper_players.append(upper)
            lower_players.append(lower)
            game_weights.append(np.full(len(block), weight))
    uppers = np.concatenate(upper_players)
    lowers = np.concatenate(lower_players)
    codes = np.minimum(uppers, lowers) * n + np.maximum(uppers, lowers)
    pair_codes, pair_of_game = np.unique(codes, return_inverse=True)
    count = len(pair_codes)
    weights = np.concatenate(game_weights)
    above_weights = np.where(uppers < lowers, weights, 0.0)
    below_weights = weights - above_weights
    return Pairs(
        n,
        first=pair_codes // n,
        second=pair_codes % n,
        above=np.bincount(pair_of_game, above_weights, count).astype(np.float64),
        below=np.bincount(pair_of_game, below_weights, count).astype(np.float64),
    )


def conjugate_gradients(
    times: Callable[[Floats], Floats], right: Floats, diagonal: Floats, tolerance: float = TOLERANCE
) -> Floats:
    """Solve A x = right (n,) for a positive definite A given by `times(x)`; `diagonal` (n,) is A's,
    the preconditioner. r is the residual, p the direction, z the residual over the diagonal."""
    x = np.zeros(len(right))
    r = right
    goal = tolerance * float(np.linalg.norm(right))
    p = r / diagonal
    rz = float(r @ p)
    for _ in range(10 * len(right)):
        if float(np.linalg.norm(r)) <= goal:
            break
        ap = times(p)
        step = rz / float(p @ ap)
        x = x + step * p
        r = r - step * ap
        z = r / diagonal
        new_rz = float(r @ z)
        p = z + new_rz / rz * p
        rz = new_rz
    return x


def sparse_ridge(columns: Columns, totals: Floats, ridge: float) -> Floats:
    """BTR's strengths (n,), with X'X from the pairs: X'X s + ridge s = totals (n,). Groups have
    mean 0."""
    pairs = pairs_of(columns, by_seats=True)
    weights = pairs.above + pairs.below
    groups = joined(pairs.n, pairs.first, pairs.second)

    def times(s: Floats) -> Floats:
        return pairs.laplacian(weights, s) + ridge * s

    strengths = conjugate_gradients(times, centred(totals, groups), pairs.sums(weights) + ridge)
    return centred(strengths, groups)


def sparse_bradley_terry(columns: Columns, alpha: float) -> Floats:
    """Bradley-Terry's most probable strengths (n,) under a normal prior of precision alpha."""
    pairs = pairs_of(columns)
    games = pairs.above + pairs.below

    def slope(s: Floats) -> Slope:
        """As in bradley_terry, but with the weights (M,) of the pairs for the Hessian."""
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

    def solve(weights: Floats, right: Floats) -> Floats:
        def times(x: Floats) -> Floats:
            return pairs.laplacian(weights, x) + alpha * x

        return conjugate_gradients(times, right, pairs.sums(weights) + alpha)

    return minimise(slope, np.zeros(pairs.n), solve=solve)


def few_enough(name: str, players: int) -> None:
    """Raise ModelError, with the limit, where a system that needs an (n, n) matrix has too many
    players."""
    if players > DENSE:
        raise ModelError(f"{name} takes at most {DENSE} players; there are {players}")
