"""Processes whose clocks are wrong lose no tap: what is dead and what is too old is told by the database's clock."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.backend import Backend
from tests.e2e.fleet import fleet, kill, unharmed, until

pytestmark = pytest.mark.cloud_only("the processes of one machine, which SQLite is for, have one clock")
APART = 1200.0  # seconds
TAPS = 160


def test_the_taps_of_killed_processes_are_answered(tmp_path: Path, backend: Backend) -> None:
    with fleet(tmp_path, backend.kind, apart=APART) as ships, unharmed(ships):
        with ThreadPoolExecutor(1) as pool:
            load = pool.submit(ships.load, TAPS, 8)
            for number, processes in enumerate([ships.queue_workers, ships.web_workers] * 2, start=1):
                until(lambda many=30 * number: len(ships.line.calls("/v2/bot/message/reply")) > many, 60)
                for process in processes():
                    kill(process)
            taps = load.result()
        assert sum(tap.status == 200 for tap in taps) > TAPS // 2
        assert ships.settled(taps, 40) == []
        assert ships.given_up() == 0
