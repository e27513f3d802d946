"""レート検証: how much better than chance each rating system predicts the games (difference of log loss, with
its interval)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.answers.standings import forest_picture as forest
from bot.draw.scale import number
from bot.draw.style import INK, UP


@dataclass(frozen=True)
class ModelLoss:
    """Mean log loss of a system minus that of chance, in nats a game: below zero is better.

    `low` and `high` are its 95 % interval. `beats_chance`: it surely does, by the comparison's own test.
    `chosen` marks the league's own system.
    """

    model: str
    difference: float
    low: float
    high: float
    beats_chance: bool = False
    chosen: bool = False


@dataclass(frozen=True)
class LossChart:
    """`verdict` is the sentence below the plot."""

    title: str
    subtitle: str
    models: Sequence[ModelLoss]
    verdict: str = ""


def draw(chart: LossChart) -> bytes:
    """A PNG, 1200 pixels wide. A system that beats chance is blue, all others are black."""
    rows = [
        forest.Interval(
            model.model,
            model.difference,
            model.low,
            model.high,
            UP if model.beats_chance else INK,
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
            left="← 偶然より当たる",
            right="偶然より外れる →",
            note=chart.verdict,
            lowest_first=True,
        )
    )
