"""A process killed at every step: a game is there once, and of a log that lost games no version
goes.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.league.files import GOOD, history_file, read_version, restore, versions
from bot.league.last_good import LastGood
from bot.league.repository import LeagueRepository
from bot.league.season_log import LeagueFolder
from bot.league.snapshot import LeagueSnapshot
from bot.league.table_log import TableLog
from rating.league import League
from rating.logdates import JST
from storage import folder
from storage.folder import FolderLogs
from storage.ports import NotFound
from storage.state import State, open_state
from storage.values import Values

LINE = "卓 | 21:00 | 三般南喰赤－ | みどり(+47.0) 東風(-9.0) 白發中(-38.0)"
LOG = "20260501\nC1934 | 20:00 | 三般南喰赤－ | みどり(+50.0) 白發中(+2.0) 東風(-52.0)\n"
NOW = datetime(2026, 5, 4, 21, 5, tzinfo=JST)
DAY = date(2026, 5, 4)
STEPS = (
    *((Values, name) for name in ("add", "replace", "delete")),
    (folder.os, "replace"),
    *((FolderLogs, name) for name in ("write", "overwrite", "remove")),
    *((State, name) for name in ("forget_user", "rename_league")),
)


Do = Callable[[FolderLogs], object]


def run(home: Path, do: Do, killed_at: int = 0) -> bool:
    """Do it in a process killed before or after its step `killed_at` (0: never); return whether it
    lived.
    """
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
            do(FolderLogs(home / "logs"))
        except BaseException:
            os._exit(3)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) in (0, -signal.SIGKILL)
    return status == 0


def killed_at_each(
    folder: Path, text: str, begin: Callable[[Path], object], do: Do
) -> Iterator[tuple[int, Path]]:
    """Yield each home whose log had this text before `begin`, and the step of the death; the last
    lived.
    """
    for killed in count():
        home = folder / str(killed)
        (home / "logs").mkdir(parents=True)
        (home / "logs" / "logvol1.txt").write_text(text)
        begin(home)
        lived = run(home, do, killed + 1)
        yield killed, home
        if lived:
            return


@pytest.mark.parametrize("back", [False, True], ids=["written", "taken back"])
def test_a_game_is_there_once_wherever_the_process_is_killed(tmp_path: Path, back: bool) -> None:
    def log(logs: FolderLogs) -> TableLog:
        state = open_state(f"sqlite:///{logs._directory.parent / 'state.sqlite3'}")
        return TableLog(LeagueFolder(logs, League(), ""), state, "C1", NOW)

    def add(logs: FolderLogs) -> object:
        return log(logs).add("0123456789ab", DAY, LINE, even_if_alike=False)

    def take_out(logs: FolderLogs) -> object:
        return log(logs).take_out("0123456789ab")

    do = take_out if back else add
    for killed, home in killed_at_each(tmp_path, LOG, lambda home: back and run(home, add), do):
        run(home, do)  # the tap, which is answered again
        text = (home / "logs" / "logvol1.txt").read_text()
        assert text == LOG + ("20260504\n" if back else f"20260504\n{LINE}\n"), killed
    assert killed >= 8


EACH = "C1934 | 20:{:02d} | 三般南喰赤－ | みどり(+{}.0) 白發中(0.0) 東風(-{}.0)\n"
SEASON = "20260501\n" + "".join(EACH.format(n, n + 1, n + 1) for n in range(30))
SHORT = "".join(SEASON.splitlines(keepends=True)[:20])
LONGER = SEASON + SEASON.splitlines(keepends=True)[-1].replace("20:29", "21:00")


def look(logs: FolderLogs) -> LeagueSnapshot:
    """What a process does that reads the league: it keeps what it sees."""
    repository = LeagueRepository(logs)
    snapshot = repository.snapshot()
    repository.reader.good.store()
    return snapshot


def accept(logs: FolderLogs) -> None:
    LastGood(logs).accept("logvol1.txt", logs.read("logvol1.txt").data, NOW)


def put_back(logs: FolderLogs) -> None:
    """As `flask league restore logvol1.txt good` does."""
    data = read_version(logs, "logvol1.txt", GOOD)
    restore(logs, "logvol1.txt", GOOD, NOW)
    LastGood(logs).accept("logvol1.txt", data, NOW)


@pytest.mark.parametrize(
    ("now_there", "do", "games"),
    [
        (SHORT, look, 30),
        (LONGER, look, 31),
        (SHORT, accept, 19),
        (SHORT, put_back, 30),
    ],
    ids=["games are lost", "games came", "taken as it is", "put back"],
)
def test_no_version_is_lost_wherever_it_is_killed(
    tmp_path: Path, now_there: str, do: Do, games: int
) -> None:
    def begin(home: Path) -> None:
        look(FolderLogs(home / "logs"))
        (home / "logs" / "logvol1.txt").write_text(now_there)
        if do is not look:
            look(FolderLogs(home / "logs"))

    for killed, home in killed_at_each(tmp_path, SEASON, begin, do):
        logs = FolderLogs(home / "logs")
        assert (home / "logs" / "logvol1.txt").exists(), killed
        seen = look(logs)
        assert len(seen.all_games()) in (30, games), killed  # as before, or as it is to be
        run(home, do)
        assert len(look(logs).all_games()) == games, killed
        kept = {
            logs.read("logvol1.txt").data,
            logs.read(
                history_file(
                    "logvol1.txt",
                    GOOD,
                )
            ).data,
        }
        for version in versions(logs, "logvol1.txt"):
            with suppress(NotFound):  # a place that was taken, and never filled
                kept.add(read_version(logs, "logvol1.txt", version.name))
        assert {SEASON.encode(), now_there.encode()} <= kept, killed
    assert killed >= 2
