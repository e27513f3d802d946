import random
from collections import defaultdict
from datetime import date, timedelta
from itertools import groupby, permutations

import pytest

from rating.games import Game, Seat
from rating.trophies import TROPHIES, PeriodGames, Trophy, trophies

FIRST = date(2026, 6, 1)
NAMES = ("甲", "乙", "丙", "丁", "戊")
Row = tuple[int, list[tuple[str, float]]]  # the day's number, and the seats in order of placing


def games_of(rows: list[Row]) -> list[Game]:
    games = []
    for number, seats in rows:
        day = FIRST + timedelta(days=number)
        games.append(Game(tuple(Seat(player, score) for player, score in seats), day))
    return games


def given(
    rows: list[Row], members: str = "甲乙丙丁戊", **more: dict[str, object]
) -> dict[str, Trophy]:
    played = PeriodGames(games_of(rows), members, **more)  # type: ignore[arg-type]
    return {trophy.name: trophy for trophy in trophies(played)}


def order(names: str, day: int = 0, first: float = 40.0) -> Row:
    return day, [
        (names[0], first),
        (names[1], 0.0),
        (names[2], -first),
    ]


def holders(won: dict[str, Trophy], name: str) -> list[str]:
    return [holder.player for holder in won[name].holders] if name in won else []


def test_winners_of_a_trophy() -> None:
    assert given([order("甲乙丙")]) == {}
    won = given([order("甲乙丙"), order("乙丙甲")])
    assert holders(won, "score") == ["甲", "乙"]
    assert "score" not in given([order("甲乙丙"), order("乙丙甲"), order("丙甲乙")])
    won = given(
        [
            order("客乙丙", first=90.0),
            order("客乙甲", first=80.0),
            order("甲乙丙"),
        ],
        "甲乙丙",
    )
    assert holders(won, "score") == ["甲"]
    assert holders(won, "closest") == ["甲"]


def test_each_trophy_by_hand() -> None:
    won = given([order("甲乙丙")] * 3 + [order("乙甲丙")] * 2)
    assert (holders(won, "firsts"), won["firsts"].value) == (["甲"], 3)
    assert holders(won, "not_lasts") == ["甲", "乙"]
    assert won["not_lasts"].value == 5
    assert "firsts" not in given([order("甲乙丙")] * 2 + [order("乙丙甲")])
    assert "not_lasts" not in given([order("甲乙丙")] * 4), "five in a row are needed"
    won = given([order("甲乙丙")] * 4 + [order("乙甲丁")])
    (holder,) = won["pair"].holders
    assert (holder.player, holder.other) == ("甲", "乙")
    assert (holder.won, holder.lost) == (4, 1)


def test_rise_luck_and_attendance_by_hand() -> None:
    rows = [order("甲乙丙")] * 5 + [order("丁乙丙")]
    won = given(rows, rises={"甲": 12.0, "丁": 40.0, "乙": -3.0})
    assert holders(won, "rise") == ["甲"]
    assert "rise" not in given(rows, rises={"甲": -1.0, "乙": 0.0})
    rows = [order("甲乙丙")] * 3
    luck = {
        "甲": (-1.2, 3),
        "乙": (-2.5, 2),
        "丙": (-1.1, 9),
    }
    assert holders(given(rows, luck=luck), "unlucky") == ["甲"]
    assert "unlucky" not in given(rows, luck={"甲": (-0.9, 30)})
    days = [order("甲乙丙", 0), order("甲乙丁", 1), order("乙甲丁", 2)]
    assert holders(given(days), "attendance") == ["甲", "乙"]
    assert "attendance" not in given(days[:2])
    assert "attendance" not in given([order("甲乙丙", day) for day in range(3)]), "everybody was"


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_trophies_equal_a_second_computation(seats: int, seed: int) -> None:
    rng = random.Random(seed)
    rows: list[Row] = []
    for number in range(rng.randrange(2, 60)):
        points = [rng.randrange(-600, 600) / 10 for _ in range(seats - 1)]
        scores = sorted([*points, -round(sum(points), 1)], reverse=True)
        seated = list(zip(rng.sample(NAMES, seats), scores, strict=True))
        rows.append((number // 6, seated))
    rises = {name: rng.uniform(-50, 50) for name in NAMES}
    luck = {}
    for name in NAMES:
        deviations = rng.gauss(0, 2)
        luck[name] = (deviations, rng.randrange(1, 9))
    won = trophies(PeriodGames(games_of(rows), NAMES, rises, luck))
    expected = reckoned(rows, seats, rises, luck)
    assert [trophy.name for trophy in won] == [name for name in TROPHIES if name in expected]
    for trophy in won:
        best, winners = expected[trophy.name]
        assert trophy.value == pytest.approx(best)
        assert {holder.player for holder in trophy.holders} == winners


Won = dict[str, tuple[float, set[str]]]


def reckoned(
    rows: list[Row],
    seats: int,
    rises: dict[str, float],
    luck: dict[str, tuple[float, int]],
) -> Won:
    values: dict[str, dict[str, float]] = defaultdict(dict)

    def note(trophy: str, name: str, value: float) -> None:
        values[trophy][name] = max(value, values[trophy].get(name, value))

    for _, seated in rows:
        for name, score in seated:
            if score > 0 and len(rows) > 1:
                note("score", name, score)
        if len(rows) > 1:
            winner, won = seated[0]
            note("closest", winner, seated[1][1] - won)
    orders = [list(dict(seated)) for _, seated in rows]
    runs = (
        ("firsts", {1}, 3),
        ("not_lasts", set(range(1, seats)), 5),
    )
    for name in NAMES:
        placings = [order.index(name) + 1 for order in orders if name in order]
        for trophy, fits, shortest in runs:
            runs_of_fits = groupby(placings, fits.__contains__)
            lengths = [len(list(run)) for fit, run in runs_of_fits if fit]
            longest = max(lengths, default=0)
            if longest >= shortest:
                note(trophy, name, longest)
        if rises[name] > 0 and len(placings) >= 5:
            note("rise", name, rises[name])
        if luck[name][0] <= -1 and luck[name][1] >= 3:
            note("unlucky", name, -luck[name][0])
        for day in {day for day, _ in rows}:
            sums = []
            total = 0.0
            for other, seated in rows:
                if other == day and name in dict(seated):
                    total += dict(seated)[name]
                    sums.append(round(total, 6))
            if len(sums) >= 3 and min(sums) <= -20 and sums[-1] > 0:
                note("comeback", name, sums[-1] - min(sums))
    for member, other in permutations(NAMES, 2):
        met = [names for names in orders if member in names and other in names]
        ahead = sum(1 for names in met if names.index(member) < names.index(other))
        if len(met) >= 5 and 2 * ahead > len(met):
            note("pair", member, 2 * ahead - len(met))
    days = {day for day, _ in rows}
    there = {
        name: {day for day, seated in rows if name in dict(seated)}  # the days of play
        for name in NAMES
    }
    if len(days) >= 3 and any(played and played != days for played in there.values()):
        for name in NAMES:
            if there[name] == days:
                note("attendance", name, len(days))
    won = {}
    for trophy, by_member in values.items():
        best = max(by_member.values())
        winners = {name for name, value in by_member.items() if best - value < 1e-6}
        if len(winners) <= 2 or trophy == "attendance":
            won[trophy] = (best, winners)
    return won
