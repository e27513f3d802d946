"""Shared by the fitted systems: Newton's method, and standings from strengths."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rating.columns import Columns, Floats, Ints
from rating.standings import Rating, Standings


class Slope(NamedTuple):
    """A function's value, gradient (n,) and Hessian (n, n) at a point."""

    value: float
    gradient: Floats
    hessian: Floats


class IntervalEnds(NamedTuple):
    """95 % intervals of n strengths: the ends (n,), (n,), and the medians (n,) between."""

    low: Floats
    likely: Floats
    high: Floats


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x)), without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(0.5 * x)))


def solved(matrix: Floats, right: Floats) -> Floats:
    """The x (n,) with matrix (n, n) times x = right (n,)."""
    return np.asarray(np.linalg.solve(matrix, right))


def minimise(
    slope: Callable[[Floats], Slope],
    start: Floats,
    steps: int = 100,
    solve: Callable[[Floats, Floats], Floats] = solved,
) -> Floats:
    """The minimum (n,) of a smooth, strictly convex function, by Newton's method with halved steps.
    `solve(hessian, gradient)` gives the step (n,); the Hessian may be in any form that it takes."""
    x = start
    current = slope(x)
    for _ in range(steps):
        step = solve(current.hessian, current.gradient)
        gain = float(current.gradient @ step)
        scale = 1 + abs(current.value)
        if gain <= 1e-20 * scale:
            break
        size = 1.0
        new = slope(x - step)
        while gain > 1e-12 * scale and size > 1e-6:
            bound = current.value - 1e-4 * size * gain
            if not new.value > bound:  # low enough, or not a number
                break
            size /= 2
            new = slope(x - size * step)
        x = x - size * step
        current = new
    return x


def groups_of(linked: Floats) -> Ints:
    """`joined` of a matrix (n, n) that is not 0 for a pair of players of the same game."""
    return joined(len(linked), *np.nonzero(linked))


def joined(n: int, first: Ints, second: Ints) -> Ints:
    """Which of n players are joined by games: the lowest number in each player's group, (n,).
    `first` and `second` are the players of each pair that played each other, (M,)."""
    lowest = np.arange(n)
    while True:
        before = lowest.copy()
        of_pairs = np.minimum(lowest[first], lowest[second])
        np.minimum.at(lowest, first, of_pairs)
        np.minimum.at(lowest, second, of_pairs)
        lowest = lowest[lowest]
        if np.array_equal(lowest, before):
            return lowest


def centred(values: Floats, groups: Ints) -> Floats:
    """Values (n,) minus the mean of their group; strengths cannot be compared across groups."""
    n = len(values)
    sizes = np.maximum(np.bincount(groups, minlength=n), 1)
    means = np.bincount(groups, values, n) / sizes
    return np.asarray(values - means[groups])


def strengths(
    columns: Columns,
    values: Floats,
    errors: Floats | None = None,
    ends: IntervalEnds | None = None,
    notes: tuple[str, ...] = (),
    variances: Floats | None = None,
) -> Standings:
    """Standings from strengths (n,), their standard errors (n,), 95 % intervals and variances
    (n,)."""
    ratings = {}
    for i, games in enumerate(columns.played):
        if not games:  # a name without games in this part of the columns
            continue
        rating = Rating(float(values[i]), int(games))
        if errors is not None:
            rating = replace(rating, error=float(errors[i]))
        if ends is not None:
            low, likely, high = [float(end[i]) for end in ends]
            rating = replace(rating, low=low, likely=likely, high=high)
        if variances is not None:
            rating = replace(rating, variance=float(variances[i]))
        ratings[columns.names[i]] = rating
    return Standings(ratings, notes)
