import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from rating.columns import Ints
from rating.forecast.outlook import chances_of_places, forecast
from rating.forecast.past import Past, past_of
from rating.forecast.seasons import BUNCHES, RECENT, simulate_seasons, what_if
from rating.forecast.strengths import residuals_of, skills_of
from rating.forecast.table_draw import HABIT_PRIOR, TableDraw, tables_of
from rating.games import Game, GameError, game_of
from tests.rating.forecast import naive
from tests.rating.models import leagues as made
from tests.rating.models.leagues import leagues, random_league
from tests.rating.models.test_intervals import brute_force

DAY = date(2026, 1, 5)
FEW = 400  # seasons where only exact properties are looked at
played = partial(made.played, day=DAY)


@given(
    st.lists(
        st.lists(st.integers(-3, 3), min_size=4, max_size=4),
        min_size=1,
        max_size=6,
    )
)
def test_equals_share_their_places(finals: list[list[int]]) -> None:
    chances = chances_of_places(np.array(finals, float))
    assert chances == pytest.approx(np.array(naive.places(finals)), abs=1e-12)


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1e5, 8e8])
@pytest.mark.parametrize("count", [1, 2, 20])
def test_scores_of_any_size_are_forecast(scale: float, count: int) -> None:
    rows = [
        ("abc", (scale, 0, -scale)),
        ("bda", (scale / 3, 0, -scale / 3)),
    ]
    games = played(*rows * count)
    for to_come in (0, 1, 9):
        outlook = forecast(past_of(games), to_come, seasons=100)
        assert np.isfinite([*outlook.sigma, *outlook.tau]).all()
        for m in outlook.members:
            assert np.isfinite([m.expected, m.low, m.high]).all()
            assert np.isfinite([m.skill_low, m.skill_high]).all()


@settings(max_examples=40)
@given(leagues(fewest=1), st.integers(0, 9))
def test_places_sum_to_one_and_points_to_zero(games: list[Game], to_come: int) -> None:
    past = past_of(games)
    outlook = forecast(past, to_come, seasons=FEW)
    chances = np.array([member.places for member in outlook.members])
    assert np.abs(chances.sum(axis=0) - 1).max() < 1e-9
    assert np.abs(chances.sum(axis=1) - 1).max() < 1e-9
    assert sum(member.expected for member in outlook.members) == pytest.approx(0, abs=1e-6)
    points = [member.points for member in outlook.members]
    assert points == sorted(points, reverse=True)
    for member in outlook.members:
        assert member.low <= member.high
        assert 0 <= member.skill_low <= member.skill_high <= 1
        if member.skill is not None:
            assert member.skill_low <= member.skill <= member.skill_high
    for spread in (outlook.sigma, outlook.tau):
        assert 0 <= spread.low <= spread.value <= spread.high


def test_forecast_without_games_left_is_the_standings() -> None:
    games = played(
        ("abc", (30, 0, -30)),
        ("abd", (-30, 20, 10)),
    )
    outlook = forecast(past_of(games), 0)
    assert [(m.player, m.points, m.places) for m in outlook.members] == [
        ("b", 20, (1, 0, 0, 0)),
        ("d", 10, (0, 1, 0, 0)),
        ("a", 0, (0, 0, 1, 0)),
        ("c", -30, (0, 0, 0, 1)),
    ]
    assert all(m.expected == m.low == m.high == m.points for m in outlook.members)
    outlook = forecast(past_of(played(("abc", (15, 15, -30)))), 0)
    assert [m.places for m in outlook.members] == [
        (0.5, 0.5, 0),
        (0.5, 0.5, 0),
        (0, 0, 1),
    ]


def test_one_game_left_equals_a_full_enumeration() -> None:
    rows = random_league(3, 4, 10, skill=5.0, days=5)
    past = past_of(rows)
    simulated = simulate_seasons(past, 1, seed=1)
    outlook = forecast(past, 1, seed=1)
    skills = skills_of(past)
    random = np.random.default_rng(6)
    weights = random.gamma(1 + past.habits / HABIT_PRIOR, size=(150, 4))
    wanted = naive.one_game_left(
        past.totals.tolist(),
        weights.tolist(),
        residuals_of(past, skills.means, RECENT).tolist(),
        skills.draw(np.random.default_rng(5), 150).tolist(),
    )
    assert simulated.left == 1
    for name, chance in zip(past.names, wanted, strict=True):
        assert outlook.member(name).first == pytest.approx(chance, abs=0.02)


def test_strengths_equal_a_second_computation() -> None:
    games = random_league(11, 4, 9, skill=9.0)
    past = past_of(games)
    skills = skills_of(past)
    wanted = brute_force(games, 60, 30, 6.0)
    means = skills.means - skills.means.mean()
    strengths = dict(zip(past.names, means, strict=True))
    assert [strengths[name] for name in sorted(strengths)] == pytest.approx(
        wanted.means, abs=0.08 * max(wanted.means)
    )
    assert skills.sigma.value == pytest.approx(wanted.sigma, rel=0.05)
    assert skills.tau.value == pytest.approx(wanted.tau, rel=0.15)


def test_drawn_strengths_have_mean_and_spread_of_posterior() -> None:
    skills = skills_of(past_of(random_league(2, 6, 80, skill=4.0)))
    drawn = skills.draw(np.random.default_rng(1), 40_000)
    centred = drawn - drawn.mean(axis=1, keepdims=True)
    mixture = skills.posterior.mixture()
    means = skills.means - skills.means.mean()
    assert centred.mean(axis=0) == pytest.approx(means, abs=0.03)
    # The mixture leaves the common level out: its quantiles are those of centred strengths.
    ends = np.quantile(centred, 0.975, axis=0)
    assert ends == pytest.approx(mixture.quantile(0.975), abs=0.12)


def test_mean_final_points_follow_from_tables_and_skill() -> None:
    past = past_of(random_league(4, 5, 60, skill=6.0))
    to_come = 40
    means = skills_of(past).means
    expectations = {m.player: m.expected for m in forecast(past, to_come).members}
    chances: dict[frozenset[int], float] = {}
    random = np.random.default_rng(1)
    seasons = random.gamma(1 + past.habits / HABIT_PRIOR, size=(500, 5))
    for weights in seasons.tolist():
        for table, share in naive.table_chances(weights, 3).items():
            chances[table] = chances.get(table, 0.0) + share / 500
    for i, name in enumerate(past.names):
        gain = 0.0
        for table, share in chances.items():
            if i in table:
                gain += share * (3 * means[i] - sum(means[j] for j in table))
        assert expectations[name] == pytest.approx(past.totals[i] + to_come * gain, abs=12)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_season_draws_tables_by_its_own_weights(seats: int) -> None:
    """Compared with drawing one table after another in plain Python; a table's seats are in the
    order of drawing."""
    habits = np.array([40.0, 0.0, 7.0, 90.0, 25.0])
    random = np.random.default_rng(1)
    draw = TableDraw(np.arange(5) + 3, habits, seats)
    drawn = draw(random, 4_000, 10) - 3
    assert all(len(set(table)) == seats for table in drawn.T.tolist())
    wanted: dict[frozenset[int], float] = {}
    random = np.random.default_rng(2)
    seasons = random.gamma(1 + habits / HABIT_PRIOR, size=(2_000, 5))
    for weights in seasons.tolist():
        for table, chance in naive.table_chances(weights, seats).items():
            wanted[table] = wanted.get(table, 0.0) + chance / 2_000
    seated = np.sort(drawn, axis=0)
    for table, chance in wanted.items():
        members = np.array(sorted(table))[:, None]
        share = (seated == members).all(axis=0).mean()
        assert share == pytest.approx(chance, abs=0.015)
    # games of one member in each season
    seats_of_member = drawn.reshape(seats, 4_000, 10) == 2
    games = seats_of_member.sum(axis=(0, 2))
    mean = games.mean()
    assert games.var() > 1.2 * mean * (1 - mean / 10)


def test_recent_habits_decide_who_plays() -> None:
    games = played(("abc", (1, 0, -1)), day=DAY)
    games += played(
        ("abd", (1, 0, -1)),
        day=DAY + timedelta(days=20),
    )
    assert past_of(games).habits == pytest.approx([1.5, 1.5, 0.5, 1])
    undated = played(
        ("abc", (1, 0, -1)),
        ("abd", (1, 0, -1)),
        day=None,
    )
    assert past_of(undated).habits.tolist() == [2, 2, 1, 1]


def test_members_of_the_last_sixty_days_play() -> None:
    before = played(
        ("abz", (-20, -10, 30)),
        day=DAY - timedelta(days=60),
    )
    rows = [
        ("abc", (10, 5, -15)),
        ("bca", (10, 5, -15)),
    ]
    games = before + played(*rows * 3)
    outlook = forecast(past_of(games), 25, seasons=FEW)
    gone = outlook.member("z")
    assert (gone.expected, gone.low, gone.high) == (30, 30, 30)
    assert 0 < gone.first < 1
    within = played(
        ("abz", (-20, -10, 30)),
        day=DAY - timedelta(days=59),
    )
    within += games[1:]
    assert forecast(past_of(within), 25, seasons=FEW).member("z").low < 30
    past = past_of(
        played(
            *[("abc", (1, 0, -1))] * 100,
            ("abz", (1, 0, -1)),
            day=None,
        )
    )
    assert len(past.recent) == 101
    assert past.last_day is None
    games = played(("abz", (1, 0, -1)), day=None)
    games += played(("abc", (1, 0, -1)))
    assert past_of(games).days.tolist() == [DAY.toordinal()] * 2


def test_chances_of_equals_and_of_a_runaway_leader() -> None:
    ring = [
        ("abc", (30, 0, -30)),
        ("bca", (30, 0, -30)),
        ("cab", (30, 0, -30)),
    ]
    outlook = forecast(past_of(played(*ring * 5)), 30)
    for member in outlook.members:
        assert member.places == pytest.approx([1 / 3] * 3, abs=0.025)
    games = played(*[("abc", (50, 0, -50))] * 20)
    outlook = forecast(past_of(games), 20)
    assert outlook.members[0].player == "a"
    assert outlook.members[0].first == 1.0
    assert outlook.sigma.high < 0.1
    assert outlook.members[0].expected == pytest.approx(2000, abs=1)
    games = played(*[("abc", (0, 0, 0))] * 3)
    flat = forecast(past_of(games), 5)
    for member in flat.members:
        assert member.places == pytest.approx([1 / 3] * 3, abs=0.05)
    outlook = forecast(
        past_of(played(("abcd", (40, 10, -10, -40)))),
        10,
    )
    assert outlook.members[0].player == "a"
    assert 0.25 < outlook.members[0].first < 0.95


def test_guests_and_games_with_other_seats_do_not_count() -> None:
    rows = [
        ("abg", (30, 0, -30)),
        ("acg", (-10, 30, -20)),
        ("bcg", (20, 10, -30)),
        ("abc", (5, 0, -5)),
    ]
    games = played(*rows)
    outlook = forecast(past_of(games, is_guest=lambda name: name == "g"), 10, seasons=FEW)
    assert sorted(m.player for m in outlook.members) == ["a", "b", "c"]
    assert outlook.member("a").points == 25
    two = [game for game in games if "c" not in game.players] * 4
    past = past_of(two, is_guest=lambda name: name == "g")
    assert forecast(past, 10, seasons=FEW).members[0].high > 120
    with pytest.raises(GameError, match="guests"):
        past_of(two, is_guest=lambda name: True)
    games = played(
        ("abc", (1, 0, -1)),
        ("abcd", (9, 9, -9, -9)),
        ("abc", (2, 0, -2)),
    )
    past = past_of(
        games,
        earlier=played(("abcd", (9, 9, -9, -9))),
    )
    assert (past.played, past.earlier) == (2, 0)
    assert (past.seats, past.members) == (3, 3)


def test_earlier_seasons_inform_only_strengths() -> None:
    season = played(
        ("abc", (1, 0, -1)),
        ("bca", (1, 0, -1)),
        ("cab", (1, 0, -1)),
    )
    rows = [
        ("abx", (40, -10, -30)),
        ("xac", (-20, 40, -20)),
    ]
    earlier = []
    for days in range(400, 360, -1):
        earlier += played(*rows, day=DAY - timedelta(days=days))
    past = past_of(season, earlier)
    outlook = forecast(past, 30, seasons=FEW)
    assert [m.player for m in outlook.members] == ["a", "b", "c"]
    assert all(m.points == 0 and m.games == 3 for m in outlook.members)
    assert outlook.member("a").expected > 300
    # Half weight: every earlier game twice is each of them once in full.
    twice = skills_of(past_of(season, earlier * 2))
    once = skills_of(past_of(earlier + season))
    x = past.names.index("x")
    assert twice.means[x] == pytest.approx(float(once.means[3]))


def test_separate_groups_are_compared_by_the_prior() -> None:
    rows = [
        ("abc", (30, 0, -30)),
        ("def", (30, 0, -30)),
    ]
    games = played(*rows * 10)
    skills = skills_of(past_of(games))
    drawn = skills.draw(np.random.default_rng(1), 4000)
    within = drawn[:, 0] - drawn[:, 1]
    across = drawn[:, 0] - drawn[:, 3]
    assert across.std() > 1.5 * within.std()
    assert abs((across > 0).mean() - 0.5) < 0.1
    assert (within > 0).mean() > 0.6


def test_forecast_is_the_same_in_any_process() -> None:
    code = (
        "from tests.rating.models.leagues import random_league as r\n"
        "from rating.forecast.outlook import forecast\nfrom rating.forecast.past import past_of\n"
        "print(forecast(past_of(r(1, 6, 30)), 20, seasons=200))"
    )
    named = set()
    for seed in ("1", "2"):
        env = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": seed, "OPENBLAS_NUM_THREADS": seed}
        named.add(
            subprocess.check_output(
                [sys.executable, "-c", code], env=env, cwd=Path(__file__).parents[3]
            )
        )
    assert len(named) == 1


def test_long_season_is_simulated_in_bunches(monkeypatch: pytest.MonkeyPatch) -> None:
    past = past_of(random_league(6, 6, 60, skill=9.0))
    whole = simulate_seasons(past, 1_190, seasons=2_000, seed=1)
    seated: list[int] = []

    def counted(past: Past) -> Callable[[np.random.Generator, int, int], Ints]:
        def draw(random: np.random.Generator, seasons: int, games: int) -> Ints:
            seated.append(seasons * games)
            return tables_of(past)(random, seasons, games)

        return draw

    monkeypatch.setattr("rating.forecast.seasons.tables_of", counted)
    bunched = simulate_seasons(past, 1_191, seasons=2_000, seed=1)
    assert sum(seated) == 2_000 * BUNCHES
    means = whole.gains.mean(axis=0)
    deviations = whole.gains.std(axis=0)
    error = 0.1 * whole.gains.std()
    assert bunched.gains.mean(axis=0) == pytest.approx(means, abs=error)
    assert bunched.gains.std(axis=0) == pytest.approx(deviations, rel=0.07)
    simulate_seasons(past, BUNCHES, seasons=1)
    assert seated[-1] == BUNCHES


def test_what_if_a_member_wins_the_next_game() -> None:
    past = past_of(random_league(6, 6, 40, skill=3.0))
    player = past.names[2]
    usual = simulate_seasons(past, 8).gains[:, 2].mean()
    top = what_if(past, 8, player, 0).gains[:, 2].mean()
    last = what_if(past, 8, player, 2).gains[:, 2].mean()
    assert top > usual + 5 > last + 10
    only = what_if(past, 1, player, 0)
    best = only.gains.max(axis=1)
    assert (only.gains[:, 2] == best).all()
    assert only.gains.shape == (10_000, 6)


@pytest.mark.parametrize(
    ("games", "player", "placing", "message"),
    [
        (0, "p1", 0, "no game is left"),
        (3, "x", 0, "no member"),
        (3, "p1", 3, "3 seats"),
    ],
)
def test_impossible_what_if_is_refused(games: int, player: str, placing: int, message: str) -> None:
    with pytest.raises(GameError, match=message):
        what_if(past_of(random_league(6, 6, 40)), games, player, placing)


def test_error_names_the_bounds() -> None:
    past = past_of(random_league(6, 6, 40))
    bounds = [
        (-1, 10),
        (100_001, 10),
        (1, 0),
        (1, 100_001),
    ]
    for to_come, seasons in bounds:
        with pytest.raises(GameError, match="from"):
            simulate_seasons(past, to_come, seasons=seasons)
    crowd = past_of(games_of_strangers(100))
    with pytest.raises(
        GameError, match="from 1 to 16666 seasons can be simulated with 300 players"
    ):
        simulate_seasons(crowd, 1, seasons=16_667)
    with pytest.raises(GameError, match="no games"):
        past_of([])
    with pytest.raises(GameError, match="at most 300"):
        past_of(games_of_strangers(101))


def games_of_strangers(count: int) -> list[Game]:
    """Games of three players each, none of whom has another game."""
    tables = [(f"{number}a", f"{number}b", f"{number}c") for number in range(count)]
    return [game_of(names, (1, 0, -1)) for names in tables]
