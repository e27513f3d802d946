"""How a player stands in the league by several figures at once, as standard scores: 50 is the mean, 10 a standard deviation."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import NamedTuple

from rating.careers import RECENT, Career
from rating.standings import NOISE
from rating.streaks import is_first, is_last

MEAN, DEVIATION = 50.0, 10.0
LEAST = 3  # fewest players who are compared


@dataclass(frozen=True)
class Axis:
    """A figure of which more is better; None where a player has none."""

    name: str
    figure: Callable[[Career], float | None]


AXES = (
    Axis("first", lambda c: c.tally.first_rate),
    Axis("mean", lambda c: c.mean),
    Axis("first_mean", lambda c: c.mean_of(is_first, 1)),
    Axis("recent", lambda c: fmean(c.scores[-RECENT:])),
    Axis("last_mean", lambda c: c.mean_of(is_last, 1)),
    Axis("not_last", lambda c: 1 - c.tally.last_rate),
)
"""As they stand around a radar: what is won, from the top to the right; what is not lost, to the left."""


class Score(NamedTuple):
    """A player's value on an axis, and its standard score."""

    axis: str
    value: float
    score: float


def profile(own: Career, compared: Collection[Career]) -> list[Score]:
    """A player's scores among those who are compared; none where they are fewer than LEAST.

    An axis is left out where the player has no such figure, or fewer than LEAST of the others have.
    """
    scores = []
    for axis in AXES:
        value = axis.figure(own)
        values = [v for career in compared if (v := axis.figure(career)) is not None]
        if value is not None and len(values) >= LEAST:
            scores.append(Score(axis.name, value, standard_score(value, values)))
    return scores


def standard_score(value: float, values: Collection[float]) -> float:
    """50 for the mean of `values` and 10 more for each standard deviation above it; 50 where all are equal."""
    spread = pstdev(values)
    return MEAN if spread < NOISE else MEAN + DEVIATION * (value - fmean(values)) / spread
