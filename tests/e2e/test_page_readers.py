"""Readers of a league's page leave room for taps."""

import itertools
import json
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from bot.league.demo import demo_files
from tests.backend import Backend
from tests.fakes.line import fake_line
from tests.fakes.process import service
from tests.fakes.servers import free_port

READERS = 24
TAPS = 60
LINE_WAITS = 2.0  # seconds, for a webhook's 200


@contextmanager
def readers(link: str, query: str) -> Iterator[list[int]]:
    """Readers who open the link again and again, each time with another number in the query. The
    value is the statuses of their answers."""
    statuses: list[int] = []
    numbers = itertools.count(50)
    is_over = threading.Event()

    def read() -> None:
        while not is_over.is_set():
            try:
                with urllib.request.urlopen(f"{link}{query}{next(numbers)}", timeout=20) as answer:
                    statuses.append(answer.status)
            except urllib.error.HTTPError as error:
                statuses.append(error.code)

    threads = [threading.Thread(target=read) for _ in range(READERS)]
    for thread in threads:
        thread.start()
    try:
        yield statuses
    finally:
        is_over.set()
        for thread in threads:
            thread.join(30)


@pytest.mark.parametrize("query", ["?ask=player&z=", "?ask=rating&span="])
def test_webhooks_are_answered_next_to_readers_of_a_page(
    tmp_path_factory: pytest.TempPathFactory, backend: Backend, query: str
) -> None:
    folder = tmp_path_factory.mktemp("readers")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    logs = backend.log_source(folder)
    for name, data in demo_files().items():
        logs.write(name, data, None)
    with fake_line(f"{url}/callback") as (line, line_env):
        env = {**line_env, **backend.env(folder), **backend.files(folder)}
        with service(port, {**env, "WEB_CONCURRENCY": "1", "PUBLIC_URL": url}):
            answer = line.answers(line.tap(DEMO_GROUP, DEMO_USERS[0].id, "request_page"))
            (link,) = re.findall(r'"uri": "([^"]+/league/[^"]+)"', json.dumps(answer))
            seconds: list[float] = []
            with readers(link, query) as statuses:
                for number in range(TAPS):
                    member = DEMO_USERS[number % len(DEMO_USERS)].id
                    began = time.perf_counter()
                    delivery = line.tap(DEMO_GROUP, member, "request_help")
                    seconds.append(time.perf_counter() - began)
                    assert delivery.status == 200, delivery.error
    assert max(seconds) < LINE_WAITS
    assert 200 in statuses
    assert set(statuses) <= {200, 429}
