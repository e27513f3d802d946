"""What the fitted systems share: Newton's method, and standings from strengths."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rating.columns import Columns, Floats
from rating.standings import Rating, Standings

Z95 = 1.959963984540054  # half width of a normal 95 % interval, in standard errors
Slope = tuple[float, Floats, Floats]  # value, gradient (n,), Hessian (n, n)


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x)), without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(0.5 * x)), dtype=np.float64)


def minimise(slope: Callable[[Floats], Slope], start: Floats, steps: int = 100) -> Floats:
    """The minimum (n,) of a smooth, strictly convex function, by Newton's method with halved steps."""
    x = start
    value, gradient, hessian = slope(x)
    for _ in range(steps):
        step = np.linalg.solve(hessian, gradient)
        gain = float(gradient @ step)
        if gain <= 1e-20 * (1 + abs(value)):
            break
        size, new = 1.0, slope(x - step)
        while new[0] > value - 1e-4 * size * gain and gain > 1e-12 * (1 + abs(value)) and size > 1e-6:
            size /= 2
            new = slope(x - size * step)
        x = x - size * step
        value, gradient, hessian = new
    return x


def centred_errors(information: Floats) -> Floats:
    """Standard errors (n,) of strengths relative to the league's mean, from their information (n, n).

    Games tell differences only. The error of the common level comes from the prior alone and is left out.
    """
    covariance = np.linalg.inv(information)
    covariance = covariance - covariance.mean(axis=0, keepdims=True)
    covariance = covariance - covariance.mean(axis=1, keepdims=True)
    return np.asarray(np.sqrt(np.maximum(np.diag(covariance), 0)), dtype=np.float64)


def strengths(columns: Columns, values: Floats, errors: Floats | None = None) -> Standings:
    """Standings from strengths (n,) and their standard errors (n,), with 95 % intervals."""
    played = columns.played
    ratings = {}
    for i, name in enumerate(columns.names):
        value, games = float(values[i]), int(played[i])
        if not games:  # a name without games in this part of the columns
            continue
        if errors is None:
            ratings[name] = Rating(value, games)
        else:
            error = float(errors[i])
            ratings[name] = Rating(value, games, error, value - Z95 * error, value + Z95 * error)
    return Standings(ratings)
