"""The lines of day files and rooms' own games, until they are in the log and longer."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

import pytest

from storage.state import State
from storage.tenhou import EMPTY, KEPT, DayLines, FileRead, KeptGame, ReadMark

DAY = date(2026, 11, 22)
ROOMS = frozenset({"C1", "C2"})
GAME = KeptGame("k", DAY, "[1]", True)


def kept(state: State, day: date = DAY, league: str = "") -> DayLines:
    found = state.results.get(league, day)
    assert found is not None
    return found


def test_lines_wait_until_they_are_in_the_log(state: State) -> None:
    assert state.results.get("", DAY) is None
    assert state.results.put("", DAY, 10, ROOMS, [b"a", b"\xff", b"a"])
    assert kept(state) == DayLines(DAY, 10, ROOMS, (b"a", b"\xff", b"a"), (), 1)
    assert (state.results.waiting(""), state.results.leagues_waiting()) == ([DAY], {""})
    assert state.results.waiting("east") == []
    state.results.done("", kept(state))
    assert (kept(state).fresh, state.results.waiting(""), state.results.leagues_waiting()) == ([], [], set())
    assert state.results.put("", DAY, 20, ROOMS, [b"a", b"b", b"\xff", b"a", b"a"])
    assert kept(state).fresh == [b"b", b"a"]
    state.results.put("", DAY - timedelta(1), 5, ROOMS, [b"c"])
    assert state.results.waiting("") == [DAY - timedelta(1), DAY]
    assert state.results.offered("") == {DAY - timedelta(1): (b"c",), DAY: (b"a", b"b", b"\xff", b"a", b"a")}


def test_a_day_without_lines_has_been_read(state: State) -> None:
    assert not state.results.put("", DAY, 10, ROOMS, [])
    state.results.put("east", DAY + timedelta(1), 11, {"C3"}, [b"a"])
    assert state.results.waiting("") == []
    assert state.results.files_read(DAY) == {
        ("", DAY): FileRead(10, ROOMS),
        ("east", DAY + timedelta(1)): FileRead(11, frozenset({"C3"})),
    }
    assert list(state.results.files_read(DAY + timedelta(1))) == [("east", DAY + timedelta(1))]


@pytest.mark.parametrize(
    ("size", "rooms", "stays"), [(9, ROOMS, True), (10, ROOMS, False), (9, ROOMS | {"C3"}, False)]
)
def test_a_file_that_was_read_larger_stays(
    state: State, size: int, rooms: frozenset[str], stays: bool
) -> None:
    state.results.put("", DAY, 10, ROOMS, [b"a"])
    assert state.results.put("", DAY, size, rooms, [b"b"])
    assert kept(state).lines == ((b"a",) if stays else (b"b",))


def test_what_comes_while_others_are_merged_keeps_waiting(state: State) -> None:
    state.results.put("", DAY, 10, ROOMS, [b"a"])
    under_way = kept(state)
    state.results.put("", DAY, 20, ROOMS, [b"a", b"b"])
    state.results.done("", under_way)
    assert kept(state).fresh == [b"a", b"b"]
    assert state.results.waiting("") == [DAY]
    state.results.done("", kept(state))
    assert kept(state).merged == (b"a", b"b")


def test_lines_are_offered_again_from_a_day_on(state: State) -> None:
    for back in range(3):
        state.results.put("", DAY - timedelta(back), 10, ROOMS, [b"a"] if back != 1 else [])
        state.results.done("", kept(state, DAY - timedelta(back)))
    under_way = kept(state)
    state.results.offer_again("", DAY - timedelta(1))
    assert state.results.waiting("") == [DAY]
    assert kept(state).fresh == [b"a"]
    state.results.done("", under_way)
    assert state.results.waiting("") == [DAY]


def test_what_follows_is_owed_until_it_is_done(state: State) -> None:
    assert (state.results.owed(""), state.results.through("")) == ([], None)
    state.results.owe("", [DAY, DAY - timedelta(1)])
    assert state.results.owed("") == [DAY - timedelta(1), DAY]
    assert (state.results.leagues_waiting(), state.results.read_marks()) == ({""}, {})
    mark = ReadMark(DAY - timedelta(9), DAY, ROOMS)
    state.results.has_read({})
    state.results.has_read({"": mark, "east": mark._replace(rooms=frozenset())})
    assert state.results.read_marks() == {"": mark, "east": mark._replace(rooms=frozenset())}
    assert state.results.through("") == DAY
    assert state.results.owed("") == [DAY - timedelta(1), DAY]
    state.results.owe("", [])
    assert (state.results.owed(""), state.results.leagues_waiting()) == ([], set())
    assert state.results.read_marks()[""] == mark


def test_a_sweep_forgets_what_tenhou_lists_no_more(state: State) -> None:
    days = [DAY - KEPT, DAY - KEPT - timedelta(1), DAY - EMPTY, DAY - EMPTY - timedelta(1)]
    for day in days[:2]:
        state.results.put("", day, 10, ROOMS, [b"a"])
        state.own_games.change("", [day], lambda _, day=day: [GAME._replace(key=str(day), day=day)])  # type: ignore[misc]
    for day in days[2:]:
        state.results.put("", day, 10, ROOMS, [])
    state.results.put("east", days[3], 10, ROOMS, [b"a"])
    state.results.done("east", kept(state, days[3], "east"))
    state.results.put("east", days[3], 11, ROOMS, [])
    assert state.results.sweep(DAY) == 3
    assert sorted(state.results.files_read(date.min)) == [
        ("", days[0]),
        ("", days[2]),
        ("east", days[3]),
    ]
    assert [game.day for game in state.own_games.all("")] == [days[0]]
    assert state.results.sweep(DAY) == 0


def test_own_games_change_in_one_step(state: State) -> None:
    later = GAME._replace(key="j", day=DAY + timedelta(1), fresh=False)
    seen: list[list[KeptGame]] = []

    def new(*games: KeptGame) -> Iterable[KeptGame]:
        def change(before: list[KeptGame]) -> Iterable[KeptGame]:
            seen.append(before)
            return games

        state.own_games.change("", [DAY, DAY + timedelta(1)], change)
        return seen[-1]

    assert new(GAME, later) == []
    assert new() == [later, GAME]
    assert state.own_games.all("") == [GAME, later]
    assert state.own_games.all("", [DAY + timedelta(1)]) == [later]
    assert (state.own_games.all("east"), state.own_games.all("", [])) == ([], [])
    assert state.own_games.leagues_waiting() == {""}
    new(GAME._replace(game="[2]", fresh=False, day=DAY + timedelta(1)))
    assert state.own_games.all("", [DAY + timedelta(1)]) == [
        later,
        GAME._replace(game="[2]", fresh=False, day=DAY + timedelta(1)),
    ]
    assert state.own_games.leagues_waiting() == set()


def test_a_change_that_fails_changes_nothing(state: State) -> None:
    def fail(before: list[KeptGame]) -> Iterable[KeptGame]:
        yield GAME
        raise KeyError

    with pytest.raises(KeyError):
        state.own_games.change("", [DAY], fail)
    assert state.own_games.all("") == []
