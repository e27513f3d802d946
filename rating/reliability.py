"""Predicted chances beside what came: calibration in bins of equal size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rating.columns import Floats
from rating.models.fitting import Z95

BINS = 5


@dataclass(frozen=True, slots=True)
class ForecastBin:
    """Seats with similar predicted chances.

    `predicted`: mean chance. `observed`: the share of the seats where the event came, with its 95 % interval.
    """

    predicted: float
    observed: float
    low: float
    high: float
    seats: int


def calibration(chances: Floats, seat: int) -> tuple[ForecastBin, ...]:
    """Predicted chances (N, K) beside what came, in bins of equal size, at most BINS.

    The event fell to column `seat`.
    """
    predicted = chances.ravel()
    came = np.zeros(chances.shape)
    came[:, seat] = 1
    edges = np.unique(np.quantile(predicted, np.linspace(0, 1, BINS + 1)[1:-1]))
    number = np.searchsorted(edges, predicted, side="right")
    counts = np.bincount(number)
    means, shares = (np.bincount(number, x) / np.maximum(counts, 1) for x in (predicted, came.ravel()))
    return tuple(
        ForecastBin(float(mean), float(share), *wilson(float(share), int(n)), seats=int(n))
        for mean, share, n in zip(means, shares, counts, strict=True)
        if n
    )


def wilson(share: float, n: int) -> tuple[float, float]:
    """The 95 % score interval of a share of n (E. Wilson, JASA 22, 1927, doi:10.1080/01621459.1927.10502953)."""
    z = Z95 * Z95
    middle = (share + z / (2 * n)) / (1 + z / n)
    half = Z95 / (1 + z / n) * (share * (1 - share) / n + z / (4 * n * n)) ** 0.5
    return middle - half, middle + half
