"""A process that is killed (SIGKILL) between the tap and the line, at every step: the game is there once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.league.season_log import LeagueFolder
from bot.league.table_log import TableLog
from rating.league import League
from rating.logdates import JST
from storage import folder
from storage.folder import FolderLogs
from storage.notes import Values
from storage.state import open_state

LINE = "卓 | 21:00 | 三般南喰赤－ | みどり(+47.0) 東風(-9.0) 白發中(-38.0)"
LOG = "20260501\nC1934 | 20:00 | 三般南喰赤－ | みどり(+50.0) 白發中(+2.0) 東風(-52.0)\n"
NOW, DAY = datetime(2026, 5, 4, 21, 5, tzinfo=JST), date(2026, 5, 4)
STEPS = (
    (Values, "add"),
    (Values, "replace"),
    (FolderLogs, "write"),
    (FolderLogs, "overwrite"),
    (folder.os, "replace"),
)


def run(home: Path, do: Callable[[TableLog], object], killed_at: int = 0) -> bool:
    """Do it in a process of its own that is killed before or after its step number `killed_at` (0: never);
    return whether it lived."""
    child = os.fork()
    if not child:
        left = killed_at

        def step(real: Callable[..., Any]) -> Callable[..., Any]:
            def watched(*args: Any, **more: Any) -> Any:
                nonlocal left
                for moment in (lambda: None, lambda: real(*args, **more)):
                    told = moment()  # before the step, and after it
                    left -= 1
                    if not left:
                        os.kill(os.getpid(), signal.SIGKILL)
                return told

            return watched

        try:
            for owner, name in STEPS:
                setattr(owner, name, step(getattr(owner, name)))
            state = open_state(f"sqlite:///{home / 'state.sqlite3'}")
            do(TableLog(LeagueFolder(FolderLogs(home / "logs"), League(), ""), state, "C1", NOW))
        except BaseException:
            os._exit(3)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) in (0, -signal.SIGKILL)
    return status == 0


@pytest.mark.parametrize("back", [False, True], ids=["written", "taken back"])
def test_a_game_is_there_once_wherever_the_process_is_killed(tmp_path: Path, back: bool) -> None:
    def add(log: TableLog) -> object:
        return log.add("0123456789ab", DAY, LINE)

    def take_out(log: TableLog) -> object:
        return log.take_out("0123456789ab")

    killed = 0
    while True:
        home = tmp_path / str(killed)
        (home / "logs").mkdir(parents=True)
        (home / "logs" / "logvol1.txt").write_text(LOG)
        if back:
            run(home, add)
        lived = run(home, take_out if back else add, killed + 1)
        run(home, take_out if back else add)  # the tap, which is answered again
        text = (home / "logs" / "logvol1.txt").read_text()
        assert text == LOG + ("20260504\n" if back else f"20260504\n{LINE}\n"), killed
        if lived:
            break
        killed += 1
    assert killed >= 8
