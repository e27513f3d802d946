import math

from storage.records import RETENTION, DueRecord
from storage.state import State
from tests.clock import Clock


def due_ids(
    state: State,
    leagues: list[str] | None,
    now: float,
) -> list[str]:
    return [record.id for record in state.records.due(leagues, now, 9)]


def test_oldest_records_are_due_first(state: State) -> None:
    state.records.put("", ["b", "a", "a"], 10.0)
    state.records.put("east", ["a"], 5.0)
    oldest = DueRecord("east", "a", 0)
    assert state.records.due(None, 9.0, 9) == [oldest]
    due = [oldest, DueRecord("", "a", 0), DueRecord("", "b", 0)]
    assert state.records.due(None, 10.0, 9) == due
    assert state.records.due(None, 10.0, 1) == [oldest]


def test_records_are_due_for_the_requested_leagues(state: State) -> None:
    state.records.put("", ["b", "a"], 10.0)
    state.records.put("east", ["c"], 5.0)
    assert due_ids(state, [""], 10.0) == ["a", "b"]
    assert due_ids(state, ["", "west"], 10.0) == ["a", "b"]
    assert due_ids(state, [], 10.0) == []


def test_putting_no_records_stores_nothing(state: State) -> None:
    state.records.put("", [], 1.0)
    assert due_ids(state, None, math.inf) == []


def test_postponed_record_is_due_later_with_its_tries(state: State) -> None:
    state.records.put("", ["a", "b"], 10.0)
    state.records.postpone("", "a", 30.0, 1)
    state.records.postpone("", "b", 20.0)
    assert due_ids(state, [""], 10.0) == []
    assert state.records.due([""], 30.0, 9) == [
        DueRecord(
            "",
            "b",
            0,
        ),
        DueRecord("", "a", 1),
    ]


def test_known_record_is_not_waited_for_again(state: State) -> None:
    state.records.put("", ["a", "b"], 10.0)
    state.records.postpone("", "a", 30.0, 1)
    state.records.mark_fetched("", "b")
    state.records.put("", ["a", "b"], 12.0)
    state.records.postpone("", "b", 12.0)
    assert state.records.due([""], 30.0, 9) == [
        DueRecord(
            "",
            "a",
            1,
        )
    ]


def test_records_given_up_are_listed_in_order(state: State) -> None:
    for number, record in enumerate("cab"):
        state.records.put("", [record], float(number))
    for record in "ac":
        state.records.give_up("", record)
    assert state.records.given_up("") == ["c", "a"]
    assert state.records.given_up("east") == []
    assert due_ids(state, [""], 9.0) == ["b"]


def test_fetched_record_ends_the_list_of_those_given_up(state: State) -> None:
    for league in ("", "east"):
        state.records.put(league, ["a", "b"], 1.0)
        state.records.give_up(league, "a")
    state.records.mark_fetched("", "b")
    assert state.records.given_up("") == []
    assert state.records.given_up("east") == ["a"]


def test_record_given_up_is_not_waited_for_again(state: State) -> None:
    state.records.put("", ["a"], 1.0)
    state.records.give_up("", "a")
    state.records.put("", ["a"], 3.0)
    assert state.records.due([""], math.inf, 9) == []


def test_sweep_forgets_fetched_records_after_two_months(state: State, clock: Clock) -> None:
    state.records.put("", ["fetched", "waiting"], clock.now)
    state.records.mark_fetched("", "fetched")
    clock.now += RETENTION
    assert state.records.sweep() == 0
    clock.now += 0.1
    assert state.records.sweep() == 1
    state.records.put("", ["fetched"], clock.now)
    assert sorted(due_ids(state, None, clock.now)) == ["fetched", "waiting"]
