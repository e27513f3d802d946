import logging
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest

from bot.runtime.threads import BackgroundLoop, BoundedWait, Duty, ThreadPool
from storage.database import IN_MEMORY
from storage.ports import StorageError
from storage.state import open_state
from tests.sync.nights import Inline


def test_a_pool_takes_so_much_and_once_closed_nothing() -> None:
    go = threading.Event()
    pool = ThreadPool(workers=1, waiting=4)
    assert [pool.submit(go.wait) for _ in range(6)] == [True] * 4 + [False] * 2
    assert pool.room < 0
    go.set()
    pool.close()
    done: list[int] = []
    pool = ThreadPool(workers=1)
    assert pool.submit(done.append, 1)
    pool.close()
    assert done == [1]
    assert pool.room == 0
    assert not pool.submit(done.append, 2)
    assert done == [1]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("tap")]


def test_work_that_ends_is_done_when_the_wait_ends_and_what_hangs_later() -> None:
    wait = BoundedWait("test", 2, patience=60)
    done: list[int] = []
    for number in range(20):
        wait.do(done.append, number)
        assert done == list(range(number + 1))
    wait.close()
    wait = BoundedWait("test", 1, patience=0.5)
    go = threading.Event()
    done: list[int] = []
    wait.do(go.wait)
    began = time.monotonic()
    for number in range(20):
        wait.do(done.append, number)
    assert time.monotonic() - began < 5  # each for itself would wait for ten
    assert done == []
    go.set()
    wait.close()
    assert done == list(range(20))


@pytest.mark.parametrize("error", [StorageError("away"), KeyError("x"), None])
def test_a_duty_goes_on_after_a_round_that_failed(error: Exception | None) -> None:
    state = open_state(IN_MEMORY)
    done = []

    class Rounds(Duty):
        def do(self) -> None:
            done.append(self.since)
            if error is not None:
                raise error

    duty = Rounds("test", state.lease("test", 60), timedelta(hours=1))
    duty.pool = Inline()
    times = [datetime(2026, 5, 4, hour, tzinfo=UTC) for hour in (1, 2, 3)]
    for now in times:
        assert duty.begin(now)
        assert duty.since is None
    assert done == times


def test_a_chore_that_fails_holds_up_no_other_and_is_named_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done: list[str] = []
    broken = [True]

    def fails() -> None:
        if broken[0]:
            raise KeyError("secret")

    loop = BackgroundLoop(
        first=lambda: done.append("first"), token_sweep=fails, last=lambda: done.append("last")
    )
    with caplog.at_level(logging.INFO):
        loop.run_once()
        loop.run_once()
        broken[0] = False
        loop.run_once()
    assert done == ["first", "last"] * 3
    assert caplog.messages == [
        "token sweep failed and is tried again: KeyError",
        "token sweep works again",
    ]


def test_chores_run_in_their_order_until_stopped() -> None:
    done: list[str] = []
    BackgroundLoop(b=lambda: done.append("b"), a=lambda: done.append("a")).run_once()
    assert done == ["b", "a"]
    ran = threading.Event()
    before = set(threading.enumerate())
    loop = BackgroundLoop(chore=ran.set)
    loop.start()
    assert ran.wait(10)
    loop.stop()
    assert not [one for one in set(threading.enumerate()) - before if one.name == "background"]
