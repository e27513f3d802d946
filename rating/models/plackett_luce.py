"""Plackett-Luce: a game's placings as one ordering.

First place falls to i with probability exp(s_i) / sum exp(s) over the table, second place likewise among the rest
(R. Plackett, Applied Statistics 24, 1975). Strengths are the most probable ones under a normal prior of precision
alpha; alpha is given, or chosen by the evidence (MacKay, Neural Computation 4, 1992). Unit: natural log-odds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rating.columns import Columns, Floats, Ints
from rating.models.base import Batch, ModelError
from rating.models.bradley_terry import positive
from rating.models.fitting import Slope, centred_errors, minimise, strengths
from rating.standings import Standings

EVIDENCE = "evidence"
Orders = list[tuple[Ints, Floats]]  # different orderings (M, K) and how often each occurred (M,)


def orders_of(columns: Columns) -> Orders:
    """The different orderings of each number of seats, with their counts."""
    found = []
    for block in columns.blocks:
        rows, counts = np.unique(block.players, axis=0, return_counts=True)
        found.append((rows, counts.astype(float)))
    return found


def slope(orders: Orders, alpha: float, s: Floats) -> Slope:
    """Negative log posterior of strengths s (n,) with its gradient and Hessian."""
    n = len(s)
    value, gradient, hessian = alpha / 2 * float(s @ s), alpha * s, alpha * np.eye(n)
    for rows, counts in orders:
        for stage in range(rows.shape[1] - 1):
            left = rows[:, stage:]  # who is still to be placed, (M, K - stage); column 0 takes the place
            logits = s[left]
            top = logits.max(axis=1)
            weights = np.exp(logits - top[:, None])
            total = weights.sum(axis=1)
            shares = weights / total[:, None]
            value += float(counts @ (top + np.log(total) - logits[:, 0]))
            expected = counts[:, None] * shares
            gradient = gradient + np.bincount(left.ravel(), expected.ravel(), n)
            gradient = gradient - np.bincount(left[:, 0], counts, n)
            hessian = hessian + spread(left, expected, shares, n)
    return value, gradient, hessian


def spread(left: Ints, expected: Floats, shares: Floats, n: int) -> Floats:
    """Sum over orderings of diag(p) - p p', (n, n)."""
    pairs = left[:, :, None] * n + left[:, None, :]
    products = expected[:, :, None] * shares[:, None, :]
    outer = np.bincount(pairs.ravel(), products.ravel(), n * n).reshape(n, n)
    return np.asarray(np.diag(np.bincount(left.ravel(), expected.ravel(), n)) - outer)


def most_probable(orders: Orders, alpha: float, start: Floats) -> Floats:
    """The strengths (n,) at the top of the posterior."""
    return minimise(lambda s: slope(orders, alpha, s), start)


def by_evidence(orders: Orders, n: int, steps: int = 200) -> tuple[float, Floats]:
    """The prior's precision and the strengths (n,) where neither moves any more.

    alpha = (gamma + 1) / (|s|^2 + 0.01), gamma = sum of lambda / (lambda + alpha) over the eigenvalues of the data's
    information. The 1 and the 0.01 are one imagined player at 0.1: without him a league where nothing
    but chance shows would be called exactly even, with errors of zero.
    """
    alpha, s = 10.0, np.zeros(n)
    for _ in range(steps):
        s = most_probable(orders, alpha, s)
        information = slope(orders, 0.0, s)[2]
        eigenvalues = np.maximum(np.linalg.eigvalsh(information), 0)
        gamma = float(np.sum(eigenvalues / (eigenvalues + alpha)))
        new = (gamma + 1) / (float(s @ s) + 0.01)
        moved, alpha = abs(new - alpha) / alpha, new
        if moved < 1e-9:
            break
    return alpha, most_probable(orders, alpha, s)


@dataclass(frozen=True)
class PlackettLuce(Batch):
    """Strengths from orderings. `alpha`: precision of the prior, or "evidence"."""

    name: ClassVar[str] = "plackett_luce"
    decimals: ClassVar[int] = 2
    zero_sum: ClassVar[bool] = True

    alpha: float | str = EVIDENCE

    def __post_init__(self) -> None:
        if isinstance(self.alpha, str) and self.alpha != EVIDENCE:
            raise ModelError(f'{self.name}: alpha is a number or "{EVIDENCE}", not {self.alpha}')
        if not isinstance(self.alpha, str):
            positive(self.name, "alpha", self.alpha)

    def fit_columns(self, columns: Columns) -> Standings:
        orders, n = orders_of(columns), len(columns.names)
        if isinstance(self.alpha, str):
            alpha, s = by_evidence(orders, n)
        else:
            alpha = self.alpha
            s = most_probable(orders, alpha, np.zeros(n))
        return strengths(columns, s, centred_errors(slope(orders, alpha, s)[2]))
