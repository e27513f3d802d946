from storage.state import State
from tests.clock import Clock


def test_sent_notice_is_remembered_until_its_end(state: State, clock: Clock) -> None:
    assert not state.notices.was_sent("digest:C1")
    state.notices.mark_sent("digest:C1", 10)
    assert not state.notices.was_sent("digest:C2")
    clock.now += 9.5
    assert state.notices.was_sent("digest:C1")
    clock.now += 0.5
    assert not state.notices.was_sent("digest:C1")
    state.notices.mark_sent("digest:C1", 10)
    assert state.notices.was_sent("digest:C1")


def test_sweep_removes_notices_that_are_over(state: State, clock: Clock) -> None:
    state.notices.mark_sent("digest:C1", 10)
    state.notices.mark_sent("season:C1")
    clock.now += 10
    assert state.notices.sweep() == 1
    assert state.notices.sweep() == 0
    assert state.notices.was_sent("season:C1")
