import random
from math import sqrt

import pytest

from rating.paifu.efficiency import EfficiencyRating
from rating.paifu.loss_differences import LEAST, Difference, loss_difference, surely_apart


def test_enough_games_show_a_difference() -> None:
    rng = random.Random(1)

    def games(usual: float, number: int = 12) -> list[EfficiencyRating]:
        losses = [80 * rng.gauss(usual, 0.02) for _ in range(number)]
        return [EfficiencyRating(80, 0, loss) for loss in losses]

    every = [
        games(0.03),
        games(0.13),
        games(0.08),
        games(0.08),
        games(0.01, LEAST - 1),
        [EfficiencyRating()],
    ]
    assert surely_apart(every) == [-1, 1, 0, 0, 0, 0]
    assert surely_apart(every[:1]) == [0]
    few = [EfficiencyRating(50, 30, 5.0)] * (LEAST - 1)
    difference = loss_difference([*few, EfficiencyRating()], 0.08)
    assert (difference.games, difference.half) == (LEAST - 1, None)
    assert difference.value == pytest.approx(0.02)
    assert loss_difference([EfficiencyRating()], 0.1) == Difference(0, 0.0, None)


def test_interval_of_the_mean_loss_covers_the_truth() -> None:
    """Games differ in themselves (a style of the day), which a count of decisions alone would
    overlook.
    """
    rng = random.Random(3)
    held = 0
    for _ in range(300):
        games = []
        for _ in range(40):
            number = rng.randint(40, 110)
            usual = rng.gauss(0.07, 0.02)
            games.append(
                EfficiencyRating(number, 0, number * usual + rng.gauss(0, 0.2) * sqrt(number))
            )
        difference = loss_difference(games, 0.07)
        if abs(difference.value) <= (difference.half or 0):
            held += 1
    assert 0.91 <= held / 300 <= 0.98
