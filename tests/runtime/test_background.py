import logging
import threading

import pytest

from bot.runtime.background import BackgroundLoop


def test_a_failing_chore_stops_no_other_and_is_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    calls: list[str] = []
    broken = [True]

    def fails() -> None:
        if broken[0]:
            raise KeyError("secret")

    loop = BackgroundLoop(
        first=lambda: calls.append("first"), token_sweep=fails, last=lambda: calls.append("last")
    )
    with caplog.at_level(logging.INFO):
        loop.run_once()
        loop.run_once()
        broken[0] = False
        loop.run_once()
    assert calls == ["first", "last"] * 3
    assert caplog.messages == [
        "token sweep failed and is tried again: KeyError",
        "token sweep works again",
    ]


def test_chores_run_in_their_order() -> None:
    calls: list[str] = []
    loop = BackgroundLoop(b=lambda: calls.append("b"), a=lambda: calls.append("a"))
    loop.run_once()
    assert calls == ["b", "a"]


def test_a_stopped_loop_has_no_thread() -> None:
    ran = threading.Event()
    before = set(threading.enumerate())
    loop = BackgroundLoop(chore=ran.set)
    loop.start()
    assert ran.wait(10)
    loop.stop()
    new_threads = set(threading.enumerate()) - before
    assert "background" not in [thread.name for thread in new_threads]
