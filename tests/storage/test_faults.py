from storage.faults import Fault
from storage.state import State
from tests.clock import Clock

MONTH = 30 * 86400.0


def test_a_fault_lasts_from_its_first_note(state: State, clock: Clock) -> None:
    begin = clock.now
    first = Fault("token", "a", "said", begin, None)
    assert state.faults.lasts("", "token", "a", "said") == first
    clock.now += 5
    assert state.faults.lasts("", "token", "a", "said anew") == first
    assert state.faults.lasts("east", "token", "a", "said").since == clock.now
    state.faults.told("", "token")
    reported = Fault("token", "a", "said", begin, clock.now)
    assert state.faults.lasts("", "token", "a", "") == reported
    clock.now += 5
    other = Fault("token", "b", "other", clock.now, None)
    assert state.faults.lasts("", "token", "b", "other") == other
    state.faults.lasts("", "folder", "", "later")
    assert [fault.kind for fault in state.faults.lasting("")] == ["token", "folder"]
    assert [fault.told for fault in state.faults.lasting("east")] == [None]


def test_what_was_told_of_is_told_when_it_is_over_for_a_month(state: State, clock: Clock) -> None:
    begin = clock.now
    for kind in ("told", "untold"):
        state.faults.lasts("", kind, "", "")
    state.faults.told("", "told")
    state.faults.told("", "none")
    clock.now += 60
    for kind in ("told", "untold", "none"):
        state.faults.over("", kind)
    assert state.faults.lasting("") == []
    assert state.faults.take_past("east") == []
    assert state.faults.take_past("") == [Fault("told", "", "", begin, begin, clock.now)]
    assert state.faults.take_past("") == []
    state.faults.past("", "database", begin)
    clock.now += MONTH - 1
    state.faults.past("", "second", begin + 1)
    (database, second) = state.faults.take_past("")
    assert (database.kind, database.since, second.kind) == ("database", begin, "second")
    state.faults.past("", "database", begin)
    clock.now += MONTH
    assert state.faults.take_past("") == []
