"""A sync's jobs: each is one process's at a time."""

from __future__ import annotations

from storage.events import ALIVE, HERE, KeptJob
from storage.state import State
from tests.clock import Clock


def test_a_job_has_a_number_and_is_done_once(state: State) -> None:
    assert state.jobs.put([]) == []
    one, two = state.jobs.put(["a", "b"])
    assert one != two
    state.events.show_alive("w")
    assert state.jobs.claim(one, "w") == "a"
    assert state.jobs.claim(one, "w") == "a"
    assert state.jobs.claim(one, HERE) is None
    assert state.jobs.look([one, two]) == [KeptJob(one, "w", ""), KeptJob(two, "", "")]
    state.jobs.done(one, "{}")
    assert state.jobs.claim(one, "w") is None
    assert state.jobs.claim(two, HERE) == "b"
    assert state.jobs.claim(two, "w") is None
    assert state.jobs.look([one]) == [KeptJob(one, "w", "{}")]
    assert state.jobs.look([]) == []
    assert state.jobs.claim(max(one, two) + 1, "w") is None


def test_the_job_of_a_dead_process_is_free(state: State, clock: Clock) -> None:
    (number,) = state.jobs.put(["a"])
    state.events.show_alive("w")
    state.jobs.claim(number, "w")
    clock.now += ALIVE
    assert state.jobs.look([number]) == [KeptJob(number, "", "")]
    assert state.jobs.claim(number, "v") == "a"


def test_a_job_is_kept_for_an_hour(state: State, clock: Clock) -> None:
    (number,) = state.jobs.put(["a"])
    clock.now += 3600
    state.jobs.put(["b"])
    assert len(state.jobs.look([number])) == 1
    clock.now += 0.1
    state.jobs.put(["c"])
    assert state.jobs.look([number]) == []
