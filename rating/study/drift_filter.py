"""The filter of plackett_luce_drift in plain numbers, for forecasts.

It finds the same normal at each table as rating.models.drifting does, without the filters that intervals
need. Arrays of three or four numbers cost more than the arithmetic, so lists are several times as fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from operator import mul
from typing import Any, NamedTuple

from rating.games import Game
from rating.models.drifting import Drifting

Row = list[float]
WIDE = 10.0  # of the prior, in log-odds: a wider one needs the care of arrays against underflow


def quick(system: Any) -> Any:
    """The same system with a quicker step, where there is one; else the system itself."""
    if type(system) is Drifting and max(system.prior, system.drift) <= WIDE:
        return _Plain(system)
    return system


class PlainState(NamedTuple):
    """A player's strength after some games, without what only its interval needs."""

    mean: float
    variance: float
    games: int


class _Plain:
    """What a forecast needs of a drifting system: its means alone."""

    def __init__(self, system: Drifting) -> None:
        self._system = system

    def initial(self, player: str) -> PlainState:
        return PlainState(0.0, self._system.prior**2, 0)

    def play(self, game: Game, before: Sequence[PlainState]) -> list[PlainState]:
        drift = self._system.drift
        grown = [state.variance + (drift**2 if state.games else 0.0) for state in before]
        means, variances = settled([state.mean for state in before], [1 / variance for variance in grown])
        return [
            PlainState(mean, variance, state.games + 1)
            for mean, variance, state in zip(means, variances, before, strict=True)
        ]

    def value(self, state: PlainState) -> float:
        return state.mean


def settled(means: Row, precisions: Row, steps: int = 100) -> tuple[Row, Row]:
    """Means and variances of a table's strengths (K,) after its placings, best first, from those before.

    Newton's method with halved steps, as `rating.models.fitting.minimise` takes them.
    """
    x = means
    value, gradient, hessian = _slope(x, means, precisions)
    inverse = _inverse(hessian)
    for _ in range(steps):
        step = [_dot(row, gradient) for row in inverse]
        gain = _dot(gradient, step)
        if gain <= 1e-20 * (1 + abs(value)):
            break
        size = 1.0
        while True:
            new = [a - size * s for a, s in zip(x, step, strict=True)]
            trial = _slope(new, means, precisions)
            enough = trial[0] <= value - 1e-4 * size * gain or gain <= 1e-12 * (1 + abs(value))
            if enough or size <= 1e-6:
                break
            size /= 2
        x, (value, gradient, hessian) = new, trial
        inverse = _inverse(hessian)
    return x, [row[seat] for seat, row in enumerate(inverse)]


def _slope(x: Row, means: Row, precisions: Row) -> tuple[float, Row, list[Row]]:
    """Negative log posterior of strengths x, with its gradient and Hessian."""
    top, k = max(x), len(x)
    weights = [exp(a - top) for a in x]
    value, left, lefts = 0.0, 0.0, [0.0] * k
    for seat in range(k - 1, -1, -1):
        left += weights[seat]
        lefts[seat] = left
    gradient, hessian = [0.0] * k, [[0.0] * k for _ in x]
    ones = twos = 0.0  # sums over the places taken so far of 1 and of 1 / (weight left), squared
    for seat in range(k):
        away, weight = x[seat] - means[seat], weights[seat]
        value += 0.5 * precisions[seat] * away * away
        gradient[seat] = precisions[seat] * away
        if seat < k - 1:
            value += top + log(lefts[seat]) - x[seat]
            gradient[seat] -= 1
            ones += 1 / lefts[seat]
            twos += 1 / (lefts[seat] * lefts[seat])
        gradient[seat] += weight * ones
        hessian[seat][seat] = precisions[seat] + weight * ones - weight * weight * twos
        for other in range(seat + 1, k):
            hessian[seat][other] = hessian[other][seat] = -weight * weights[other] * twos
    return value, gradient, hessian


def _inverse(matrix: list[Row]) -> list[Row]:
    """The inverse of a positive definite matrix, (3, 3) by cofactors or larger by its Schur complement."""
    if len(matrix) == 3:
        (a, b, c), (_, d, e), (_, _, f) = matrix
        ad, ae, af = d * f - e * e, c * e - b * f, b * e - c * d
        whole = a * ad + b * ae + c * af
        bd, be, cf = (a * f - c * c) / whole, (b * c - a * e) / whole, (a * d - b * b) / whole
        ad, ae, af = ad / whole, ae / whole, af / whole
        return [[ad, ae, af], [ae, bd, be], [af, be, cf]]
    head, *border = matrix[0]
    shares = [b / head for b in border]
    rest = _inverse(
        [
            [m - s * b for m, b in zip(row[1:], border, strict=True)]
            for row, s in zip(matrix[1:], shares, strict=True)
        ]
    )
    link = [-_dot(row, shares) for row in rest]
    return [[1 / head - _dot(link, shares), *link], *([m, *row] for m, row in zip(link, rest, strict=True))]


def _dot(x: Row, y: Row) -> float:
    return sum(map(mul, x, y), 0.0)
