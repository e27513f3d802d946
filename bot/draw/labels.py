"""Places for labels that must not overlap: as near as possible to where they belong, in order, within a
frame."""

from __future__ import annotations

from collections.abc import Sequence


def separate(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places near `wanted` (ascending), at least `gap` apart, between `low` and `high`.

    The sum of squared moves is the least possible. With i gaps subtracted from the i-th value this is
    isotonic regression, solved by pooling adjacent violators
    (https://en.wikipedia.org/wiki/Isotonic_regression). Where the frame is too short for all gaps, they
    shrink evenly.
    """
    count = len(wanted)
    if count > 1:
        gap = min(gap, (high - low) / (count - 1))
    pools: list[tuple[float, int]] = []
    for place, wish in enumerate(wanted):
        total, members = wish - place * gap, 1
        while pools and pools[-1][0] / pools[-1][1] > total / members:
            earlier, more = pools.pop()
            total, members = total + earlier, members + more
        pools.append((total, members))
    last = max(low, high - (count - 1) * gap)
    shared = [min(max(total / members, low), last) for total, members in pools for _ in range(members)]
    return [value + place * gap for place, value in enumerate(shared)]
