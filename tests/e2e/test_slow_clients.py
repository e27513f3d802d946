"""Clients that send a part of a request and wait keep nobody from an answer."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from bot.runtime.connections import INTERVAL, READING
from tests.backend import Backend
from tests.e2e.fleet import until
from tests.fakes.line import fake_line
from tests.fakes.platform import Platform
from tests.fakes.process import Running, service
from tests.fakes.servers import free_port
from tests.fakes.slow_clients import BODY, CHUNK, HEAD, SILENT, slow_clients

SLOW = 60
TAPS = 300
LINE_WAITS = 2.0  # seconds, for a webhook's 200
SCHEDULING = 10.0  # seconds that a busy machine may add to a limit


@dataclass
class SmallBot:
    """A bot of one web process, as on Fly, and its LINE."""

    line: Platform
    web: Running

    def webhook_seconds(self, number: int) -> float:
        """The seconds until a tap's webhook is answered with 200."""
        member = DEMO_USERS[number % len(DEMO_USERS)].id
        began = time.perf_counter()
        delivery = self.line.tap(DEMO_GROUP, member, "request_help")
        seconds = time.perf_counter() - began
        assert delivery.status == 200, (number, delivery.status, delivery.error, seconds)
        return seconds


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory, backend: Backend) -> Iterator[SmallBot]:
    folder = tmp_path_factory.mktemp("slow")
    port = free_port()
    with fake_line(f"http://127.0.0.1:{port}/callback") as (line, line_env):
        env = {
            **line_env,
            **backend.env(folder),
            **backend.files(folder),
            "WEB_CONCURRENCY": "1",
        }
        with service(port, env) as web:
            line.answers(line.tap(DEMO_GROUP, DEMO_USERS[0].id, "request_help"))
            yield SmallBot(line, web)


# Five seconds each: for so long the bot waits for a client (READING).
@pytest.mark.parametrize(
    "starts",
    [
        pytest.param([BODY, HEAD, SILENT, CHUNK], id="mixed"),
        pytest.param([BODY], id="bodies"),
        pytest.param([HEAD], id="heads"),
    ],
)
def test_webhooks_are_answered_next_to_slow_clients(bot: SmallBot, starts: list[bytes]) -> None:
    seconds: list[float] = []
    with slow_clients(bot.web.port, starts * (SLOW // len(starts))) as clients:
        while len(seconds) < TAPS or clients.ended < SLOW:
            seconds.append(bot.webhook_seconds(len(seconds)))
    assert max(seconds) < LINE_WAITS


# Five seconds each, as above.
@pytest.mark.parametrize(
    "start",
    [BODY, HEAD, CHUNK],
    ids=["body", "head", "chunk"],
)
def test_a_request_that_does_not_go_on_is_ended(bot: SmallBot, start: bytes) -> None:
    with slow_clients(bot.web.port, [start]) as clients:
        began = time.monotonic()
        until(lambda: clients.ended > 0, READING + INTERVAL + SCHEDULING)
        assert time.monotonic() - began >= READING - INTERVAL
