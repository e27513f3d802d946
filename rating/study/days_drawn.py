"""What differences of log loss tell, by whole days: games of one day are played by the same few.

Intervals draw the days anew, a bootstrap of blocks (H. Künsch, Annals of Statistics 17, 1989,
doi:10.1214/aos/1176347265), with the same days for all differences. Whether any of many differences is more
than chance is asked of days whose signs are tossed anew (A. Cameron, J. Gelbach and D. Miller, Review of
Economics and Statistics 90, 2008, doi:10.1162/rest.90.3.414), by the greatest of all (P. Westfall and S.
Young, Resampling-Based Multiple Testing, 1993). The tosses, unlike resamples, are honest with few days.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rating.columns import Floats, Ints

FEWEST_DAYS = 5  # fewer days of play say nothing: too few ways to toss their signs
LUCKY = 0.05  # the share of leagues without skill in which some system may seem better than chance
NOTHING = 1e-9  # nats: a smaller difference is only rounding


class MeanInterval(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


class DaysDrawn:
    """Resamples of the days of play."""

    def __init__(self, days: Ints, resamples: int, seed: int) -> None:
        """days: (N,) the day of each game, ascending."""
        self._day = np.unique(days, return_inverse=True)[1]
        self.counts = np.bincount(self._day)
        picks = np.random.default_rng(seed).integers(0, len(self.counts), (resamples, len(self.counts)))
        rows = np.arange(resamples)[:, None] * len(self.counts)
        drawn = np.bincount((picks + rows).ravel(), minlength=picks.size).reshape(picks.shape)
        self._drawn = drawn.astype(float)
        self._games = self._drawn @ self.counts
        self._seed = seed

    @property
    def days(self) -> int:
        return len(self.counts)

    def means(self, values: Floats) -> Floats:
        """The mean of each resample, (B,), of a value for each game, (N,)."""
        return np.asarray(self._drawn @ np.bincount(self._day, values) / self._games)

    def summary(self, values: Floats) -> MeanInterval:
        """The mean of values (N,). On fewer than FEWEST_DAYS days its interval is widened to hold 0."""
        low, high = np.quantile(self.means(values), [0.025, 0.975])
        if self.days < FEWEST_DAYS:
            low, high = min(low, 0.0), max(high, 0.0)
        return MeanInterval(float(values.mean()), float(low), float(high))

    def surely_below(self, values: Floats) -> NDArray[np.bool_]:
        """Which columns of values (N, M) are below 0 for more than chance, (M,).

        At most LUCKY of the leagues where all means are 0 have any such column.
        """
        sums = np.stack([np.bincount(self._day, column, self.days) for column in values.T], axis=1)
        sizes = np.sqrt((sums * sums).sum(axis=0))
        heights = np.divide(-sums, sizes, out=np.zeros_like(sums), where=sizes > NOTHING)
        tosses = np.random.default_rng([self._seed, 1]).integers(0, 2, self._drawn.shape)
        tossed = np.quantile(((1.0 - 2.0 * tosses) @ heights).max(axis=1), 1 - LUCKY, method="higher")
        return np.asarray(heights.sum(axis=0) > tossed + NOTHING)
