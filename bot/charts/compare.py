"""比較: how much better than chance each rating system foretold the games (difference of log loss, with interval)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.charts import forest
from bot.charts.canvas.scale import number
from bot.charts.canvas.style import DOWN, INK, UP


@dataclass(frozen=True)
class ModelLoss:
    """Mean log loss a game minus that of chance: below nothing is better. `low` and `high`: its 95 % interval."""

    model: str
    difference: float
    low: float
    high: float
    chosen: bool = False


@dataclass(frozen=True)
class LossChart:
    """`verdict` is the sentence a member reads below."""

    title: str
    subtitle: str
    models: Sequence[ModelLoss]
    verdict: str = ""


def draw(chart: LossChart) -> bytes:
    """A PNG 1200 wide; blue is surely better than chance, orange surely worse, black may be chance."""
    rows = [
        forest.Interval(
            model.model,
            model.difference,
            model.low,
            model.high,
            UP if model.high < 0 else DOWN if model.low > 0 else INK,
            asker=model.chosen,
            words=number(model.difference, 4, signed=True),
        )
        for model in chart.models
    ]
    return forest.draw(
        forest.ForestChart(
            chart.title,
            chart.subtitle,
            rows,
            baseline=0,
            decimals=3,
            left="← 運より当たる",
            right="運より外れる →",
            note=chart.verdict,
            lowest_first=True,
        )
    )
