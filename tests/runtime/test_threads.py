import threading
import time

from bot.runtime.threads import BoundedWait, ThreadPool


def test_a_pool_takes_a_bounded_number_of_jobs() -> None:
    go_on = threading.Event()
    pool = ThreadPool(workers=1, waiting=4)
    is_taken = [pool.submit(go_on.wait) for _ in range(6)]
    assert is_taken == [True] * 4 + [False] * 2
    assert pool.room < 0
    go_on.set()
    pool.close()


def test_a_closed_pool_has_done_its_jobs_and_takes_none() -> None:
    results: list[int] = []
    pool = ThreadPool(workers=1)
    assert pool.submit(results.append, 1)
    pool.close()
    assert results == [1]
    assert pool.room == 0
    assert not pool.submit(results.append, 2)
    assert results == [1]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("tap")]


def test_work_that_ends_in_time_is_done_when_the_wait_ends() -> None:
    wait = BoundedWait("test", 2, patience=60)
    results: list[int] = []
    for number in range(20):
        wait.do(results.append, number)
        assert results == list(range(number + 1))
    wait.close()


def test_callers_wait_no_longer_than_for_the_oldest_work() -> None:
    wait = BoundedWait("test", 1, patience=0.5)
    go_on = threading.Event()
    results: list[int] = []
    wait.do(go_on.wait)
    start = time.monotonic()
    for number in range(20):
        wait.do(results.append, number)
    assert time.monotonic() - start < 5  # twenty waits of their own would take ten seconds
    assert results == []
    go_on.set()
    wait.close()
    assert results == list(range(20))
