"""Whether a player surely loses more or less by tile efficiency than others do."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from math import sqrt
from typing import NamedTuple

import numpy as np

from rating.paifu.efficiency import EfficiencyRating
from rating.proportions import t_quantile

LEAST = 5  # games; with fewer no interval is given
SHUFFLES = 2000


class Difference(NamedTuple):
    """How much a figure over so many games differs from another, and half its 95 % interval (None:
    unknown)."""

    games: int
    value: float
    half: float | None


def loss_difference(ratings: Sequence[EfficiencyRating], usual: float) -> Difference:
    """The mean loss of a decision beyond the `usual` one; `ratings` are those of a player's
    games. Decisions of one game resemble each other, so the interval is that of a ratio of games'
    sums (W. G. Cochran, Sampling Techniques, 3rd edition, 1977, chapter 2)."""
    games = [rating for rating in ratings if rating.decisions]
    decisions = sum(rating.decisions for rating in games)
    if not decisions:
        return Difference(0, 0.0, None)
    mean = sum(rating.losses for rating in games) / decisions
    if len(games) < LEAST:
        return Difference(len(games), mean - usual, None)
    squares = sum((rating.losses - mean * rating.decisions) ** 2 for rating in games)
    error = sqrt(squares * len(games) / (len(games) - 1)) / decisions
    return Difference(len(games), mean - usual, t_quantile(len(games) - 1) * error)


def surely_apart(players: Sequence[Sequence[EfficiencyRating]]) -> list[int]:
    """For each player's games -1: loses surely less a discard than all together, 1: surely more,
    else 0. Players of fewer than LEAST games are 0.

    In at most 1 of 100 leagues without differences somebody seems to differ: games are dealt to the
    players again SHUFFLES times (seeded), and the greatest difference of a league must be rarer
    than that (P. Westfall and S. Young, Resampling-Based Multiple Testing, 1993).
    """
    by_player = [[rating for rating in ratings if rating.decisions] for ratings in players]
    compared = [place for place, ratings in enumerate(by_player) if len(ratings) >= LEAST]
    verdicts = [0] * len(players)
    if len(compared) < 2:
        return verdicts
    losses = _Losses.of(by_player, compared)
    bound = losses.greatest_by_chance()
    for place, difference in zip(compared, losses.differences(losses.beyond), strict=True):
        if abs(difference) > bound:
            verdicts[place] = int(np.sign(difference))
    return verdicts


@dataclass(frozen=True)
class _Losses:
    """How much more each of n games lost than usual, `beyond` (n,), player by player; the games of
    the player at place k are `edges[k]` to `edges[k + 1]`. `roots` are the square roots of the
    numbers of games of the `compared` players."""

    beyond: np.ndarray
    edges: np.ndarray
    compared: Sequence[int]
    roots: np.ndarray

    @classmethod
    def of(
        cls, by_player: Sequence[Sequence[EfficiencyRating]], compared: Sequence[int]
    ) -> "_Losses":
        games = list(chain.from_iterable(by_player))
        usual = sum(rating.losses for rating in games) / sum(rating.decisions for rating in games)
        return cls(
            beyond=np.array([rating.losses - usual * rating.decisions for rating in games]),
            edges=np.cumsum([0, *(len(ratings) for ratings in by_player)]),
            compared=compared,
            roots=np.array([sqrt(len(by_player[place])) for place in compared]),
        )

    def differences(self, losses: np.ndarray) -> np.ndarray:
        """Each compared player's sum of losses, in units of the error of one game."""
        running = np.concatenate(([0.0], np.cumsum(losses)))
        sums = np.diff(running[self.edges])
        return np.array(sums[self.compared] / self.roots)

    def greatest_by_chance(self) -> float:
        """What the greatest difference exceeds in 1 of 100 leagues in which nobody differs."""
        generator = np.random.default_rng(0)
        greatest = [
            np.abs(self.differences(generator.permutation(self.beyond))).max()
            for _ in range(SHUFFLES)
        ]
        return float(np.quantile(greatest, 0.99))
