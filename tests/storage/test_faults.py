from storage.faults import Fault
from storage.state import State
from tests.clock import Clock

MONTH = 30 * 86400.0


def test_fault_keeps_its_first_time_and_message(state: State, clock: Clock) -> None:
    first = Fault("token", "a", "message", clock.now, None)
    assert state.faults.record("", "token", "a", "message") == first
    clock.now += 5
    assert state.faults.record("", "token", "a", "another message") == first
    assert state.faults.ongoing("") == [first]


def test_fault_about_another_thing_replaces_it(state: State, clock: Clock) -> None:
    state.faults.record("", "token", "a", "message")
    clock.now += 5
    other = Fault("token", "b", "other", clock.now, None)
    assert state.faults.record("", "token", "b", "other") == other
    assert state.faults.ongoing("") == [other]


def test_ongoing_faults_are_listed_oldest_first(state: State, clock: Clock) -> None:
    for kind in ("token", "folder"):
        state.faults.record("", kind, "", "")
        clock.now += 1
    state.faults.record("east", "token", "", "")
    assert [fault.kind for fault in state.faults.ongoing("")] == ["token", "folder"]
    assert [fault.kind for fault in state.faults.ongoing("east")] == ["token"]


def test_report_is_noted_for_the_fault_of_one_league(state: State, clock: Clock) -> None:
    for league in ("", "east"):
        state.faults.record(league, "token", "a", "message")
    begin = clock.now
    clock.now += 5
    state.faults.mark_reported("", "token")
    reported = Fault("token", "a", "message", begin, clock.now)
    assert state.faults.record("", "token", "a", "message") == reported
    assert [fault.reported for fault in state.faults.ongoing("east")] == [None]


def test_reported_fault_is_taken_once_when_it_is_over(state: State, clock: Clock) -> None:
    begin = clock.now
    state.faults.record("", "token", "", "")
    state.faults.mark_reported("", "token")
    clock.now += 60
    state.faults.mark_over("", "token")
    assert state.faults.ongoing("") == []
    assert state.faults.take_past("east") == []
    assert state.faults.take_past("") == [
        Fault(
            "token",
            "",
            "",
            begin,
            begin,
            clock.now,
        )
    ]
    assert state.faults.take_past("") == []


def test_unreported_fault_that_is_over_is_forgotten(state: State) -> None:
    state.faults.record("", "token", "", "")
    state.faults.mark_reported("", "none")
    for kind in ("token", "none"):
        state.faults.mark_over("", kind)
    assert state.faults.ongoing("") == []
    assert state.faults.take_past("") == []


def test_past_faults_are_taken_for_a_month(state: State, clock: Clock) -> None:
    state.faults.record_past("", "database", clock.now)
    clock.now += MONTH - 1
    state.faults.record_past("", "second", clock.now - MONTH + 2)
    assert [fault.kind for fault in state.faults.take_past("")] == ["database", "second"]
    state.faults.record_past("", "database", clock.now)
    clock.now += MONTH
    assert state.faults.take_past("") == []


def test_of_past_faults_of_a_kind_the_latest_is_taken(state: State, clock: Clock) -> None:
    for begin in (1.0, 2.0):
        clock.now += 1
        state.faults.record_past("", "database", begin)
    assert [fault.since for fault in state.faults.take_past("")] == [2.0]
