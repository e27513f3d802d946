from dataclasses import replace
from itertools import permutations
from math import factorial, log
from typing import Any

import numpy as np
import pytest

from bot.cli.compare import render_compare
from rating.columns import columns_of
from rating.games import GameError, game_of
from rating.models import MODELS, make
from rating.models.base import Sequential, replay
from rating.study import forecasts
from rating.study.calibrate import comparison_report
from rating.study.compare import (
    FEWEST_DAYS,
    Comparison,
    DayResamples,
    Verdict,
    compare,
    default_systems,
    scores,
)
from rating.study.forecasts import Predictions
from tests.rating.models.leagues import random_league
from tests.real import real_games


def some() -> dict[str, Any]:
    return {
        name: make(name) for name in ("tenhou", "jansou", "plackett_luce", "btr", "blade_chest")
    }


@pytest.mark.parametrize("seats", [3, 4])
def test_orders_make_one_chance_in_all(seats: int) -> None:
    logits = np.random.default_rng(1).normal(size=(5, seats))
    orders = [list(order) for order in permutations(range(seats))]
    chances = [np.exp(-forecasts.order_loss(logits[:, order])) for order in orders]
    assert sum(chances) == pytest.approx(np.ones(5))
    for seat in range(seats):
        led = np.zeros(5)
        ended = np.zeros(5)
        for chance, order in zip(chances, orders, strict=True):
            if order[0] == seat:
                led += chance
            if order[-1] == seat:
                ended += chance
        assert forecasts.first(logits)[:, seat] == pytest.approx(led)
        assert forecasts.last(logits)[:, seat] == pytest.approx(ended)
    (loss,) = forecasts.order_loss(np.zeros((1, seats)))
    assert loss == pytest.approx(log(factorial(seats)))


def test_scale_is_the_most_probable_one() -> None:
    rng = np.random.default_rng(3)
    numbers = rng.normal(0, 100, (400, 3))
    noisy = numbers * 0.01 + rng.gumbel(size=(400, 3))
    ordered = np.take_along_axis(numbers, np.argsort(-noisy, axis=1), axis=1)
    scale = forecasts.Stages(ordered).scale(400)
    assert scale == pytest.approx(0.01, rel=0.2)
    best = forecasts.order_loss(scale * ordered).sum()
    assert best < forecasts.order_loss(1.001 * scale * ordered).sum()
    assert best < forecasts.order_loss(0.999 * scale * ordered).sum()
    assert forecasts.Stages(ordered[:, ::-1]).scale(400) == 0
    assert (
        forecasts.Stages(np.zeros((0, 3))).scale(0),
        forecasts.Stages(np.ones((4, 3))).scale(4),
    ) == (0, 0)
    assert (
        0
        < forecasts.Stages(
            np.array(
                [
                    [
                        3.0,
                        2.0,
                        1.0,
                    ]
                ]
                * 5
            )
        ).scale(5)
        < np.inf
    )


def test_predictions_know_only_the_past() -> None:
    games = random_league(5, 7, 150, 3, 20.0)
    cut = int(forecasts.day_starts(games)[12])
    changed = games[:cut]
    for game in games[cut:]:
        scores = [seat.score for seat in game.seats]
        changed.append(game_of(game.players[::-1], scores, day=game.day))
    for name in some():
        system = make(name)
        before = forecasts.predictions(
            system, games, columns_of(games), forecasts.day_starts(games)
        )[0]
        after = forecasts.predictions(
            system, changed, columns_of(changed), forecasts.day_starts(changed)
        )[0]
        assert np.array_equal(before[:cut], after[:cut])
        assert before[cut] == pytest.approx(after[cut][::-1], abs=1e-12)


def test_numbers_are_ratings_before_the_game_or_the_day() -> None:
    games = random_league(6, 5, 30)
    numbers = forecasts.sequential_numbers(make("tenhou"), games)  # type: ignore[arg-type]
    history = replay(make("tenhou"), games).history  # type: ignore[arg-type]
    for number, game in enumerate(games):
        for seat, player in enumerate(game.players):
            line = history[player]
            at = line.games.index(number)
            assert numbers[number, seat] == ([line.start, *line.values])[at]
    games = random_league(7, 5, 60)
    starts = forecasts.day_starts(games)
    numbers = forecasts.batch_numbers(make("btr"), columns_of(games), starts)  # type: ignore[arg-type]
    table = make("btr").fit(games[: starts[5]])  # type: ignore[union-attr]
    game = games[starts[5]]
    values = [table[player].value for player in game.players]
    assert numbers[starts[5]] == pytest.approx(values, abs=1e-9)
    assert not numbers[: starts[1]].any()


def test_skill_and_chance_are_distinguished() -> None:
    comparison = compare(random_league(8, 8, 500, 3, 40.0), some())
    assert comparison.verdict is Verdict.SKILL
    assert comparison.games == 400
    assert all(entry.high < 0 and entry.beats_chance for entry in comparison.models)
    assert all(entry.low <= entry.difference <= entry.high for entry in comparison.models)
    losses = [entry.log_loss for entry in comparison.models]
    assert losses == sorted(losses)
    for entry in comparison.models:
        assert entry.log_loss == pytest.approx(comparison.uniform + entry.difference)
        assert sum(b.seats for b in entry.first) == 1200
        assert all(b.low <= b.observed <= b.high for b in entry.first + entry.last)
        chances = [b.predicted for b in entry.first]
        assert chances == sorted(chances)
        assert entry.first[-1].observed > entry.first[0].observed
        assert entry.last[-1].observed > entry.last[0].observed
    report = comparison_report(comparison)
    assert {"games", "burn_in", "uniform", "best", "ties"} <= report.keys()
    assert report["models"][0].keys() >= {
        "model",
        "log_loss",
        "difference",
        "low",
        "high",
        "beats_chance",
    }
    assert report["models"][0].keys() >= {"behind", "behind_low", "behind_high"}
    words = render_compare(report)
    assert "Better than chance: " in words
    assert "predicts best" in words or "No system is surely the best" in words
    assert render_compare(report | {"verdict": "chance"}).endswith("Nothing beats chance here.")
    equal_leagues = [random_league(seed, 8, 400, 3, 0.0) for seed in range(5)]
    flat = [compare(league, some()) for league in equal_leagues]
    assert sum(comparison.verdict is Verdict.CHANCE for comparison in flat) >= 4


SURE = np.full((400, 3), 1.0) * [1, 0, -1]


def judged(days: np.ndarray, **logits: np.ndarray) -> Comparison:
    predicted = {name: Predictions(numbers, 1.0) for name, numbers in logits.items()}
    drawn = DayResamples(days, 500, 0)
    return Comparison(
        len(days),
        0,
        3,
        days=drawn.days,
        uniform=log(6),
        models=tuple(scores(predicted, drawn)),
    )


def noise(seed: int, size: float) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, size, (400, 3))


def test_rounding_is_no_skill_and_copies_count_once() -> None:
    days = np.repeat(np.arange(20), 20)
    level = noise(1, 1.0).mean(1)[:, None] + 0 * SURE
    comparison = judged(days, flat=SURE * 1e-12, level=level)
    flat, other = comparison.models
    assert (flat.model, other.model, other.same_as) == ("flat", "level", "flat")
    assert not flat.beats_chance
    assert abs(flat.high) < 1e-11
    assert comparison.verdict is Verdict.CHANCE
    assert other.difference == flat.difference
    comparison = judged(
        days,
        zebra=SURE,
        other=SURE / 3,
        ant=SURE + noise(3, 1e-12) + 5.0,
    )
    same = [(entry.model, entry.same_as) for entry in comparison.models]
    assert same == [("zebra", ""), ("ant", "zebra"), ("other", "")]
    assert comparison.best == "zebra"
    assert comparison.models[1].log_loss == comparison.models[0].log_loss


@pytest.mark.parametrize("days", [1, 2, 3, 4])
def test_few_days_show_nothing(days: int) -> None:
    comparison = judged(np.arange(400) * days // 400, sure=SURE, worse=SURE / 2)
    assert comparison.verdict is Verdict.CHANCE
    assert comparison.best is None
    assert all(entry.low <= 0 <= entry.high for entry in comparison.models)
    assert comparison.models[1].behind_low <= 0 < comparison.models[1].behind
    report = comparison_report(comparison)
    assert f"Fewer than {FEWEST_DAYS} days" in render_compare(report)
    enough = np.arange(400) * FEWEST_DAYS // 400
    assert judged(enough, sure=SURE, worse=SURE / 2).best == "sure"


def test_best_is_named_only_where_surely_ahead() -> None:
    days = np.repeat(np.arange(20), 20)
    comparison = judged(
        days,
        sure=SURE,
        near=SURE + noise(1, 0.2),
        far=SURE / 8,
    )
    assert [entry.beats_chance for entry in comparison.models] == [True, True, True]
    assert comparison.models[2].behind_low > 0
    assert comparison.models[2].model == "far"
    assert (comparison.best, len(comparison.ties)) == (None, 1)
    assert judged(days, far=SURE / 8, sure=SURE).best == "sure"
    comparison = compare(random_league(8, 8, 300, 3, 20.0), some())
    best, *others = [entry for entry in comparison.models if not entry.same_as]
    assert (best.behind, best.behind_low, best.behind_high) == (0, 0, 0)
    for entry in others:
        assert entry.behind == pytest.approx(entry.log_loss - best.log_loss, abs=1e-12)
        assert entry.behind_low <= entry.behind <= entry.behind_high
        # Both predict the same games, so their difference is surer than each one's difference
        # from chance.
        assert entry.behind_high - entry.behind_low < entry.high - entry.low + best.high - best.low


def test_blade_chest_without_matchups_is_bradley_terry() -> None:
    systems = {name: make(name) for name in ("tenhou", "bradley_terry", "blade_chest")}
    report = comparison_report(compare(random_league(8, 8, 200, 3, 5.0), systems))  # type: ignore[arg-type]
    same = {entry["model"]: entry.get("same_as") for entry in report["models"]}
    assert same == {"tenhou": None, "bradley_terry": None, "blade_chest": "bradley_terry"}
    text = render_compare(report)
    assert "blade_chest predicts the same as bradley_terry." in text
    assert text.count("blade_chest") == 1


@pytest.mark.parametrize("days", [5, 12])
def test_few_days_yield_few_wrong_claims(days: int) -> None:
    """One of ten systems that know nothing rarely seems to beat chance; with a percentile it would
    often."""
    rng = np.random.default_rng(days)
    claims = 0
    for seed in range(150):
        resampled = DayResamples(np.repeat(np.arange(days), 3), 500, seed)
        common = rng.normal(0, 0.1, (3 * days, 1))
        losses = common + rng.normal(0, 0.1, (3 * days, 10))
        if resampled.surely_below(losses).any():
            claims += 1
    assert claims <= 14


def test_comparison_is_reproducible_and_reports_progress() -> None:
    games = random_league(9, 6, 160, 4, 20.0)
    reports: list[tuple[int, int]] = []
    comparison = compare(
        games,
        some(),
        progress=lambda done, of: reports.append((done, of)),
    )
    assert comparison == compare(games, some())
    assert comparison != compare(games, some(), seed=1)
    assert reports == [(i, 5) for i in range(1, 6)]
    assert comparison.uniform == pytest.approx(log(24))


def test_fits_are_daily_and_less_often_in_long_leagues() -> None:
    dated = random_league(1, 5, 30, days=5)
    assert forecasts.day_starts(dated).tolist() == [0, 6, 12, 18, 24]
    undated = [replace(game, day=None) for game in dated]
    assert forecasts.day_starts(undated).tolist() == [0, 20]
    starts = np.arange(0, 10_000, 8)
    fits = forecasts.fit_starts(starts)
    assert (
        fits[fits <= forecasts.FITTED_DAILY].tolist()
        == starts[starts <= forecasts.FITTED_DAILY].tolist()
    )
    assert len(fits) < 240
    later = fits[fits > forecasts.FITTED_DAILY]
    assert (later[1:] <= forecasts.GROWN * later[:-1] + 8).all()
    assert set(fits) <= set(starts)


def test_default_systems_are_all_models_that_rate_games() -> None:
    with pytest.raises(GameError, match="last of 50 games; more than 100 are needed"):
        compare(random_league(1, 5, 50))
    names = {name for name, model in MODELS.items() if model.plays == "games"}
    systems = default_systems()
    assert names <= set(systems)
    assert set(systems) - names <= {"openskill", "trueskill"}
    assert "team_elo" not in systems


@pytest.mark.parametrize("name", ["openskill", "trueskill"])
def test_peers_learn(name: str) -> None:
    pytest.importorskip(name)
    system = default_systems()[name]
    assert isinstance(system, Sequential)
    replayed = replay(system, random_league(3, 5, 60, 3, 60.0))
    ratings = [system.rating(state) for state in replayed.states.values()]
    assert max(r.value for r in ratings) > 25 > min(r.value for r in ratings)
    assert sum(r.games for r in ratings) == 180


def test_real_league_shows_no_skill() -> None:
    comparison = compare(real_games(), some())
    assert (comparison.games, comparison.days) == (1201, 71)
    assert comparison.verdict is Verdict.CHANCE
