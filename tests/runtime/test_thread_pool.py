"""A pool of a fixed number of threads."""

from __future__ import annotations

import threading

from bot.runtime.thread_pool import ThreadPool


def test_a_pool_takes_so_much_and_no_more() -> None:
    go, pool = threading.Event(), ThreadPool(workers=1, waiting=4)
    assert [pool.submit(go.wait) for _ in range(6)] == [True] * 4 + [False] * 2
    assert pool.room < 0
    go.set()
    pool.close()


def test_a_closed_pool_refuses() -> None:
    done: list[int] = []
    pool = ThreadPool(workers=1)
    assert pool.submit(done.append, 1)
    pool.close()
    assert done == [1]
    assert pool.room == 0
    assert not pool.submit(done.append, 2)
    assert done == [1]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("tap")]
