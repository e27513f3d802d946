import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.runtime.work_queue import NAME, OUTAGE, Sender, TryAgain, connect, work
from tests.e2e.fleet import until
from tests.fakes.redis import RedisServer, redis_server
from tests.fakes.servers import Missing

TASK = "test"


@pytest.fixture(params=[False])
def server(request: pytest.FixtureRequest) -> Iterator[RedisServer]:
    """A Redis for one test, which may kill it; by the parameter over TLS."""
    try:
        with redis_server(tls=request.param) as made:
            yield made
    except Missing as missing:
        pytest.skip(f"{missing} is not installed")


def left(server: RedisServer) -> dict[str, int]:
    """How many messages Redis has: waiting, under way, and their contents."""
    with connect(server.url) as client:
        return {
            "waiting": client.llen(f"{NAME}:test"),
            "under way": sum(client.scard(key) for key in client.scan_iter(f"{NAME}:__acks__.*")),
            "contents": client.hlen(f"{NAME}:test.msgs"),
        }


NOTHING = {"waiting": 0, "under way": 0, "contents": 0}


@pytest.mark.parametrize(
    "server",
    [False, True],
    ids=["plain", "tls"],
    indirect=True,
)
def test_messages_of_many_threads_are_done_once_each(server: RedisServer) -> None:
    done: list[str] = []
    sender = Sender(server.url)
    engine = work(server.url, {TASK: done.append}, 4)
    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(lambda number: sender.send(TASK, f"tap {number}"), range(300)))
    until(lambda: len(done) == 300)
    engine.stop(timeout=20_000)
    sender.close()
    assert sorted(done) == sorted(f"tap {number}" for number in range(300))
    assert left(server) == NOTHING


@pytest.mark.parametrize("server", [True], ids=["tls"], indirect=True)
def test_an_address_may_want_a_certificate_that_is_trusted(server: RedisServer) -> None:
    assert connect(server.url).ping()
    with pytest.raises(OUTAGE, match="certificate verify failed"):
        connect(f"{server.url}?ssl_cert_reqs=required").ping()
    sender = Sender(f"{server.url}?ssl_cert_reqs=required")
    assert not sender.send(TASK, "tap")
    sender.close()


def test_any_word_arrives_unchanged_and_again_if_needed(
    server: RedisServer,
) -> None:
    words = ("雀録", "\ud83c", 'a"\\\n', 2**70)
    done: list[str | int] = []

    def does(word: str | int) -> None:
        done.append(word)
        if done.count(word) == 1:
            raise TryAgain("not now")

    sender = Sender(server.url)
    engine = work(server.url, {TASK: does}, 1)
    assert all(sender.send(TASK, word) for word in words)
    until(lambda: len(done) == 2 * len(words) and left(server) == NOTHING, 30)
    engine.stop(timeout=20_000)
    sender.close()
    assert done[:4] == list(words)
    assert Counter(done) == dict.fromkeys(words, 2)


def test_work_goes_on_after_redis_lost_everything(server: RedisServer) -> None:
    started = threading.Event()
    go_on = threading.Event()
    done: list[str] = []

    def does(word: str) -> None:
        started.set()
        assert go_on.wait(20)
        done.append(word)

    sender = Sender(server.url)
    engine = work(server.url, {TASK: does}, 1)
    assert sender.send(TASK, "before")
    assert started.wait(20)
    server.kill()
    go_on.set()
    until(lambda: done == ["before"])
    assert not sender.send(TASK, "meanwhile")
    server.start()
    until(lambda: sender.send(TASK, "after"), 30)
    until(lambda: done[-1] == "after", 30)
    until(lambda: left(server) == NOTHING, 30)
    engine.stop(timeout=20_000)
    sender.close()
    assert "meanwhile" not in done
