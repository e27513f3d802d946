from typing import Any

import pytest

from storage.state import State
from tests.clock import Clock


def test_one_of_two_processes_gets_the_lease(state: State) -> None:
    assert state.lease("rooms", 10).take()
    assert not state.lease("rooms", 10).take()
    assert state.lease("notices", 10).take()


@pytest.mark.parametrize("verb", ["take", "renew"])
def test_renewed_lease_lasts_from_then_on(state: State, clock: Clock, verb: str) -> None:
    ours = state.lease("rooms", 10)
    theirs = state.lease("rooms", 10)
    assert ours.take()
    clock.now += 9
    assert getattr(ours, verb)()
    clock.now += 9.5
    assert not theirs.take()
    clock.now += 0.5
    assert theirs.take()


def test_lost_lease_is_neither_renewed_nor_released(state: State, clock: Clock) -> None:
    ours = state.lease("rooms", 10)
    theirs = state.lease("rooms", 10)
    ours.take()
    clock.now += 10
    theirs.take()
    assert not ours.renew()
    ours.release()
    assert not ours.take()


def test_released_lease_is_free_at_once(state: State) -> None:
    ours = state.lease("rooms", 10)
    theirs = state.lease("rooms", 10)
    ours.take()
    ours.release()
    assert theirs.take()


def test_lease_is_free_after_the_clock_was_set_back(state: State, clock: Clock) -> None:
    state.lease("rooms", 10).take()
    clock.now -= 10
    assert not state.lease("rooms", 10).take()
    clock.now -= 0.5
    assert state.lease("rooms", 10).take()


@pytest.mark.parametrize("verb", ["take", "renew"])
def test_process_suspended_past_the_lease_does_not_have_it(
    state: State, clock: Clock, verb: str
) -> None:
    lease = state.lease("rooms", 10)
    write = state.database.write
    assert lease.take()

    def write_slowly(*arguments: Any, **options: Any) -> int:
        count = write(*arguments, **options)
        clock.now += 10
        return count

    state.database.write = write_slowly  # type: ignore[method-assign]
    assert not getattr(lease, verb)()
