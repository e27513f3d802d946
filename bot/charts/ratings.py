"""レーティング: everyone's rating over games or by date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.charts.parts import lines
from bot.charts.parts.curves import Axis, Curve, Lines

__all__ = ["Axis", "Curve", "RatingChart", "draw"]


@dataclass(frozen=True)
class RatingChart:
    """`curves` in any order; `baseline` is the rating everyone starts from (None: no line drawn)."""

    title: str
    subtitle: str
    curves: Sequence[Curve]
    baseline: float | None = 1500
    axis: Axis = "games"
    decimals: int = 0


def draw(chart: RatingChart) -> bytes:
    """A PNG of 1200 x 1200, the same bytes for the same data; more than 20 players make it taller."""
    return lines.draw(
        Lines(chart.title, chart.subtitle, chart.curves, chart.baseline, chart.axis, chart.decimals)
    )
