"""Predicted chances beside what came: calibration in bins of equal size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rating.columns import Floats
from rating.proportions import wilson

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
    means = np.bincount(number, predicted) / np.maximum(counts, 1)
    events = np.bincount(number, came.ravel())
    return tuple(
        ForecastBin(float(mean), float(hits / n), *wilson(int(hits), int(n)), seats=int(n))
        for mean, hits, n in zip(means, events, counts, strict=True)
        if n
    )
