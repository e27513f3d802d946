from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict
from random import Random
from statistics import fmean, linear_regression, pvariance, stdev

import numpy as np
import pytest

from bot.cli.calibrate import render_calibrate
from rating.games import Game, Seat, game_of
from rating.study.calibrate import (
    SHUFFLES,
    Halves,
    calibrate,
    calibrate_report,
    halves,
    split_m,
)
from tests.rating.models.leagues import random_league
from tests.real import real_games

PER_PLACE = {3: 6, 4: 4}
Means = dict[str, tuple[float, float]]  # mean score and mean placing by player


def means(seats: Iterable[tuple[str, float, int]]) -> Means:
    rows = defaultdict(list)
    for name, score, placing in seats:
        rows[name].append((score, placing))
    result = {}
    for name, player_rows in rows.items():
        scores, placings = zip(*player_rows, strict=True)
        result[name] = (fmean(scores), fmean(placings))
    return result


def fall(scores: Means, placings: Means, names: Iterable[str]) -> float:
    """How fast the placings of one half fall with the scores of the other."""
    pairs = [(scores[name][0], placings[name][1]) for name in names]
    return -linear_regression(*zip(*pairs, strict=True)).slope  # type: ignore[misc]


def seats_of(
    games: list[Game], names: list[tuple[str, ...]] | None = None
) -> list[tuple[str, float, int]]:
    return [
        (name, seat.score, placing)
        for number, game in enumerate(games)
        for placing, (seat, name) in enumerate(
            zip(game.seats, names[number] if names else game.players, strict=True), 1
        )
    ]


def split(games: list[Game]) -> tuple[Means, Means]:
    turns: dict[str, int] = defaultdict(int)
    parts: tuple[list[tuple[str, float, int]], ...] = ([], [])
    for row in seats_of(games):
        parts[turns[row[0]] % 2].append(row)
        turns[row[0]] += 1
    return means(parts[0]), means(parts[1])


def split_slope(odd: Means, even: Means, names: list[str]) -> float:
    return (fall(even, odd, names) + fall(odd, even, names)) / 2


@pytest.mark.parametrize(
    ("seats", "skill"),
    [(3, 15.0), (4, 5.0)],
)
def test_split_halves_against_plain_python(seats: int, skill: float) -> None:
    games = random_league(4, 9, 400, seats, skill=skill)
    chance = calibrate(games, 2).chance
    odd, even = split(games)
    names = sorted(odd)
    m = split_slope(odd, even, names)
    without = []
    for name in names:
        others = [other for other in names if other != name]
        without.append(split_slope(odd, even, others))
    error = stdev(without) * (len(names) - 1) / len(names) ** 0.5
    assert chance.split_m == pytest.approx(m, rel=1e-9)
    assert chance.split_m_error == pytest.approx(error, rel=1e-9)
    assert chance.split_k == pytest.approx(1 / (PER_PLACE[seats] * m), rel=1e-9)
    assert chance.split_k_error == pytest.approx(chance.split_k * error / m, rel=1e-9)  # type: ignore[operator]


@pytest.mark.parametrize("seats", [3, 4])
def test_shuffled_names_against_plain_python(seats: int) -> None:
    games = random_league(5, 12, 300, seats, skill=15.0)
    chance = calibrate(games, 2).chance
    random = Random(7)
    ks = []
    squares = []
    for _ in range(60):
        names = [tuple(random.sample(game.players, seats)) for game in games]
        shuffled = means(seats_of(games, names))
        x, y = zip(*shuffled.values(), strict=True)
        ks.append(1 / (PER_PLACE[seats] * fall(shuffled, shuffled, shuffled)))
        squares.append(float(np.corrcoef(x, y)[0, 1] ** 2))
    bound = stdev(ks) * (1 / SHUFFLES + 1 / len(ks)) ** 0.5
    assert abs(chance.shuffled_k - fmean(ks)) < 3 * bound  # type: ignore[operator]
    assert chance.shuffled_k_error == pytest.approx(stdev(ks) / SHUFFLES**0.5, rel=0.6)
    assert chance.shuffled_r2 == pytest.approx(fmean(squares), abs=0.05)
    assert asdict(chance) == asdict(calibrate(games, 2).chance)  # the same seed, the same shuffles


def random_halves(rng: np.random.Generator) -> Halves:
    """The halves of a league of 600 games among 30 players."""
    strength = rng.normal(0, 8, 30)
    shuffled = np.argsort(rng.random((600, 30)), axis=1)
    players = shuffled[:, :4]
    raw = strength[players] + rng.normal(0, 40, (600, 4))
    scores = raw - raw.mean(1, keepdims=True)
    order = np.argsort(-raw, axis=1)
    ranked = (np.take_along_axis(values, order, 1) for values in (players, scores))
    return halves(*ranked, np.ones(30, bool))


def test_error_of_split_halves_is_the_spread_over_leagues() -> None:
    rng = np.random.default_rng(1)
    values = []
    errors = []
    for _ in range(150):
        value, error = split_m(random_halves(rng))
        assert value is not None
        assert error is not None
        values.append(value)
        errors.append(error)
    assert fmean(errors) == pytest.approx(stdev(values), rel=0.15)
    mean = fmean(values)
    pairs = zip(values, errors, strict=True)
    covered = sum(abs(value - mean) < 2 * error for value, error in pairs)
    assert 0.9 <= covered / len(values) <= 0.99


def test_split_halves_show_strength_and_not_chance() -> None:
    calibration = calibrate(random_league(2, 120, 2600, 3, skill=0.0))
    assert calibration.players >= 100
    assert calibration.r2 > 0.5
    assert calibration.chance.within_game
    assert not calibration.chance.precise
    assert not calibration.sufficient
    games = random_league(3, 110, 2600, 4, skill=25.0)
    calibration = calibrate(games)
    assert calibration.players >= 100
    assert calibration.chance.precise
    assert calibration.sufficient
    assert not calibrate(games, 40).sufficient  # the method asks for 50 games
    k = calibration.k
    corrected = calibration.chance.corrected_k
    assert corrected == pytest.approx(k, rel=0.1)
    assert calibration.chance.split_k > corrected  # type: ignore[operator]
    assert "The data suffice." in render_calibrate(calibrate_report(games))


def test_k_of_players_differs_from_k_within_games() -> None:
    """Everyday games are close, and strength decides them; now and then chance alone decides a huge
    one.
    """
    rng = np.random.default_rng(9)
    games = []
    for number in range(1200):
        table = rng.choice(12, 3, replace=False)
        huge = number % 20 == 0
        if huge:
            order = table
            points = [400.0, 0.0, -400.0]
        else:
            order = table[np.argsort(table + rng.normal(0, 3, 3))]
            points = [10.0, 0.0, -10.0]
        games.append(game_of([f"p{i}" for i in order], points))
    report = calibrate_report(games)
    assert not report["within_game"]
    assert report["shuffled_k"] is None  # some shuffles have no slope at all
    assert "mostly the slope within a game" not in render_calibrate(report)


def test_unknown_estimates_are_empty() -> None:
    turns = [("ABC", 30.0), ("CBA", 10.0)] * 20  # who wins an odd game loses the even one
    turns.append(("ABC", 30.0))
    games = [game_of(names, [points, 0.0, -points]) for names, points in turns]
    report = calibrate_report(games, 2)
    assert report["split_k"] is None
    assert report["shuffled_k"] is None
    assert not report["sufficient"]
    text = render_calibrate(report)
    assert "k can't be told from the slope within a game" in text
    assert "the split halves show no slope" in text


def scores_with_chips(game: Game, chip: float) -> list[float]:
    return [seat.score + chip * (seat.chips or 0) for seat in game.seats]


def test_each_season_has_its_own_chip() -> None:
    seats = [
        ("A", 30.0, 3),
        ("B", 0.0, -1),
        ("C", -30.0, -2),
    ]
    games = []
    worth = {"logvol2.txt": 5.0, "logvol3.txt": 0.0}
    for number in range(90):
        turn = seats[number % 3 :] + seats[: number % 3] if number % 4 else seats
        named = zip(turn, seats, strict=True)
        chips = tuple(Seat(name, score, chip) for (name, _, _), (_, score, chip) in named)
        games.append(Game(chips, source=f"logvol{number % 3 + 1}.txt", line=number))
    calibration = calibrate(games, 2, 2.0, worth)
    scores = []
    for game in games:
        scores += scores_with_chips(game, worth.get(game.source, 2.0))
    assert calibration.variance == pytest.approx(pvariance(scores))
    assert calibration.chips_left_out == 30
    report = calibrate_report(games, 2, 2.0, worth)
    assert "The chips of 30 games are left out" in render_calibrate(report)
    assert "left out" not in render_calibrate(calibrate_report(games, 2, 2.0))


def test_slopes_of_the_real_logs() -> None:
    report = calibrate_report(real_games())
    assert (report["games"], report["seats"], report["players"]) == (1301, 3, 10)
    assert report["f"] == pytest.approx(report["totsugeki_f"], rel=0.01)
    assert report["scale"] == pytest.approx(5 * report["f"])
    assert calibrate(real_games(), chip=2.0).variance > report["variance"]
    assert report["k"] == pytest.approx(9.97, abs=0.01)
    assert report["shuffled_k"] == pytest.approx(10.25, rel=0.1)
    assert report["r2"] == pytest.approx(0.994, abs=0.005)
    assert report["shuffled_r2"] == pytest.approx(0.901, abs=0.05)
    assert report["within_game"]
    assert report["split_m_error"] > 0.5 * report["split_m"]
    assert not report["sufficient"]
    text = render_calibrate(report)
    assert "k is mostly the slope within a game" in text
    assert "the error of the split halves' slope is 81%" in text
    assert "The chips of 461 games are left out" in text
