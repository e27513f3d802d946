"""The events that are accepted but not answered yet, as the state store keeps them."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.chat.command import Command
from bot.dispatch import pending as pending_module
from bot.dispatch.pending import DONE, LATER, QUEUE, TOGETHER, PendingEvent, PendingEvents
from bot.line.webhook import TOKEN_LIFE, read_event
from storage.ports import StorageError
from storage.state import SqlState
from tests.backend import Backend
from tests.clock import Clock

Json = dict[str, Any]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def state(tmp_path: Path, backend: Backend, clock: Clock) -> Iterator[SqlState]:
    store = SqlState(backend.database(tmp_path), clock=clock)
    yield store
    store.close()


def an_event(number: int = 0, at: float = 1_700_000_000.0) -> Json:
    source = {"type": "user", "userId": "U" + "1" * 32}
    return {"type": "postback", "webhookEventId": f"E{number}", "timestamp": int(at * 1000), "source": source}


class Away:
    """A state store that cannot be reached while `away` is True."""

    def __init__(self, state: SqlState) -> None:
        self.state, self.away = state, True
        self.now = state.now

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **more: Any) -> Any:
            if self.away:
                raise StorageError("gone")
            return getattr(self.state, name)(*args, **more)

        return call


def events(state: Any, clock: Clock) -> PendingEvents:
    return PendingEvents(state, lambda event: Command("rating"))


def taken(taps: PendingEvents, number: int = 0, queued: bool = False) -> PendingEvent | None:
    raw = an_event(number)
    event = read_event(raw)
    assert event is not None
    return taps.take(event, Command("rating"), raw, "https://x", queued)


def test_an_event_is_taken_once_by_all_processes(state: SqlState, clock: Clock) -> None:
    one, two = events(state, clock), events(state, clock)
    assert taken(one) is not None
    assert taken(one) is None
    assert taken(two) is None


def test_what_a_living_process_holds_is_left_alone_and_a_dead_ones_is_taken_up(
    state: SqlState, clock: Clock
) -> None:
    one, two, three = (events(state, clock) for _ in range(3))
    one.show_alive()
    tap = taken(one)
    assert tap is not None
    assert two.lost() == []
    clock.now += 6  # longer than a sign of life is valid
    (lost,) = two.lost()
    assert lost.raw == tap.raw
    mine = two.claim(lost)
    assert mine is not None
    assert mine.again
    two.show_alive()
    assert three.claim(lost) is None
    assert three.lost() == []
    two.done(mine)
    clock.now += 6
    assert three.lost() == []
    assert taken(three) is None


def test_a_process_that_has_just_begun_keeps_its_taps(state: SqlState, clock: Clock) -> None:
    """Its background loop has not run yet. Taking or claiming an event shows that the process lives."""
    web, worker, other = (events(state, clock) for _ in range(3))
    assert taken(web, 1) is not None
    queued = taken(web, 2, queued=True)
    assert queued is not None
    assert worker.claim(queued) is not None
    assert other.lost() == []


def test_a_tap_left_in_the_queue_is_taken_up(state: SqlState, clock: Clock) -> None:
    web, other = events(state, clock), events(state, clock)
    tap = taken(web, queued=True)
    assert tap is not None
    assert tap.owner == QUEUE
    assert other.lost() == []
    clock.now += 6
    assert len(other.lost()) == 1


def test_an_answer_put_off_is_kept_with_its_messages(state: SqlState, clock: Clock) -> None:
    one, two = events(state, clock), events(state, clock)
    tap = taken(one)
    assert tap is not None
    assert one.put_off(tap, [{"type": "text", "text": "あ"}])
    (later,) = two.lost()
    assert later.owner == LATER
    assert later.messages == ({"type": "text", "text": "あ"},)
    assert two.read(later.key, later.value) == later


def test_only_one_process_gives_a_tap_up(state: SqlState, clock: Clock) -> None:
    one, two = events(state, clock), events(state, clock)
    taken(events(state, clock))
    clock.now += 60
    (lost,) = one.lost()
    assert [one.give_up(lost), two.give_up(lost)] == [True, False]


def test_without_the_store_a_process_still_answers_once(clock: Clock, state: SqlState) -> None:
    taps = events(Away(state), clock)
    tap = taken(taps)
    assert tap is not None
    assert tap.key == ""
    assert taken(taps) is None
    assert taps.claim(tap) == tap
    taps.done(tap)


def test_what_was_answered_while_the_store_was_away_is_marked_when_it_is_back(
    state: SqlState, clock: Clock
) -> None:
    store = Away(state)
    store.away = False
    taps = events(store, clock)
    tap = taken(taps)
    assert tap is not None
    store.away = True
    taps.done(tap)
    store.away = False
    taps.show_alive()
    assert state.get(tap.key) == "done"


def test_the_event_of_a_process_that_begins_during_a_look_is_not_lost(state: SqlState, clock: Clock) -> None:
    """Recovery reads twice. A process that takes its first event between the two lives all the same."""
    one = events(state, clock)

    class BetweenTwoReads:
        first = True
        now = state.now

        def items(self, prefix: str, without: str | None = None) -> dict[str, str]:
            found = state.items(prefix, without)
            if self.first:
                self.first = False
                assert taken(one) is not None
            return found

    assert events(BetweenTwoReads(), clock).lost() == []


class AnswersLost:
    """A state store that does what it is asked, but whose answers do not arrive while `lost` is True."""

    def __init__(self, state: SqlState) -> None:
        self.state, self.lost = state, True
        self.now = state.now

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **more: Any) -> Any:
            done = getattr(self.state, name)(*args, **more)
            if self.lost:
                raise StorageError("no answer")
            return done

        return call


@pytest.mark.parametrize("queued", [False, True])
def test_a_record_that_is_there_against_all_appearance_is_marked(
    state: SqlState, clock: Clock, queued: bool
) -> None:
    """The store has kept the event, or the claim, but its answer was lost. The event is answered, and nothing is left."""
    store = AnswersLost(state)
    store.lost = not queued
    taps, web = events(store, clock), events(state, clock)
    tap = taken(taps if not queued else web, queued=queued)
    assert tap is not None
    store.lost = True
    mine = taps.claim(tap)
    assert mine is not None
    assert mine.key == ""
    store.lost = False
    taps.done(mine)
    assert list(state.items("event:").values()) == ["done"]


@pytest.mark.parametrize(
    "value",
    [
        "nobody 1.0 {}",
        "nobody 1.0 []",
        'nobody 1.0 {"event": 3, "base": ""}',
        'nobody 1.0 {"event": {}, "base": ""}',
        'nobody never {"event": {}}',
        "nobody",
        "nobody 1.0 {",
    ],
)
def test_a_record_of_another_shape_is_told_once_and_stops_nobody(
    state: SqlState, clock: Clock, value: str, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = events(state, clock), events(state, clock)
    state.put(f"event:{int(clock.now):010d}:ODD", value, 3600)
    tap = taken(one)
    assert tap is not None
    clock.now += 6
    with caplog.at_level(logging.WARNING):
        assert [lost.raw for lost in two.lost()] == [tap.raw]
        assert len(two.lost()) == 1
    assert [message for message in caplog.messages if "ODD" in message] == [
        f"a pending event is in a form this version does not read: event:{int(clock.now - 6):010d}:ODD"
    ]


def test_a_record_of_the_first_version_is_read(state: SqlState, clock: Clock) -> None:
    """Events that version 0.1.0 stored are read, so that an update loses no tap."""
    raw = an_event(7)
    value = f"deadbeef0000 {clock.now:.3f} {json.dumps({'event': raw, 'base': 'https://x'})}"
    state.put(f"event:{int(clock.now):010d}:E7", value, 3600)
    clock.now += 6
    (lost,) = events(state, clock).lost()
    assert (lost.raw, lost.base, lost.command.name) == (raw, "https://x", "rating")


def test_under_load_several_answered_events_are_marked_at_once(state: SqlState, clock: Clock) -> None:
    taps = events(state, clock)
    waiting = [taken(taps, number) for number in range(TOGETHER + 2)]
    assert all(waiting)
    for pending in waiting[:TOGETHER]:
        assert pending is not None
        assert DONE not in state.items("event:").values()
        taps.done(pending, may_wait=True)
    assert list(state.items("event:").values()).count(DONE) == TOGETHER
    for pending in waiting[TOGETHER:]:
        assert pending is not None
        taps.done(pending, may_wait=True)
    assert set(state.items("event:").values()) == {DONE}  # nothing else is under way, so nothing waits


def test_what_changes_something_is_marked_at_once(state: SqlState, clock: Clock) -> None:
    taps = events(state, clock)
    first, second = taken(taps, 1), taken(taps, 2)
    assert first is not None
    assert second is not None
    taps.done(first)
    assert state.get(first.key) == DONE
    taps.done(second)


@pytest.mark.parametrize("how", ["beat", "leave"])
def test_what_waits_is_marked_with_the_next_sign_of_life_and_at_the_end(
    state: SqlState, clock: Clock, how: str
) -> None:
    taps = events(state, clock)
    first, second = taken(taps, 1), taken(taps, 2)
    assert first is not None
    assert second is not None
    taps.done(first, may_wait=True)
    assert state.get(first.key) != DONE
    taps.show_alive() if how == "beat" else taps.leave()
    assert state.get(first.key) == DONE
    assert state.get(second.key) != DONE


def test_a_killed_process_s_unmarked_answers_are_known_to_be_a_second_try(
    state: SqlState, clock: Clock
) -> None:
    taps, other = events(state, clock), events(state, clock)
    first, second = taken(taps, 1), taken(taps, 2)
    assert first is not None
    assert second is not None
    taps.done(first, may_wait=True)  # and here the process is killed
    clock.now += 6
    found = other.lost()
    assert {pending.key for pending in found} == {first.key, second.key}
    mine = [other.claim(pending) for pending in found]
    assert all(
        pending is not None and pending.again for pending in mine
    )  # LINE refuses it where it has arrived


def came(taps: PendingEvents, number: int, at: float, again: bool = False) -> float:
    """Take an event of that time, and return the seconds its reply token still lives."""
    raw = an_event(number, at) | {"deliveryContext": {"isRedelivery": again}}
    event = read_event(raw)
    assert event is not None
    pending = taps.take(event, Command("rating"), raw, "https://x")
    assert pending is not None
    return taps.left(pending)


@pytest.mark.parametrize("ahead", [-1200.0, 0.0, 1200.0])
def test_an_event_is_as_old_as_line_says_whatever_the_clocks_show(
    state: SqlState, clock: Clock, ahead: float
) -> None:
    taps, line = events(state, clock), clock.now
    clock.now += ahead
    assert came(taps, 1, line) == pytest.approx(TOKEN_LIFE)
    assert came(taps, 2, line - 40, again=True) == pytest.approx(TOKEN_LIFE - 40)
    assert came(taps, 3, line - 60, again=True) == pytest.approx(TOKEN_LIFE - 60)
    assert came(taps, 4, line - 60) == pytest.approx(
        TOKEN_LIFE - 60
    )  # it waited in a process that stood still


def test_an_event_that_line_sends_again_first_of_all_is_old(state: SqlState, clock: Clock) -> None:
    assert came(events(state, clock), 1, clock.now - 60, again=True) < 0


@pytest.fixture
def monotonic(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the processes' own seconds pass with the clock."""
    monkeypatch.setattr(pending_module, "time", SimpleNamespace(monotonic=clock))


@pytest.mark.usefixtures("monotonic")
def test_after_the_store_was_away_nobody_is_taken_for_dead_at_once(state: SqlState, clock: Clock) -> None:
    """No process could show that it lives, and each shows it again in its own time."""
    one, two = events(state, clock), events(state, clock)
    assert taken(one) is not None
    two.show_alive()
    clock.now += 30
    two.show_alive()
    assert two.lost() == []
    clock.now += 4
    two.show_alive()
    assert two.lost() == []
    clock.now += 2
    two.show_alive()
    assert len(two.lost()) == 1


@pytest.mark.usefixtures("monotonic")
def test_it_is_known_whether_a_worker_lives(state: SqlState, clock: Clock) -> None:
    web = events(state, clock)
    worker = PendingEvents(state, lambda event: Command("rating"), worker=True)
    web.show_alive()
    assert not web.worker_lives()
    worker.show_alive()
    clock.now += 2
    assert web.worker_lives()
    clock.now += 6
    assert not web.worker_lives()
    worker.show_alive()
    clock.now += 2
    worker.leave()
    assert not web.worker_lives()
