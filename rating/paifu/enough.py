"""How many games are needed before a player's figure means something: before half its 95 % interval is
smaller than what it differs by."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from typing import NamedTuple

from rating.paifu.luck import Luck
from rating.paifu.tile_choices import EfficiencyRating
from rating.proportions import Z95

LEAST = 5  # games; with fewer no interval is given


class Difference(NamedTuple):
    """How much a figure over `games` games differs from what it is compared with, and half its 95 % interval
    (None: unknown)."""

    games: int
    value: float
    half: float | None

    @property
    def sure(self) -> bool:
        """Whether the interval leaves out no difference."""
        return self.half is not None and abs(self.value) > self.half

    @property
    def needed(self) -> int | None:
        """The games after which half the interval would be smaller than the difference, were that to stay;
        None where nobody can tell.

        >>> Difference(games=50, value=0.5, half=1.0).needed
        200
        """
        if self.half is None or not self.value:
            return None
        return ceil(self.games * (self.half / abs(self.value)) ** 2)


def draws_difference(luck: Luck, games: int) -> Difference:
    """Useful draws a game beyond those expected, over so many games."""
    if not games or luck.variance <= 0:
        return Difference(games, 0.0, None)
    return Difference(games, luck.draws / games, Z95 * sqrt(luck.variance) / games)


def loss_difference(mine: Sequence[EfficiencyRating], usual: float) -> Difference:
    """The mean loss of a decision beyond the `usual` one; `mine` are the ratings of a player's games.

    Decisions of one game resemble each other, so the interval is that of a ratio of games' sums (W. G.
    Cochran, Sampling Techniques, 3rd edition, 1977, chapter 2).
    """
    games = [one for one in mine if one.decisions]
    decisions = sum(one.decisions for one in games)
    if not decisions:
        return Difference(0, 0.0, None)
    mean = sum(one.losses for one in games) / decisions
    if len(games) < LEAST:
        return Difference(len(games), mean - usual, None)
    squares = sum((one.losses - mean * one.decisions) ** 2 for one in games)
    error = sqrt(squares * len(games) / (len(games) - 1)) / decisions
    return Difference(len(games), mean - usual, Z95 * error)
