"""95 % intervals with true coverage for strengths fitted to games.

How much the members of a league differ is itself unknown. An interval from one prior is too narrow
where the games do not fit that prior: MacKay's iteration covers about 80 of 100 strengths where
skill is weak. So the posterior is a mixture: one part for each of many standard deviations tau
between members, weighed by how probable the games are under it and by a half-Cauchy prior for tau
(A. Gelman, Bayesian Analysis 1, 2006, doi:10.1214/06-BA117A).
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from rating.columns import Columns, Floats, Ints
from rating.models.fitting import IntervalEnds, Slope, centred, minimise, strengths
from rating.standings import Standings

TAIL = 0.025  # the probability beyond each end of an interval
MOST_PLAYERS = 300  # players with intervals in models of placings; the work grows with the cube
NO_INTERVALS = f"There are more than {MOST_PLAYERS} players: strengths are given without intervals."
HALVINGS = 60  # of the range in which a quantile is sought
TAU_SCALE = 0.5  # log-odds: the half-Cauchy scale of the standard deviation between members
TAUS = np.geomspace(0.01, 5.0, 25)  # log-odds: the standard deviations weighed


class Mixture(NamedTuple):
    """A distribution for each of n strengths: G parts with their weights. weights: (G,), of sum 1.
    means, scales: (G, n). freedom: degrees of freedom of the parts' t distributions, infinite for
    normal ones."""

    weights: Floats
    means: Floats
    scales: Floats
    freedom: float = np.inf

    def below(self, x: Floats) -> Floats:
        """The probability (n,) that each strength is less than x (n,)."""
        deviations = (x[None, :] - self.means) / np.maximum(self.scales, 1e-300)
        return np.asarray(self.weights @ cumulative(deviations, self.freedom), dtype=np.float64)

    def quantile(self, probability: float) -> Floats:
        """The strengths (n,) below which each distribution has this probability."""
        reach = self.scales * (8 + 200 / self.freedom)
        low = (self.means - reach).min(axis=0)
        high = (self.means + reach).max(axis=0)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            is_above = self.below(middle) < probability  # the quantile is above the middle
            low = np.where(is_above, middle, low)
            high = np.where(is_above, high, middle)
        return np.asarray((low + high) / 2, dtype=np.float64)

    def interval(self) -> IntervalEnds:
        """The 95 % intervals."""
        return IntervalEnds(
            low=self.quantile(TAIL),
            likely=self.quantile(0.5),
            high=self.quantile(1 - TAIL),
        )


def cumulative(x: Floats, freedom: float = np.inf) -> Floats:
    """P(X < x) of the normal distribution, or of Student's t, for each x.

    The normal's is formula 26.2.17 of M. Abramowitz and I. Stegun, Handbook of Mathematical
    Functions (error below 1e-7). A t is transformed to a normal by D. Wallace, Annals of
    Mathematical Statistics 30, 1959, doi:10.1214/aoms/1177706100 (error below .005 with 3 degrees
    of freedom, below .0005 with 10).
    """
    size = np.abs(x)
    if freedom < np.inf:
        shrink = (8 * freedom + 1) / (8 * freedom + 3)
        size = shrink * np.sqrt(freedom * np.log1p(size * size / freedom))
    t = 1 / (1 + 0.2316419 * size)
    series = t * (
        0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))
    )
    density = np.exp(-0.5 * size * size) / np.sqrt(2 * np.pi)
    tail = density * series  # P(X > size)
    below = np.where(x < 0, tail, 1 - tail)
    return np.asarray(below, dtype=np.float64)


def half_cauchy(taus: Floats, scale: float) -> Floats:
    """Logarithms of the prior's weights (G,) of taus on a logarithmic grid: density times step."""
    logarithms = np.log(taus) - np.log1p((taus / scale) ** 2)
    return np.asarray(logarithms, dtype=np.float64)


def weights_of(logarithms: Floats) -> Floats:
    """Weights (G,) of sum 1 from their logarithms."""
    shares = np.exp(logarithms - logarithms.max())
    return np.asarray(shares / shares.sum(), dtype=np.float64)


def with_ends(
    columns: Columns, values: Floats, errors: Floats, ends: Callable[[], IntervalEnds]
) -> Standings:
    """Standings from strengths (n,), errors (n,) and, for at most MOST_PLAYERS players, the ends of
    intervals."""
    if len(values) > MOST_PLAYERS:
        return strengths(columns, values, errors, notes=(NO_INTERVALS,))
    return strengths(columns, values, errors, ends())


def laplace_mixture(slope_at: Callable[[float, Floats], Slope], groups: Ints) -> Mixture:
    """The mixture of a model of placings: for each tau the normal around its most probable
    strengths. `slope_at(alpha, s)` gives the negative log posterior of strengths s (n,) under a
    normal prior of precision alpha. groups: (n,), as `groups_of`; strengths are centred on the mean
    of their group.

    The log evidence is -value + (n log alpha - log det Hessian) / 2, by Laplace's method.
    """
    n = len(groups)
    s = np.zeros(n)
    evidence = []
    means = []
    scales = []
    for tau in TAUS:
        alpha = float(tau**-2)
        s = minimise(partial(slope_at, alpha), s)
        at_top = slope_at(alpha, s)
        _, log_determinant = np.linalg.slogdet(at_top.hessian)
        evidence.append(-at_top.value + n / 2 * np.log(alpha) - log_determinant / 2)
        means.append(centred(s, groups))
        scales.append(centred_errors(at_top.hessian, groups))
    weights = weights_of(np.array(evidence) + half_cauchy(TAUS, TAU_SCALE))
    return Mixture(weights, np.array(means), np.array(scales))


def centred_errors(information: Floats, groups: Ints) -> Floats:
    """Standard errors (n,) of strengths relative to the mean of their group, from their information
    (n, n). Games show differences only; the error of the common level comes from the prior alone
    and is left out."""
    same = groups[:, None] == groups
    mean = same / same.sum(axis=1, keepdims=True)
    centre = np.eye(len(groups)) - mean
    covariance = centre @ np.linalg.inv(information) @ centre.T
    variances = np.maximum(np.diag(covariance), 0)
    return np.asarray(np.sqrt(variances), dtype=np.float64)
