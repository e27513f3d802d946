"""Bayesian BTR: BTR with its prior and noise found from the games, and a 95 % interval for every
strength.

Strengths are normal around 0 with precision lambda, scores normal around their expectation with
precision alpha. Both are found by MacKay's iteration of the evidence (Neural Computation 4, 1992,
doi:10.1162/neco.1992.4.3.415). Start, priors of 1e-6 and stopping rule are those of scikit-learn's
BayesianRidge with fit_intercept=False, and so are the results
(https://scikit-learn.org/stable/modules/linear_model.html#bayesian-ridge-regression). Only X'X, X'y
and y'y are needed. As in scikit-learn, the K scores of a game count as independent although their
sum is fixed, and the two precisions count as exactly known, so strength plus or minus 1.96 errors
covers 79 to 84 of 100 where skill is weak. The intervals are therefore those of
rating.models.skill. Unit: thousands of points a game per opponent. See docs/ratings.md.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rating.columns import Columns, Floats
from rating.models.base import Batch
from rating.models.btr import Sums, check_options, ends_of, squares, sums_of
from rating.models.fitting import strengths
from rating.models.skill import ROUND_OFF
from rating.models.sparse import few_enough
from rating.standings import Standings

TINY = 1e-6  # alpha_1, alpha_2, lambda_1, lambda_2: shape and rate of both precisions' gamma priors
TOLERANCE = 1e-3  # the iteration stops where the strengths' changes sum to less
STEPS = 300


class Posterior(NamedTuple):
    """Strengths (n,), covariance (n, n), precisions of noise (alpha) and strengths (lam),
    iterations.
    """

    mean: Floats
    covariance: Floats
    alpha: float
    lam: float
    steps: int


def posterior(sums: Sums) -> Posterior:
    """The posterior of the strengths at the precisions that make the games most probable.

    MacKay's iteration, with the eigenvalues of X'X (n,), its eigenvectors as columns (n, n), and
    gamma, the number of well-determined directions:

        mean  = V (V'X'y / (eigenvalues + lam / alpha))
        gamma = sum of alpha eigenvalue / (lam + alpha eigenvalue)
        lam   = gamma / |mean|^2,  alpha = (rows - gamma) / |y - X mean|^2
    """
    eigenvalues, vectors = np.linalg.eigh(sums.xx)
    eigenvalues = np.where(eigenvalues < ROUND_OFF * eigenvalues.max(), 0.0, eigenvalues)
    projected = np.where(eigenvalues > 0, vectors.T @ sums.xy, 0.0)
    variance = sums.yy / sums.rows - (sums.y / sums.rows) ** 2
    alpha = 1 / (variance + float(np.finfo(float).eps))
    lam = 1.0
    before = np.zeros(0)
    for step in range(1, STEPS + 1):
        mean = vectors @ (projected / (eigenvalues + lam / alpha))
        gamma = float(np.sum(alpha * eigenvalues / (lam + alpha * eigenvalues)))
        lam = (gamma + 2 * TINY) / (float(mean @ mean) + 2 * TINY)
        freedom = sums.rows - gamma
        alpha = (freedom + 2 * TINY) / (squares(sums, mean) + 2 * TINY)
        if step > 1 and float(np.abs(before - mean).sum()) < TOLERANCE:
            break
        before = mean
    mean = vectors @ (projected / (eigenvalues + lam / alpha))
    covariance = (vectors / (alpha * eigenvalues + lam)) @ vectors.T
    return Posterior(mean, covariance, float(alpha), float(lam), step)


@dataclass(frozen=True)
class BayesianBtr(Batch):
    """Strengths in points with credible intervals.

    `uma`: rank points (thousands) to take out of scores.
    """

    name = "bayesian_btr"
    on_card = True
    decimals = 2
    zero_sum = True

    uma: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_options(self.name, 1.0, self.uma)

    def values(self, columns: Columns) -> Floats:
        few_enough(self.name, len(columns.names))
        return posterior(sums_of(columns, self.uma)).mean

    def fit_columns(self, columns: Columns) -> Standings:
        few_enough(self.name, len(columns.names))
        sums = sums_of(columns, self.uma)
        fitted = posterior(sums)
        variances = np.diag(fitted.covariance)
        return strengths(
            columns, fitted.mean, np.sqrt(variances), ends_of(sums), variances=variances
        )
