from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.demo_chat import DEMO_GROUP
from bot.runtime.threads import ThreadPool
from storage.ports import StorageError
from storage.state import State
from tests.answers.world import LEAGUE, LOG, MEMBER, BotWorld, opened
from tests.backend import Backend
from tests.e2e.fleet import until
from tests.kept import unanswered

REPLY = "/v2/bot/message/reply"


@pytest.fixture
def world(tmp_path: Path, backend: Backend, monkeypatch: pytest.MonkeyPatch) -> Iterator[BotWorld]:
    monkeypatch.setattr(
        "bot.dispatch.dispatcher.PATIENCE", 0.0
    )  # nothing is tried twice before it is put off
    with opened(tmp_path, backend) as made:
        made.write("league.toml", LEAGUE)
        made.write("logvol1.txt", LOG)
        yield made


def away(state: State, patched: pytest.MonkeyPatch) -> None:
    """Have every call of a database fail."""

    def fail(*_: Any, **__: Any) -> Any:
        raise StorageError("the database is away")

    for name in ("rows", "write", "begin"):
        patched.setattr(state.database, name, fail)


def test_an_unrecorded_answer_is_not_put_off(
    world: BotWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = world.answering.line
    reply = line.reply

    def while_the_store_goes_away(*words: Any, **more: Any) -> bytes:
        away(world.answering.state, monkeypatch)
        return reply(*words, **more)

    monkeypatch.setattr(line, "reply", while_the_store_goes_away)
    world.platform.fail_next(REPLY)
    assert world.platform.answers(world.platform.tap(DEMO_GROUP, MEMBER, "request_help"))
    monkeypatch.undo()


@pytest.mark.parametrize("failures", [0, 1])
def test_nothing_is_sent_with_a_dead_token(
    world: BotWorld,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    failures: int,
) -> None:
    """The token dies before the answer is made, or before it is sent."""
    reply = world.answering.line.reply
    monkeypatch.setattr(
        "bot.dispatch.dispatcher.TOO_LATE", -61.0
    )  # so that no message about a late answer is sent

    def takes_a_minute(
        token: str,
        sent: Any,
        until: float,
        *more: Any,
        **named: Any,
    ) -> bytes:
        monkeypatch.setattr("bot.dispatch.pending.TOKEN_LIFE", -1.0)
        return reply(token, sent, until - 61, *more, **named)

    if failures:
        monkeypatch.setattr(world.answering.line, "reply", takes_a_minute)
        world.platform.fail_next(REPLY, times=9)
    else:
        monkeypatch.setattr("bot.dispatch.pending.TOKEN_LIFE", -1.0)
    world.platform.tap(DEMO_GROUP, MEMBER, "request_help")
    for service in world.bot.services:
        service.dispatcher.close()
        service.dispatcher.pool = ThreadPool()

    def is_logged() -> bool:
        for service in world.bot.services:
            service.background.run_once()
        return "not answered in time and is given up" in caplog.text

    until(is_logged)
    assert not world.platform.calls(REPLY)
    until(lambda: unanswered(world.service.state) == [])
