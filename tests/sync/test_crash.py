import os
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.league.season_log import LeagueFolder, with_remembered
from bot.tenhou.client import TenhouClient
from rating.league import League
from storage.ports import LogSource
from storage.state import open_state
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou
from tests.fakes.tenhou_room import RoomPlay
from tests.sync import evenings
from tests.sync.child import Processes
from tests.sync.single import sync
from tests.sync.test_corrected import DAY, FIRST, SCORE, SECOND
from tests.sync.test_sync import HAND, held_of
from tests.sync.worlds import ROOM, Played, held, month, ours, show

Child = Callable[..., list[str]]
EVERY = 5  # of the steps of a sync, which has many; `JANROKU_EVERY_STEP=1` kills before each
ONCE_MORE = "downloaded again", "fetched twice", "again after"
"""What a sync that is killed between an answer and the writing of it costs at most."""


@pytest.fixture(scope="module")
def child(backend: Backend) -> Iterator[Child]:
    def order(folder: Path, **values: Any) -> list[str]:
        stores = {"logs": backend.files(folder)["LOGS_URL"], "database": backend.database(folder)}
        return processes.all(**{"rooms": [ROOM], **stores, **values})

    with closing(Processes()) as processes:
        yield order


def make(backend: Backend, folder: Path, text: str = HAND) -> LogSource:
    logs = backend.log_source(folder)
    logs.write("logvol1.txt", text.encode(), None)
    return logs


def forgiven(tenhou: FakeTenhou) -> int:
    """How often Tenhou got a request for what it had sent before; its judge forgets them."""
    before = len(tenhou.judge.rudeness)
    others = [
        rude for rude in tenhou.judge.rudeness if not any(words in rude for words in ONCE_MORE)
    ]
    tenhou.judge.rudeness[:] = others
    return before - len(others)


def looked(
    child: Child,
    tenhou: FakeTenhou,
    folder: Path,
    minute: float,
    at: int,
    listed: list[RoomPlay],
) -> str:
    """Have a sync look at that minute of the evening, killed before step `at`; the files have these
    games.
    """
    tenhou.clock.time = evenings.utc(evenings.NIGHT + evenings.minutes(minute))
    evenings.files(tenhou, listed)
    order = {"url": tenhou.url, "rooms": [evenings.ROOM], "room": evenings.ROOM_ID}
    (status,) = child(
        folder,
        now=tenhou.clock().isoformat(),
        at=[at],
        **order,
    )
    return status


def test_killed_before_any_step(child: Child, backend: Backend, tmp_path: Path) -> None:
    """A sync reads three days' files, and two games of the room. One of them is in the day's file
    too, and a hand has entered it otherwise. The sync is killed; the next ones complete everything."""
    again = 0
    every = EVERY if backend.kind == "threads" else 2 * EVERY
    steps = range(1, 500, int(os.environ.get("JANROKU_EVERY_STEP", every)))
    for step in steps:
        folder = tmp_path / str(step)
        tenhou = FakeTenhou()
        logs = make(backend, folder, evenings.HAND)
        with tenhou:
            room = tenhou.open_room(evenings.ROOM_ID)
            first = evenings.game(room, 1, 25, 1)
            second = evenings.game(room, 31, 25, 31)
            third = evenings.game(room, 61, 25, 61)
            assert looked(child, tenhou, folder, 28, 0, [first]) == "done"
            log = logs.read("logvol1.txt")
            by_hand = second.line.replace("(+3.1,", "(+3.2,")
            logs.write("logvol1.txt", log.data.rstrip() + f"\n{by_hand}\n".encode(), log.rev)
            lines = [first.line.replace("20:01", f"1{back}:00") for back in (1, 2)]
            for back, line in enumerate(lines, 1):
                tenhou.put(evenings.DAY - timedelta(days=back), [line])
            status = looked(child, tenhou, folder, 100, step, [first, second])
            with closing(open_state(backend.database(folder))) as state:
                evenings.files(tenhou, room.plays)
                sync_room = evenings.Sync(tenhou, logs, state)
                for _ in range(2):
                    sync_room.later()
            again += forgiven(tenhou)
        data = sync_room.log
        message = f"killed before step {step}"
        once = (*lines, first.line, by_hand, third.line)
        counts = [data.count(line.encode()) for line in once]
        assert (counts, data.count(second.line.encode())) == ([1] * 5, 0), message
        by_hand_before = filter(None, evenings.HAND.encode().splitlines())
        assert set(by_hand_before) <= set(data.splitlines()), message
        remembered = {evenings.DAY: (second.line.encode(),)}
        assert with_remembered(logs, {}) == remembered, message
        assert evenings.records(logs) == sorted(played.id for played in room.plays), message
        if status == "done":
            break
    assert step > 60
    assert again <= 4


def finish(tenhou: FakeTenhou, backend: Backend, folder: Path) -> None:
    with closing(
        open_state(backend.database(folder), clock=lambda: tenhou.clock().timestamp())
    ) as state:
        for minutes in (0, 21):
            tenhou.clock.forward(minutes=minutes)
            target = LeagueFolder(backend.log_source(folder), League(rooms=(ROOM,)))
            with TenhouClient(tenhou.url) as client:
                sync([target], state, client, tenhou.clock)


def test_processes_at_once(
    child: Child, backend: Backend, tenhou: FakeTenhou, tmp_path: Path
) -> None:
    """Five read a week, of which a hand has corrected a game."""
    end = datetime.combine(DAY, datetime.min.time())
    games = [
        *month(21, date(2020, 5, 12), 7),
        Played(DAY, SECOND, end),
    ]
    by_hand = f"{HAND}#5/17\n{SCORE}\n"
    logs = make(backend, tmp_path / "one", by_hand)
    show(tenhou, [*games, Played(DAY, FIRST, end)])
    answers = child(
        tmp_path / "one",
        url=tenhou.url,
        now=tenhou.clock().isoformat(),
        at=[0] * 5,
    )
    assert answers == ["done"] * 5
    assert held(logs, "logvol1.txt") == ours(games) + held_of(by_hand)
    assert with_remembered(logs, {}) == {DAY: (FIRST.encode(),)}
    assert max(tenhou.judge.downloads.values()) == 1


def test_processes_at_once_some_killed(child: Child, backend: Backend, tmp_path: Path) -> None:
    games = month(22, date(2020, 5, 16), 3, others=3)
    for step in (12, 28):
        folder = tmp_path / str(step)
        tenhou = FakeTenhou()
        logs = make(backend, folder)
        with tenhou:
            show(tenhou, games)
            child(
                folder,
                url=tenhou.url,
                now=tenhou.clock().isoformat(),
                at=[step, 0, step + 3],
            )
            finish(tenhou, backend, folder)
            forgiven(tenhou)
        assert held(logs, "logvol1.txt") == ours(games) + held_of(HAND)
