import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.chat.command import Command, Term
from bot.dispatch import pending as pending_module
from bot.dispatch.pending import PendingEvent, PendingEvents
from bot.line.webhook import TOKEN_LIFE, read_event
from storage.events import LATER, QUEUE, Events, KeptEvent
from storage.ports import StorageError
from storage.state import State, open_state
from tests.backend import Backend
from tests.clock import Clock
from tests.kept import marked

Json = dict[str, Any]


@pytest.fixture
def state(tmp_path: Path, backend: Backend, clock: Clock) -> Iterator[State]:
    store = open_state(backend.database(tmp_path), clock=clock)
    yield store
    store.close()


def an_event(number: int = 0, at: float = 1_700_000_000.0) -> Json:
    source = {"type": "user", "userId": "U" + "1" * 32}
    return {
        "type": "postback",
        "webhookEventId": f"E{number}",
        "timestamp": int(at * 1000),
        "source": source,
    }


class Away:
    """The events of a database that cannot be reached while `away` is True, or whose answers are
    lost while `lost` is."""

    def __init__(self, inner: Events, away: bool = False, lost: bool = False) -> None:
        self.inner = inner
        self.away = away
        self.lost = lost
        self.now = inner.now

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **more: Any) -> Any:
            if self.away:
                raise StorageError("gone")
            result = getattr(self.inner, name)(*args, **more)
            if self.lost:
                raise StorageError("no answer")
            return result

        return call


def events(state: State, worker: bool = False) -> PendingEvents:
    return over(state.events, worker)


def over(records: Any, worker: bool = False) -> PendingEvents:
    return PendingEvents(records, lambda event: Command("rating"), worker)


def take(taps: PendingEvents, number: int = 0, queued: bool = False) -> PendingEvent | None:
    raw = an_event(number)
    event = read_event(raw)
    assert event is not None
    return taps.take(event, Command("rating"), "https://x", queued)


def test_an_event_is_taken_once_by_all_processes(state: State, clock: Clock) -> None:
    first = events(state)
    second = events(state)
    assert take(first) is not None
    assert take(first) is None
    assert take(second) is None


def test_another_process_reads_the_terms_of_a_command(state: State, clock: Clock) -> None:
    first = events(state)
    second = events(state)
    event = read_event(an_event())
    terms = (
        Term("member", "みどり", guessed=True),
        Term(
            "command",
            "sum",
            (("season", "1"),),
        ),
    )
    first.take(
        event,
        Command("sum", rest=("みどりの収支",), terms=terms),
        "",
        queued=True,
    )
    assert second.claim_queued(event.id).command.terms == terms


def test_only_events_of_dead_processes_are_lost(state: State, clock: Clock) -> None:
    first, second, third = (events(state) for _ in range(3))
    first.show_alive()
    tap = take(first)
    assert second.lost() == []
    clock.now += 6  # longer than a sign of life is valid
    (lost,) = second.lost()
    assert lost.event == tap.event
    mine = second.claim(lost)
    assert mine.again
    second.show_alive()
    assert third.claim(lost) is None
    assert third.lost() == []
    second.done(mine)
    clock.now += 6
    assert third.lost() == []
    assert take(third) is None


def test_a_new_process_shows_life_before_it_owns_an_event(state: State, clock: Clock) -> None:
    web, worker, other = (events(state) for _ in range(3))
    assert take(web, 1) is not None
    assert take(web, 2, queued=True) is not None
    assert worker.claim_queued("E2") is not None
    assert other.lost() == []


def test_an_event_that_no_worker_takes_is_lost(state: State, clock: Clock) -> None:
    web = events(state)
    other = events(state)
    tap = take(web, queued=True)
    assert tap.owner == QUEUE
    assert other.lost() == []
    clock.now += 6
    assert len(other.lost()) == 1


def test_an_event_claimed_in_doubt_is_left_to_others(state: State, clock: Clock) -> None:
    web = events(state)
    other = events(state)
    store = Away(state.events)
    worker = over(store, worker=True)
    tap = take(web, queued=True)
    worker.show_alive()
    store.lost = True
    with pytest.raises(StorageError):
        worker.claim_queued(tap.event.id)
    store.lost = False
    assert worker.claim_queued(tap.event.id) is None  # it seems to be another's
    assert other.lost() == []
    worker.show_alive()
    assert [lost.event.id for lost in other.lost()] == [tap.event.id]


def test_an_answer_is_put_off_with_its_messages(state: State, clock: Clock) -> None:
    first = events(state)
    second = events(state)
    tap = take(first)
    assert tap is not None
    assert first.put_off(tap, [{"type": "text", "text": "あ"}])
    (later,) = second.lost()
    assert later.owner == LATER
    assert later.messages == ({"type": "text", "text": "あ"},)


def test_a_process_answers_once_without_the_store(clock: Clock, state: State) -> None:
    taps = over(Away(state.events, away=True))
    tap = take(taps)
    assert not tap.recorded
    assert take(taps) is None
    assert taps.claim(tap) == tap
    taps.done(tap)


@pytest.mark.parametrize("queued", [False, True])
def test_an_event_recorded_in_doubt_is_marked(state: State, clock: Clock, queued: bool) -> None:
    """The store recorded the event, or the claim, but its reply was lost."""
    store = Away(state.events, lost=not queued)
    taps = over(store)
    web = events(state)
    tap = take(taps if not queued else web, queued=queued)
    assert tap is not None
    store.lost = True
    mine = taps.claim(tap)
    assert not mine.recorded
    store.lost = False
    taps.done(mine)
    assert (marked(state), state.events.lost()) == (["E0"], [])


@pytest.mark.parametrize("raw", ["{}", "[]", "3", '{"source": 3}', "{", ""])
def test_an_unreadable_record_is_logged_once(
    state: State, clock: Clock, raw: str, caplog: pytest.LogCaptureFixture
) -> None:
    first = events(state)
    second = events(state)
    state.events.take(KeptEvent("ODD", clock.now, "nobody", raw, ""))
    tap = take(first)
    clock.now += 6
    with caplog.at_level(logging.WARNING):
        assert [lost.event for lost in second.lost()] == [tap.event]
        assert len(second.lost()) == 1
    assert caplog.messages == ["a pending event is in a form this version does not read: ODD"]


@pytest.mark.parametrize("how", ["beat", "leave"])
def test_answered_events_are_marked_after_an_outage(state: State, how: str) -> None:
    store = Away(state.events)
    taps = over(store)
    first = take(taps, 1)
    assert first is not None
    store.away = True
    taps.done(first)
    store.away = False
    assert marked(state) == []
    if how == "beat":
        taps.show_alive()
    else:
        taps.leave()
    assert marked(state) == ["E1"]


def seconds_left(taps: PendingEvents, number: int, at: float, again: bool = False) -> float:
    raw = an_event(number, at) | {"deliveryContext": {"isRedelivery": again}}
    event = read_event(raw)
    assert event is not None
    pending = taps.take(event, Command("rating"), raw, "https://x")
    assert pending is not None
    return taps.seconds_left(pending)


@pytest.mark.parametrize("ahead", [-1200.0, 0.0, 1200.0])
def test_a_token_lives_from_its_events_first_time(state: State, clock: Clock, ahead: float) -> None:
    """LINE's clock may differ from the database's; an event that LINE sends again has LINE's first
    time.
    """
    taps = events(state)
    line = clock.now
    clock.now += ahead
    assert (
        seconds_left(taps, 1, line) == seconds_left(taps, 2, line - 9) == pytest.approx(TOKEN_LIFE)
    )
    for number, passed in ((3, 40), (4, 70)):
        seconds = seconds_left(taps, number, clock.now - passed, again=True)
        assert seconds == pytest.approx(TOKEN_LIFE - passed)


@pytest.fixture
def monotonic(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the processes' own seconds pass with the clock."""
    monkeypatch.setattr(pending_module, "time", SimpleNamespace(monotonic=clock))


@pytest.mark.usefixtures("monotonic")
def test_all_get_time_to_show_life_after_an_outage(state: State, clock: Clock) -> None:
    """No process could show that it lives, and each shows it again in its own time."""
    first = events(state)
    second = events(state)
    assert take(first) is not None
    second.show_alive()
    clock.now += 30
    second.show_alive()
    assert second.lost() == []
    clock.now += 4
    second.show_alive()
    assert second.lost() == []
    clock.now += 2
    second.show_alive()
    assert len(second.lost()) == 1


@pytest.mark.usefixtures("monotonic")
def test_the_web_process_knows_whether_a_worker_lives(state: State, clock: Clock) -> None:
    web = events(state)
    worker = events(state, worker=True)
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


def test_an_answered_event_is_not_taken_when_its_record_is_late(state: State) -> None:
    """The process got no reply of the store, which may carry the request out late."""
    away = Away(state.events, away=True)
    taps = over(away)
    tap = take(taps)
    assert tap is not None
    away.away = False
    taps.done(tap)
    assert take(events(state)) is None


def test_records_of_this_version_and_of_0_2_0_are_read(state: State, clock: Clock) -> None:
    command = Command("sum", {"season": "1"}, ("甲", "\ud800\0"), tentative=True)
    event = replace(read_event(an_event()), users=("U1",), text="\ud800\0")  # type: ignore[type-var]
    tap = events(state).take(event, command, "", queued=True)
    mine = events(state, worker=True).claim_queued("E0")
    assert (mine.event, mine.command) == (tap.event, tap.command) == (event, command)
    raw = an_event(1)
    state.events.take(
        KeptEvent(
            "E1",
            clock.now,
            "nobody",
            json.dumps(raw),
            "",
        )
    )
    clock.now += 6
    lost = next(pending for pending in events(state).lost() if pending.event.id == "E1")
    assert (lost.event, lost.command) == (read_event(raw), Command("rating"))
