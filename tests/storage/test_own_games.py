from collections.abc import Iterable
from datetime import date, timedelta

import pytest

from storage.own_games import KeptGame
from storage.results import RETENTION
from storage.state import State

DAY = date(2026, 11, 22)
NEXT_DAY = DAY + timedelta(1)
GAME = KeptGame("k", DAY, "[1]", True)
LATER_GAME = KeptGame("j", NEXT_DAY, "[1]", False)


def change_games(state: State, *games: KeptGame) -> list[KeptGame]:
    """Store these games of both days; return those that were there before."""
    before: list[KeptGame] = []

    def change(stored: list[KeptGame]) -> Iterable[KeptGame]:
        before.extend(stored)
        return games

    state.own_games.change("", [DAY, NEXT_DAY], change)
    return before


def test_games_are_listed_by_day(state: State) -> None:
    assert change_games(state, LATER_GAME, GAME) == []
    assert state.own_games.all("") == [GAME, LATER_GAME]
    assert state.own_games.all("", [NEXT_DAY]) == [LATER_GAME]
    assert state.own_games.all("", []) == []
    assert state.own_games.all("east") == []


def test_change_sees_stored_games_and_keeps_the_rest(state: State) -> None:
    change_games(state, GAME, LATER_GAME)
    assert change_games(state) == [LATER_GAME, GAME]
    assert state.own_games.all("") == [GAME, LATER_GAME]


def test_game_may_move_to_another_day(state: State) -> None:
    change_games(state, GAME, LATER_GAME)
    changed = GAME._replace(game="[2]", fresh=False, day=NEXT_DAY)
    change_games(state, changed)
    assert state.own_games.all("") == [LATER_GAME, changed]


def test_league_waits_while_a_game_is_fresh(state: State) -> None:
    change_games(state, GAME, LATER_GAME)
    assert state.own_games.leagues_waiting() == {""}
    change_games(state, GAME._replace(fresh=False))
    assert state.own_games.leagues_waiting() == set()


def test_failed_change_stores_nothing(state: State) -> None:
    def fail(stored: list[KeptGame]) -> Iterable[KeptGame]:
        yield GAME
        raise KeyError

    with pytest.raises(KeyError):
        state.own_games.change("", [DAY], fail)
    assert state.own_games.all("") == []


def test_sweep_removes_games_that_tenhou_lists_no_more(state: State) -> None:
    change_games(state, GAME, LATER_GAME)
    assert state.own_games.sweep(DAY + RETENTION) == 0
    assert state.own_games.sweep(NEXT_DAY + RETENTION) == 1
    assert state.own_games.all("") == [LATER_GAME]
