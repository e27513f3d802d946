"""Leagues' rooms at Tenhou: their ids, what is remembered, when they are due; and the records they name."""

from __future__ import annotations

from storage.state import State
from storage.tenhou import DueRecord, RoomKey
from tests.clock import Clock

KEY = RoomKey("C1017", "encrypted")


def test_a_league_has_a_room(state: State) -> None:
    assert (state.rooms.key(""), state.rooms.all(), state.rooms.memory("")) == (None, {}, "")
    state.rooms.set("", KEY)
    state.rooms.set("east", RoomKey("C1018", ""))
    assert state.rooms.all() == {"": KEY, "east": RoomKey("C1018", "")}
    assert state.rooms.key("") == KEY
    state.rooms.remember("", "C1017", "雀")
    state.rooms.set("", KEY._replace(id="other"))
    assert (state.rooms.memory(""), state.rooms.key("")) == ("雀", KEY._replace(id="other"))
    state.rooms.remove("")
    state.rooms.remove("")
    assert (state.rooms.key(""), state.rooms.memory("")) == (None, "")


def test_a_room_whose_id_is_elsewhere_is_remembered(state: State) -> None:
    state.rooms.remember("", "C1017", "1")
    assert (state.rooms.memory(""), state.rooms.key("")) == ("1", RoomKey("C1017", ""))


def test_those_that_waited_longest_are_due_first(state: State, clock: Clock) -> None:
    for league, at in (("a", 30.0), ("b", 10.0), ("c", 20.0), ("d", 40.0)):
        state.rooms.set(league, KEY)
        state.rooms.wait(league, at)
    state.rooms.set("new", KEY)
    assert state.rooms.due(30.0, 9) == ["new", "b", "c", "a"]
    assert state.rooms.due(30.0, 2) == ["new", "b"]
    assert state.rooms.due(-1.0, 9) == []


def test_a_room_in_use_is_due_at_once(state: State) -> None:
    for league, at in (("a", 50.0), ("b", 50.0), ("c", 5.0)):
        state.rooms.set(league, KEY)
        state.rooms.wait(league, at)
    state.rooms.used([], 10.0)
    assert state.rooms.last_used("a") is None
    state.rooms.used(["a", "c", "none"], 10.0)
    assert state.rooms.due(10.0, 9) == ["c", "a"]
    assert [state.rooms.last_used(league) for league in ("a", "b", "c", "none")] == [10.0, None, 10.0, None]
    state.rooms.remember("a", "C1017", "1")
    assert (state.rooms.due(10.0, 9), state.rooms.last_used("a")) == (["c", "a"], 10.0)


def test_a_record_is_waited_for_once(state: State) -> None:
    state.records.put("", [], 1.0)
    state.records.put("", ["b", "a", "a"], 10.0)
    state.records.put("east", ["a"], 5.0)
    assert state.records.due(None, 9.0, 9) == [DueRecord("east", "a", 0)]
    assert state.records.due(None, 10.0, 9) == [
        DueRecord(*each, 0) for each in (("east", "a"), ("", "a"), ("", "b"))
    ]
    assert state.records.due(None, 10.0, 1) == [DueRecord("east", "a", 0)]
    assert [each.id for each in state.records.due([""], 10.0, 9)] == ["a", "b"]
    assert state.records.due([], 10.0, 9) == []
    state.records.wait("", "a", 30.0, 1)
    state.records.wait("", "b", 20.0)
    assert (state.records.next(""), state.records.next("west")) == (20.0, None)
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
    assert [each.id for each in state.records.due([""], 9.0, 9)] == ["b"]
    state.records.put("", ["a"], 3.0)
    state.records.done("", "b")
    assert (state.records.refused(""), state.records.refused("east")) == ([], ["a"])
    assert state.records.next("") is None


def test_a_record_is_known_longer_than_its_room_tells_of_it(state: State, clock: Clock) -> None:
    for record in ("done", "waiting"):
        state.records.put("", [record], clock.now)
    state.records.done("", "done")
    clock.now += 60 * 86400
    assert state.records.sweep() == 0
    clock.now += 0.1
    assert state.records.sweep() == 1
    state.records.put("", ["done"], clock.now)
    assert {each.id for each in state.records.due(None, clock.now, 9)} == {"done", "waiting"}
