"""How much is skill: closed forms, a plain count of all shuffles, and leagues whose truth is known."""

from __future__ import annotations

from itertools import permutations, product
from math import sqrt

import numpy as np
import pytest

from rating.forecast.past import past_of
from rating.forecast.skill import better, skill_shares, skill_test, uneven_opponents
from rating.forecast.strengths import skills_of
from rating.games import Game, game_of
from rating.roomlog import is_guest
from tests.rating.models.leagues import random_league
from tests.real import real_games


def test_the_share_of_skill_is_its_mean_over_what_tau_and_sigma_may_be() -> None:
    past = past_of(random_league(3, 8, 200, skill=3.0))
    skills = skills_of(past)
    # tau^2 / sigma^2 = K (K - 1) times the ratio of the variances of strengths and scores
    ratios = 3 * 2 * skills.posterior.ratios
    for name, found in skill_shares(past).items():
        wanted = sum(
            w * found.games * r / (found.games * r + 1)
            for w, r in zip(skills.posterior.weights, ratios, strict=True)
        )
        assert found.share == pytest.approx(wanted)
        assert found.games == past.games[past.names.index(name)]
    half = skill_shares(past)["p0"].half_after
    assert half.low < half.value < half.high
    assert skills.share(np.array([half.low / 50, half.high * 50])) == pytest.approx([0, 1], abs=0.1)
    assert half.value == pytest.approx((skills.sigma.value / skills.tau.value) ** 2)


def test_sigma_and_tau_hold_the_truth() -> None:
    held = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        strength = rng.normal(0, 2.0, 10)
        games = []
        for _ in range(150):
            table = rng.choice(10, 3, replace=False)
            points = 3 * strength[table] - strength[table].sum() + rng.normal(0, 40, 3)
            games.append(game_of([f"p{i}" for i in table], [float(x) for x in points - points.mean()]))
        skills = skills_of(past_of(games))
        held.append(
            (skills.sigma.low < 40 * sqrt(2 / 3) < skills.sigma.high, skills.tau.low < 4 < skills.tau.high)
        )
    assert np.mean(held, axis=0).min() > 0.8


def test_who_is_better_is_known_where_many_games_tell() -> None:
    past = past_of([game_of("abc", (40, 0, -40)), game_of("abc", (-20, 0, 20))] * 40)
    assert better(past, "a", "b") > 0.9
    assert better(past, "a", "b") + better(past, "b", "a") == pytest.approx(1)
    assert better(past, "a", "a") == 0.5
    with pytest.raises(ValueError, match="x"):
        better(past, "a", "x")


def league(*rows: tuple[str, tuple[float, ...]]) -> list[Game]:
    return [game_of(list(names), scores) for names, scores in rows]


def test_all_shuffles_of_few_games_are_counted() -> None:
    games = league(
        ("abc", (30, 0, -30)), ("abd", (10, 5, -15)), ("bcd", (-20, 40, -20)), ("acd", (25, -5, -20))
    )
    found = skill_test(past_of(games))

    def apart(dealt: tuple[tuple[float, ...], ...]) -> float:
        totals: dict[str, float] = {}
        times: dict[str, int] = {}
        for game, scores in zip(games, dealt, strict=True):
            for name, score in zip(game.players, scores, strict=True):
                totals[name] = totals.get(name, 0) + score
                times[name] = times.get(name, 0) + 1
        return sum(total**2 / times[name] for name, total in totals.items())

    own = apart(tuple(tuple(seat.score for seat in game.seats) for game in games))
    every = [
        apart(dealt) for dealt in product(*(permutations(seat.score for seat in g.seats) for g in games))
    ]
    at_least = sum(value >= own * (1 - 1e-9) for value in every)
    assert (found.exact, found.shuffles, found.at_least) == (True, 6**4, at_least)
    assert found.p == pytest.approx(at_least / 6**4)


def test_many_games_are_shuffled_at_random_and_alike_each_time() -> None:
    past = past_of(random_league(1, 6, 60, skill=0.0))
    found = skill_test(past, shuffles=999)
    assert found == skill_test(past, shuffles=999)
    assert (found.exact, found.shuffles) == (False, 999)
    assert found.p == pytest.approx((found.at_least + 1) / 1000)
    few = league(("abc", (30, 0, -30)), ("abd", (10, 5, -15)), ("bcd", (-20, 40, -20)))
    assert skill_test(past_of(few), shuffles=215).p == pytest.approx(skill_test(past_of(few)).p, abs=0.12)


def test_a_long_season_has_fewer_shuffles() -> None:
    games = [game_of("abc", (n % 7, 0, -(n % 7))) for n in range(3_000)]
    assert skill_test(past_of(games[:1_500])).shuffles == 10_000
    assert skill_test(past_of(games)).shuffles == 5_000


def test_skill_is_seen_where_it_is_and_seldom_where_it_is_not() -> None:
    assert skill_test(past_of(random_league(1, 8, 200, skill=25.0)), shuffles=500).p < 0.01
    chances = [skill_test(past_of(random_league(s, 8, 40, skill=0.0)), shuffles=199).p for s in range(40)]
    assert 0.3 < float(np.mean(chances)) < 0.7
    assert sum(p < 0.05 for p in chances) <= 6


def test_equal_points_show_no_skill() -> None:
    assert skill_test(past_of(league(*[("abc", (0, 0, 0))] * 3))).p == 1


def test_even_schedules_are_not_spoken_of() -> None:
    assert uneven_opponents(past_of(random_league(3, 8, 100, skill=3.0))) == ()


def test_who_met_the_strongest_again_and_again_is_told() -> None:
    rows = [("abz", (40, 20, -60)), ("cdy", (5, 0, -5)), ("aby", (45, 25, -70)), ("cdz", (10, -5, -5))]
    games = league(*(rows * 20), *([("abx", (40, 30, -70))] * 40))
    found = {who.player: who for who in uneven_opponents(past_of(games))}
    assert found["x"].points < 0
    assert found["x"].low < found["x"].points < found["x"].high < 0
    assert found["x"].p < 0.05


def test_the_real_seasons_have_the_skill_and_chance_that_are_known_of_them() -> None:
    skills = skills_of(past_of(real_games(), is_guest=is_guest))
    assert skills.sigma.value == pytest.approx(46.5, abs=0.1)
    assert skills.tau.value == pytest.approx(2.0, abs=0.1)
    assert skills.half_after.value == pytest.approx(540, abs=40)
