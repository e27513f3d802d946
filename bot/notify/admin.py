"""Tell the admins in the 1:1 chat what needs a hand: each fault once, of each kind at most one push
a day.

Faults are an old sync, a file that can't be read, stores, a league's room, records. A look for them
costs a listing of a folder, a question to the image store, and reads of the state store. It asks
Tenhou nothing.

`AdminNotices.tick` is a chore of the background loop of every process. One process of all, by a
lease, looks every few minutes, on a thread of its own. Everything can be done again from the start:
what was sent is in the database, and LINE takes a push with the same retry key only once. Where the
database itself is away, that key alone keeps the processes from sending twice.
"""

import logging
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Protocol

from bot import texts
from bot.answers.common.faults import ACCEPT, STATUS, first_fault
from bot.chat.access import ChatAccess
from bot.chat.replies import Reply, Text
from bot.league.files import EDITING_TIME
from bot.league.repository import LeagueRegistry, LeagueRepository
from bot.league.snapshot import LeagueSnapshot
from bot.line.client import LineDown
from bot.notify.groups import GroupPush
from bot.runtime.finding import KINDS, Finding, lasting
from bot.runtime.json_log import log_fault
from bot.runtime.leased_work import LeasedWork
from bot.runtime.translation import japanese, message as _
from bot.settings import Settings
from bot.settings.store_kind import fill
from bot.settings.stores import kind_of, kind_with_accounts
from bot.stores import Stores
from bot.sync.room_watch import RoomWatch
from bot.sync.run import OLD_SYNC, last_sync
from bot.tenhou.room import FIRST
from rating.logdates import JST
from storage.ports import Denied, ImageStore, NotFound, StorageError
from storage.state import State

LOOK = timedelta(minutes=5)  # between looks
AGAIN = timedelta(minutes=1)  # between looks where the state store is away
BEGIN = timedelta(minutes=2)  # from a process's start to its first look: taps come first
LIFE = timedelta(minutes=12)  # of the lease
SILENT = timedelta(hours=12)  # of a room's failures
AWAY = timedelta(minutes=30)  # of a store
MOST = 8  # leagues looked at in one go
LATER = "an admin is told of a fault later: %s"
ACCOUNT = "dropbox"  # the kind of a fault of a log folder's credentials, as databases hold it
_AWAITED = "synced/awaited"  # since when the first sync is waited for
_KEPT = 30 * 86400.0  # seconds for which it is known that a fault was told
_DAY = 86400.0
log = logging.getLogger(__name__)
REFUSED = _(
    "the store of pictures refuses the bot: look at the key and the rights of "
    "IMAGES_URL (figures alone are answered meanwhile)"
)
PICTURES = _(
    "the store of pictures has been out of reach for 30 minutes: look at IMAGES_URL and the service it names"
)
LOGS = _(
    "the log folder has been out of reach for 30 minutes: look at LOGS_URL and the service it names"
)
NEVER = _("no results of Tenhou have ever been taken in: `flask sync` says what is in its way")
DATABASE = _(
    "the database has been out of reach for 30 minutes: look at DATABASE_URL and its server"
)
Looked = tuple[str, str, Finding | None]
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


class AdminNotices(LeasedWork):
    """Tells the admins of one process's service what is at fault: the host, and a few leagues in
    turn.
    """

    later = "the admins are told later"
    failed = "it could not be looked at what the admins should know"

    def __init__(self, parts: LookedAt, push: GroupPush) -> None:
        super().__init__(
            "notices",
            parts.state.lease("notices", LIFE.total_seconds()),
            LIFE,
            BEGIN,
        )
        self._parts = parts
        self._push = push
        self._turn = 0  # the next of the leagues to look at
        self._away: datetime | None = None  # since when the state store is away for this process
        self._away_told = False  # whether the admins were told so

    def tick(self) -> None:
        """Begin a look, if it is time and this process's turn; wait while the state store is
        away.
        """
        now = self._parts.now()
        if self.rests(now):
            return
        self.next = now + LOOK
        try:
            self.begin(now)
            if self._away is not None and self._away_told:  # it is said once that it answers again
                self._parts.state.faults.record_past("", "database", self._away.timestamp())
            self._away = None
            self._away_told = False
        except StorageError:
            self.next = now + AGAIN
            self._away = self._away or now
            if now - self._away >= AWAY:
                self.pool.submit(self._tell_away)

    def do(self) -> None:
        faults = self._parts.state.faults
        access = self._parts.access
        for league, kind, fault in self._looked():
            if fault is None:
                faults.mark_over(league, kind)
                continue
            words = fault.said(japanese())
            known = faults.record(league, kind, fault.about, words)
            since = datetime.fromtimestamp(known.since, JST)
            if self._parts.now() - since < fault.patience or known.reported is not None:
                continue
            offers = (ACCEPT, STATUS) if fault.code == "lost" else (STATUS,)
            said = Reply((Text(f"（{league}）{words}" if league else words),), offers)
            try:
                users = (
                    access.admins if not league and KINDS[kind].host else access.admins_of(league)
                )
            except LineDown as error:
                log.warning(LATER, error)
                continue
            done = [self._tell(user, league, kind, since, said) for user in users]
            if all(done):
                faults.mark_reported(league, kind)

    def _tell(
        self,
        user: str,
        league: str,
        kind: str,
        since: datetime,
        said: Reply,
    ) -> bool:
        """Tell one admin, once a day of this kind. Return whether the fault is done with."""
        what = f"{kind} {league} {since.isoformat()}"
        today = self._parts.now().astimezone(JST).date()
        key = f"notice:{user}:{what}"
        slot = f"notice/day:{user}:{kind}:{today}"
        if self._parts.state.notices.was_sent(key):
            return True
        values = self._parts.state.values
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
            self._parts.state.notices.mark_sent(key, _KEPT)
        return True

    def _tell_away(self) -> None:
        """Tell once that the state store is away, by the day this began. Never raises."""
        if self._away_told or self._away is None:
            return
        day = self._away.astimezone(JST).date()
        try:
            said = Reply((Text(DATABASE.said(japanese())),))
            for user in self._parts.access.admins:
                self._push.send(user, lambda: said, f"notice database {day}")
            self._away_told = True
        except LineDown as error:
            log.warning(LATER, error)
            self._away_told = not error.later
        except Exception as error:
            log_fault("an admin could not be told of a fault", error)

    def _looked(self) -> Iterator[Looked]:
        """Yield what was looked at. Raises StorageError when the state store cannot be reached."""
        others = sorted({*self._parts.access.groups().values()} - {""})
        pictures = None
        try:
            self._parts.images.has("chart/none.png")
        except Denied:
            pictures = lasting("IMAGES_URL", "refused", REFUSED)
        except StorageError:
            pictures = lasting("IMAGES_URL", "away", PICTURES, AWAY)
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
            revoked = self._revoked(league, own) if isinstance(error, Denied) else None
            logs_away = None
            if error and revoked is None:
                logs_away = lasting("LOGS_URL", "away", LOGS, AWAY)
            yield league, ACCOUNT, revoked
            yield league, "logs", logs_away
        if snapshot is not None and error is None:
            yield league, "file", first_fault(snapshot)
        if parts.has_rooms:
            if not league:
                yield league, "sync", self._sync(snapshot)
            yield league, "room", self._room(league, snapshot)
            refused = parts.state.records.given_up(league)
            words = _(
                "{count} records could not be fetched from Tenhou: send their files here if "
                "you have them (the results are in)",
                count=len(refused),
            )
            yield league, "records", lasting("records", refused[-1], words) if refused else None

    def _revoked(self, league: str, own: bool) -> Finding | None:
        """What to do about refused credentials of a log folder; None where its store has no way to
        renew them. `own`: the league has an account of its own.
        """
        settings = self._parts.settings
        if own:
            _kind, accounts = kind_with_accounts()
            message = fill(accounts.revoked, league=league)
            return lasting(ACCOUNT, "revoked", message)
        revoked = kind_of(settings.logs_url).revoked
        if revoked is None:
            return None
        return lasting(ACCOUNT, "revoked", revoked(settings.store_variables))

    def _read(self, league: str) -> tuple[LeagueSnapshot | None, StorageError | None]:
        """A league's snapshot, and why its folder cannot be read now; one nobody uses is read for
        this alone. Raises StorageError when the state store cannot be reached."""
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

    def _sync(self, snapshot: LeagueSnapshot | None) -> Finding | None:
        state = self._parts.state
        now = self._parts.now()
        last = last_sync(state)
        if last is not None:
            told = last.astimezone(JST)
            words = _(
                "no results of Tenhou have been taken in since {when}: `flask sync` says what is in its way",
                when=texts.moment(told.date(), told.time()),
            )
            return lasting("sync", last.isoformat(), words) if now - last > OLD_SYNC else None
        if snapshot is not None and not snapshot.league.rooms:
            return None  # a log kept by hand needs no sync
        state.values.add(_AWAITED, now.isoformat())
        awaited = datetime.fromisoformat(state.values.get(_AWAITED) or now.isoformat())
        return lasting("sync", "never", NEVER) if now - awaited > OLD_SYNC else None

    def _room(self, league: str, snapshot: LeagueSnapshot | None) -> Finding | None:
        memory = self._parts.room_watch.memory(league)
        if memory is None:
            return None
        rooms = snapshot.league.rooms if snapshot is not None else ()
        if rooms and memory.room not in rooms:
            words = _(
                "Tenhou's room {room} is not in `rooms` of league.toml: put it there (its "
                "results are not taken in meanwhile)",
                room=memory.room,
            )
            return lasting("TENHOU_ROOM_ID", f"{memory.room} is not listed", words, EDITING_TIME)
        if memory.requested is None:
            return None
        heard = (
            memory.answered or memory.since + FIRST
        )  # a new one reaches back so far from the day it was set
        if memory.requested - heard < SILENT:
            return None
        own = _("give its new id to `flask league room --league {league}`", league=league)
        words = _(
            "the results of Tenhou's room {room} have not been readable for 12 hours: is "
            "it closed or made anew? If so, {mend} (the games come by the next day)",
            room=memory.room,
            mend=own if league else _("put its new id into TENHOU_ROOM_ID"),
        )
        return lasting("TENHOU_ROOM_ID", memory.room, words)
