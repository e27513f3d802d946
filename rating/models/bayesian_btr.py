"""Bayesian BTR: BTR with its prior and noise found from the games, and a 95 % interval for every strength.

Strengths are normal with precision lambda around 0, scores normal with precision alpha around their expectation;
both are found by MacKay's iteration of the evidence (Neural Computation 4, 1992) with the start, the priors of 1e-6
and the stopping rule of scikit-learn's BayesianRidge, whose results these are, with fit_intercept=False. It needs
X'X, X'y and y'y only. As there, the K scores of a game count as independent though their sum is fixed: intervals
are narrower than a game of K allows, by sqrt((K - 1) / K). Unit: thousands of points a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from rating.columns import Columns, Floats
from rating.models.base import Batch
from rating.models.btr import Sums, check_options, squares, sums_of
from rating.models.fitting import strengths
from rating.standings import Standings

TINY = 1e-6  # alpha_1, alpha_2, lambda_1, lambda_2: shape and rate of both precisions' gamma priors
TOLERANCE = 1e-3  # of the sum of the strengths' changes
STEPS = 300
ROUND_OFF = 1e-11  # an eigenvalue smaller than this share of the largest is 0


class Posterior(NamedTuple):
    """Strengths (n,), their covariance (n, n), precisions of noise (alpha) and strengths (lam), iterations."""

    mean: Floats
    covariance: Floats
    alpha: float
    lam: float
    steps: int


def posterior(sums: Sums) -> Posterior:
    """The strengths' posterior at the precisions that make the games most probable."""
    eigenvalues, vectors = np.linalg.eigh(sums.xx)
    eigenvalues = np.where(eigenvalues < ROUND_OFF * eigenvalues.max(), 0.0, eigenvalues)
    projected = np.where(eigenvalues > 0, vectors.T @ sums.xy, 0.0)
    variance = sums.yy / sums.rows - (sums.y / sums.rows) ** 2
    alpha, lam = 1 / (variance + float(np.finfo(float).eps)), 1.0
    before = np.zeros(0)
    for step in range(1, STEPS + 1):
        mean = vectors @ (projected / (eigenvalues + lam / alpha))
        gamma = float(np.sum(alpha * eigenvalues / (lam + alpha * eigenvalues)))
        lam = (gamma + 2 * TINY) / (float(mean @ mean) + 2 * TINY)
        alpha = (sums.rows - gamma + 2 * TINY) / (squares(sums, mean) + 2 * TINY)
        if step > 1 and float(np.abs(before - mean).sum()) < TOLERANCE:
            break
        before = mean
    mean = vectors @ (projected / (eigenvalues + lam / alpha))
    covariance = (vectors / (alpha * eigenvalues + lam)) @ vectors.T
    return Posterior(mean, covariance, float(alpha), float(lam), step)


@dataclass(frozen=True)
class BayesianBtr(Batch):
    """Strengths in points with credible intervals. `uma`: rank points to take out of the scores."""

    name: ClassVar[str] = "bayesian_btr"
    title: ClassVar[str] = "得点の強さ（誤差）"
    meaning: ClassVar[str] = "相手1人につき、1戦で何千点ぶん強いかです。0が平均です。"
    on_card: ClassVar[bool] = True
    decimals: ClassVar[int] = 2
    zero_sum: ClassVar[bool] = True

    uma: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_options(self.name, 1.0, self.uma)

    def fit_columns(self, columns: Columns) -> Standings:
        found = posterior(sums_of(columns, self.uma))
        return strengths(columns, found.mean, np.sqrt(np.diag(found.covariance)))
