"""Tell the admins in the 1:1 chat what needs a hand: each fault once, of each kind at most one push a day.

`AdminNotices.tick` is a chore of the background loop of every process. One process of all, by a lease, looks
every few minutes, on a thread of its own. Everything can be done again from the start: what was sent is in
the database, and LINE takes a push with the same retry key only once. Where the database itself is away, that
key alone keeps the processes from sending twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from bot.chat.access import ChatAccess
from bot.chat.command import Ask, choice
from bot.chat.replies import Reply, Text
from bot.line.client import LineDown
from bot.notify.admin_faults import AWAY, DATABASE, HOST, AdminFault, FaultFinder
from bot.notify.group_push import GroupPush
from bot.runtime.json_log import log_fault
from bot.runtime.thread_pool import ThreadPool, WorkPool
from rating.logdates import JST
from storage.ports import StorageError
from storage.state import State

LOOK = timedelta(minutes=5)  # between looks
AGAIN = timedelta(minutes=1)  # between looks where the state store is away
BEGIN = timedelta(minutes=2)  # from a process's start to its first look: taps come first
LIFE = timedelta(minutes=12)  # of the lease
_KEPT = 30 * 86400.0  # seconds for which it is known that a fault was told
_DAY = 86400.0
LATER = "an admin is told of a fault later: %s"
STATUS = choice("状態", Ask.STATUS)
log = logging.getLogger(__name__)


class AdminNotices:
    """Tells the admins of one process's service. `now` returns an aware time; `pool` runs the looks."""

    def __init__(
        self,
        finder: FaultFinder,
        push: GroupPush,
        access: ChatAccess,
        state: State,
        now: Callable[[], datetime],
        pool: WorkPool | None = None,
    ) -> None:
        self._finder = finder
        self._push = push
        self._access = access
        self._state = state
        self._now = now
        self.pool: WorkPool = pool or ThreadPool(workers=1, waiting=1, name="notices")
        self._lease = state.lease("notices", LIFE.total_seconds())
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
            self._is_back()
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
        """Tell one admin, unless another fault of this kind was told today. Return whether it is done
        with."""
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
        """Tell once that the state store is away, by the day this began: nothing can be noted. Never
        raises."""
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

    def _is_back(self) -> None:
        """Note that the state store answers again, so that it is said once, if the admins were told that it
        was away."""
        if self._away is not None and self._away_told:
            self._state.faults.past("", "database", self._away.timestamp())
        self._away, self._away_told = None, False

    def close(self) -> None:
        """Finish the look under way, and leave the next to other processes."""
        if isinstance(self.pool, ThreadPool):
            self.pool.close()
        try:
            self._lease.release()
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)
