"""Intervals of shares."""

from __future__ import annotations

import pytest

from rating.proportions import wilson


@pytest.mark.parametrize(
    ("count", "interval"),
    [((0, 0), (0, 1)), ((0, 10), (0, 0.2775)), ((10, 10), (0.7225, 1)), ((5, 100), (0.0215, 0.1118))],
)
def test_wilson(count: tuple[int, int], interval: tuple[float, float]) -> None:
    """Values of R's binom::binom.wilson."""
    assert wilson(*count) == pytest.approx(interval, abs=1e-4)
    assert 0 <= wilson(*count)[0] <= wilson(*count)[1] <= 1


def test_wilson_by_the_handbook() -> None:
    """NIST/SEMATECH e-Handbook of Statistical Methods 7.2.4.1 gives this interval's formula."""
    assert wilson(10, 100) == pytest.approx((0.0552, 0.1744), abs=1e-4)
