import pytest

from storage.events import ALIVE, HERE, LATER, QUEUE, QUEUED, RECENT, REMEMBERED, KeptEvent, KeptJob
from storage.state import State
from tests.clock import Clock

EVENT = KeptEvent("01M81", 1_700_000_000.0, "one", '{"雀": "録"}', "https://x.example")


def owner(state: State, process: str = "one") -> bool:
    return state.events.holds(EVENT.id, process)


def test_an_event_is_taken_once(state: State) -> None:
    assert state.events.take(EVENT)
    assert not state.events.take(EVENT._replace(owner="two"))
    assert owner(state)
    assert not owner(state, "two")
    state.events.done([EVENT.id])
    assert not state.events.take(EVENT)
    assert not owner(state)


def test_an_event_is_given_from_owner_to_owner(state: State) -> None:
    state.events.take(EVENT._replace(owner=QUEUE))
    assert state.events.claim(EVENT.id, "another", "two") is None
    assert state.events.claim(EVENT.id, QUEUE, "two") == EVENT._replace(owner="two")
    assert state.events.claim(EVENT.id, QUEUE, "three") is None
    assert not state.events.put_off(EVENT.id, "three", "[]")
    assert state.events.put_off(EVENT.id, "two", "[1]")
    put_off = EVENT._replace(owner="three", messages="[1]")
    assert state.events.claim(EVENT.id, LATER, "three") == put_off
    state.events.done([EVENT.id])
    assert state.events.claim(EVENT.id, "three", "four") is None
    assert not state.events.put_off(EVENT.id, "three", "[]")
    assert state.events.claim("none", QUEUE, "two") is None


@pytest.mark.parametrize("count", [0, 1, 100])
def test_several_events_are_done_at_once(state: State, count: int) -> None:
    """Also one of which it is not known whether it was kept: it is not taken again."""
    for number in range(0, count, 2):
        state.events.take(EVENT._replace(id=f"{number}"))
    state.events.take(EVENT)
    state.events.done([f"{number}" for number in range(count)])
    assert owner(state)
    for number in range(count):
        assert not state.events.take(EVENT._replace(id=f"{number}"))


def test_lost_is_what_nobody_is_at_work_on(state: State, clock: Clock) -> None:
    start = clock.now
    owners = {
        "living": "alive",
        "dead": "dead",
        "later": LATER,
        "queued": QUEUE,
        "old": "dead",
        "done": "dead",
    }
    ages = {"later": 1.0, "old": RECENT}
    for name, process in owners.items():
        taken = start - ages.get(name, 0.0)
        state.events.take(EVENT._replace(id=name, owner=process, taken=taken))
    state.events.done(["done"])
    state.events.show_alive("alive")
    assert [event.id for event in state.events.lost()] == ["later", "dead"]
    clock.now += QUEUED
    state.events.show_alive("alive")
    assert [event.id for event in state.events.lost()] == ["later", "dead"]
    clock.now += 0.1
    assert [event.id for event in state.events.lost()] == ["later", "dead", "queued"]
    clock.now += ALIVE
    lost = state.events.lost()
    assert [event.id for event in lost] == ["later", "dead", "living", "queued"]
    assert lost[1] == EVENT._replace(id="dead", owner="dead", taken=start)


def test_a_process_lives_while_it_says_so(state: State, clock: Clock) -> None:
    state.events.take(EVENT)
    assert [event.owner for event in state.events.lost()] == ["one"]
    state.events.show_alive("one")
    state.events.show_alive("worker", worker=True)
    assert state.events.lost() == []
    assert state.events.workers() == 1
    state.events.leave("one")
    assert [event.owner for event in state.events.lost()] == ["one"]
    clock.now += ALIVE
    assert state.events.workers() == 0
    state.events.show_alive("worker", worker=True)
    assert state.events.workers() == 1
    assert state.events.now() == clock.now


def test_an_event_is_forgotten_after_a_day(state: State, clock: Clock) -> None:
    state.events.take(EVENT._replace(taken=clock.now))
    state.events.done([EVENT.id])
    state.events.show_alive("one")
    clock.now += REMEMBERED
    assert state.events.sweep() == 0
    assert not state.events.take(EVENT)
    clock.now += 0.1
    assert state.events.sweep() == 1
    assert state.events.take(EVENT)


def test_a_job_has_a_number_and_is_done_once(state: State) -> None:
    assert state.jobs.put([]) == []
    one, two = state.jobs.put(["a", "b"])
    assert one != two
    state.events.show_alive("w")
    assert (
        state.jobs.claim(
            one,
            "w",
        )
        == "a"
    )
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


def test_the_job_of_a_dead_process_is_free_and_forgotten_after_an_hour(
    state: State, clock: Clock
) -> None:
    (number,) = state.jobs.put(["a"])
    state.events.show_alive("w")
    state.jobs.claim(number, "w")
    clock.now += ALIVE
    assert state.jobs.look([number]) == [KeptJob(number, "", "")]
    assert state.jobs.claim(number, "v") == "a"
    (number,) = state.jobs.put(["a"])
    clock.now += 3600
    state.jobs.put(["b"])
    assert len(state.jobs.look([number])) == 1
    clock.now += 0.1
    state.jobs.put(["c"])
    assert state.jobs.look([number]) == []
