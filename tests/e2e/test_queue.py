"""Postgres, Redis and workers that hang, stop or are missing: no webhook waits, each tap is
answered once.
"""

import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis
from sqlalchemy import delete

from bot.console.platform import Delivery
from bot.runtime.work_queue import NAME
from bot.worker import THREADS
from storage.events import QUEUED
from storage.schema import PROCESSES
from tests.e2e.fleet import WORKERS, Fleet, kill, until
from tests.fakes.process import frozen
from tests.kept import alive

pytestmark = [pytest.mark.xdist_group("queue"), pytest.mark.usefixtures("whole")]
pytestmark.append(pytest.mark.cloud_only("hurts Redis, Postgres and workers"))
SOON = 5.0  # seconds: on an idle machine 1.2, which LINE's two leave room for
TAPS = 20


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
    taps: list[Delivery] = []
    slowest: list[float] = []
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
    with frozen(ships.postgres.process):
        taps, slowest = burst(ships)
    assert slowest < SOON
    assert ships.settled(taps, 40) == []


def test_redis_hangs(ships: Fleet) -> None:
    with frozen(ships.redis.process):
        taps, slowest = burst(ships)
        assert slowest < SOON
        assert ships.settled(taps, 30) == []


def test_a_queue_worker_killed_under_load(ships: Fleet) -> None:
    with ThreadPoolExecutor(1) as pool:
        load = pool.submit(ships.load, 120, 8)
        until(lambda: len(ships.line.calls("/v2/bot/message/reply")) % 50 > 15)
        for process in ships.queue_workers():
            kill(process)
        taps = load.result()
    assert {tap.status for tap in taps} == {200}
    assert ships.settled(taps, 30) == []
    until(lambda: len(ships.queue_workers()) >= WORKERS)


def test_the_workers_main_process_killed(ships: Fleet) -> None:
    before = ships.worker.process.pid
    kill(before)
    taps = ships.load(6)
    until(lambda: ships.worker.process.pid != before)
    assert ships.settled(taps, 30) == []
    until(lambda: len(ships.queue_workers()) >= WORKERS)


def back_at_work(ships: Fleet) -> None:
    """Start Redis and wait until the workers answer again, before threads take the waiting taps."""
    ships.redis.start()
    log = ships.worker.log

    def the_workers_answer() -> bool:
        seen = len(log)
        if ships.settled(ships.load(6), QUEUED - 1):
            return False
        return "answered" in "".join(log[seen:])

    until(the_workers_answer, 40)


def test_redis_goes_and_comes_back(ships: Fleet) -> None:
    ships.redis.kill()
    assert ships.settled(ships.load(30), 30) == []
    back_at_work(ships)


def test_redis_goes_while_every_thread_is_at_work(ships: Fleet) -> None:
    """No message can be acknowledged, and new ones are taken all the same once Redis is back."""
    threads = THREADS * len(ships.queue_workers())
    ships.line.slow_next("/v2/bot/message/reply", 2.0, times=threads)
    with redis.Redis.from_url(ships.redis.url) as client:
        taps = [ships.tap(number) for number in range(threads)]
        taken = f"{NAME}:__acks__.*"  # and not acknowledged
        until(lambda: sum(map(client.scard, client.scan_iter(taken))) == threads)
    ships.redis.kill()
    assert ships.settled(taps, 20) == []
    back_at_work(ships)


def test_postgres_goes_and_comes_back(ships: Fleet) -> None:
    ships.postgres.stop()
    taps = ships.load(12)
    assert {tap.status for tap in taps} == {200}
    assert ships.settled(taps, 30) == []
    ships.postgres.start()
    ships.state.database.write(delete(PROCESSES))
    until(lambda: alive(ships.state) >= 2 + WORKERS)


def answered(ships: Fleet) -> int:
    """The number of taps that the worker has answered."""
    return sum(1 for line in ships.worker.log if "answered" in line)


def test_a_worker_that_is_asked_to_end_finishes_its_taps(ships: Fleet) -> None:
    """From here on the web processes answer."""
    ships.line.slow_next("/v2/bot/message/reply", 2.0, times=4)
    calls = len(ships.line.calls("/v2/bot/message/reply"))
    before = answered(ships)
    taps = [ships.tap(number) for number in range(4)]
    until(lambda: len(ships.line.calls("/v2/bot/message/reply")) >= calls + 4)
    ships.worker.process.terminate()
    assert ships.worker.process.wait(20) == 0
    assert all(map(ships.line.replied, taps))
    until(lambda: answered(ships) == before + 4)


def test_without_a_living_worker_threads_answer_and_nothing_is_queued(ships: Fleet) -> None:
    """The last test: the workers are gone for good."""
    ships.worker.process.terminate()
    ships.worker.process.wait(30)
    with redis.Redis.from_url(ships.redis.url) as client:

        def is_left_alone() -> bool:  # once no web process takes the workers for living any more
            client.flushall()
            return ships.settled(ships.load(12), 30) == [] and not client.exists(
                f"{NAME}:tap", f"{NAME}:tap.msgs"
            )

        until(is_left_alone)
