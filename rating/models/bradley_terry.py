"""Bradley-Terry: who finishes above whom, over all pairs of a game.

P(i above j) = sigma(s_i - s_j) (R. Bradley and M. Terry, Biometrika 39, 1952, doi:10.2307/2334029).
Strengths are the most probable ones under a normal prior of precision alpha, as in the package
choix (https://pypi.org/project/choix). Unit: natural log-odds. See docs/ratings.md.

The 95 % intervals are a mixture over the prior's precision (rating.models.intervals), so that they
are right in leagues that are more or less equal than alpha supposes.
"""

from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from rating.columns import Columns, Floats
from rating.models.base import Batch, within
from rating.models.fitting import IntervalEnds, Slope, groups_of, minimise, sigmoid, strengths
from rating.models.intervals import centred_errors, laplace_mixture, with_ends
from rating.models.sparse import DENSE, NO_ERRORS, sparse_bradley_terry
from rating.standings import Standings


def wins_of(columns: Columns, weigh: bool = False) -> Floats:
    """wins[i, j]: how often i finished above j, (n, n); with `weigh` a pair counts 3 / (K + 1).

    The pairs of one game are not independent: under equal strengths the variance of a player's wins
    in a game of K is (K + 1) / 3 times that of independent pairs.
    """
    n = len(columns.names)
    wins = np.zeros((n, n))
    for block in columns.blocks:
        weight = 3 / (block.seats + 1) if weigh else 1.0
        # columns are in order of placing
        for above, below in combinations(block.players.T, 2):
            counts = np.bincount(above * n + below, minlength=n * n)
            wins += weight * counts.reshape(n, n)
    return wins


def slope(
    wins: Floats,
    alpha: float,
    s: Floats,
    margins: Floats | float = 0.0,
) -> Slope:
    """Negative log posterior of s (n,) with gradient and Hessian; wins: (n, n).

    With x_ij = s_i - s_j + margins_ij, p_ij = sigma(x_ij) and n_ij = w_ij + w_ji games:

        value    = sum w_ij log(1 + exp(-x_ij)) + alpha |s|^2 / 2
        gradient = sum_j (n_ij p_ij - w_ij) + alpha s_i
    """
    log_odds = s[:, None] - s[None, :] + margins
    above = sigmoid(log_odds)
    games = wins + wins.T
    loss = np.sum(wins * np.logaddexp(0, -log_odds))
    value = float(loss + alpha / 2 * (s @ s))
    gradient = np.sum(games * above - wins, axis=1) + alpha * s
    hessian = curvature(games, above) + alpha * np.eye(len(s))
    return Slope(value, gradient, hessian)


def most_probable(
    wins: Floats, alpha: float, start: Floats, margins: Floats | float = 0.0
) -> Floats:
    """The strengths (n,) at the top of the posterior."""
    return minimise(lambda s: slope(wins, alpha, s, margins), start)


def curvature(games: Floats, above: Floats) -> Floats:
    """Fisher information (n, n) of pairs with games[i, j] games and P(i above j) = above[i, j]."""
    weights = games * above * above.T
    diagonal = np.diag(weights.sum(axis=1))
    return np.asarray(diagonal - weights)


def errors_of(wins: Floats, alpha: float, log_odds: Floats) -> Floats:
    """Standard errors (n,) by Laplace's method. wins: (n, n), weighed; log_odds: (n, n) of i above
    j."""
    games = wins + wins.T
    hessian = curvature(games, sigmoid(log_odds)) + alpha * np.eye(len(log_odds))
    return centred_errors(hessian, groups_of(games))


def ends_of(wins: Floats, margins: Floats | float = 0.0) -> IntervalEnds:
    """The strengths' 95 % intervals. wins: weighed, (n, n)."""

    def slope_at(alpha: float, s: Floats) -> Slope:
        return slope(wins, alpha, s, margins)

    return laplace_mixture(slope_at, groups_of(wins + wins.T)).interval()


def positive(name: str, option: str, value: float) -> None:
    """Raise ModelError, which names the option and its bounds, unless the value is from 1e-6 to
    1e9."""
    within(name, option, value, 1e-6, 1e9)


@dataclass(frozen=True)
class BradleyTerry(Batch):
    """Strengths from pairs. `alpha`: precision of the prior; 10 means a standard deviation of about
    0.3."""

    name = "bradley_terry"
    decimals = 2
    zero_sum = True

    alpha: float = 10.0

    def __post_init__(self) -> None:
        positive(self.name, "alpha", self.alpha)

    def values(self, columns: Columns) -> Floats:
        if len(columns.names) > DENSE:
            return sparse_bradley_terry(columns, self.alpha)
        wins = wins_of(columns)
        return most_probable(wins, self.alpha, np.zeros(len(wins)))

    def fit_columns(self, columns: Columns) -> Standings:
        s = self.values(columns)
        if len(s) > DENSE:
            return strengths(columns, s, notes=(NO_ERRORS,))
        wins = wins_of(columns, weigh=True)
        errors = errors_of(wins, self.alpha, s[:, None] - s[None, :])
        return with_ends(columns, s, errors, partial(ends_of, wins))
