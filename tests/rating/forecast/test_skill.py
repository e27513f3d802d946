from dataclasses import replace
from itertools import permutations, product
from math import sqrt
from typing import Any

import numpy as np
import pytest

from rating.forecast.past import past_of
from rating.forecast.skill import better, skill_test, uneven_opponents
from rating.forecast.strengths import is_informative, skill_ratio, skills_of
from rating.games import game_of
from rating.roomlog import is_guest
from tests.rating.models.leagues import played, random_league
from tests.real import real_games


@pytest.mark.parametrize(
    ("seats", "skill", "earlier"),
    [
        (3, 9.0, 0),
        (3, 0.0, 0),
        (4, 5.0, 20),
    ],
)
def test_ends_of_the_ratio_equal_a_second_computation(
    seats: int, skill: float, earlier: int
) -> None:
    """At each end y'V(r)^-1 y, less what least squares leave, is F's quantile that 1.75 deviations
    are.
    """
    games = random_league(3, 8, 60, seats, skill)
    past = past_of(games[earlier:], games[:earlier])
    design = []
    y = []
    for players, points in zip(past.players, past.points, strict=True):
        for seat in range(
            1, seats
        ):  # one row for each degree of freedom, of variance 1 and uncorrelated
            contrast = np.zeros(seats)
            contrast[:seat] = 1
            contrast[seat] = -seat
            contrast /= np.sqrt(seat * (seat + 1))
            row = np.zeros(len(past.names))
            row[players] = seats * contrast
            design.append(row)
            y.append(float(contrast @ points))
    x = np.array(design)
    scores = np.array(y)
    fit = x @ np.linalg.lstsq(x, scores, rcond=None)[0]
    residual = float(((scores - fit) ** 2).sum())
    explained = len(past.names) - 1
    freedom = len(y) - len(past.names) + 1
    random = np.random.default_rng(1)
    f = random.chisquare(explained, 10**6) / explained
    f /= random.chisquare(freedom, 10**6) / freedom
    quantiles = np.quantile(f, (0.95994, 0.04006))
    bounds = skill_ratio(past)
    for end, wanted in zip(bounds, quantiles, strict=True):
        ratio = end / (seats * (seats - 1))
        cover = np.eye(len(y)) + ratio * x @ x.T
        squares = float(scores @ np.linalg.solve(cover, scores))
        at_end = (squares - residual) / explained / (residual / freedom)
        assert at_end == pytest.approx(wanted, rel=0.01) or (end == 0 and at_end < wanted)
    share = bounds.share(50)
    assert share.low == pytest.approx(50 * bounds.low / (50 * bounds.low + 1))
    assert share.high == pytest.approx(50 * bounds.high / (50 * bounds.high + 1))
    assert bounds.half_after.low == pytest.approx(1 / bounds.high)
    assert (bounds.low > 0) == (skill > 0) == np.isfinite(bounds.half_after.high)


@pytest.mark.parametrize(
    ("games", "share"),
    [
        ([(30, 0, -30)], (0, 1)),
        ([(0, 0, 0)] * 9, (0, 1)),
        ([(50, 0, -50)] * 20, (1, 1)),
    ],
)
def test_share_of_skill_in_few_equal_and_certain_games(
    games: list[Any], share: tuple[float, float]
) -> None:
    bounds = skill_ratio(past_of([game_of("abc", scores) for scores in games])).share(20)
    assert bounds == pytest.approx(share, abs=1e-6)
    assert is_informative(bounds) == (share[0] == 1)


def test_intervals_of_sigma_and_tau_cover_the_truth() -> None:
    held = []
    for seed in range(20):
        skills = skills_of(past_of(random_league(seed, 10, 150, skill=6.0)))
        sigma = skills.sigma
        tau = skills.tau
        sigma_held = sigma.low < 40 * sqrt(2 / 3) < sigma.high
        held.append((sigma_held, tau.low < 4 < tau.high))
    assert np.mean(held, axis=0).min() > 0.8


def test_better_pairs_are_corrected_for_multiple_tests() -> None:
    """The chances are those of strengths drawn under the least ratio; each doubt counts for all
    looked at.
    """
    past = past_of(random_league(1, 8, 200, skill=25.0))
    pairs = better(past)
    skills = skills_of(past)
    wanted = np.zeros((8, 8))
    for chance, z, looks in ((0.6, 1.75, 7), (0.9, 2.576, 28)):
        ratio = skill_ratio(past, z).low / 6
        residuals = np.interp(
            np.log(ratio),
            np.log(skills.posterior.ratios),
            skills.posterior.residuals,
        )
        posterior = skills.posterior._replace(
            ratios=np.array([ratio]),
            weights=np.ones(1),
            residuals=np.array([residuals]),
        )
        drawn = replace(skills, posterior=posterior).draw(np.random.default_rng(1), 100_000)
        weaker = drawn[:, :, None] < drawn[:, None]
        doubt = looks * weaker.mean(axis=0) + np.eye(8)
        wanted[doubt < 1 - chance] = chance
        wanted[abs(doubt - 1 + chance) < 0.02 + 0.1 * (1 - chance)] = np.nan  # too close to decide
    chances = [pairs.get(pair, 0.0) for pair in product(past.names, repeat=2)]
    matrix = np.reshape(chances, (8, 8))
    assert ((matrix == wanted) | np.isnan(wanted)).all()
    assert set(pairs.values()) == {0.6, 0.9}
    assert better(past_of(random_league(1, 8, 200, skill=0.0))) == {}


def test_all_shuffles_of_few_games_are_counted() -> None:
    games = played(
        ("abc", (30, 0, -30)),
        ("abd", (10, 5, -15)),
        ("bcd", (-20, 40, -20)),
        ("acd", (25, -5, -20)),
    )
    result = skill_test(past_of(games))

    def apart(dealt: tuple[tuple[float, ...], ...]) -> float:
        totals: dict[str, float] = {}
        times: dict[str, int] = {}
        for game, scores in zip(games, dealt, strict=True):
            for name, score in zip(game.players, scores, strict=True):
                totals[name] = totals.get(name, 0) + score
                times[name] = times.get(name, 0) + 1
        return sum(total**2 / times[name] for name, total in totals.items())

    scores = [tuple(seat.score for seat in game.seats) for game in games]
    actual = apart(tuple(scores))
    every = [apart(dealt) for dealt in product(*map(permutations, scores))]
    at_least = sum(1 for value in every if value >= actual * (1 - 1e-9))
    assert result.exact
    assert (result.shuffles, result.at_least) == (6**4, at_least)
    assert result.p == pytest.approx(at_least / 6**4)


def test_many_games_are_shuffled_reproducibly_and_less_often() -> None:
    past = past_of(random_league(1, 6, 60, skill=0.0))
    result = skill_test(past, shuffles=999)
    assert result == skill_test(past, shuffles=999)
    assert (result.exact, result.shuffles) == (False, 999)
    assert result.p == pytest.approx((result.at_least + 1) / 1000)
    few = played(
        ("abc", (30, 0, -30)),
        ("abd", (10, 5, -15)),
        ("bcd", (-20, 40, -20)),
    )
    assert skill_test(past_of(few), shuffles=215).p == pytest.approx(
        skill_test(past_of(few)).p, abs=0.12
    )
    scores = [number % 7 for number in range(3_000)]
    games = [game_of("abc", (score, 0, -score)) for score in scores]
    assert skill_test(past_of(games[:1_500])).shuffles == 10_000
    assert skill_test(past_of(games)).shuffles == 5_000


def test_skill_is_detected_where_it_exists() -> None:
    skilled = past_of(random_league(1, 8, 200, skill=25.0))
    assert skill_test(skilled, shuffles=500).p < 0.01
    equals = [past_of(random_league(seed, 8, 40, skill=0.0)) for seed in range(40)]
    chances = [skill_test(past, shuffles=199).p for past in equals]
    assert 0.3 < float(np.mean(chances)) < 0.7
    assert sum(1 for p in chances if p < 0.05) <= 6


def test_only_uneven_opponents_are_reported() -> None:
    draws = played(*[("abc", (0, 0, 0))] * 3)
    assert skill_test(past_of(draws)).p == 1
    assert uneven_opponents(past_of(random_league(3, 8, 100, skill=3.0))) == ()
    rows = [
        ("abz", (40, 20, -60)),
        ("cdy", (5, 0, -5)),
        ("aby", (45, 25, -70)),
        ("cdz", (10, -5, -5)),
    ]
    games = played(
        *(rows * 20),
        *([("abx", (40, 30, -70))] * 40),
    )
    by_player = {opponents.player: opponents for opponents in uneven_opponents(past_of(games))}
    assert by_player["x"].points < 0
    assert by_player["x"].low < by_player["x"].points < by_player["x"].high < 0
    assert by_player["x"].p < 0.05


def test_skill_and_chance_of_real_seasons() -> None:
    skills = skills_of(past_of(real_games(), is_guest=is_guest))
    assert skills.sigma.value == pytest.approx(46.5, abs=0.1)
    assert skills.tau.value == pytest.approx(2.0, abs=0.1)
