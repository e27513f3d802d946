"""Plackett-Luce: a game's placings as one ordering.

First place falls to i with probability exp(s_i) / sum exp(s) over the table, second place likewise among the rest
(R. Plackett, Applied Statistics 24, 1975). Strengths are the most probable ones under a normal prior of precision
alpha; alpha is given, or chosen by the evidence (MacKay, Neural Computation 4, 1992). Unit: natural log-odds.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from typing import ClassVar

import numpy as np

from rating.columns import Columns, Floats, Ints
from rating.models.base import Batch, ModelError
from rating.models.bradley_terry import positive
from rating.models.fitting import Slope, centred_errors, minimise, strengths
from rating.standings import Standings

EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class Orders:
    """What the orderings of a league amount to.

    places: (n,) how often each player took a place with others still to be placed; left: for each number of players k
    the different sets of them, (M, k), and how often a place was taken from each, (M,).
    """

    places: Floats
    left: list[tuple[Ints, Floats]]


def orders_of(columns: Columns) -> Orders:
    """The orderings of all games, whatever their number of seats."""
    n = len(columns.names)
    places, left = np.zeros(n), list[tuple[Ints, Floats]]()
    for seats in range(2, max((block.seats for block in columns.blocks), default=1) + 1):
        # the last `seats` places of a game tell from whom one was taken
        rows = [block.players[:, -seats:] for block in columns.blocks if block.seats >= seats]
        players = np.concatenate(rows)
        places += np.bincount(players[:, 0], minlength=n)
        digits = n ** np.arange(seats)
        codes, counts = np.unique(np.sort(players, axis=1) @ digits, return_counts=True)
        left.append((codes[:, None] // digits % n, counts.astype(float)))
    return Orders(places, left)


def slope(orders: Orders, alpha: float, s: Floats) -> Slope:
    """Negative log posterior of strengths s (n,) with its gradient and Hessian."""
    n = len(s)
    value = alpha / 2 * float(s @ s) - float(orders.places @ s)
    gradient, hessian = alpha * s - orders.places, alpha * np.eye(n)
    for left, counts in orders.left:
        logits = s[left]
        top = logits.max(axis=1)
        weights = np.exp(logits - top[:, None])
        total = weights.sum(axis=1)
        shares = weights / total[:, None]
        value += float(counts @ (top + np.log(total)))
        expected = counts[:, None] * shares
        gradient += np.bincount(left.ravel(), expected.ravel(), n)
        hessian += spread(left, expected, shares, n)
    return value, gradient, hessian


def spread(left: Ints, expected: Floats, shares: Floats, n: int) -> Floats:
    """Sum over sets of diag(p) - p p', (n, n)."""
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
    but chance shows would be called exactly even, with errors of zero. Found on the scale of log alpha by secants, where
    putting each new alpha in again, as the formula reads, creeps: 8 rounds for its 50.
    """
    x, s = log(10.0), np.zeros(n)
    before: tuple[float, float] | None = None  # where the last round stood, and how far it would have moved
    for _ in range(steps):
        alpha = exp(x)
        s = most_probable(orders, alpha, s)
        information = slope(orders, 0.0, s)[2]
        eigenvalues = np.maximum(np.linalg.eigvalsh(information), 0)
        gamma = float(np.sum(eigenvalues / (eigenvalues + alpha)))
        move = log((gamma + 1) / (float(s @ s) + 0.01)) - x
        if abs(move) < 1e-9:
            break
        step = move
        if (
            before is not None and (x - before[0]) * (before[1] - move) > 0
        ):  # the further, the smaller the move
            step = move * (x - before[0]) / (before[1] - move)
        before, x = (x, move), x + max(-2.0, min(2.0, step))
    alpha = exp(x + move)
    return alpha, most_probable(orders, alpha, s)


@dataclass(frozen=True)
class PlackettLuce(Batch):
    """Strengths from orderings. `alpha`: precision of the prior, or "evidence"."""

    name: ClassVar[str] = "plackett_luce"
    title: ClassVar[str] = "着順の強さ"
    meaning: ClassVar[str] = "着順から見た強さです。0が平均です。"
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
