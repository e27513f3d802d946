"""今夜の一戦: how much of the title the next evening will move, beside the evenings before.

An evening moves half the sum of all changes of the members' chances: the share of the title that
changes hands. It matters surely more than usual where all but SURE of the simulated evenings move
more than the median of the season's evenings did. Of 280 evenings of 40 simulated leagues 120 moved
more than that; it was said of 18, and right of 17.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rating.forecast.needs import champions
from rating.forecast.past import Past
from rating.forecast.review import CurvePoint, ends_of_days
from rating.forecast.seasons import simulate_seasons

SURE = 0.1  # share of simulated evenings that may move no more than a usual one
WORTH = 0.1  # the share of the title from which on an evening is worth a word
FEWEST = 8  # evenings before
# simulated
EVENINGS = 200
RESTS = 1_000
RECENT = 10  # evenings that tell how many games one has


class Stakes(NamedTuple):
    """The mean share of the title that the next evening moves, what nine of ten move at least, and
    the median before."""

    mean: float
    least: float
    usual: float

    @property
    def surely_more(self) -> bool:
        return self.least > self.usual and self.mean >= WORTH


def moved(points: Sequence[CurvePoint]) -> list[float]:
    """The share of the title that changed hands on each evening after the first."""
    shares = []
    for before, after in pairwise(points):
        names = {*before.chances, *after.chances}
        shares.append(sum(_change(before, after, name) for name in names) / 2)
    return shares


def _change(before: CurvePoint, after: CurvePoint, name: str) -> float:
    return abs(after.chances.get(name, 0.0) - before.chances.get(name, 0.0))


def stakes(past: Past, left: int, points: Sequence[CurvePoint]) -> Stakes | None:
    """What the next evening will move; None with too few evenings before, or no game left. `points`
    are the chances after each evening. Raises GameError as `simulate_seasons`."""
    before = moved(points)
    if len(before) < FEWEST or left < 1:
        return None
    evening_games = np.diff([0, *ends_of_days(past)])
    usual = round(float(np.mean(evening_games[-RECENT:])))
    games = min(left, max(1, usual))
    evening = simulate_seasons(past, games, seasons=EVENINGS)
    rest = simulate_seasons(past, left - games, seasons=RESTS)
    ends_of_rest = (evening.now + gain + rest.gains for gain in evening.gains)
    chances = np.array(
        [champions(finals).mean(axis=0) for finals in ends_of_rest]
    )  # (evenings, members)
    changes = np.abs(chances - chances.mean(axis=0))
    shares = changes.sum(axis=1) / 2
    return Stakes(
        float(shares.mean()),
        float(np.quantile(shares, SURE)),
        float(np.median(before)),
    )
