from storage.rooms import RoomKey
from storage.state import State

KEY = RoomKey("C1017", "encrypted")


def set_due_rooms(state: State, due_times: dict[str, float]) -> None:
    for league, due in due_times.items():
        state.rooms.set(league, KEY)
        state.rooms.postpone(league, due)


def test_league_has_a_room(state: State) -> None:
    assert state.rooms.key("") is None
    assert state.rooms.all() == {}
    state.rooms.set("", KEY)
    state.rooms.set("east", RoomKey("C1018", ""))
    assert state.rooms.all() == {"": KEY, "east": RoomKey("C1018", "")}
    assert state.rooms.key("") == KEY


def test_memory_stays_when_the_id_changes(state: State) -> None:
    assert state.rooms.memory("") == ""
    state.rooms.set("", KEY)
    state.rooms.remember("", "C1017", "雀")
    state.rooms.set("", KEY._replace(id="other"))
    assert state.rooms.memory("") == "雀"
    assert state.rooms.key("") == KEY._replace(id="other")


def test_removed_room_has_no_memory(state: State) -> None:
    state.rooms.set("", KEY)
    state.rooms.remember("", "C1017", "雀")
    state.rooms.remove("")
    state.rooms.remove("")
    assert state.rooms.key("") is None
    assert state.rooms.memory("") == ""


def test_room_with_an_id_stored_elsewhere_is_remembered(state: State) -> None:
    state.rooms.remember("", "C1017", "1")
    assert state.rooms.memory("") == "1"
    assert state.rooms.key("") == RoomKey("C1017", "")


def test_rooms_that_waited_longest_are_due_first(state: State) -> None:
    set_due_rooms(state, {"a": 30.0, "b": 10.0, "c": 20.0, "d": 40.0})
    state.rooms.set("new", KEY)
    assert state.rooms.due(30.0, 9) == ["new", "b", "c", "a"]
    assert state.rooms.due(30.0, 2) == ["new", "b"]
    assert state.rooms.due(-1.0, 9) == []


def test_used_room_is_due_at_once(state: State) -> None:
    set_due_rooms(state, {"a": 50.0, "b": 50.0, "c": 5.0})
    state.rooms.mark_used([], 10.0)
    assert state.rooms.due(10.0, 9) == ["c"]
    state.rooms.mark_used(["a", "c", "none"], 10.0)
    assert state.rooms.due(10.0, 9) == ["c", "a"]
    state.rooms.remember("a", "C1017", "1")
    assert state.rooms.due(10.0, 9) == ["c", "a"]


def test_last_use_of_a_league_is_known(state: State) -> None:
    set_due_rooms(state, {"a": 50.0, "b": 50.0})
    assert state.rooms.last_used("a") is None
    state.rooms.mark_used(["a", "none"], 10.0)
    assert state.rooms.last_used("a") == 10.0
    assert state.rooms.last_used("b") is None
    assert state.rooms.last_used("none") is None
    state.rooms.remember("a", "C1017", "1")
    assert state.rooms.last_used("a") == 10.0
