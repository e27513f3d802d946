from typing import Any

import pytest

from storage.state import State
from tests.clock import Clock


def test_of_several_processes_one_has_the_lease(state: State, clock: Clock) -> None:
    one = state.lease("rooms", 10)
    two = state.lease("rooms", 10)
    other = state.lease("notices", 10)
    assert one.take()
    assert not two.take()
    assert other.take()
    clock.now += 9
    assert one.take()
    clock.now += 9.5
    assert not two.take()
    assert one.renew()
    clock.now += 10
    assert two.take()
    assert not one.renew()
    one.release()
    assert not one.take()
    two.release()
    assert one.take()


@pytest.mark.parametrize("verb", ["take", "renew"])
def test_who_stood_still_past_the_lease_does_not_have_it(
    state: State, clock: Clock, verb: str
) -> None:
    lease = state.lease("rooms", 10)
    put = state.database.write
    assert lease.take()

    def slow(*given: Any, **named: Any) -> int:
        changed = put(*given, **named)
        clock.now += 10
        return changed

    state.database.write = slow  # type: ignore[method-assign]
    assert not getattr(lease, verb)()
