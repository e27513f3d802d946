"""Which rating system fits a league: each game is predicted before it is learnt, and the predictions are scored."""

from __future__ import annotations

from itertools import permutations
from math import factorial, log

import numpy as np
import pytest

from rating.columns import columns_of
from rating.compare import (
    Verdict,
    batch_numbers,
    compare,
    day_starts,
    default_systems,
    predictions,
    sequential_numbers,
    wilson,
)
from rating.compare import entry as worth
from rating.games import Game, GameError, game_of
from rating.models import MODELS, make
from rating.models.base import Sequential, replay
from rating.orderings import first, fit_scale, last, order_loss
from rating.reports import comparison_report, render_compare
from tests.rating.models.leagues import random_league


def some() -> dict[str, object]:
    return {name: make(name) for name in ("tenhou", "jansou", "plackett_luce", "btr", "blade_chest")}


@pytest.mark.parametrize("seats", [3, 4])
def test_orders_make_one_chance_in_all(seats: int) -> None:
    logits = np.random.default_rng(1).normal(size=(5, seats))
    orders = [list(order) for order in permutations(range(seats))]
    chances = [np.exp(-order_loss(logits[:, order])) for order in orders]
    assert sum(chances) == pytest.approx(np.ones(5))
    for seat in range(seats):
        led = sum(c for c, order in zip(chances, orders, strict=True) if order[0] == seat)
        ended = sum(c for c, order in zip(chances, orders, strict=True) if order[-1] == seat)
        assert first(logits)[:, seat] == pytest.approx(led)
        assert last(logits)[:, seat] == pytest.approx(ended)
    assert order_loss(np.zeros((1, seats)))[0] == pytest.approx(log(factorial(seats)))


def test_scale_is_the_most_probable_one() -> None:
    rng = np.random.default_rng(3)
    numbers = rng.normal(0, 100, (400, 3))
    noisy = numbers * 0.01 + rng.gumbel(size=(400, 3))
    ordered = np.take_along_axis(numbers, np.argsort(-noisy, axis=1), axis=1)
    scale = fit_scale(ordered)
    assert scale == pytest.approx(0.01, rel=0.2)
    best = order_loss(scale * ordered).sum()
    assert best < order_loss(1.001 * scale * ordered).sum()
    assert best < order_loss(0.999 * scale * ordered).sum()
    assert fit_scale(ordered[:, ::-1]) == 0
    assert fit_scale(np.zeros((0, 3))) == 0
    assert fit_scale(np.ones((4, 3))) == 0
    assert 0 < fit_scale(np.array([[3.0, 2.0, 1.0]] * 5)) < np.inf


def test_predictions_know_only_the_past() -> None:
    games = random_league(5, 7, 150, 3, 20.0)
    cut = int(day_starts(games)[12])
    changed = games[:cut] + [
        game_of(g.players[::-1], [s.score for s in g.seats], day=g.day) for g in games[cut:]
    ]
    for name in some():
        system = make(name)
        before = predictions(system, games, columns_of(games), day_starts(games))[0]
        after = predictions(system, changed, columns_of(changed), day_starts(changed))[0]
        assert np.array_equal(before[:cut], after[:cut])
        assert before[cut] == pytest.approx(after[cut][::-1], abs=1e-12)


def test_sequential_numbers_are_ratings_before_the_game() -> None:
    games = random_league(6, 5, 30)
    numbers = sequential_numbers(make("tenhou"), games)  # type: ignore[arg-type]
    history = replay(make("tenhou"), games).history  # type: ignore[arg-type]
    for number, game in enumerate(games):
        for seat, player in enumerate(game.players):
            line = history[player]
            at = line.games.index(number)
            assert numbers[number, seat] == ([line.start, *line.values])[at]


def test_batch_numbers_are_fitted_each_day() -> None:
    games = random_league(7, 5, 60)
    starts = day_starts(games)
    numbers = batch_numbers(make("btr"), columns_of(games), starts)  # type: ignore[arg-type]
    table = make("btr").fit(games[: starts[5]])  # type: ignore[union-attr]
    game = games[starts[5]]
    assert numbers[starts[5]] == pytest.approx([table[p].value for p in game.players], abs=1e-9)
    assert not numbers[: starts[1]].any()


def test_skill_is_seen_where_it_is() -> None:
    found = compare(random_league(8, 8, 500, 3, 40.0), some())  # type: ignore[arg-type]
    assert found.verdict is Verdict.SKILL
    assert found.games == 400
    assert all(entry.high < 0 and entry.beats_chance for entry in found.models)
    assert all(entry.low <= entry.difference <= entry.high for entry in found.models)
    losses = [entry.log_loss for entry in found.models]
    assert losses == sorted(losses)
    for entry in found.models:
        assert entry.log_loss == pytest.approx(found.uniform + entry.difference)
        assert sum(b.seats for b in entry.first) == 1200
        assert all(b.low <= b.observed <= b.high for b in entry.first + entry.last)
        chances = [b.predicted for b in entry.first]
        assert chances == sorted(chances)
        assert entry.first[-1].observed > entry.first[0].observed


def test_chance_is_called_chance() -> None:
    verdicts = [
        compare(random_league(seed, 8, 400, 3, 0.0), some()).verdict  # type: ignore[arg-type]
        for seed in range(5)
    ]
    assert verdicts.count(Verdict.CHANCE) >= 4


def test_rounding_and_a_single_day_are_no_skill() -> None:
    logits = np.full((400, 3), 1e-12) * [1, 0, -1]
    days, draws = np.repeat(np.arange(20), 20), np.random.default_rng(1).integers(0, 20, (500, 20))
    assert not worth("flat", logits, 0.0, days, draws, 1).beats_chance
    sure = np.full((400, 3), 1.0) * [1, 0, -1]
    assert worth("sure", sure, 1.0, days, draws, 1).beats_chance
    one_day = np.zeros(400, int)
    assert not worth("one day", sure, 1.0, one_day, np.zeros((500, 1), int), 1).beats_chance


def test_comparison_is_reproducible_and_tells_its_progress() -> None:
    games = random_league(9, 6, 160, 4, 20.0)
    seen: list[tuple[int, int]] = []
    one = compare(games, some(), progress=lambda done, of: seen.append((done, of)))  # type: ignore[arg-type]
    assert one == compare(games, some())  # type: ignore[arg-type]
    assert one != compare(games, some(), seed=1)  # type: ignore[arg-type]
    assert seen == [(i, 5) for i in range(1, 6)]
    assert one.uniform == pytest.approx(log(24))


def test_days_and_undated_games_are_blocks() -> None:
    dated = random_league(1, 5, 30, days=5)
    assert day_starts(dated).tolist() == [0, 6, 12, 18, 24]
    undated = [game_of(g.players, [s.score for s in g.seats]) for g in dated]
    assert day_starts(undated).tolist() == [0, 20]


def test_too_few_games_are_said() -> None:
    with pytest.raises(GameError, match="last of 50 games; more than 100 are needed"):
        compare(random_league(1, 5, 50))


def test_default_systems_are_all_that_rate_games() -> None:
    own = {name for name, model in MODELS.items() if model.plays == "games"}
    systems = default_systems()
    assert own <= set(systems)
    assert set(systems) - own <= {"openskill", "trueskill"}
    assert "team_elo" not in systems


@pytest.mark.parametrize("name", ["openskill", "trueskill"])
def test_peers_learn(name: str) -> None:
    pytest.importorskip(name)
    system = default_systems()[name]
    assert isinstance(system, Sequential)
    known = replay(system, random_league(3, 5, 60, 3, 60.0))
    ratings = [system.rating(state) for state in known.states.values()]
    assert max(r.value for r in ratings) > 25 > min(r.value for r in ratings)
    assert sum(r.games for r in ratings) == 180


def test_wilson() -> None:
    # 10 of 100: NIST/SEMATECH e-Handbook of Statistical Methods 7.2.4.1 gives this interval's formula
    assert wilson(0.1, 100) == pytest.approx((0.0552, 0.1744), abs=1e-4)


def test_comparison_report() -> None:
    report = comparison_report(compare(random_league(8, 8, 300, 3, 40.0), some(), burn_in=50))  # type: ignore[arg-type]
    assert {"games", "burn_in", "models", "uniform"} <= set(report)
    assert report["burn_in"] == 50
    assert {"model", "log_loss", "difference", "low", "high"} <= set(report["models"][0])
    assert "Better than chance: " in render_compare(report)
    report["verdict"] = "chance"
    assert render_compare(report).endswith("Nothing beats chance here.")


def test_real_league_is_chance(real_games: list[Game]) -> None:
    found = compare(real_games, some())  # type: ignore[arg-type]
    assert (found.games, found.days) == (1201, 71)
    assert found.verdict is Verdict.CHANCE
