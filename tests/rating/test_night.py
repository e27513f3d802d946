import random
import re
from datetime import date, timedelta
from itertools import accumulate
from typing import NamedTuple

import pytest

from rating import night
from rating.games import Game, Seat
from rating.milestones import best_milestone, games_milestones, peak_milestone
from rating.runs import notable_runs
from rating.standings import Line

DAY = date(2026, 7, 3)
NAMES = ("甲", "乙", "丙", "丁", "戊")


def played(*seats: tuple[str, float], day: date = DAY) -> Game:
    return Game(tuple(Seat(player, score) for player, score in seats), day)


class RunByPattern(NamedTuple):
    chance: float
    player: str
    kind: str
    length: int


def rarest_run(player: str, placings: str, seats: int) -> RunByPattern | None:
    """The run at the end of a player's placings, found with regular expressions."""
    uppers = 1.0
    if seats == 4:
        uppers = 2 / 4
    chance_and_pattern = {
        "firsts": (1 / seats, r"1*$"),
        "uppers": (uppers, r"[12]*$"),
        "not_lasts": (1 - 1 / seats, rf"[^{seats}]*$"),
    }
    runs = []
    for kind, (chance, pattern) in chance_and_pattern.items():
        match = re.search(pattern, placings)
        if match and match[0]:
            length = len(match[0])
            runs.append(RunByPattern(chance**length, player, kind, length))
    return min(runs, default=None)


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_notable_runs_are_those_of_patterns(seats: int, seed: int) -> None:
    rng = random.Random(seed)
    season = [rng.sample(NAMES, seats) for _ in range(120)]
    scores = (30.0, 29.0, 28.0, 27.0)[:seats]
    games = [played(*zip(order, scores, strict=True)) for order in season]
    expected = []
    for name in NAMES:
        placings = [order.index(name) + 1 for order in season if name in order]
        run = rarest_run(name, "".join(map(str, placings)), seats)
        if run is not None and run.chance <= 0.04:
            expected.append(run)
    notable = notable_runs(games, NAMES)
    assert [run.player for run in notable] == [run.player for run in sorted(expected)]
    for run, expected_run in zip(notable, sorted(expected), strict=True):
        assert (run.kind, run.length) == (expected_run.kind, expected_run.length)


def test_closest_game_is_between_given_players() -> None:
    games = [
        played(("客", 21.0), ("甲", 20.5), ("乙", -41.5)),
        played(("甲", 30.0), ("乙", 8.0), ("丙", -38.0)),
        played(("乙", 30.0), ("丙", 8.0), ("甲", -38.0)),
    ]
    assert night.closest(games, "甲乙丙") == games[1]
    assert night.closest(games, "丙") is None


def test_raw_gap_is_without_uma_and_oka() -> None:
    game = played(("甲", 45.6), ("乙", 5.0), ("丙", -50.6))
    assert night.raw_gap(game, (20, 0, -20), 15.0) == 5600
    assert night.raw_gap(game, (20, 0, -20), 0.0) == 20600
    assert night.raw_gap(game, (), 0.0) is None
    assert night.raw_gap(game, (30, 10, -10, -30), 0.0) is None
    assert night.raw_gap(game, (50, 0, -50), 0.0) is None, "such uma can't be in these scores"


def test_best_scores_are_those_of_given_players() -> None:
    guest = played(("客", 70.0), ("甲", -20.0), ("乙", -50.0))
    best = played(("乙", 33.0), ("甲", 1.0), ("客", -34.0))
    assert night.best_scores([guest, best], "甲乙") == [("乙", best)]
    assert night.best_scores([guest], "甲乙") == []
    equal = played(("甲", 33.0), ("乙", 1.0), ("丙", -34.0))
    scores = night.best_scores([guest, best, equal], "甲乙")
    assert scores == [("乙", best), ("甲", equal)]


@pytest.mark.parametrize("seed", range(6))
def test_comebacks_go_from_minus_20_to_above_zero(seed: int) -> None:
    rng = random.Random(seed)
    games = []
    for number in range(40):
        points = [rng.randrange(-60, 60), rng.randrange(-60, 60)]
        scores = sorted([*points, -sum(points)], reverse=True)
        day = DAY + timedelta(days=number // 8)
        games.append(
            played(
                *zip(rng.sample(NAMES, 3), map(float, scores), strict=True),
                day=day,
            )
        )
    just = [
        ("乙丙甲", (30.0, -10.0, -20.0)),
        ("甲乙丙", (15.0, 0.0, -15.0)),
        ("甲乙丙", (10.0, 0.0, -10.0)),
    ]  # from just as far below
    last_day = date(2026, 9, 1)
    games += [played(*zip(names, scores, strict=True), day=last_day) for names, scores in just]
    expected = set()
    for day in {game.day for game in games}:
        for name in NAMES:
            seats = [seat for game in games if game.day == day for seat in game.seats]
            scores = [seat.score for seat in seats if seat.player == name]
            sums = list(accumulate(scores))
            if len(scores) > 2 and min(sums) <= -20 and sums[-1] > 0:
                expected.add((name, day, min(sums), sums[-1]))
    comebacks = night.comebacks(games, NAMES)
    assert set(map(tuple, comebacks)) == expected
    climbs = sorted((high - low for _, _, low, high in expected), reverse=True)
    assert [comeback.climb for comeback in comebacks] == climbs


def test_round_numbers_of_games_are_milestones() -> None:
    before = {"甲": 99, "乙": 100, "丙": 195, "丁": 50}
    now = {"甲": 100, "乙": 104, "丙": 302, "丁": 99}
    milestones = games_milestones(before, now)
    assert [(milestone.player, milestone.value) for milestone in milestones] == [
        ("丙", 300),
        ("甲", 100),
    ]


def test_highest_rating_is_a_milestone() -> None:
    ratings = [1500.0 + min(number, 35) for number in range(40)]
    line = Line(1500.0, list(range(40)), ratings)
    peak = peak_milestone("甲", line, range(34, 37))
    assert (peak.kind, peak.value) == ("peak", 1535.0)
    assert peak_milestone("甲", line, range(36, 39)) is None, "as high as before is not higher"
    assert peak_milestone("甲", line, range(20, 29)) is None, "provisional"
    assert peak_milestone("甲", line, ()) is None


def test_best_score_is_a_milestone_after_enough_games() -> None:
    game = played(
        ("甲", 40.0),
        ("乙", 0.0),
        ("丙", -40.0),
    )
    earlier = [game] * 30
    assert best_milestone(earlier, "乙", 40.1) is not None
    assert best_milestone(earlier, "乙", 40.0) is None
    assert best_milestone(earlier[1:], "乙", 90.0) is None, "too few games to compare with"
