"""Processes with wrong clocks lose no tap: what is dead or too old is told by the database's
clock.
"""

import os
import signal
from pathlib import Path

import pytest

from tests.backend import Backend
from tests.e2e.fleet import fleet, until

pytestmark = pytest.mark.cloud_only(
    "the processes of one machine, which SQLite is for, have one clock"
)
REPLY = "/v2/bot/message/reply"
TAPS = 16


def test_the_taps_of_dead_web_processes_are_answered_by_workers(
    tmp_path: Path, backend: Backend
) -> None:
    """Without Redis the taps are the web processes' own. LINE takes none of their answers while
    they live. Clocks that are wrong the other way round: tests/world (APART)."""
    with fleet(tmp_path, backend.kind, apart=1200.0) as ships:
        ships.redis.kill()
        away = ships.line.fail_next(REPLY, status=500, times=10_000)
        taps = [ships.tap(number) for number in range(TAPS)]
        until(lambda: len(ships.line.calls(REPLY)) >= TAPS)
        os.killpg(ships.web.process.pid, signal.SIGKILL)
        away.times = 0
        assert {tap.status for tap in taps} == {200}
        assert ships.settled(taps, 40) == []
        assert ships.given_up() == 0
        tokens = [sent.token for sent in ships.line.sent]
        assert len(tokens) == len(set(tokens))
