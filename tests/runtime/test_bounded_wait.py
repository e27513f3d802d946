"""Work that is waited for, but not for long."""

from __future__ import annotations

import threading
import time

from bot.runtime.thread_pool import BoundedWait


def test_work_that_ends_is_done_when_the_wait_ends() -> None:
    wait, done = BoundedWait("test", 2, patience=60), list[int]()
    for number in range(20):
        wait.do(done.append, number)
        assert done == list(range(number + 1))
    wait.close()


def test_work_that_hangs_is_done_later_and_others_wait_less() -> None:
    wait, go, done = BoundedWait("test", 1, patience=0.5), threading.Event(), list[int]()
    wait.do(go.wait)
    began = time.monotonic()
    for number in range(20):
        wait.do(done.append, number)
    assert time.monotonic() - began < 5  # each for itself would wait for ten
    assert done == []
    go.set()
    wait.close()
    assert done == list(range(20))
