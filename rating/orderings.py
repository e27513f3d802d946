"""Chances of placings from numbers: Plackett-Luce over one table, with one scale for a system's unit.

Rows of numbers are in order of placing: column 0 finished first. The model is that of R. Plackett, Applied Statistics
24, 1975, doi:10.2307/2346567.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from rating.columns import Floats

LIMIT = 10.0  # log-odds: the most that a scale makes of one standard deviation of the numbers at a table


def order_loss(logits: Floats) -> Floats:
    """-log P of each row's own order, in nats, (N,); logits: (N, K)."""
    loss = np.zeros(len(logits))
    for stage in range(logits.shape[1] - 1):
        left = logits[:, stage:]
        loss += np.logaddexp.reduce(left, axis=1) - left[:, 0]
    return loss


def fit_scale(numbers: Floats, start: float = 0.0, steps: int = 50) -> float:
    """The scale, 0 or more, under which the orders of numbers (N, K) are most probable.

    It is 0 where higher numbers did not finish higher. The log likelihood is a concave function of the scale, so
    Newton's method finds it from `start`.
    """
    size = (
        float(np.sqrt(np.mean((numbers - numbers.mean(axis=1, keepdims=True)) ** 2))) if numbers.size else 0.0
    )
    if size < 1e-12:
        return 0.0
    x = numbers / size
    scale = min(start * size, LIMIT)
    for _ in range(steps):
        slope, bend = 0.0, 0.0
        for stage in range(x.shape[1] - 1):
            left = x[:, stage:]
            weights = np.exp(scale * (left - left.max(axis=1, keepdims=True)))
            weights /= weights.sum(axis=1, keepdims=True)
            mean = (weights * left).sum(axis=1)
            slope += float((left[:, 0] - mean).sum())
            bend += float(((weights * left * left).sum(axis=1) - mean * mean).sum())
        new = min(max(scale + slope / max(bend, 1e-12), 0.0), LIMIT)
        moved, scale = abs(new - scale), new
        if moved < 1e-9:
            break
    return scale / size


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
