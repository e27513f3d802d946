import os
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.league.season_log import LeagueFolder
from bot.tenhou.client import TenhouClient
from rating.league import League
from storage.ports import LogSource
from storage.state import open_state
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou
from tests.sync import evenings
from tests.sync.killed_evening import Processes
from tests.sync.single import sync
from tests.sync.test_sync import HAND, held_of
from tests.sync.worlds import ROOM, held, month, ours, show

Child = Callable[..., list[str]]


@pytest.fixture(scope="module")
def child(backend: Backend) -> Iterator[Child]:
    def order(folder: Path, **said: Any) -> list[str]:
        stores = {"logs": backend.files(folder)["LOGS_URL"], "database": backend.database(folder)}
        return processes.all(**{"rooms": [ROOM], **stores, **said})

    with closing(Processes()) as processes:
        yield order


def make(backend: Backend, folder: Path) -> LogSource:
    logs = backend.log_source(folder)
    logs.write("logvol1.txt", HAND.encode(), None)
    return logs


EVERY = 11  # of the steps of a sync with a room, which has many; `JANROKU_EVERY_STEP=1` kills before each


def test_killed_before_any_step_with_a_room(child: Child, backend: Backend, tmp_path: Path) -> None:
    """A sync that hears of two games, of which the day's file has one, is killed; the next ones mend
    everything."""
    again = 0
    for step in range(1, 500, int(os.environ.get("JANROKU_EVERY_STEP", EVERY))):
        folder, tenhou = tmp_path / str(step), FakeTenhou()
        logs = backend.log_source(folder)
        logs.write("logvol1.txt", evenings.HAND.encode(), None)
        with tenhou:
            status = _killed_evening(child, tenhou, folder, step)
            state = open_state(backend.database(folder))
            evenings.files(tenhou, tenhou.room.plays)  # type: ignore[union-attr]
            sync_room = evenings.Sync(tenhou, logs, state)
            for _ in range(2):
                tenhou.clock.forward(minutes=21)
                sync_room()
            state.close()
            again += len(tenhou.room.fetched) - 3
            rude = [
                rude
                for rude in tenhou.judge.rudeness
                if "fetched twice" not in rude and "again after" not in rude
            ]
            tenhou.judge.rudeness = rude
        assert evenings.held(sync_room.log) == evenings.expected(tenhou.room.plays), (
            f"killed before step {step}"
        )
        assert sync_room.log.startswith(evenings.HAND.rstrip().encode())
        assert evenings.records(logs) == sorted(played.id for played in tenhou.room.plays)
        if status == "done":
            break
    assert step > 60
    assert again <= 6  # only one that is killed between the answer and the folder is fetched again


def _killed_evening(child: Child, tenhou: FakeTenhou, folder: Path, step: int) -> str:
    """Play three games; one is in the log when the sync begins that is killed."""
    begin = datetime(2026, 8, 10, 20, 0)
    room = tenhou.open_room(evenings.ROOM_ID)
    names = evenings.NAMES[:3]
    plays = [
        room.play(
            begin + timedelta(minutes=30 * n), begin + timedelta(minutes=30 * n + 25), names, (n, 7, -7 - n)
        )
        for n in range(3)
    ]
    order = {"url": tenhou.url, "rooms": [evenings.ROOM], "room": evenings.ROOM_ID}
    for minute, at in ((27, 0), (100, step)):
        tenhou.clock.time = evenings.utc(begin + timedelta(minutes=minute))
        evenings.files(tenhou, plays[:2] if at else plays[:1])
        (status,) = child(folder, now=tenhou.clock().isoformat(), at=[at], **order)
    return status


def finish(tenhou: FakeTenhou, backend: Backend, folder: Path) -> None:
    state = open_state(backend.database(folder), clock=lambda: tenhou.clock().timestamp())
    for minutes in (0, 21):
        tenhou.clock.forward(minutes=minutes)
        with TenhouClient(tenhou.url) as client:
            sync(
                [LeagueFolder(backend.log_source(folder), League(rooms=(ROOM,)))], state, client, tenhou.clock
            )
    state.close()


def test_killed_before_any_step(child: Child, backend: Backend, tmp_path: Path) -> None:
    """A sync of three days is killed before step 1, 2, 3, ... (with Postgres every third) until one sync ends
    by itself."""
    games = month(20, date(2020, 5, 16), 3, others=3)
    again = step = 0
    status = "killed"
    while status == "killed":
        step += 1 if backend.kind == "threads" else 3
        folder, tenhou = tmp_path / str(step), FakeTenhou()
        logs = make(backend, folder)
        with tenhou:
            show(tenhou, games)
            (status,) = child(folder, url=tenhou.url, now=tenhou.clock().isoformat(), at=[step])
            finish(tenhou, backend, folder)
            again += sum(count - 1 for count in tenhou.judge.downloads.values())
            tenhou.judge.rudeness = [rude for rude in tenhou.judge.rudeness if "downloaded again" not in rude]
        assert held(logs, "logvol1.txt") == ours(games) + held_of(HAND), f"killed before step {step}"
        rest = iter(logs.read("logvol1.txt").data.splitlines())
        assert all(line in rest for line in HAND.encode().splitlines())
    assert status == "done"
    assert step > 30
    # Only a sync killed after a download and before its lines are stored downloads the file again.
    assert again <= 3 * 4


def test_processes_at_once(child: Child, backend: Backend, tenhou: FakeTenhou, tmp_path: Path) -> None:
    games = month(21, date(2020, 5, 12), 7)
    logs = make(backend, tmp_path / "one")
    show(tenhou, games)
    answers = child(tmp_path / "one", url=tenhou.url, now=tenhou.clock().isoformat(), at=[0] * 5)
    assert answers == ["done"] * 5
    assert held(logs, "logvol1.txt") == ours(games) + held_of(HAND)
    assert max(tenhou.judge.downloads.values()) == 1


def test_processes_at_once_some_killed(child: Child, backend: Backend, tmp_path: Path) -> None:
    games = month(22, date(2020, 5, 16), 3, others=3)
    for step in (12, 20, 28, 36):
        folder, tenhou = tmp_path / str(step), FakeTenhou()
        logs = make(backend, folder)
        with tenhou:
            show(tenhou, games)
            child(folder, url=tenhou.url, now=tenhou.clock().isoformat(), at=[step, 0, step + 3])
            finish(tenhou, backend, folder)
            tenhou.judge.rudeness = [rude for rude in tenhou.judge.rudeness if "downloaded again" not in rude]
        assert held(logs, "logvol1.txt") == ours(games) + held_of(HAND)
