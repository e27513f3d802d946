"""Answers that take seconds have threads of their own, so that other taps do not wait for them."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from bot import texts
from bot.demo_chat import DEMO_GROUP
from bot.dispatch.dispatcher import LONG, LONG_WAITING
from tests.answers.world import LEAGUE, LOG, MEMBER, opened, words_of
from tests.backend import Backend


@pytest.mark.embedded_only("a worker has no threads for taps")
def test_taps_are_answered_while_long_ones_wait(tmp_path: Path, backend: Backend) -> None:
    held = threading.Event()
    with opened(tmp_path, backend) as world:
        world.write("league.toml", LEAGUE)
        world.write("logvol1.txt", LOG)
        for _ in range(LONG):
            assert world.service.dispatcher.long_pool.submit(held.wait)
        compare = world.platform.tap(DEMO_GROUP, MEMBER, "request_compare")
        assert world.tap("request_help")
        assert not world.platform.replied(compare)
        for _ in range(LONG_WAITING - LONG - 1):
            assert world.service.dispatcher.long_pool.submit(held.wait)
        assert words_of(world.tap("request_compare")) == texts.BUSY
        held.set()
        assert "比べるには" in words_of(world.answers(compare))
