"""Begin a sync every hour of the day.

`DayLoop.tick` is a chore of every web process's background loop, so that no scheduler is needed.

The lease guarantees that one process of all does a sync at a time, on a thread of its own; what is
due is looked at again once it has the lease, so an hour has one sync. None begins at night. When the
last one began is in the database, so a restart begins no second one. Another process does again the
sync of one that was killed. Shown by tests/sync/test_day_loop.py.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from bot.runtime.leased_work import LeasedWork
from bot.sync.run import SyncResult
from rating.logdates import JST
from storage.state import State

log = logging.getLogger(__name__)
EACH = timedelta(hours=1)
NIGHT = range(1, 7)  # hours in Japan without a sync
BEGIN = timedelta(minutes=5)  # from a process's start to its first look: taps come first
LOOK = timedelta(minutes=1)
LIFE = timedelta(minutes=3)  # of the lease, which is renewed while the sync goes on
BEGUN = "synced/begun"  # the state's key for when the last one began


class DayLoop(LeasedWork):
    """The loop of one process. `sync` does one, `now` returns an aware time."""

    later = "the sync is done later"
    failed = "the sync failed"

    def __init__(
        self, state: State, sync: Callable[[], SyncResult], now: Callable[[], datetime]
    ) -> None:
        super().__init__("sync", state.lease("sync", LIFE.total_seconds()), EACH, BEGIN)
        self._state = state
        self._sync = sync
        self._now = now

    def tick(self) -> None:
        """Begin a sync if one is due. Raises StorageError."""
        now = self._now()
        if not self.rests(now):
            self.next = now + LOOK
            if self.since or self._due(now):
                self.begin(now)

    def _due(self, now: datetime) -> bool:
        if now.astimezone(JST).hour in NIGHT:
            return False
        last_begin = self._state.values.get(BEGUN)
        return last_begin is None or abs(now - datetime.fromisoformat(last_begin)) >= EACH

    def do(self) -> None:
        now = self._now()
        if not self._due(now):
            return  # another process began one before this one had the lease
        self._state.values.put(BEGUN, now.isoformat())
        result = self._sync()
        for problem in result.problems:
            log.warning("sync: %s", problem)
        if result.games:
            log.info("sync: %d games added", result.games)

    def close(self) -> None:
        """Begin no other sync. Another process does again the one under way."""
        self.ended = True
