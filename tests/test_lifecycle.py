"""A process that ends: it shows that it lives until its last tap is answered."""

import threading
import time
from pathlib import Path

import pytest

from bot import lifecycle
from bot.runtime import background
from bot.service import Service
from bot.settings import read_settings
from tests.backend import Backend
from tests.kept import alive, marked, unanswered


def test_a_tap_under_way_is_not_taken_for_lost(
    tmp_path: Path, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "INTERVAL", 0.01)
    env = {"LOGS_URL": f"file:{tmp_path}", "IMAGES_URL": f"file:{tmp_path / 'images'}"}
    service = Service(read_settings(env | backend.env(tmp_path)))
    started = threading.Event()
    go_on = threading.Event()
    beaten = threading.Event()

    def tap() -> None:
        started.set()
        assert go_on.wait(20)

    service.background._chores["beat"] = beaten.set
    service.background.start()
    assert service.dispatcher.pool.submit(tap)
    assert started.wait(20)
    ending = threading.Thread(target=lifecycle.stop, args=(service,))
    ending.start()
    give_up = time.monotonic() + 20
    while service.dispatcher.pool.room > 0:
        assert time.monotonic() < give_up
    beaten.clear()
    assert beaten.wait(20), "the process looks dead while it works"
    assert alive(service.state) == 1
    go_on.set()
    ending.join(20)
    assert not ending.is_alive()
    assert alive(service.state) == 0
    service.state.close()


class Taken:
    """A WorkPool whose last thread is taken before the work gets there."""

    room = 1

    def submit(self, *_: object) -> bool:
        """See WorkPool."""
        return False


def test_a_first_worker_leaves_its_taps_to_those_after_it(
    tmp_path: Path, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = {"LOGS_URL": f"file:{tmp_path}", "IMAGES_URL": f"file:{tmp_path / 'images'}"}
    services = [Service(read_settings(env | backend.env(tmp_path))) for _ in range(2)]
    first, after = services
    lifecycle.start_to_take(first)
    raw = {
        "type": "postback",
        "webhookEventId": "E1",
        "timestamp": int(time.time() * 1000),
        "replyToken": "t1",
        "source": {"type": "user", "userId": "U" + "1" * 32},
        "postback": {"data": "request_rating"},
    }
    replies: list[tuple[str, bool]] = []
    for service in (first, after):
        monkeypatch.setattr(
            service.line,
            "reply",
            lambda token, sent, until, again=False: replies.append((token, again)),
        )
    first.dispatcher.receive(raw)
    lifecycle.stop(first)
    assert replies == []
    pool = after.dispatcher.pool
    after.dispatcher.pool = Taken()
    after.dispatcher.recover()
    after.dispatcher.pool = pool
    after.dispatcher.recover()
    lifecycle.stop(after)
    assert replies == [("t1", True)]
    assert marked(after.state) == ["E1"]
    assert unanswered(after.state) == []
    for service in (first, after):
        service.state.close()
