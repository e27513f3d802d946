"""今夜の一戦: how much of the title the next evening will move, compared with earlier evenings.

An evening moves half the sum of all changes of the members' chances: the share of the title that
changes hands. It surely matters more than usual where all but SURE of the simulated evenings move
more than the median of the season's evenings did. Of 280 evenings of 40 simulated leagues 120 moved
more than that; 18 were predicted to, 17 of them correctly.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rating.forecast.needs import champions
from rating.forecast.past import Past
from rating.forecast.review import CurvePoint, games_by_day_end
from rating.forecast.seasons import simulate_seasons

SURE = 0.1  # share of simulated evenings that may move no more than a usual one
NOTABLE = 0.1  # the share of the title that a notable evening moves
FEWEST = 8  # earlier evenings needed
EVENINGS = 200  # simulated
ENDINGS = 1_000  # simulated ends of the season after each of them
RECENT = 10  # evenings from which the usual number of games is taken


class Stakes(NamedTuple):
    """The mean share of the title that the next evening moves, the share that nine of ten evenings
    exceed (`low`), and the median of the evenings before (`usual`)."""

    mean: float
    low: float
    usual: float

    @property
    def surely_more(self) -> bool:
        return self.low > self.usual and self.mean >= NOTABLE


def title_shares_moved(points: Sequence[CurvePoint]) -> list[float]:
    """The share of the title that changed hands from each point to the next."""
    shares = []
    for before, after in pairwise(points):
        names = {*before.chances, *after.chances}
        shares.append(sum(_change(before, after, name) for name in names) / 2)
    return shares


def usual_share_moved(points: Sequence[CurvePoint], day_ends: Sequence[int]) -> float:
    """The median share of the title that one evening moves; `day_ends`: see `games_by_day_end`.

    In a long season there are several evenings between two points. Chances are as likely to rise as
    to fall on each of them, so n evenings move about sqrt(n) times as much as one.
    """
    played = [point.played for point in points]
    days_before = np.searchsorted(day_ends, played, side="right")
    evenings = np.diff(days_before)
    return float(np.median(title_shares_moved(points) / np.sqrt(evenings)))


def _change(before: CurvePoint, after: CurvePoint, name: str) -> float:
    return abs(after.chances.get(name, 0.0) - before.chances.get(name, 0.0))


def stakes(past: Past, left: int, points: Sequence[CurvePoint]) -> Stakes | None:
    """How much the next evening will move; None with too few evenings before, or without games to
    come (`left`). `points` are the chances after each evening. Raises GameError as
    `simulate_seasons`."""
    if len(points) - 1 < FEWEST or left < 1:
        return None
    day_ends = games_by_day_end(past)
    evening_games = np.diff([0, *day_ends])
    usual_games = round(float(np.mean(evening_games[-RECENT:])))
    games = min(left, max(1, usual_games))
    evenings = simulate_seasons(past, games, seasons=EVENINGS)
    endings = simulate_seasons(past, left - games, seasons=ENDINGS)
    chances = []  # after each evening, (members,)
    for gains in evenings.gains:
        finals = evenings.now + gains + endings.gains
        chances.append(champions(finals).mean(axis=0))
    changes = np.abs(np.array(chances) - np.mean(chances, axis=0))
    shares = changes.sum(axis=1) / 2
    return Stakes(
        mean=float(shares.mean()),
        low=float(np.quantile(shares, SURE)),
        usual=usual_share_moved(points, day_ends),
    )
