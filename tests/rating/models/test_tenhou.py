"""Tenhou's rating by placing (https://tenhou.net/man/#RATING), to the last digit."""

from typing import Any

import pytest

from rating.games import game_of
from rating.models.base import Rated, replay, standings
from rating.models.tenhou import Tenhou, table_average
from tests.real import worked_figures


def order(*names: str) -> Any:
    return game_of(names, [30.0 - 30 * i for i in range(len(names))])


def test_single_games_and_a_sequence_to_the_last_digits() -> None:
    for case in worked_figures("tenhou")["single_games"]:
        states = list(map(Rated, case["ratings_before"], case["games_before"]))
        after = Tenhou().play(order("A", "B", "C"), states)
        assert table_average(case["ratings_before"]) == case["average_used"], case["case"]
        assert [s.rating for s in after] == case["after"], case["case"]
        assert [s.games for s in after] == [n + 1 for n in case["games_before"]]
    worked = worked_figures("tenhou")
    games = [order(*game["order"]) for game in worked["sequence"]]
    for count in range(1, len(games) + 1):
        table = standings(Tenhou(), replay(Tenhou(), games[:count]))
        after = worked["sequence"][count - 1]["after"]
        for player, rating in table.items():
            assert rating.value == after[player]
    replayed = replay(Tenhou(), games)
    for player, line in replayed.history.items():
        assert [line.start, *line.values] == worked["history"][player]
        assert repr(line.last) == worked["final_repr"][player]
        assert replayed.states[player].games == worked["games"][player]


@pytest.mark.parametrize(
    ("names", "changes"),
    [
        (("A", "B", "C"), (30.0, 0.0, -30.0)),
        (
            ("A", "B", "C", "D"),
            (30.0, 10.0, -10.0, -30.0),
        ),
    ],
)
def test_first_game(names: tuple[str, ...], changes: tuple[float, ...]) -> None:
    table = standings(Tenhou(), replay(Tenhou(), [order(*names)]))
    assert [table[name].value - 1500 for name in names] == list(changes)


def test_options_that_move_a_rating() -> None:
    after = Tenhou(count_this_game=True).play(
        order("A", "B", "C"),
        [Rated(1500.0, 0)] * 3,
    )
    assert [s.rating for s in after] == [1529.94, 1500.0, 1470.06]
    table = standings(
        Tenhou({"A": (1700, 400)}),
        replay(
            Tenhou({"A": (1700, 400)}),
            [order("A", "B", "C")],
        ),
    )
    change = 0.2 * (30 + (1566.667 - 1700) / 40)
    assert table["A"].value == 1700 + round(change, 3)
    assert table["A"].games == 401
