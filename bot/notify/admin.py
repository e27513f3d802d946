"""Notify the admins in the 1:1 chat of faults: of each fault once, and of each kind of fault with at
most one push a day.

Faults are an old sync, an unreadable file, a store that does not answer, a league's room, records.
A look for them costs a listing of a folder, a query to the image store, and reads of the state
store. It sends Tenhou no request.

`AdminNotices.tick` is a chore of the background loop of every process. What it guarantees
(tests/notify/test_admin_notices.py):

- A lease lets one process look at a time, every few minutes, on a thread of its own
  (test_many_processes_report_an_old_sync_once).
- A process that is killed at any point costs no notice and doubles none: the next look does
  everything again, but for the pushes that the database has as sent, and LINE takes a push with the
  same retry key only once (test_neither_none_nor_two_whatever_is_killed).
- While the database is away, the retry key alone keeps the processes from sending twice
  (test_the_state_store_itself_is_away).
"""

import logging
from collections.abc import Callable, Collection, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from bot import texts
from bot.answers.common.faults import ACCEPT, STATUS, first_fault
from bot.chat.access import ChatAccess
from bot.chat.replies import Choice, Reply, Text
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
LATER = "an admin will be notified of a fault later: %s"
NOT_SENT = "an admin could not be notified of a fault"
ACCOUNT = "dropbox"  # the kind of a fault of a log folder's credentials, as databases store it
_AWAITED = "synced/awaited"  # since when the first sync is waited for
_KEPT = 30 * 86400.0  # seconds for which a notice is stored as sent
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


class Look(NamedTuple):
    """A look at one kind of fault of a league ("" also for the host). `fault`: None where there is
    none."""

    league: str
    kind: str
    fault: Finding | None


class LeagueReading(NamedTuple):
    """A league's snapshot, and why its folder cannot be read now."""

    snapshot: LeagueSnapshot | None
    error: StorageError | None


class WatchedParts(Protocol):
    """The service's parts that are looked at. `has_rooms`: Tenhou is asked for rooms' results."""

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
    """Notifies the admins of faults of the host and of the leagues, a few leagues in turn."""

    later = "the admins will be notified later"
    failed = "the look for faults failed"

    def __init__(self, parts: WatchedParts, push: GroupPush) -> None:
        super().__init__(
            "notices",
            parts.state.lease("notices", LIFE.total_seconds()),
            LIFE,
            BEGIN,
        )
        self._parts = parts
        self._push = push
        self._next_league = 0  # the place of the next of the leagues to look at
        self._away: datetime | None = None  # since when the state store is away for this process
        self._away_sent = False  # whether the admins were notified of that

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
            if self._away is not None and self._away_sent:
                # The next look reports once that it answers again.
                self._parts.state.faults.record_past("", "database", self._away.timestamp())
            self._away = None
            self._away_sent = False
        except StorageError:
            self.next = now + AGAIN
            self._away = self._away or now
            if now - self._away >= AWAY:
                self.pool.submit(self._report_away)

    def do(self) -> None:
        faults = self._parts.state.faults
        for look in self._looks():
            if look.fault is None:
                faults.mark_over(look.league, look.kind)
            else:
                self._report(look.league, look.kind, look.fault)

    def _report(self, league: str, kind: str, fault: Finding) -> None:
        """Record a fault, and notify the admins that it concerns once it lasts."""
        faults = self._parts.state.faults
        text = fault.said(japanese())
        record = faults.record(league, kind, fault.about, text)
        since = datetime.fromtimestamp(record.since, JST)
        if self._parts.now() - since < fault.patience or record.reported is not None:
            return
        if league:
            text = f"（{league}）{text}"
        buttons: tuple[Choice, ...] = (STATUS,)
        if fault.code == "lost":
            buttons = (ACCEPT, STATUS)
        reply = Reply((Text(text),), buttons)
        try:
            users = self._admins(league, kind)
        except LineDown as error:
            log.warning(LATER, error)
            return
        settled = [self._notify(user, league, kind, since, reply) for user in users]
        if all(settled):
            faults.mark_reported(league, kind)

    def _admins(self, league: str, kind: str) -> Collection[str]:
        access = self._parts.access
        if not league and KINDS[kind].host:
            return access.admins
        return access.admins_of(league)

    def _notify(
        self,
        user: str,
        league: str,
        kind: str,
        since: datetime,
        reply: Reply,
    ) -> bool:
        """Notify one admin, once a day of this kind. Return whether the notice is settled: sent,
        or never to be sent.

        `values.add` gives the day's slot of this kind to one fault: another fault of the kind waits
        until the next day (tests/notify/test_admin_notices.py::test_of_one_kind_one_a_day).
        """
        subject = f"{kind} {league} {since.isoformat()}"
        today = self._parts.now().astimezone(JST).date()
        key = f"notice:{user}:{subject}"
        slot = f"notice/day:{user}:{kind}:{today}"
        if self._parts.state.notices.was_sent(key):
            return True
        values = self._parts.state.values
        if not values.add(slot, subject, 2 * _DAY) and values.get(slot) != subject:
            return False
        try:
            sent = self._push.once(user, key, lambda: reply, f"notice {subject}", _KEPT)
        except LineDown as error:
            if error.later:
                log.warning(LATER, error)
                return False
            log.warning(f"{NOT_SENT}: %s", error)
            sent = False
        if not sent:
            self._parts.state.notices.mark_sent(key, _KEPT)
        return True

    def _report_away(self) -> None:
        """Notify once that the state store is away, by the day this began. Never raises."""
        if self._away_sent or self._away is None:
            return
        day = self._away.astimezone(JST).date()
        try:
            reply = Reply((Text(DATABASE.said(japanese())),))
            for user in self._parts.access.admins:
                self._push.send(user, lambda: reply, f"notice database {day}")
            self._away_sent = True
        except LineDown as error:
            log.warning(LATER, error)
            self._away_sent = not error.later
        except Exception as error:
            log_fault(NOT_SENT, error)

    def _looks(self) -> Iterator[Look]:
        """Yield every look of this turn. Raises StorageError when the state store cannot be
        reached."""
        others = sorted({*self._parts.access.groups().values()} - {""})
        yield Look("", "pictures", self._pictures_fault())
        yield from self._league("", alone=not others)
        for league in self._leagues_of_turn(others):
            yield from self._league(league)
        self._next_league = (self._next_league + MOST) % max(1, len(others))

    def _leagues_of_turn(self, leagues: list[str]) -> list[str]:
        """The next `MOST` leagues in turn, after the last one the first again."""
        count = min(MOST, len(leagues))
        return (leagues + leagues)[self._next_league : self._next_league + count]

    def _pictures_fault(self) -> Finding | None:
        try:
            self._parts.images.has("chart/none.png")
        except Denied:
            return lasting("IMAGES_URL", "refused", REFUSED)
        except StorageError:
            return lasting("IMAGES_URL", "away", PICTURES, AWAY)
        return None

    def _league(self, league: str, alone: bool = False) -> Iterator[Look]:
        """Look at a league. Only the look at the root reports that a place shared by leagues is
        away."""
        parts = self._parts
        has_account = bool(league) and parts.state.accounts.get(league) is not None
        snapshot, error = self._read(league)
        if isinstance(error, NotFound) and not alone:
            error = None
        if has_account or not league:
            revoked = None
            if isinstance(error, Denied):
                revoked = self._revoked(league, has_account)
            logs_away = None
            if error and revoked is None:
                logs_away = lasting("LOGS_URL", "away", LOGS, AWAY)
            yield Look(league, ACCOUNT, revoked)
            yield Look(league, "logs", logs_away)
        if snapshot is not None and error is None:
            yield Look(league, "file", first_fault(snapshot))
        if parts.has_rooms:
            if not league:
                yield Look(league, "sync", self._sync(snapshot))
            yield Look(league, "room", self._room(league, snapshot))
            yield Look(league, "records", self._records(league))

    def _records(self, league: str) -> Finding | None:
        refused = self._parts.state.records.given_up(league)
        if not refused:
            return None
        message = _(
            "{count} records could not be fetched from Tenhou: send their files here if "
            "you have them (the results are in)",
            count=len(refused),
        )
        return lasting("records", refused[-1], message)

    def _revoked(self, league: str, has_account: bool) -> Finding | None:
        """What to do about refused credentials of a log folder; None where its store has no way to
        renew them. `has_account`: the league has an account of its own.
        """
        settings = self._parts.settings
        if has_account:
            _kind, accounts = kind_with_accounts()
            message = fill(accounts.revoked, league=league)
            return lasting(ACCOUNT, "revoked", message)
        revoked = kind_of(settings.logs_url).revoked
        if revoked is None:
            return None
        return lasting(ACCOUNT, "revoked", revoked(settings.store_variables))

    def _read(self, league: str) -> LeagueReading:
        """Read a league, without adding one that nobody uses to the registry. Raises StorageError
        when the state store cannot be reached."""
        registry = self._parts.registry
        try:
            if not league or registry.in_memory(league) is not None:
                repository = registry.known(league)
            else:
                repository = LeagueRepository(self._parts.stores.open_logs(league))
            return LeagueReading(repository.snapshot(), repository.failed)
        except StorageError as error:
            if error.store == "state":
                raise
            return LeagueReading(None, error)

    def _sync(self, snapshot: LeagueSnapshot | None) -> Finding | None:
        """The fault of a last sync that is long ago, or of a first one that does not come."""
        state = self._parts.state
        now = self._parts.now()
        last = last_sync(state)
        if last is not None:
            if now - last <= OLD_SYNC:
                return None
            local = last.astimezone(JST)
            message = _(
                "no results of Tenhou have been taken in since {when}: `flask sync` says what is in its way",
                when=texts.moment(local.date(), local.time()),
            )
            return lasting("sync", last.isoformat(), message)
        if snapshot is not None and not snapshot.league.rooms:
            return None  # a log that is written by hand needs no sync
        state.values.add(_AWAITED, now.isoformat())
        awaited = datetime.fromisoformat(state.values.get(_AWAITED) or now.isoformat())
        if now - awaited <= OLD_SYNC:
            return None
        return lasting("sync", "never", NEVER)

    def _room(self, league: str, snapshot: LeagueSnapshot | None) -> Finding | None:
        memory = self._parts.room_watch.memory(league)
        if memory is None:
            return None
        rooms: Collection[str] = ()
        if snapshot is not None:
            rooms = snapshot.league.rooms
        if rooms and memory.room not in rooms:
            message = _(
                "Tenhou's room {room} is not in `rooms` of league.toml: put it there (its "
                "results are not taken in meanwhile)",
                room=memory.room,
            )
            return lasting("TENHOU_ROOM_ID", f"{memory.room} is not listed", message, EDITING_TIME)
        if memory.requested is None:
            return None
        # The results of a new room begin `FIRST` after the day from which they were wanted.
        last_answer = memory.answered or memory.since + FIRST
        if memory.requested - last_answer < SILENT:
            return None
        remedy = _("put its new id into TENHOU_ROOM_ID")
        if league:
            remedy = _("give its new id to `flask league room --league {league}`", league=league)
        message = _(
            "the results of Tenhou's room {room} have not been readable for 12 hours: is "
            "it closed or made anew? If so, {mend} (the games come by the next day)",
            room=memory.room,
            mend=remedy,
        )
        return lasting("TENHOU_ROOM_ID", memory.room, message)
