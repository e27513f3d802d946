import io
import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.chat.command import Command
from bot.demo_chat import DEMO_GROUP, DEMO_STRANGER
from bot.dispatch.pending import PendingEvents
from bot.dispatch.responder import AnswerMessages
from bot.line.webhook import Event
from bot.runtime.json_log import JsonLines, hashed
from storage.ports import Denied, StorageError
from tests.answers.world import LEAGUE, LOG, MEMBER, BotWorld, opened, words_of
from tests.backend import Backend

pytestmark = pytest.mark.any_backend("the lines are the same for threads and workers")


@pytest.fixture
def world(tmp_path: Path, backend: Backend) -> Iterator[BotWorld]:
    logs = backend.logs(tmp_path)
    logs.mkdir()
    (logs / "league.toml").write_text(LEAGUE, "utf-8")
    (logs / "logvol1.txt").write_text(LOG, "utf-8")
    with opened(tmp_path, backend) as made:
        yield made


@pytest.fixture
def lines(world: BotWorld) -> Iterator[Any]:
    """A function that returns the lines of taps so far, once the last one has been written."""
    text = io.StringIO()
    logger = logging.getLogger("bot.dispatch.dispatcher")
    handler = logging.StreamHandler(text)
    level = logger.level
    handler.setFormatter(JsonLines(world.service.settings.secrets))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)

    def read() -> list[dict[str, Any]]:
        world.service.dispatcher.close()
        written = map(json.loads, text.getvalue().splitlines())
        return [line for line in written if "result" in line]

    yield read
    logger.removeHandler(handler)
    logger.setLevel(level)


def test_the_line_of_a_tap_has_its_steps(world: BotWorld, lines: Any) -> None:
    world.tap("request_rating?season=1&model=tenhou")
    (line,) = lines()
    secret = world.service.settings.channel_secret
    assert (line["message"], line["command"], line["league"], line["result"]) == (
        "postback answered",
        "rating",
        "",
        "answered",
    )
    assert (line["who"], line["chat"]) == (
        hashed(MEMBER, secret),
        hashed(
            DEMO_GROUP,
            secret,
        ),
    )
    assert list(line["steps"]) == ["read", "rate", "draw", "upload", "reply"]
    assert 0 < sum(line["steps"].values()) <= line["ms"]
    line_text = json.dumps(line, ensure_ascii=False)
    for hidden in (MEMBER, DEMO_GROUP, "みどり", "season"):
        assert hidden not in line_text


def test_the_line_of_a_failed_tap_names_the_store(
    world: BotWorld, lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(folder: str = "") -> Any:
        error = StorageError("Dropbox does not answer (timeout)")
        error.store = "dropbox"
        raise error

    monkeypatch.setattr(world.service.registry, "league", down)
    world.tap("request_sum")
    (line,) = lines()
    assert (line["level"], line["result"], line["command"]) == ("error", "failed", "sum")
    assert (line["error"], line["store"]) == ("StorageError", "dropbox")
    assert line["cause"] == "Dropbox does not answer (timeout)"


def test_the_line_of_figures_without_picture_has_the_error(
    world: BotWorld, lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(key: str, data: bytes, content_type: str = "") -> None:
        raise Denied("S3 refuses: AccessDenied")

    monkeypatch.setattr(world.service.stores.images, "put", refused)
    world.tap("request_rating")
    (line,) = lines()
    assert (line["result"], line["error"], line["store"]) == ("answered", "Denied", "images")


def test_the_line_of_a_bug_has_its_place(
    world: BotWorld, lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: Any) -> Any:
        raise KeyError("a member's name")

    monkeypatch.setattr("bot.dispatch.responder._answer_key", broken)
    world.tap("request_sum")
    (line,) = lines()
    assert (line["result"], line["error"]) == ("failed", "KeyError")
    assert line["cause"].startswith("test_tap_lines.py:")


def test_a_tap_taken_over_by_another_process_did_not_fail(
    world: BotWorld, lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = world.service
    answer = service.responder.answer

    def late(event: Event, command: Command) -> AnswerMessages | None:
        other = PendingEvents(service.state.events, service.responder.router.command_of)
        other.show_alive()
        events = service.state.events
        assert events.claim(event.id, service.pending.owner, other.owner) is not None
        service.line.reply(
            event.token,
            [{"type": "text", "text": "answered"}],
            time.time() + 9,
        )
        return answer(event, command)

    monkeypatch.setattr(service.responder, "answer", late)
    tap = world.platform.tap(DEMO_GROUP, MEMBER, "request_sum")
    assert words_of(world.platform.answers(tap)) == "answered"
    (line,) = lines()
    assert (line["level"], line["result"]) == ("info", "taken over")
    assert len(world.platform.refused()) == 1  # its own reply, which came second


def test_talk_has_no_line_and_a_strangers_no_league(world: BotWorld, lines: Any) -> None:
    world.platform.say(DEMO_GROUP, MEMBER, "今日は寒いね")
    world.tap("request_rating", DEMO_STRANGER.id, DEMO_STRANGER.id)
    line = lines()[-1]
    assert line["result"] == "answered"
    assert "league" not in line


def test_a_tap_whose_token_is_past_is_given_up(world: BotWorld, lines: Any) -> None:
    """LINE sends the first time of such an event. Nothing is sent, and the line has the outcome."""
    old = world.platform.new_event(
        "postback", DEMO_GROUP, MEMBER, postback={"data": "request_help"}
    )
    old |= {"timestamp": old["timestamp"] - 70_000, "deliveryContext": {"isRedelivery": True}}
    assert world.platform.send_event(DEMO_GROUP, old).status == 200
    (line,) = lines()
    assert (line["level"], line["result"]) == ("error", "given up")
    assert world.platform.calls("/v2/bot/message/reply") == []
