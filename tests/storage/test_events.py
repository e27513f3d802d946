import pytest

from storage.events import ALIVE, LATER, QUEUE, QUEUED, RECENT, REMEMBERED, KeptEvent
from storage.state import State
from tests.clock import Clock

EVENT = KeptEvent("01M81", 1_700_000_000.0, "one", '{"雀": "録"}', "https://x.example")


def lost_ids(state: State) -> list[str]:
    return [event.id for event in state.events.lost()]


def test_event_is_taken_once(state: State) -> None:
    assert state.events.take(EVENT)
    assert not state.events.take(EVENT._replace(owner="two"))
    assert state.events.holds(EVENT.id, "one")
    assert not state.events.holds(EVENT.id, "two")


def test_event_that_is_done_is_not_taken_again(state: State) -> None:
    state.events.take(EVENT)
    state.events.done([EVENT.id])
    assert not state.events.take(EVENT)
    assert not state.events.holds(EVENT.id, "one")


def test_event_is_claimed_from_its_owner_once(state: State) -> None:
    state.events.take(EVENT._replace(owner=QUEUE))
    assert state.events.claim(EVENT.id, "another", "two") is None
    assert state.events.claim(EVENT.id, QUEUE, "two") == EVENT._replace(owner="two")
    assert state.events.claim(EVENT.id, QUEUE, "three") is None
    assert state.events.claim("none", QUEUE, "two") is None


def test_event_is_put_off_with_its_answer_by_its_owner(state: State) -> None:
    state.events.take(EVENT._replace(owner="two"))
    assert not state.events.put_off(EVENT.id, "three", "[]")
    assert state.events.put_off(EVENT.id, "two", "[1]")
    expected = EVENT._replace(owner="three", messages="[1]")
    assert state.events.claim(EVENT.id, LATER, "three") == expected


def test_event_that_is_done_is_neither_claimed_nor_put_off(state: State) -> None:
    state.events.take(EVENT)
    state.events.done([EVENT.id])
    assert state.events.claim(EVENT.id, "one", "two") is None
    assert not state.events.put_off(EVENT.id, "one", "[]")


@pytest.mark.parametrize("count", [0, 1, 100])
def test_several_events_are_done_also_those_never_stored(state: State, count: int) -> None:
    for number in range(0, count, 2):
        state.events.take(EVENT._replace(id=f"{number}"))
    state.events.take(EVENT)
    state.events.done([f"{number}" for number in range(count)])
    assert state.events.holds(EVENT.id, "one")
    for number in range(count):
        assert not state.events.take(EVENT._replace(id=f"{number}"))


def test_events_that_nobody_is_at_work_on_are_lost(state: State, clock: Clock) -> None:
    owners = {"living": "alive", "dead": "dead", "later": LATER, "done": "dead"}
    for name, process in owners.items():
        state.events.take(EVENT._replace(id=name, owner=process))
    state.events.done(["done"])
    state.events.show_alive("alive")
    assert lost_ids(state) == ["dead", "later"]
    assert state.events.lost()[0] == EVENT._replace(id="dead", owner="dead")
    clock.now += ALIVE
    assert lost_ids(state) == ["dead", "later", "living"]


def test_event_is_lost_after_some_seconds_in_the_queue(state: State, clock: Clock) -> None:
    state.events.take(EVENT._replace(owner=QUEUE, taken=clock.now))
    clock.now += QUEUED
    assert state.events.lost() == []
    clock.now += 0.1
    assert lost_ids(state) == [EVENT.id]


def test_lost_events_are_listed_oldest_first(state: State, clock: Clock) -> None:
    ages = {"new": 0.0, "older": 1.0, "too old": RECENT}
    for name, age in ages.items():
        state.events.take(
            EVENT._replace(
                id=name,
                owner="dead",
                taken=clock.now - age,
            )
        )
    assert lost_ids(state) == ["older", "new"]


def test_events_of_a_process_are_lost_once_it_leaves(state: State) -> None:
    state.events.take(EVENT)
    assert lost_ids(state) == [EVENT.id]
    state.events.show_alive("one")
    assert state.events.lost() == []
    state.events.leave("one")
    assert lost_ids(state) == [EVENT.id]


def test_living_workers_are_counted(state: State, clock: Clock) -> None:
    state.events.show_alive("web")
    state.events.show_alive("worker", worker=True)
    assert state.events.workers() == 1
    clock.now += ALIVE
    assert state.events.workers() == 0
    state.events.show_alive("worker", worker=True)
    assert state.events.workers() == 1
    assert state.events.now() == clock.now


def test_event_is_forgotten_after_a_day(state: State, clock: Clock) -> None:
    state.events.take(EVENT._replace(taken=clock.now))
    state.events.done([EVENT.id])
    clock.now += REMEMBERED
    assert state.events.sweep() == 0
    assert not state.events.take(EVENT)
    clock.now += 0.1
    assert state.events.sweep() == 1
    assert state.events.take(EVENT)
