import threading
from pathlib import Path

import pytest

from bot import texts
from bot.chat.command import Command
from bot.demo_chat import DEMO_GROUP
from bot.dispatch.dispatcher import LONG, LONG_WAITING, TOO_LATE
from bot.dispatch.pending import PendingEvent, PendingEvents
from bot.dispatch.responder import AnswerMessages
from bot.line.webhook import TOKEN_LIFE, Event
from bot.runtime.threads import ThreadPool
from tests.answers.world import LEAGUE, LOG, MEMBER, opened, words_of
from tests.backend import Backend


@pytest.mark.embedded_only("a worker has no threads for taps")
def test_taps_are_answered_while_long_ones_wait(tmp_path: Path, backend: Backend) -> None:
    released = threading.Event()
    with opened(tmp_path, backend) as world:
        world.write("league.toml", LEAGUE)
        world.write("logvol1.txt", LOG)
        for _ in range(LONG):
            assert world.service.dispatcher.long_pool.submit(released.wait)
        compare = world.platform.tap(DEMO_GROUP, MEMBER, "request_compare")
        assert world.tap("request_help")
        assert not world.platform.replied(compare)
        for _ in range(LONG_WAITING - LONG - 1):
            assert world.service.dispatcher.long_pool.submit(released.wait)
        assert words_of(world.tap("request_compare")) == texts.BUSY
        released.set()
        assert "比べるには" in words_of(world.answers(compare))
        dispatcher = world.service.dispatcher
        dispatcher.close()
        dispatcher.pending.leave()
        later = PendingEvents(world.service.state.events, dispatcher.responder.router.command_of)
        assert later.lost() == []  # nobody answers later what was refused


def test_a_member_learns_once_that_an_answer_takes_too_long(
    tmp_path: Path, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    with opened(tmp_path, backend) as world:
        dispatcher = world.answering.dispatcher
        platform = world.platform
        answer = dispatcher.responder.answer

        def slow(event: Event, command: Command) -> AnswerMessages | None:
            assert released.wait(60)
            return answer(event, command)

        monkeypatch.setattr(dispatcher.responder, "answer", slow)
        tap = platform.tap(DEMO_GROUP, MEMBER, "request_help")
        dispatcher.recover()
        assert not platform.replied(tap)
        monkeypatch.setattr("bot.dispatch.dispatcher.TOO_LATE", TOKEN_LIFE + 1)
        platform.wait_for(lambda: dispatcher.recover() or platform.replied(tap))
        assert words_of(world.answers(tap)) == texts.TOO_LONG
        monkeypatch.setattr("bot.dispatch.dispatcher.TOO_LATE", TOO_LATE)
        released.set()
        assert words_of(world.tap("request_help")) != texts.TOO_LONG
        if isinstance(dispatcher.pool, ThreadPool):
            dispatcher.pool.close()
        assert platform.refused() == []


def test_a_late_answer_is_announced_once(
    tmp_path: Path, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    with opened(tmp_path, backend) as world:
        world.write("league.toml", LEAGUE)
        world.write("logvol1.txt", LOG)
        dispatcher = world.answering.dispatcher
        platform = world.platform
        answer = dispatcher.responder.answer

        def slow(event: Event, command: Command) -> AnswerMessages | None:
            messages = answer(event, command)
            assert released.wait(60)
            return messages

        monkeypatch.setattr(dispatcher.responder, "answer", slow)
        monkeypatch.setattr("bot.dispatch.dispatcher.COMING", 0.0)
        quick = platform.tap(DEMO_GROUP, MEMBER, "request_sum")
        alone = platform.tap(MEMBER, MEMBER, "request_summary")
        tap = platform.tap(DEMO_GROUP, MEMBER, "request_summary")
        platform.wait_for(lambda: dispatcher.recover() or platform.replied(tap))
        (message,) = world.answers(tap)
        assert message["text"] == texts.COMING.format(title="まとめ")
        button = message["quickReply"]["items"][0]["action"]
        assert button["data"].startswith("request_summary")
        assert not platform.replied(quick)
        assert not platform.replied(alone), "LINE shows a loading animation there"
        released.set()
        assert "第1シーズンのまとめ" in words_of(world.tap(button["data"]))
        assert words_of(world.answers(quick)) != texts.COMING
        assert platform.refused() == []


def test_two_answers_of_an_event_do_not_silence_each_other(
    tmp_path: Path, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the store recorded an event and its reply was lost, two threads may answer the event."""
    released = threading.Event()
    calls: list[tuple[Event, Command]] = []
    with opened(tmp_path, backend) as world:
        dispatcher = world.answering.dispatcher
        answer = dispatcher.responder.answer

        def slow(event: Event, command: Command) -> AnswerMessages | None:
            calls.append((event, command))
            if len(calls) > 1:
                return None
            assert released.wait(60)
            return answer(event, command)

        monkeypatch.setattr(dispatcher.responder, "answer", slow)
        tap = world.platform.tap(DEMO_GROUP, MEMBER, "request_help")
        world.platform.wait_for(lambda: calls)
        event, command = calls[0]
        dispatcher.handle(PendingEvent(event, command, "", event.at, dispatcher.pending.owner))
        released.set()
        assert world.answers(tap)
