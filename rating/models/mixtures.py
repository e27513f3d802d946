"""Mixtures of normal or t distributions, their quantiles, and the weights of their parts."""

from typing import NamedTuple

import numpy as np

from rating.columns import Floats
from rating.models.fitting import IntervalEnds

TAIL = 0.025  # the probability beyond each end of an interval
HALVINGS = 60  # of the range in which a quantile is sought


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
        return np.asarray(self.weights @ cumulative(deviations, self.freedom))

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
        return np.asarray((low + high) / 2)

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
    return np.asarray(below)


def half_cauchy(taus: Floats, scale: float) -> Floats:
    """Logarithms of the prior's weights (G,) of taus on a logarithmic grid: density times step."""
    logarithms = np.log(taus) - np.log1p((taus / scale) ** 2)
    return np.asarray(logarithms)


def weights_of(logarithms: Floats) -> Floats:
    """Weights (G,) of sum 1 from their logarithms."""
    shares = np.exp(logarithms - logarithms.max())
    return np.asarray(shares / shares.sum())
