"""Chances of placings from numbers: Plackett-Luce over one table, with one scale for a system's unit.

Rows of numbers are in order of placing: column 0 finished first. The model is that of R. Plackett, Applied
Statistics 24, 1975, doi:10.2307/2346567.
"""

from __future__ import annotations

from itertools import permutations
from math import sqrt

import numpy as np

from rating.columns import Floats

LIMIT = 10.0  # log-odds: the most that a scale makes of one standard deviation of the numbers at a table
CLOSE = 1e-6  # of a scale's last step, in standard deviations; the error left is of the order of its square


def order_loss(logits: Floats) -> Floats:
    """-log P of each row's own order, in nats, (N,); logits: (N, K)."""
    loss = np.zeros(len(logits))
    for stage in range(logits.shape[1] - 1):
        left = logits[:, stage:]
        loss += np.logaddexp.reduce(left, axis=1) - left[:, 0]
    return loss


class Stages:
    """Games as the sets among whom each place was taken, for fitting a scale to the first so many.

    numbers: (N, K). A stage holds the numbers of those still to be placed, less the largest of them: (k, N),
    with the one who took the place first.
    """

    def __init__(self, numbers: Floats) -> None:
        lefts = [numbers[:, stage:].T for stage in range(numbers.shape[1] - 1)]
        self.left = [np.ascontiguousarray(left - left.max(axis=0)) for left in lefts]
        self.squares = [left * left for left in self.left]
        away = numbers - numbers.mean(axis=1, keepdims=True)
        self.spread = np.cumsum((away * away).sum(axis=1)) / numbers.shape[1]

    def scale(self, games: int, start: float = 0.0, steps: int = 50) -> float:
        """The scale, 0 or more, under which the orders of the first `games` games are most probable.

        It is 0 where higher numbers did not finish higher. The log likelihood is a concave function of the
        scale, so Newton's method finds it from `start`.
        """
        size = sqrt(self.spread[games - 1] / games) if games else 0.0
        if size < 1e-12:
            return 0.0
        most, scale = LIMIT / size, min(start, LIMIT / size)
        for _ in range(steps):
            slope, bend = self._slope(games, scale)
            new = min(max(scale + slope / max(bend, 1e-12 * size * size), 0.0), most)
            moved, scale = abs(new - scale) * size, new
            if moved < CLOSE:
                break
        return scale

    def _slope(self, games: int, scale: float) -> tuple[float, float]:
        """The slope of the log likelihood at a scale, and how fast it falls."""
        slope, bend = 0.0, 0.0
        for whole, squared in zip(self.left, self.squares, strict=True):
            left = whole[:, :games]
            weights = np.exp(scale * left)
            total = weights.sum(axis=0)
            mean = (weights * left).sum(axis=0) / total
            slope += float(left[0].sum() - mean.sum())
            bend += float(((weights * squared[:, :games]).sum(axis=0) / total).sum() - mean @ mean)
        return slope, bend


def first(logits: Floats) -> Floats:
    """P(first) of each seat, (N, K)."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def last(logits: Floats) -> Floats:
    """P(last) of each seat, (N, K), summed over all orders of the table."""
    result = np.zeros_like(logits)
    for order in permutations(range(logits.shape[1])):
        result[:, order[-1]] += np.exp(-order_loss(logits[:, list(order)]))
    return result
