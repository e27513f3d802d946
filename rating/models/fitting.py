"""What the fitted systems share: Newton's method, and standings from strengths."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rating.columns import Columns, Floats, Ints
from rating.standings import Rating, Standings

Slope = tuple[float, Floats, Floats]  # value, gradient (n,), Hessian (n, n)


class IntervalEnds(NamedTuple):
    """95 % intervals of n strengths: the ends (n,), (n,), and the medians (n,) between."""

    low: Floats
    likely: Floats
    high: Floats


def sigmoid(x: Floats) -> Floats:
    return np.asarray(
        0.5 * (1 + np.tanh(0.5 * x)),
        dtype=np.float64,
    )


def solved(matrix: Floats, right: Floats) -> Floats:
    """The x (n,) with matrix (n, n) times x = right (n,)."""
    return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)


def minimise(
    slope: Callable[[Floats], Slope],
    start: Floats,
    steps: int = 100,
    solve: Callable[[Floats, Floats], Floats] = solved,
) -> Floats:
    """The minimum (n,) of a smooth, strictly convex function, by Newton's method with halved steps.
    `solve(hessian, gradient)` gives the step (n,); the Hessian may be in any form that it takes."""
    x = start
    value, gradient, hessian = slope(x)
    for _ in range(steps):
        step = solve(hessian, gradient)
        gain = float(gradient @ step)
        if gain <= 1e-20 * (1 + abs(value)):
            break
        size = 1.0
        new = slope(x - step)
        while gain > 1e-12 * (1 + abs(value)) and size > 1e-6:
            enough = value - 1e-4 * size * gain
            if not new[0] > enough:  # so or not a number
                break
            size /= 2
            new = slope(x - size * step)
        x = x - size * step
        value, gradient, hessian = new
    return x


def groups_of(linked: Floats) -> Ints:
    """`joined` of a matrix (n, n) that is not 0 for a pair that met."""
    return joined(len(linked), *np.nonzero(linked))


def joined(n: int, first: Ints, second: Ints) -> Ints:
    """Which of n players are joined by games: the least number in each one's group, (n,). `first`
    and `second` are who met, (M,)."""
    least = np.arange(n)
    while True:
        before = least.copy()
        both = np.minimum(least[first], least[second])
        np.minimum.at(least, first, both)
        np.minimum.at(least, second, both)
        least = least[least]
        if np.array_equal(least, before):
            return least


def centred(values: Floats, groups: Ints) -> Floats:
    """Values (n,) minus the mean of their group; strengths say nothing across groups that never
    met.
    """
    n = len(values)
    means = np.bincount(groups, values, n) / np.maximum(
        np.bincount(
            groups,
            minlength=n,
        ),
        1,
    )
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
    (n,).
    """
    ratings = {}
    for i, (name, games) in enumerate(
        zip(
            columns.names,
            columns.played,
            strict=True,
        )
    ):
        if not games:  # a name without games in this part of the columns
            continue
        error = None if errors is None else float(errors[i])
        low, likely, high = (None,) * 3 if ends is None else (float(part[i]) for part in ends)
        variance = None if variances is None else float(variances[i])
        ratings[name] = Rating(
            float(values[i]),
            int(games),
            error,
            low,
            high,
            likely,
            variance,
        )
    return Standings(ratings, notes)
