import random
from math import atan, cos, exp, lgamma, pi, sqrt
from statistics import fmean, stdev

import pytest

from rating.proportions import t_quantile, wilson

WORKED = {
    (0, 0): (0, 1),
    (0, 10): (0, 0.2775),
    (10, 10): (0.7225, 1),
    (5, 100): (0.0215, 0.1118),
}


@pytest.mark.parametrize(
    ("count", "interval"),
    [*WORKED.items(), ((10, 100), (0.0552, 0.1744))],
)
def test_wilson_interval_by_a_second_computation(
    count: tuple[int, int], interval: tuple[float, float]
) -> None:
    """Values of R's binom::binom.wilson; the last by the formula of NIST's e-Handbook 7.2.4.1."""
    assert wilson(*count) == pytest.approx(interval, abs=1e-4)
    assert 0 <= wilson(*count)[0] <= wilson(*count)[1] <= 1


@pytest.mark.parametrize(
    ("freedom", "precision"),
    [
        (2, 0.92),
        (4, 0.98),
        (9, 0.995),
        (200, 0.999),
    ],
)
def test_students_t_by_integration(freedom: int, precision: float) -> None:
    """The tail beyond the value, integrated over the angle, is never more than it is to be."""
    start = atan(t_quantile(freedom) / sqrt(freedom))
    steps = 2000
    width = (pi / 2 - start) / steps
    angles = [start + (step + 0.5) * width for step in range(steps)]
    area = width * sum(cos(angle) ** (freedom - 1) for angle in angles)
    gammas = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2))
    tail = gammas / sqrt(pi) * area
    assert precision * 0.025 < tail < 0.02501


@pytest.mark.parametrize("cases", [3, 5, 10, 30])
def test_mean_of_few_cases_is_within_its_interval(cases: int) -> None:
    rng = random.Random(cases)
    held = 0
    for _ in range(2000):
        values = [rng.gauss(0, 1) for _ in range(cases)]
        half = t_quantile(cases - 1) * stdev(values) / sqrt(cases)
        if abs(fmean(values)) <= half:
            held += 1
    assert 0.94 <= held / 2000 <= 0.965
