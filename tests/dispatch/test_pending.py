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
            done = getattr(self.inner, name)(*args, **more)
            if self.lost:
                raise StorageError("no answer")
            return done

        return call


def events(state: State, worker: bool = False) -> PendingEvents:
    return over(state.events, worker)


def over(kept: Any, worker: bool = False) -> PendingEvents:
    return PendingEvents(kept, lambda event: Command("rating"), worker)


def taken(taps: PendingEvents, number: int = 0, queued: bool = False) -> PendingEvent | None:
    raw = an_event(number)
    event = read_event(raw)
    assert event is not None
    return taps.take(event, Command("rating"), "https://x", queued)


def test_an_event_is_taken_once_by_all_processes(state: State, clock: Clock) -> None:
    one = events(state)
    two = events(state)
    assert taken(one) is not None
    assert taken(one) is None
    assert taken(two) is None


def test_a_command_keeps_its_terms_for_another_process(state: State, clock: Clock) -> None:
    one = events(state)
    two = events(state)
    event = read_event(an_event())
    terms = (
        Term("member", "みどり", guessed=True),
        Term(
            "command",
            "sum",
            (("season", "1"),),
        ),
    )
    one.take(
        event,
        Command("sum", rest=("みどりの収支",), terms=terms),
        "",
        queued=True,
    )
    assert two.claim_queued(event.id).command.terms == terms


def test_what_the_living_hold_is_left_alone_and_a_dead_ones_is_taken_up(
    state: State, clock: Clock
) -> None:
    one, two, three = (events(state) for _ in range(3))
    one.show_alive()
    tap = taken(one)
    assert two.lost() == []
    clock.now += 6  # longer than a sign of life is valid
    (lost,) = two.lost()
    assert lost.event == tap.event
    mine = two.claim(lost)
    assert mine.again
    two.show_alive()
    assert three.claim(lost) is None
    assert three.lost() == []
    two.done(mine)
    clock.now += 6
    assert three.lost() == []
    assert taken(three) is None


def test_a_process_that_has_just_begun_keeps_its_taps(state: State, clock: Clock) -> None:
    web, worker, other = (events(state) for _ in range(3))
    assert taken(web, 1) is not None
    assert taken(web, 2, queued=True) is not None
    assert worker.claim_queued("E2") is not None
    assert other.lost() == []


def test_a_tap_left_in_the_queue_is_taken_up(state: State, clock: Clock) -> None:
    web = events(state)
    other = events(state)
    tap = taken(web, queued=True)
    assert tap.owner == QUEUE
    assert other.lost() == []
    clock.now += 6
    assert len(other.lost()) == 1


def test_a_tap_whose_claim_had_no_answer_is_left_to_others(state: State, clock: Clock) -> None:
    web = events(state)
    other = events(state)
    store = Away(state.events)
    worker = over(store, worker=True)
    tap = taken(web, queued=True)
    worker.show_alive()
    store.lost = True
    with pytest.raises(StorageError):
        worker.claim_queued(tap.event.id)
    store.lost = False
    assert worker.claim_queued(tap.event.id) is None  # it seems to be another's
    assert other.lost() == []
    worker.show_alive()
    assert [lost.event.id for lost in other.lost()] == [tap.event.id]


def test_an_answer_put_off_is_kept_with_its_messages(state: State, clock: Clock) -> None:
    one = events(state)
    two = events(state)
    tap = taken(one)
    assert tap is not None
    assert one.put_off(tap, [{"type": "text", "text": "あ"}])
    (later,) = two.lost()
    assert (later.owner, later.messages) == (LATER, ({"type": "text", "text": "あ"},))


def test_without_the_store_a_process_still_answers_once(clock: Clock, state: State) -> None:
    taps = over(Away(state.events, away=True))
    tap = taken(taps)
    assert not tap.kept
    assert taken(taps) is None
    assert taps.claim(tap) == tap
    taps.done(tap)


@pytest.mark.parametrize("queued", [False, True])
def test_a_record_there_against_appearance_is_marked(
    state: State, clock: Clock, queued: bool
) -> None:
    """The store has kept the event, or the claim, but its answer was lost. The event is answered,
    and nothing is left."""
    store = Away(state.events, lost=not queued)
    taps = over(store)
    web = events(state)
    tap = taken(taps if not queued else web, queued=queued)
    assert tap is not None
    store.lost = True
    mine = taps.claim(tap)
    assert not mine.kept
    store.lost = False
    taps.done(mine)
    assert (marked(state), state.events.lost()) == (["E0"], [])


@pytest.mark.parametrize("raw", ["{}", "[]", "3", '{"source": 3}', "{", ""])
def test_a_record_of_another_shape_is_told_once_and_stops_nobody(
    state: State, clock: Clock, raw: str, caplog: pytest.LogCaptureFixture
) -> None:
    one = events(state)
    two = events(state)
    state.events.take(KeptEvent("ODD", clock.now, "nobody", raw, ""))
    tap = taken(one)
    clock.now += 6
    with caplog.at_level(logging.WARNING):
        assert [lost.event for lost in two.lost()] == [tap.event]
        assert len(two.lost()) == 1
    assert caplog.messages == ["a pending event is in a form this version does not read: ODD"]


@pytest.mark.parametrize("how", ["beat", "leave"])
def test_what_could_not_be_marked_is_with_the_next_sign_and_at_the_end(
    state: State, how: str
) -> None:
    store = Away(state.events)
    taps = over(store)
    first = taken(taps, 1)
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


def came(taps: PendingEvents, number: int, at: float, again: bool = False) -> float:
    raw = an_event(number, at) | {"deliveryContext": {"isRedelivery": again}}
    event = read_event(raw)
    assert event is not None
    pending = taps.take(event, Command("rating"), raw, "https://x")
    assert pending is not None
    return taps.left(pending)


@pytest.mark.parametrize("ahead", [-1200.0, 0.0, 1200.0])
def test_a_token_lives_from_when_its_event_is_taken_or_was_sent_first(
    state: State, clock: Clock, ahead: float
) -> None:
    """LINE's clock may differ from the database's; an event that LINE sends again has LINE's first
    time.
    """
    taps = events(state)
    line = clock.now
    clock.now += ahead
    assert came(taps, 1, line) == came(taps, 2, line - 9) == pytest.approx(TOKEN_LIFE)
    for number, passed in ((3, 40), (4, 70)):
        left = came(taps, number, clock.now - passed, again=True)
        assert left == pytest.approx(TOKEN_LIFE - passed)


@pytest.fixture
def monotonic(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the processes' own seconds pass with the clock."""
    monkeypatch.setattr(pending_module, "time", SimpleNamespace(monotonic=clock))


@pytest.mark.usefixtures("monotonic")
def test_after_the_store_was_away_nobody_is_taken_for_dead_at_once(
    state: State, clock: Clock
) -> None:
    """No process could show that it lives, and each shows it again in its own time."""
    one = events(state)
    two = events(state)
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
def test_it_is_known_whether_a_worker_lives(state: State, clock: Clock) -> None:
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


def test_an_event_that_is_not_known_is_not_taken_after_it_was_answered(state: State) -> None:
    """The store's answer was lost, and what it was asked may reach it late."""
    away = Away(state.events, away=True)
    taps = over(away)
    tap = taken(taps)
    assert tap is not None
    away.away = False
    taps.done(tap)
    assert taken(events(state)) is None


def test_an_event_is_read_by_whoever_took_it_also_as_0_2_0_kept_it(
    state: State, clock: Clock
) -> None:
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
    [lost] = [one for one in events(state).lost() if one.event.id == "E1"]
    assert (lost.event, lost.command) == (read_event(raw), Command("rating"))
