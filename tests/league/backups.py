"""A league with everything that goes into a backup, and backups of it, for tests."""

from datetime import date, datetime, timedelta
from pathlib import Path

from bot.chat.access import ChatAccess
from bot.league.archive import Archive
from bot.league.backup import Restore, Restored, back_up, names_in
from bot.league.demo import demo_files
from bot.league.files import change
from bot.league.repository import LeagueRepository
from bot.runtime.encryption import Encryption, new_key
from bot.sync.room_ids import RoomIds
from rating.logdates import JST
from rating.room_id import RoomId
from storage.accounts import Account
from storage.backup_rows import KeptRow, put_rows
from storage.own_games import KeptGame
from storage.ports import LogSource
from storage.results import ReadMark
from storage.state import State
from tests.world.stores import FolderInMemory

GROUP = "C" + "1" * 32
USER = "U" + "2" * 32
DAY = date(2026, 5, 1)
LONG_AGO = datetime(2026, 5, 1, 12, 0, tzinfo=JST)
KEY = new_key()
ROOM = RoomId("C1017682582799490")
Folders = dict[str, LogSource]
"""The log sources of an installation, by league."""


def fill(logs: LogSource) -> None:
    """A league with former versions, records, a chart, an enrolled group and a member who gave a
    name.
    """
    for name, data in demo_files().items():
        logs.write(name, data, None)
    line = "C1934 | 23:50 | 三般南喰赤祝 | a(1) b(0) c(-1)\n"
    change(logs, "logvol3.txt", lambda old: old + line.encode(), LONG_AGO)
    change(logs, "teamlog.txt", lambda old: "みどり\n".encode(), LONG_AGO)
    logs.overwrite("records/2026010100gm-0009-0000-abc.mjlog", bytes(range(256)))
    logs.overwrite("charts/rating.png", b"\x89PNG")
    logs.overwrite("notes.md", b"the group's own")


def fill_state(state: State, days: int = 1200) -> None:
    """Rows of every table; `days` of results, usually more than a page."""
    access = ChatAccess(state.chats, lambda chat, user: False, frozenset(), frozenset())
    access.enrol(GROUP)
    state.chats.set_player("", USER, "みどり一色")
    state.chats.hide_names(GROUP, True)
    RoomIds(state.rooms, KEY).put("", ROOM)
    state.notices.mark_sent("digest:x", 7 * 86400.0)
    state.chats.set_home(USER, GROUP, 420 * 86400.0)
    state.chats.set_group(USER, GROUP, 86400.0)
    state.events.done(["x"])
    state.accounts.set("west", Account("/west", Encryption(KEY).encrypt("token")))
    state.records.put("", ["a", "b"], 1.5)
    state.records.give_up("", "b")
    state.results.set_read_marks({"": ReadMark(DAY, DAY, frozenset({"C1"}))})
    packed = {"rooms": "C1", "lines": b"", "merged": b"", "waiting": False, "version": 1}
    results = [
        {"league": "", "day": str(DAY + timedelta(n)), "size": 1, **packed} for n in range(days)
    ]
    put_rows(state.database, [KeptRow("results", row) for row in results])
    state.own_games.change(
        "",
        [DAY],
        lambda _: [KeptGame("k", DAY, "[1]", True)],
    )


def standings(logs: LogSource) -> object:
    league = LeagueRepository(logs)
    snapshot = league.snapshot()
    rated = league.ratings(snapshot).rated("tenhou", None, 3)
    return snapshot.all_games(), rated.standings


def saved(folder: Path, state: State, folders: Folders) -> Path:
    path = folder / "backup.zip"
    with path.open("wb") as file:
        back_up(file, state.database, lambda league: folders.setdefault(league, FolderInMemory()))
    return path


def restored(path: Path, state: State, folders: Folders, **options: object) -> Restored:
    with Archive(path) as archive:
        opened = lambda league: folders.setdefault(league, FolderInMemory())  # noqa: E731
        work = Restore(archive, state.database, opened, **{"secret_key": KEY, **options})  # type: ignore[arg-type]
        work.check()
        return work.write()


def content(logs: LogSource) -> dict[str, bytes]:
    return {name: logs.read(name).data for name in names_in(logs)}
