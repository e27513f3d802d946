"""Postgres, Redis and workers that hang or are missing: no webhook waits, no tap is lost or doubled."""

import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from bot.console.platform import Delivery
from bot.runtime.work_queue import NAME
from tests.backend import Backend
from tests.e2e.fleet import Fleet, fleet, unharmed, until
from tests.fakes.process import frozen

pytestmark = [pytest.mark.cloud_only("stops Redis, Postgres and workers"), pytest.mark.xdist_group("hangs")]
SOON = 5.0  # seconds: on an idle machine 1.2, which LINE's two leave room for
TAPS = 20


@pytest.fixture(scope="module")
def ships(tmp_path_factory: pytest.TempPathFactory, backend: Backend) -> Iterator[Fleet]:
    with fleet(tmp_path_factory.mktemp("hangs"), backend.kind) as made:
        yield made


@pytest.fixture(autouse=True)
def _whole(ships: Fleet) -> Iterator[None]:
    with unharmed(ships):
        yield


def burst(ships: Fleet) -> tuple[list[Delivery], float]:
    """Taps that come at once, and the seconds until the last of them had its 200."""

    def one(number: int) -> tuple[Delivery, float]:
        began = time.monotonic()
        return ships.tap(number), time.monotonic() - began

    with ThreadPoolExecutor(TAPS) as pool:
        done = list(pool.map(one, range(TAPS)))
    assert {tap.status for tap, _ in done} == {200}
    return [tap for tap, _ in done], max(seconds for _, seconds in done)


def health(ships: Fleet) -> tuple[int, float]:
    """The status of the health check, and the seconds it took."""
    began = time.monotonic()
    try:
        with urllib.request.urlopen(f"{ships.web.url}/healthz", timeout=30) as answer:
            status = int(answer.status)
    except urllib.error.HTTPError as refused:
        with refused:
            status = refused.code
    return status, time.monotonic() - began


def test_postgres_hangs(ships: Fleet) -> None:
    assert ships.postgres is not None
    taps, slowest = list[Delivery](), list[float]()
    with frozen(ships.postgres.process):
        for _ in range(4):
            more, seconds = burst(ships)
            status, waited = health(ships)
            taps += more
            slowest += [seconds, waited]
            assert status == 503
        assert max(slowest) < SOON
    assert ships.settled(taps, 40) == []
    until(lambda: health(ships)[0] == 200)


def test_postgres_hangs_for_a_while_only(ships: Fleet) -> None:
    assert ships.postgres is not None
    with frozen(ships.postgres.process):
        taps, slowest = burst(ships)
    assert slowest < SOON
    assert ships.settled(taps, 40) == []


def test_redis_hangs(ships: Fleet) -> None:
    assert ships.redis is not None
    with frozen(ships.redis.process):
        taps, slowest = burst(ships)
        assert slowest < SOON
        assert ships.settled(taps, 30) == []


def test_without_a_living_worker_threads_answer_and_nothing_is_queued(ships: Fleet) -> None:
    """The last test: the workers are gone for good."""
    assert ships.worker is not None
    assert ships.redis is not None
    ships.worker.process.terminate()
    ships.worker.process.wait(30)
    with redis.Redis.from_url(ships.redis.url) as client:
        client.flushall()
        until(lambda: ships.settled([ships.tap()], 30) == [] and not client.exists(f"{NAME}:tap"))
        assert ships.settled(ships.load(12), 30) == []
        assert not client.exists(f"{NAME}:tap")
        assert not client.exists(f"{NAME}:tap.msgs")
