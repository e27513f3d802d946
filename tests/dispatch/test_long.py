import threading
from pathlib import Path

import pytest

from bot import texts
from bot.chat.command import Command
from bot.demo_chat import DEMO_GROUP
from bot.dispatch.dispatcher import LEFT, LONG, LONG_WAITING
from bot.dispatch.pending import PendingEvent, PendingEvents
from bot.dispatch.responder import AnswerMessages
from bot.line.webhook import TOKEN_LIFE, Event
from bot.runtime.threads import ThreadPool
from tests.answers.world import LEAGUE, LOG, MEMBER, opened, words_of
from tests.backend import Backend


@pytest.mark.embedded_only("a worker has no threads for taps")
def test_taps_are_answered_while_long_ones_wait(tmp_path: Path, backend: Backend) -> None:
    held = threading.Event()
    with opened(tmp_path, backend) as world:
        world.write("league.toml", LEAGUE)
        world.write("logvol1.txt", LOG)
        for _ in range(LONG):
            assert world.service.dispatcher.long_pool.submit(held.wait)
        compare = world.platform.tap(DEMO_GROUP, MEMBER, "request_compare")
        assert world.tap("request_help")
        assert not world.platform.replied(compare)
        for _ in range(LONG_WAITING - LONG - 1):
            assert world.service.dispatcher.long_pool.submit(held.wait)
        assert words_of(world.tap("request_compare")) == texts.BUSY
        held.set()
        assert "比べるには" in words_of(world.answers(compare))
        dispatcher = world.service.dispatcher
        dispatcher.close()
        dispatcher.pending.leave()
        later = PendingEvents(world.service.state.events, dispatcher.responder.router.command_of)
        assert later.lost() == []  # whom it was told that it is too much, nobody answers later


def test_an_answer_that_cannot_be_made_in_time_says_so_once(
    tmp_path: Path, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = threading.Event()
    with opened(tmp_path, backend) as world:
        dispatcher = world.answering.dispatcher
        platform = world.platform
        answer = dispatcher.responder.answer

        def slow(event: Event, command: Command) -> AnswerMessages | None:
            assert held.wait(60)
            return answer(event, command)

        monkeypatch.setattr(dispatcher.responder, "answer", slow)
        tap = platform.tap(DEMO_GROUP, MEMBER, "request_help")
        dispatcher.recover()
        assert not platform.replied(tap)
        monkeypatch.setattr("bot.dispatch.dispatcher.LEFT", TOKEN_LIFE + 1)
        platform.wait_for(lambda: dispatcher.recover() or platform.replied(tap))
        assert words_of(world.answers(tap)) == texts.TOO_LONG
        monkeypatch.setattr("bot.dispatch.dispatcher.LEFT", LEFT)
        held.set()
        assert words_of(world.tap("request_help")) != texts.TOO_LONG
        if isinstance(dispatcher.pool, ThreadPool):
            dispatcher.pool.close()
        assert platform.refused() == []


def test_a_group_is_told_that_a_slow_answer_is_coming(
    tmp_path: Path, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = threading.Event()
    with opened(tmp_path, backend) as world:
        world.write("league.toml", LEAGUE)
        world.write("logvol1.txt", LOG)
        dispatcher = world.answering.dispatcher
        platform = world.platform
        answer = dispatcher.responder.answer

        def slow(event: Event, command: Command) -> AnswerMessages | None:
            made = answer(event, command)
            assert held.wait(60)
            return made

        monkeypatch.setattr(dispatcher.responder, "answer", slow)
        monkeypatch.setattr("bot.dispatch.dispatcher.COMING", 0.0)
        quick = platform.tap(DEMO_GROUP, MEMBER, "request_sum")
        alone = platform.tap(MEMBER, MEMBER, "request_summary")
        tap = platform.tap(DEMO_GROUP, MEMBER, "request_summary")
        platform.wait_for(lambda: dispatcher.recover() or platform.replied(tap))
        (message,) = world.answers(tap)
        assert message["text"] == texts.COMING.format("まとめ")
        button = message["quickReply"]["items"][0]["action"]
        assert button["data"].startswith("request_summary")
        assert not platform.replied(quick)
        assert not platform.replied(alone), "LINE shows a loading animation there"
        held.set()
        assert "第1シーズンのまとめ" in words_of(world.tap(button["data"]))
        assert words_of(world.answers(quick)) != texts.COMING
        assert platform.refused() == []


def test_an_event_taken_up_a_second_time_does_not_silence_the_first(
    tmp_path: Path, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the answer to its keeping was lost, two threads of a process may be at work on one
    event.
    """
    held = threading.Event()
    begun: list[tuple[Event, Command]] = []
    with opened(tmp_path, backend) as world:
        dispatcher = world.answering.dispatcher
        answer = dispatcher.responder.answer

        def slow(event: Event, command: Command) -> AnswerMessages | None:
            begun.append((event, command))
            if len(begun) > 1:
                return None
            assert held.wait(60)
            return answer(event, command)

        monkeypatch.setattr(dispatcher.responder, "answer", slow)
        tap = world.platform.tap(DEMO_GROUP, MEMBER, "request_help")
        world.platform.wait_for(lambda: begun)
        event, command = begun[0]
        dispatcher.handle(PendingEvent(event, command, "", event.at, dispatcher.pending.owner))
        held.set()
        assert world.answers(tap)
