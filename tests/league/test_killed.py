"""A process killed at every step: a game is in the log once, and of a log that lost games no
version is removed.
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


Action = Callable[[FolderLogs], object]


def run(home: Path, action: Action, killed_at: int = 0) -> bool:
    """Run the action in a process that is killed before or after a step, at the moment `killed_at`
    (0: never). Return whether it ended by itself.
    """
    child = os.fork()
    if not child:
        moments = count(1)

        def may_be_killed() -> None:
            if next(moments) == killed_at:
                os.kill(os.getpid(), signal.SIGKILL)

        def step(real: Callable[..., Any]) -> Callable[..., Any]:
            def watched(*args: Any, **options: Any) -> Any:
                may_be_killed()
                result = real(*args, **options)
                may_be_killed()
                return result

            return watched

        try:
            for owner, name in STEPS:
                setattr(owner, name, step(getattr(owner, name)))
            action(FolderLogs(home / "logs"))
        except BaseException:
            os._exit(3)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) in (0, -signal.SIGKILL)
    return status == 0


def killed_at_each(
    folder: Path, text: str, begin: Callable[[Path], object], action: Action
) -> Iterator[tuple[int, Path]]:
    """Yield the number of each moment and its home: the log had this text, then `begin` ran, then
    the action, killed at that moment. In the last home it ended by itself.
    """
    for moment in count():
        home = folder / str(moment)
        (home / "logs").mkdir(parents=True)
        (home / "logs" / "logvol1.txt").write_text(text)
        begin(home)
        has_ended = run(home, action, moment + 1)
        yield moment, home
        if has_ended:
            return


@pytest.mark.parametrize("back", [False, True], ids=["written", "taken back"])
def test_game_is_written_once_wherever_the_writer_is_killed(tmp_path: Path, back: bool) -> None:
    def log(logs: FolderLogs) -> TableLog:
        state = open_state(f"sqlite:///{logs._directory.parent / 'state.sqlite3'}")
        return TableLog(LeagueFolder(logs, League(), ""), state, "C1", NOW)

    def add(logs: FolderLogs) -> object:
        return log(logs).add("0123456789ab", DAY, LINE, even_if_alike=False)

    def take_out(logs: FolderLogs) -> object:
        return log(logs).take_out("0123456789ab")

    action = take_out if back else add
    for killed, home in killed_at_each(tmp_path, LOG, lambda home: back and run(home, add), action):
        run(home, action)  # the tap, which is answered again
        text = (home / "logs" / "logvol1.txt").read_text()
        assert text == LOG + ("20260504\n" if back else f"20260504\n{LINE}\n"), killed
    assert killed >= 8


EACH = "C1934 | 20:{:02d} | 三般南喰赤－ | みどり(+{}.0) 白發中(0.0) 東風(-{}.0)\n"
SEASON = "20260501\n" + "".join(EACH.format(n, n + 1, n + 1) for n in range(30))
SHORT = "".join(SEASON.splitlines(keepends=True)[:20])
LONGER = SEASON + SEASON.splitlines(keepends=True)[-1].replace("20:29", "21:00")


def look(logs: FolderLogs) -> LeagueSnapshot:
    """Read the league and store its good files, as a process does."""
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
    ("new_text", "action", "games"),
    [
        (SHORT, look, 30),
        (LONGER, look, 31),
        (SHORT, accept, 19),
        (SHORT, put_back, 30),
    ],
    ids=["games are lost", "games came", "taken as it is", "put back"],
)
def test_no_version_is_lost_wherever_a_process_is_killed(
    tmp_path: Path, new_text: str, action: Action, games: int
) -> None:
    def begin(home: Path) -> None:
        look(FolderLogs(home / "logs"))
        (home / "logs" / "logvol1.txt").write_text(new_text)
        if action is not look:
            look(FolderLogs(home / "logs"))

    for killed, home in killed_at_each(tmp_path, SEASON, begin, action):
        logs = FolderLogs(home / "logs")
        assert (home / "logs" / "logvol1.txt").exists(), killed
        snapshot = look(logs)
        assert len(snapshot.all_games()) in (30, games), killed  # before or after the action
        run(home, action)
        assert len(look(logs).all_games()) == games, killed
        stored = {
            logs.read("logvol1.txt").data,
            logs.read(history_file("logvol1.txt", GOOD)).data,
        }
        for version in versions(logs, "logvol1.txt"):
            with suppress(NotFound):  # a place in the ring without bytes
                stored.add(read_version(logs, "logvol1.txt", version.name))
        assert {SEASON.encode(), new_text.encode()} <= stored, killed
    assert killed >= 2
