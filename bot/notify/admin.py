"""Tell the admins in the 1:1 chat what needs a hand: each fault once, of each kind at most one push a day.

Faults are an old sync, a file that can't be read, stores, a league's room, records. A look for them costs a
listing of a folder, a question to the image store, and reads of the state store. It asks Tenhou nothing.

`AdminNotices.tick` is a chore of the background loop of every process. One process of all, by a lease, looks
every few minutes, on a thread of its own. Everything can be done again from the start: what was sent is in
the database, and LINE takes a push with the same retry key only once. Where the database itself is away, that
key alone keeps the processes from sending twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bot import texts
from bot.answers.admin.faults import first_fault
from bot.chat.access import ChatAccess
from bot.chat.command import Ask, choice
from bot.chat.replies import Reply, Text
from bot.league.repository import LeagueRegistry, LeagueRepository
from bot.league.snapshot import LeagueSnapshot
from bot.line.client import LineDown
from bot.notify.groups import GroupPush
from bot.runtime.json_log import log_fault
from bot.runtime.threads import ThreadPool, WorkPool
from bot.settings import Settings
from bot.stores import Stores
from bot.sync.room_watch import RoomWatch
from bot.sync.run import last_sync
from bot.tenhou.room import FIRST
from rating.logdates import JST
from storage.ports import Denied, ImageStore, NotFound, StorageError
from storage.state import State

LOOK = timedelta(minutes=5)  # between looks
AGAIN = timedelta(minutes=1)  # between looks where the state store is away
BEGIN = timedelta(minutes=2)  # from a process's start to its first look: taps come first
LIFE = timedelta(minutes=12)  # of the lease
NO_SYNC = timedelta(days=2)
SILENT = timedelta(hours=12)  # of a room's failures
AWAY = timedelta(minutes=30)  # of a store
EDITING = timedelta(minutes=10)  # for which a file may be half written by hand
HOST = frozenset({"sync", "pictures", "dropbox", "logs"})  # kinds that for the root concern all admins
MOST = 8  # leagues looked at in one go
LATER = "an admin is told of a fault later: %s"
STATUS = choice("状態", Ask.STATUS)
_AWAITED = "synced/awaited"  # since when the first sync is waited for
_KEPT = 30 * 86400.0  # seconds for which it is known that a fault was told
_DAY = 86400.0
log = logging.getLogger(__name__)

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
    """A fault, told once it lasts for `patience`. With another `about` it is another fault."""

    about: str
    sentence: str
    patience: timedelta = timedelta()


Looked = tuple[str, str, AdminFault | None]
"""The league ("" also for the host itself), the kind, and the fault, or None where all is well."""


class LookedAt(Protocol):
    """The service's parts that are looked at. `has_rooms`: rooms at Tenhou are asked."""

    settings: Settings
    stores: Stores
    access: ChatAccess
    registry: LeagueRegistry
    state: State
    room_watch: RoomWatch
    now: Callable[[], datetime]

    @property
    def images(self) -> ImageStore: ...

    @property
    def has_rooms(self) -> bool: ...


class FaultFinder:
    """Looks at the host, and at a few leagues in turn."""

    def __init__(self, parts: LookedAt) -> None:
        self._parts = parts
        self._turn = 0

    def look(self) -> Iterator[Looked]:
        """Yield what was looked at. Raises StorageError when the state store cannot be reached."""
        others = sorted({*self._parts.access.groups().values()} - {""})
        pictures = None
        try:
            self._parts.images.has("chart/none.png")
        except Denied:
            pictures = AdminFault("refused", REFUSED)
        except StorageError:
            pictures = AdminFault("away", PICTURES, AWAY)
        yield "", "pictures", pictures
        yield from self._league("", alone=not others)
        for league in (others + others)[self._turn : self._turn + min(MOST, len(others))]:
            yield from self._league(league)
        self._turn = (self._turn + MOST) % max(1, len(others))

    def _league(self, league: str, alone: bool = False) -> Iterator[Looked]:
        """Look at a league. That a place shared by leagues is away, the root alone tells."""
        parts = self._parts
        own = bool(league) and parts.state.accounts.get(league) is not None
        snapshot, error = self._read(league)
        if isinstance(error, NotFound) and not alone:
            error = None
        if own or not league:
            denied = isinstance(error, Denied) and (own or parts.settings.logs_url.startswith("dropbox:"))
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
            refused = parts.state.records.refused(league)
            words = RECORDS.format(count=len(refused))
            yield league, "records", AdminFault(refused[-1], words) if refused else None

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
                repository = LeagueRepository(self._parts.stores.open_logs(league))
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


class AdminNotices:
    """Tells the admins of one process's service. `pool` runs the looks."""

    def __init__(self, parts: LookedAt, push: GroupPush) -> None:
        self._finder = FaultFinder(parts)
        self._push = push
        self._access = parts.access
        self._state = parts.state
        self._now = parts.now
        self.pool: WorkPool = ThreadPool(workers=1, waiting=1, name="notices")
        self._lease = parts.state.lease("notices", LIFE.total_seconds())
        self._look_at: datetime | None = None
        self._away: datetime | None = None  # since when the state store is away for this process
        self._away_told = False  # whether the admins were told so

    def tick(self) -> None:
        """Begin a look, if it is time and this process's turn. A chore of the background loop.

        Where the state store is away, other chores log it; this one waits until it is worth telling.
        """
        now = self._now()
        if self._look_at is None:
            self._look_at = now + BEGIN
        if now < self._look_at <= now + LOOK:
            return
        self._look_at = now + LOOK
        try:
            mine = self._lease.take()
            if self._away is not None and self._away_told:  # it is said once that it answers again
                self._state.faults.past("", "database", self._away.timestamp())
            self._away, self._away_told = None, False
        except StorageError:
            self._look_at, self._away = now + AGAIN, self._away or now
            if now - self._away >= AWAY:
                self.pool.submit(self._tell_away)
            return
        if mine:
            self.pool.submit(self.look)

    def look(self) -> None:
        """Look at everything, and tell what is to be told. Never raises."""
        try:
            for league, kind, fault in self._finder.look():
                self._note(league, kind, fault)
        except StorageError as error:
            log.warning("the admins are told later: %s", error)
        except Exception as error:
            log_fault("it could not be looked at what the admins should know", error)

    def _note(self, league: str, kind: str, fault: AdminFault | None) -> None:
        faults = self._state.faults
        if fault is None:
            faults.over(league, kind)
            return
        known = faults.lasts(league, kind, fault.about, fault.sentence)
        since = datetime.fromtimestamp(known.since, JST)
        if self._now() - since < fault.patience or known.told is not None:
            return
        said = Reply((Text(f"（{league}）{fault.sentence}" if league else fault.sentence),), (STATUS,))
        try:
            everybody = not league and kind in HOST
            users = self._access.admins if everybody else self._access.admins_of(league)
        except LineDown as error:
            log.warning(LATER, error)
            return
        done = [self._tell(user, league, kind, since, said) for user in users]
        if all(done):
            faults.told(league, kind)

    def _tell(self, user: str, league: str, kind: str, since: datetime, said: Reply) -> bool:
        """Tell one admin, once a day of this kind. Return whether the fault is done with."""
        what = f"{kind} {league} {since.isoformat()}"
        key, slot = f"notice:{user}:{what}", f"notice/day:{user}:{kind}:{self._now().astimezone(JST).date()}"
        if self._state.notices.was_sent(key):
            return True
        values = self._state.values
        if not values.add(slot, what, 2 * _DAY) and values.get(slot) != what:
            return False
        try:
            sent = self._push.once(user, key, lambda: said, f"notice {what}", _KEPT)
        except LineDown as error:
            if error.later:
                log.warning(LATER, error)
                return False
            log.warning("an admin could not be told of a fault: %s", error)
            sent = False
        if not sent:
            self._state.notices.sent(key, _KEPT)
        return True

    def _tell_away(self) -> None:
        """Tell once that the state store is away, by the day this began. Never raises."""
        if self._away_told or self._away is None:
            return
        day = self._away.astimezone(JST).date()
        try:
            for user in self._access.admins:
                self._push.send(user, lambda: Reply((Text(DATABASE),)), f"notice database {day}")
            self._away_told = True
        except LineDown as error:
            log.warning(LATER, error)
            self._away_told = not error.later
        except Exception as error:
            log_fault("an admin could not be told of a fault", error)

    def close(self) -> None:
        """Finish the look under way, and leave the next to other processes."""
        if isinstance(self.pool, ThreadPool):
            self.pool.close()
        try:
            self._lease.release()
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)
