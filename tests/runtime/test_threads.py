import threading
import time

from bot.runtime.threads import BoundedWait, ThreadPool


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
