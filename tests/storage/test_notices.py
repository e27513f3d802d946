from storage.state import State
from tests.clock import Clock


def test_a_notice_counts_as_sent_as_long_as_it_says(state: State, clock: Clock) -> None:
    assert not state.notices.was_sent("digest:C1")
    state.notices.sent("digest:C1", 10)
    state.notices.sent("season:C1")
    assert not state.notices.was_sent("digest:C2")
    clock.now += 9.5
    assert state.notices.was_sent("digest:C1")
    clock.now += 0.5
    assert not state.notices.was_sent("digest:C1")
    assert (state.notices.sweep(), state.notices.sweep()) == (1, 0)
    assert state.notices.was_sent("season:C1")
    state.notices.sent("digest:C1", 10)
    assert state.notices.was_sent("digest:C1")
