"""How many games are needed: by hand, and by simulated players whose true figure is known."""

from __future__ import annotations

import random
from math import sqrt

import pytest

from rating.paifu.efficiency import EfficiencyRating
from rating.paifu.luck import Luck
from rating.paifu.play_figures import LEAST, Difference, draws_difference, loss_difference
from rating.proportions import Z95


def test_games_needed() -> None:
    assert Difference(10, 0.2, 0.1).sure
    assert Difference(10, 0.2, 0.1).needed == 3
    assert Difference(10, -0.1, 0.2).needed == 40
    assert not Difference(10, -0.1, 0.2).sure
    assert Difference(10, 0.0, 0.2).needed is None
    assert Difference(10, 0.1, None).needed is None
    assert not Difference(10, 0.1, None).sure


def test_draws_are_sure_where_z_is() -> None:
    for z in (-3.0, -1.97, -1.9, 0.5, 1.9, 1.97):
        found = draws_difference(Luck(draws=z * 8, variance=64.0), 40)
        assert found.sure == (abs(z) > Z95)
        assert found.needed is not None
        assert (found.needed <= 40) == found.sure
    assert draws_difference(Luck(), 0) == Difference(0, 0.0, None)
    assert draws_difference(Luck(), 4).half is None


def test_the_interval_of_the_mean_loss_holds_the_truth() -> None:
    """Players' games differ in themselves (a style of the day), which a count of decisions alone would
    overlook."""
    rng = random.Random(3)
    held = 0
    for _ in range(300):
        games = []
        for _ in range(40):
            number, usual = rng.randint(40, 110), rng.gauss(0.07, 0.02)
            games.append(EfficiencyRating(number, 0, number * usual + rng.gauss(0, 0.2) * sqrt(number)))
        found = loss_difference(games, 0.07)
        held += abs(found.value) <= (found.half or 0)
    assert 0.91 <= held / 300 <= 0.98


def test_few_games_have_no_interval() -> None:
    few = [EfficiencyRating(50, 30, 5.0)] * (LEAST - 1)
    found = loss_difference([*few, EfficiencyRating()], 0.08)
    assert (found.games, found.half) == (LEAST - 1, None)
    assert found.value == pytest.approx(0.02)
    assert loss_difference([EfficiencyRating()], 0.1) == Difference(0, 0.0, None)
