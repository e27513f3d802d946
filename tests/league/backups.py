"""A league with everything a backup holds, and backups of it, for tests."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from bot.chat.access import ChatAccess
from bot.chat.identity import Identities
from bot.league.archive import Archive
from bot.league.backup import back_up, names_in
from bot.league.demo import demo_files
from bot.league.edit import change
from bot.league.repository import LeagueRepository
from bot.league.restore import Restore, Restored
from bot.runtime.encryption import new_key
from bot.sync.room_ids import RoomIds
from rating.logdates import JST
from rating.room_id import RoomId
from storage.ports import LogSource
from storage.state import SqlState
from tests.world.stores import FolderInMemory, StateInMemory

GROUP, USER = "C" + "1" * 32, "U" + "2" * 32
LONG_AGO = datetime(2026, 5, 1, 12, 0, tzinfo=JST)
KEY = new_key()
ROOM = RoomId("C1017682582799490")
Folders = dict[str, LogSource]
"""The log sources of an installation, by league."""


def fill(logs: LogSource) -> None:
    """A league with former versions, records, a chart, an enrolled group and a member who said who he is."""
    for name, data in demo_files().items():
        logs.write(name, data, None)
    change(
        logs,
        "logvol3.txt",
        lambda old: old + "C1934 | 23:50 | 三般南喰赤祝 | a(1) b(0) c(-1)\n".encode(),
        LONG_AGO,
    )
    change(logs, "teamlog.txt", lambda old: "みどり\n".encode(), LONG_AGO)
    logs.overwrite("records/2026010100gm-0009-0000-abc.mjlog", bytes(range(256)))
    logs.overwrite("charts/rating.png", b"\x89PNG")
    logs.overwrite("notes.md", b"the group's own")


def fill_state(state: SqlState | StateInMemory) -> None:
    ChatAccess(state, lambda chat, user: False, frozenset(), frozenset()).enrol(GROUP)
    Identities(state).remember("", USER, "みどり一色")
    RoomIds(state, KEY).put("", ROOM)
    state.put("digest:x", "1", ttl=7 * 86400.0)
    state.put(f"member:{USER}", GROUP, ttl=86400.0)
    state.put("event:1795359750:x", "done", ttl=86400.0)
    state.put_all({f"tenhou/kept//2026{n:04d}": "x" * n for n in range(1200)})


def standings(logs: LogSource) -> object:
    league = LeagueRepository(logs)
    snapshot = league.snapshot()
    rated = league.ratings(snapshot).rated("tenhou", None, 3)
    return snapshot.all_games(), rated.standings


def saved(folder: Path, state: SqlState | StateInMemory, folders: Folders) -> Path:
    path = folder / "backup.zip"
    with path.open("wb") as file:
        back_up(file, state, lambda league: folders.setdefault(league, FolderInMemory()))
    return path


def restored(path: Path, state: SqlState | StateInMemory, folders: Folders, **options: object) -> Restored:
    with Archive(path) as archive:
        opened = lambda league: folders.setdefault(league, FolderInMemory())  # noqa: E731
        work = Restore(archive, state, opened, **{"secret_key": KEY, **options})  # type: ignore[arg-type]
        work.check()
        return work.write()


def content(logs: LogSource) -> dict[str, bytes]:
    return {name: logs.read(name).data for name in names_in(logs)}
