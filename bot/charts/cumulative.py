"""点数推移 and チップ推移: everyone's total of points or of chips as the games went by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.charts.parts import lines
from bot.charts.parts.curves import Axis, Curve, Lines

__all__ = ["Axis", "CumulativeChart", "Curve", "draw"]


@dataclass(frozen=True)
class CumulativeChart:
    """The curves' `ys` are running totals; nobody is provisional in a sum."""

    title: str
    subtitle: str
    curves: Sequence[Curve]
    axis: Axis = "games"
    decimals: int = 0


def draw(chart: CumulativeChart) -> bytes:
    """A PNG of 1200 x 1200 with signed totals about the line of nothing won; more than 20 players make it taller."""
    return lines.draw(Lines(chart.title, chart.subtitle, chart.curves, 0, chart.axis, chart.decimals, True))
