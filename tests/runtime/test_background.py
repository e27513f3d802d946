import logging
import threading

import pytest

from bot.runtime.background import BackgroundLoop


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
