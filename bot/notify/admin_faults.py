"""Find what an admin should know of: an old sync, a file that can't be read, stores, a league's room,
records.

A look costs a listing of a folder, a question to the image store, and reads of the state store. It asks
Tenhou nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot import texts
from bot.answers.admin.faults import first_fault
from bot.chat.access import ChatAccess
from bot.league.registry import LeagueRegistry
from bot.league.repository import LeagueRepository
from bot.league.snapshot import LeagueSnapshot
from bot.sync.room_watch import RoomWatch
from bot.sync.run import last_sync
from bot.tenhou.room import FIRST
from rating.logdates import JST
from storage.ports import Denied, ImageStore, LogSource, NotFound, StorageError
from storage.state import State

NO_SYNC = timedelta(days=2)
SILENT = timedelta(hours=12)  # of a room's failures
AWAY = timedelta(minutes=30)  # of a store
EDITING = timedelta(minutes=10)  # for which a file may be half written by hand
# Kinds that for the root concern the host, and so all admins.
HOST = frozenset({"sync", "pictures", "dropbox", "logs"})
MOST = 8  # leagues looked at in one go
_AWAITED = "synced/awaited"  # since when the first sync is waited for

SYNC = (
    "{when}を最後に天鳳の結果を取り込めていないので、定期実行（flask sync）が動いているか、"
    "エラーが出ていないか確認してください。"
)
NEVER = "天鳳の結果の取り込みが一度も動いていないので、flask sync を定期実行に加えてください。"
REVOKED = (
    "Dropboxとの連携が切れているので、アプリをもう一度許可して、DROPBOX_REFRESH_TOKEN "
    "を設定し直してください。"
)
OWN_REVOKED = (
    "リーグのDropboxとの連携が切れているので、アプリをもう一度許可して、flask league dropbox {league} "
    "で設定し直してください。"
)
LOGS = "記録のフォルダーに30分以上つながらないので、LOGS_URL とその先のサービスの状態を確認してください。"
PICTURES = "画像の保存先に30分以上つながらないので、IMAGES_URL とその先のサービスの状態を確認してください。"
REFUSED = (
    "画像の保存先に断られているので、IMAGES_URL の鍵と権限を確認してください（それまでは数字だけで答えます）"
    "。"
)
DATABASE = "データベースに30分以上つながらないので、DATABASE_URL とそのサーバーの状態を確認してください。"
ROOM = (
    "天鳳の部屋 {room} の結果が12時間以上読めないので、閉じられたり作り直されたりしていないか確認し、"
    "変わっていたら{mend}（対局は翌日までに入ります）。"
)
NEW_ROOM = "新しいIDを TENHOU_ROOM_ID に設定してください"
NEW_OWN_ROOM = "新しいIDを flask league room --league {league} で設定してください"
UNLISTED = (
    "天鳳の部屋 {room} が league.toml の rooms にないので、加えてください（それまで、"
    "この部屋の結果は入りません）。"
)
RECORDS = (
    "天鳳から取れなかった牌譜が{count}件あるので、"
    "手元にあればファイルをここに送ってください（対局の結果は入っています）。"
)


@dataclass(frozen=True, slots=True)
class AdminFault:
    """A fault, told in one sentence. With another `about` it is another fault. It is told once it lasts for
    `patience`."""

    about: str
    sentence: str
    patience: timedelta = timedelta()


Looked = tuple[str, str, AdminFault | None]
"""The league ("" also for the host itself), the kind, and the fault, or None where all is well."""


@dataclass(frozen=True)
class FaultParts:
    """The service's parts that are looked at.

    `in_dropbox`: LOGS_URL names Dropbox. `has_rooms`: rooms at Tenhou are asked. `now` gives an aware time.
    """

    access: ChatAccess
    registry: LeagueRegistry
    open_logs: Callable[[str], LogSource]
    images: Callable[[], ImageStore]
    state: State
    room_watch: RoomWatch
    in_dropbox: bool
    has_rooms: bool
    now: Callable[[], datetime]


class FaultFinder:
    """Looks at the host, and at a few leagues in turn."""

    def __init__(self, parts: FaultParts) -> None:
        self._parts = parts
        self._turn = 0

    def leagues(self) -> list[str]:
        """Return the leagues' folders; the root is one of them. Raises StorageError when the store cannot be
        reached."""
        return sorted({"", *self._parts.access.groups().values()})

    def look(self) -> Iterator[Looked]:
        """Yield what was looked at. Raises StorageError when the state store cannot be reached."""
        leagues = self.leagues()
        yield "", "pictures", self._pictures()
        root = self._league("", alone=len(leagues) == 1)
        yield from root
        others = leagues[1:]
        for league in (others + others)[self._turn : self._turn + min(MOST, len(others))]:
            yield from self._league(league)
        self._turn = (self._turn + MOST) % max(1, len(others))

    def _pictures(self) -> AdminFault | None:
        try:
            self._parts.images().has("chart/none.png")
        except Denied:
            return AdminFault("refused", REFUSED)
        except StorageError:
            return AdminFault("away", PICTURES, AWAY)
        return None

    def _league(self, league: str, alone: bool = False) -> Iterator[Looked]:
        """Look at a league. Of the leagues of a host in one place, the root alone tells that the place is
        away."""
        parts = self._parts
        own = bool(league) and parts.state.accounts.get(league) is not None
        snapshot, error = self._read(league)
        if isinstance(error, NotFound) and not alone:
            error = None
        if own or not league:
            denied = isinstance(error, Denied) and (own or parts.in_dropbox)
            revoked = OWN_REVOKED.format(league=league) if own else REVOKED
            yield league, "dropbox", AdminFault("revoked", revoked) if denied else None
            yield league, "logs", AdminFault("away", LOGS, AWAY) if error and not denied else None
        if snapshot is not None and error is None:
            unread = first_fault(snapshot)
            yield league, "file", AdminFault(unread.about, unread.sentence, EDITING) if unread else None
        if parts.has_rooms:
            if not league:
                yield league, "sync", self._sync(snapshot)
            yield league, "room", self._room(league, snapshot)
            yield league, "records", self._records(league)

    def _read(self, league: str) -> tuple[LeagueSnapshot | None, StorageError | None]:
        """Return a league's snapshot, and why its folder cannot be read now. A league nobody uses is read for
        this alone.

        Raises StorageError when the state store cannot be reached.
        """
        registry = self._parts.registry
        try:
            if not league or registry.in_memory(league) is not None:
                repository = registry.known(league)
            else:
                repository = LeagueRepository(self._parts.open_logs(league))
            return repository.snapshot(), repository.failed
        except StorageError as error:
            if error.store == "state":
                raise
            return None, error

    def _sync(self, snapshot: LeagueSnapshot | None) -> AdminFault | None:
        state, now = self._parts.state, self._parts.now()
        last = last_sync(state)
        if last is not None:
            told = last.astimezone(JST)
            when = texts.moment(told.date(), told.time())
            return AdminFault(last.isoformat(), SYNC.format(when=when)) if now - last > NO_SYNC else None
        if snapshot is not None and not snapshot.league.rooms:
            return None  # a log kept by hand needs no sync
        state.values.add(_AWAITED, now.isoformat())
        awaited = datetime.fromisoformat(state.values.get(_AWAITED) or now.isoformat())
        return AdminFault("never", NEVER) if now - awaited > NO_SYNC else None

    def _room(self, league: str, snapshot: LeagueSnapshot | None) -> AdminFault | None:
        memory = self._parts.room_watch.memory(league)
        if memory is None:
            return None
        rooms = snapshot.league.rooms if snapshot is not None else ()
        if rooms and memory.room not in rooms:
            return AdminFault(f"{memory.room} is not listed", UNLISTED.format(room=memory.room), EDITING)
        if memory.asked is None:
            return None
        heard = memory.looked or memory.since + FIRST  # a new one reaches back so far from the day it was set
        if memory.asked - heard < SILENT:
            return None
        mend = NEW_OWN_ROOM.format(league=league) if league else NEW_ROOM
        return AdminFault(memory.room, ROOM.format(room=memory.room, mend=mend))

    def _records(self, league: str) -> AdminFault | None:
        refused = self._parts.state.records.refused(league)
        return AdminFault(refused[-1], RECORDS.format(count=len(refused))) if refused else None
