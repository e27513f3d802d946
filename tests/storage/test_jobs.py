from storage.events import ALIVE
from storage.jobs import HERE, KeptJob
from storage.state import State
from tests.clock import Clock

HOUR = 3600


def test_jobs_get_different_numbers(state: State) -> None:
    assert state.jobs.put([]) == []
    first, second = state.jobs.put(["a", "b"])
    assert first != second
    expected = [KeptJob(first, "", ""), KeptJob(second, "", "")]
    assert state.jobs.look([first, second]) == expected
    assert state.jobs.look([]) == []


def test_job_of_a_living_worker_is_claimed_by_no_other(state: State) -> None:
    (job,) = state.jobs.put(["a"])
    state.events.show_alive("worker")
    assert state.jobs.claim(job, "worker") == "a"
    assert state.jobs.claim(job, "worker") == "a"
    assert state.jobs.claim(job, HERE) is None
    assert state.jobs.claim(job, "another") is None
    assert state.jobs.look([job]) == [KeptJob(job, "worker", "")]


def test_job_of_the_putting_process_is_claimed_by_no_worker(state: State) -> None:
    (job,) = state.jobs.put(["a"])
    assert state.jobs.claim(job, HERE) == "a"
    assert state.jobs.claim(job, "worker") is None


def test_job_that_is_done_is_not_claimed_again(state: State) -> None:
    (job,) = state.jobs.put(["a"])
    state.events.show_alive("worker")
    state.jobs.claim(job, "worker")
    state.jobs.done(job, "{}")
    assert state.jobs.claim(job, "worker") is None
    assert state.jobs.look([job]) == [KeptJob(job, "worker", "{}")]


def test_unknown_job_is_not_claimed(state: State) -> None:
    (job,) = state.jobs.put(["a"])
    assert state.jobs.claim(job + 1, "worker") is None


def test_job_of_a_dead_worker_is_free(state: State, clock: Clock) -> None:
    (job,) = state.jobs.put(["a"])
    state.events.show_alive("worker")
    state.jobs.claim(job, "worker")
    clock.now += ALIVE
    assert state.jobs.look([job]) == [KeptJob(job, "", "")]
    assert state.jobs.claim(job, "another") == "a"


def test_job_is_forgotten_after_an_hour(state: State, clock: Clock) -> None:
    (job,) = state.jobs.put(["a"])
    clock.now += HOUR
    state.jobs.put(["b"])
    assert len(state.jobs.look([job])) == 1
    clock.now += 0.1
    state.jobs.put(["c"])
    assert state.jobs.look([job]) == []
