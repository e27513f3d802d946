import math
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

import pytest

from storage import tenhou
from storage.state import State
from storage.tenhou import EMPTY, KEPT, DayLines, DueRecord, FileRead, KeptGame, ReadMark, RoomKey
from tests.clock import Clock

DAY = date(2026, 11, 22)
ROOMS = frozenset({"C1", "C2"})
GAME = KeptGame("k", DAY, "[1]", True)


def kept(state: State, day: date = DAY, league: str = "") -> DayLines:
    lines = state.results.get(league, day)
    assert lines is not None
    return lines


def test_lines_wait_until_they_are_in_the_log(state: State) -> None:
    assert state.results.get("", DAY) is None
    assert state.results.put("", DAY, 10, ROOMS, [b"a", b"\xff", b"a"])
    assert kept(state) == DayLines(DAY, 10, ROOMS, (b"a", b"\xff", b"a"), (), 1)
    assert state.results.waiting("") == [DAY]
    assert state.results.leagues_waiting() == {""}
    assert state.results.waiting("east") == []
    state.results.done("", kept(state))
    assert kept(state).fresh == []
    assert state.results.waiting("") == []
    assert state.results.leagues_waiting() == set()
    # Other rooms have played.
    assert not state.results.put("", DAY, 15, ROOMS, [b"a", b"\xff", b"a"])
    assert state.results.leagues_waiting() == set()
    assert state.results.put("", DAY, 20, ROOMS, [b"a", b"b", b"\xff", b"a", b"a"])
    assert kept(state).fresh == [b"b", b"a"]
    state.results.put("", DAY - timedelta(1), 5, ROOMS, [b"c"])
    assert state.results.waiting("") == [DAY - timedelta(1), DAY]
    assert state.results.offered("") == {
        DAY - timedelta(1): (b"c",),
        DAY: (b"a", b"b", b"\xff", b"a", b"a"),
    }


def test_a_day_without_lines_has_been_read(state: State) -> None:
    assert not state.results.put("", DAY, 10, ROOMS, [])
    state.results.put("east", DAY + timedelta(1), 11, {"C3"}, [b"a"])
    assert state.results.waiting("") == []
    here = ("", DAY)
    there = ("east", DAY + timedelta(1))
    read = {here: FileRead(10, ROOMS), there: FileRead(11, frozenset({"C3"}))}
    assert state.results.files_read(DAY) == read
    assert list(state.results.files_read(DAY + timedelta(1))) == [there]


@pytest.mark.parametrize(
    ("size", "rooms", "stays"),
    [
        (9, ROOMS, True),
        (10, ROOMS, False),
        (9, ROOMS | {"C3"}, False),
    ],
)
def test_a_file_read_larger_stays(
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


@pytest.mark.cloud_only("SQLite has one writer at a time")
def test_what_is_merged_while_lines_are_put_stays_merged(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    state.results.put("", DAY, 10, ROOMS, [b"a"])
    under_way = kept(state)
    lines = tenhou._lines

    def merged_meanwhile(row: Any) -> DayLines:
        monkeypatch.setattr(tenhou, "_lines", lines)
        state.results.done("", under_way)
        return lines(row)

    monkeypatch.setattr(tenhou, "_lines", merged_meanwhile)
    state.results.put("", DAY, 20, ROOMS, [b"a", b"b"])
    assert kept(state).merged == (b"a",)
    assert kept(state).fresh == [b"b"]


def test_lines_are_offered_again_from_a_day_on(state: State) -> None:
    for back in range(3):
        day = DAY - timedelta(back)
        lines = [b"a"] if back != 1 else []
        state.results.put("", day, 10, ROOMS, lines)
        state.results.done("", kept(state, day))
    under_way = kept(state)
    state.results.offer_again("", DAY - timedelta(1))
    assert state.results.waiting("") == [DAY]
    assert kept(state).fresh == [b"a"]
    state.results.done("", under_way)
    assert state.results.waiting("") == [DAY]


def test_what_follows_is_owed_until_it_is_done(state: State) -> None:
    assert state.results.owed("") == []
    assert state.results.read_marks() == {}
    state.results.owe("", [DAY, DAY - timedelta(1)])
    assert state.results.owed("") == [DAY - timedelta(1), DAY]
    assert state.results.leagues_waiting() == {""}
    assert state.results.read_marks() == {}
    mark = ReadMark(DAY - timedelta(9), DAY, ROOMS)
    state.results.has_read({})
    marks = {"": mark, "east": mark._replace(rooms=frozenset())}
    state.results.has_read(marks)
    assert state.results.read_marks() == marks
    assert state.results.read_marks()[""].through == DAY
    assert state.results.owed("") == [DAY - timedelta(1), DAY]
    state.results.owe("", [DAY + timedelta(1)])  # by another sync meanwhile
    state.results.owe("", [], [DAY, DAY - timedelta(1)])
    assert state.results.owed("") == [DAY + timedelta(1)]
    state.results.owe("", [], [DAY + timedelta(1)])
    assert state.results.owed("") == []
    assert state.results.leagues_waiting() == set()
    assert state.results.read_marks()[""] == mark


def test_a_sweep_forgets_what_tenhou_lists_no_more(state: State) -> None:
    days = [
        DAY - KEPT,
        DAY - KEPT - timedelta(1),
        DAY - EMPTY,
        DAY - EMPTY - timedelta(1),
    ]
    for day in days[:2]:
        state.results.put("", day, 10, ROOMS, [b"a"])
        game = GAME._replace(key=str(day), day=day)
        state.own_games.change("", [day], lambda _, game=game: [game])  # type: ignore[misc]
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
    assert state.own_games.all("east") == []
    assert (
        state.own_games.all(
            "",
            [],
        )
        == []
    )
    assert state.own_games.leagues_waiting() == {""}
    changed = GAME._replace(game="[2]", fresh=False, day=DAY + timedelta(1))
    new(changed)
    assert state.own_games.all("", [DAY + timedelta(1)]) == [later, changed]
    assert state.own_games.leagues_waiting() == set()


def test_a_change_that_fails_changes_nothing(state: State) -> None:
    def fail(before: list[KeptGame]) -> Iterable[KeptGame]:
        yield GAME
        raise KeyError

    with pytest.raises(KeyError):
        state.own_games.change("", [DAY], fail)
    assert state.own_games.all("") == []


KEY = RoomKey("C1017", "encrypted")


def test_a_league_has_a_room(state: State) -> None:
    assert state.rooms.key("") is None
    assert state.rooms.all() == {}
    assert state.rooms.memory("") == ""
    state.rooms.set("", KEY)
    state.rooms.set("east", RoomKey("C1018", ""))
    assert state.rooms.all() == {"": KEY, "east": RoomKey("C1018", "")}
    assert state.rooms.key("") == KEY
    state.rooms.remember("", "C1017", "雀")
    state.rooms.set("", KEY._replace(id="other"))
    assert state.rooms.memory("") == "雀"
    assert state.rooms.key("") == KEY._replace(id="other")
    state.rooms.remove("")
    state.rooms.remove("")
    assert state.rooms.key("") is None
    assert state.rooms.memory("") == ""


def test_a_room_whose_id_is_elsewhere_is_remembered(state: State) -> None:
    state.rooms.remember("", "C1017", "1")
    assert state.rooms.memory("") == "1"
    assert state.rooms.key("") == RoomKey(
        "C1017",
        "",
    )


def test_those_that_waited_longest_are_due_first(state: State, clock: Clock) -> None:
    for league, at in {"a": 30.0, "b": 10.0, "c": 20.0, "d": 40.0}.items():
        state.rooms.set(league, KEY)
        state.rooms.wait(league, at)
    state.rooms.set("new", KEY)
    assert state.rooms.due(30.0, 9) == ["new", "b", "c", "a"]
    assert state.rooms.due(
        30.0,
        2,
    ) == ["new", "b"]
    assert state.rooms.due(-1.0, 9) == []


def test_a_room_in_use_is_due_at_once(state: State) -> None:
    for league, at in (("a", 50.0), ("b", 50.0), ("c", 5.0)):
        state.rooms.set(league, KEY)
        state.rooms.wait(league, at)
    state.rooms.used([], 10.0)
    assert state.rooms.last_used("a") is None
    state.rooms.used(["a", "c", "none"], 10.0)
    assert state.rooms.due(10.0, 9) == ["c", "a"]
    assert state.rooms.last_used("a") == 10.0
    assert state.rooms.last_used("b") is None
    assert state.rooms.last_used("c") == 10.0
    assert state.rooms.last_used("none") is None
    state.rooms.remember("a", "C1017", "1")
    assert state.rooms.due(
        10.0,
        9,
    ) == ["c", "a"]
    assert state.rooms.last_used("a") == 10.0


def due_ids(state: State, leagues: list[str] | None, now: float) -> list[str]:
    return [record.id for record in state.records.due(leagues, now, 9)]


def test_a_record_is_waited_for_once(state: State) -> None:
    state.records.put("", [], 1.0)
    state.records.put("", ["b", "a", "a"], 10.0)
    state.records.put("east", ["a"], 5.0)
    assert state.records.due(None, 9.0, 9) == [DueRecord("east", "a", 0)]
    due = [DueRecord("east", "a", 0), DueRecord("", "a", 0), DueRecord("", "b", 0)]
    assert state.records.due(None, 10.0, 9) == due
    assert state.records.due(None, 10.0, 1) == [DueRecord("east", "a", 0)]
    assert due_ids(state, [""], 10.0) == ["a", "b"]
    assert state.records.due([], 10.0, 9) == []
    state.records.wait("", "a", 30.0, 1)
    state.records.wait("", "b", 20.0)
    assert due_ids(state, ["", "west"], math.inf) == ["b", "a"]
    assert state.records.due([""], 30.0, 9) == [DueRecord("", "b", 0), DueRecord("", "a", 1)]
    state.records.done("", "b")
    state.records.put("", ["a", "b"], 12.0)
    state.records.wait("", "b", 12.0)
    assert state.records.due([""], 30.0, 9) == [DueRecord("", "a", 1)]


def test_records_given_up_are_news_until_one_is_there(state: State) -> None:
    for number, record in enumerate("cab"):
        state.records.put("", [record], float(number))
    state.records.put("east", ["a"], 0.0)
    for record in "ac":
        state.records.give_up("", record)
    state.records.give_up("east", "a")
    assert state.records.refused("") == ["c", "a"]
    assert due_ids(state, [""], 9.0) == ["b"]
    state.records.put("", ["a"], 3.0)
    state.records.done("", "b")
    assert state.records.refused("") == []
    assert state.records.refused("east") == ["a"]
    assert state.records.due([""], math.inf, 9) == []


def test_a_record_is_known_longer_than_its_room_tells_of_it(state: State, clock: Clock) -> None:
    for record in ("done", "waiting"):
        state.records.put("", [record], clock.now)
    state.records.done("", "done")
    clock.now += 60 * 86400
    assert state.records.sweep() == 0
    clock.now += 0.1
    assert state.records.sweep() == 1
    state.records.put("", ["done"], clock.now)
    assert sorted(due_ids(state, None, clock.now)) == ["done", "waiting"]
