from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.service import Service
from bot.sync.day_loop import BEGIN, EACH, LIFE, LOOK
from bot.sync.run import last_sync
from storage.ports import StorageError
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou
from tests.sync.evenings import DAY, ROOM
from tests.sync.nights import Inline, Nights, nights

LINE = f"{ROOM} | 10:00 | 三般南喰赤－ | みどり(+30.0) 白發中(0.0) 東風(-30.0)"


@pytest.fixture
def night(tmp_path: Path, tenhou: FakeTenhou, backend: Backend) -> Iterator[Nights]:
    with nights(tmp_path, tenhou, backend, TENHOU_ROOM_ID="") as made:
        tenhou.put(DAY, [LINE])
        yield made


def web(night: Nights) -> Service:
    made = night.service()
    made.day_loop.pool = Inline()
    made.day_loop.tick()  # begins to count BEGIN
    return made


def pass_time(night: Nights, time: timedelta) -> None:
    for service in night.services:
        service.day_loop.tick()
    for _ in range(time // LOOK):
        night.tenhou.clock.time += LOOK
        for service in night.services:
            service.day_loop.tick()


def rounds(night: Nights) -> int:
    """How often Tenhou's list was requested."""
    return sum("list.cgi" in path and "old" not in path for path in night.tenhou.judge.requests)


def test_one_process_syncs_every_hour_and_none_at_night(night: Nights) -> None:
    services = [web(night), web(night)]
    pass_time(night, BEGIN - LOOK)
    assert LINE.encode() not in night.log
    pass_time(night, LOOK)
    assert night.log.count(LINE.encode()) == 1
    assert last_sync(services[0].state) == night.tenhou.clock()
    pass_time(night, 3 * EACH)
    assert rounds(night) == 4
    night.crash(services[1])
    web(night)  # a restart begins no other one
    pass_time(night, BEGIN + LOOK)
    assert rounds(night) == 4
    pass_time(
        night, timedelta(hours=12)
    )  # from about 23 o'clock on: two until 1 o'clock, then from 7 on
    assert rounds(night) in range(4 + 6, 4 + 8)


def test_sync_of_a_killed_process_is_done_within_the_hour(
    night: Nights,
) -> None:
    class Killed:
        """Takes the work, and never does it."""

        def submit(self, *_work: object) -> bool:
            return True

    first = web(night)
    first.day_loop.pool = Killed()
    pass_time(night, BEGIN + EACH / 2)
    night.crash(first)
    web(night)
    pass_time(night, EACH / 2 + LIFE)
    assert night.log.count(LINE.encode()) == 1


@pytest.mark.parametrize("error", [StorageError("away"), KeyError("x")])
def test_the_next_sync_comes_after_one_that_failed(
    night: Nights, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    service = web(night)
    with monkeypatch.context() as patched:
        patched.setattr(service.day_loop, "_sync", Mock(side_effect=error))
        pass_time(night, BEGIN + LIFE)
    assert LINE.encode() not in night.log
    pass_time(night, EACH)
    assert night.log.count(LINE.encode()) == 1


def test_only_a_run_without_a_problem_is_a_good_sync(
    night: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = web(night)

    def away(*_args: object) -> bytes:
        raise StorageError("nobody may write here")

    with monkeypatch.context() as patched:
        patched.setattr(type(service.stores.open_logs()), "write", away)
        pass_time(night, BEGIN + LIFE)
    assert last_sync(service.state) is None
    assert LINE.encode() not in night.log
    pass_time(night, EACH)
    assert last_sync(service.state) is not None
    assert night.log.count(LINE.encode()) == 1
