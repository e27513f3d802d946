"""Follow the folders of a process's leagues, and provide snapshots of them and their ratings.

Only files with another revision are read. A look at a source in the cloud is valid for some seconds
(`LogSource.fresh`). While the source cannot be reached, the last snapshot is used. Ratings are
computed for new games only.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from bot.league.in_force import UnusableFile
from bot.league.ratings import LeagueRatings, RatingCache
from bot.league.snapshot import LeagueReader, LeagueSnapshot
from bot.runtime import metrics
from rating.logdates import JST
from storage.ports import LogSource, StorageError

LOOKING = 2.0  # seconds to wait for another thread's look, if there is a snapshot already
HEAVIER = 12  # bytes of memory for each byte of the logs; measured at 11
MOST = 10_000  # leagues in memory, if they fit in CACHE_MB
log = logging.getLogger(__name__)


def ignore_snapshot(league: LeagueRepository) -> None:
    """Where nobody follows a league's snapshots."""


class NamedLeague(NamedTuple):
    """A league's folder ("" for the root), and its repository."""

    folder: str
    league: LeagueRepository


class LeagueRepository:
    """One league.

    What it guarantees for the threads of a process (tests/league/test_repository.py):
    - one thread at a time looks at the source (`_lock`). Others wait for its snapshot, at most
      `LOOKING` seconds if there is an older one (test_slow_source_blocks_one_thread);
    - a change that was announced is in the next snapshot, also if it was announced during a look
      (`_announcing`; test_change_announced_during_a_look_is_read).
    """

    def __init__(
        self,
        logs: LogSource,
        clock: Callable[[], float] = time.monotonic,
        on_snapshot: Callable[[LeagueRepository], None] = ignore_snapshot,
    ) -> None:
        """`clock` gives seconds. `on_snapshot` is called with this object after each new snapshot."""
        self.logs = logs
        self.cache = RatingCache()
        self.reader = LeagueReader(logs)
        self.last: LeagueSnapshot | None = None  # the last snapshot
        self.trouble = ""  # why the last look failed, for the admin
        self.failed: StorageError | None = None  # the same as an error
        self.used = float("-inf")  # when it was last requested; the registry sets it
        self._clock = clock
        self._on_snapshot = on_snapshot
        self._lock = threading.Lock()
        self._announcing = threading.Lock()
        self._looked = float("-inf")  # when the last look began
        self._announced = 0  # changes announced so far
        self._has_unread_change = False  # whether the last look read a change and then failed

    def expire(self) -> None:
        """Look at the source on the next request, because a change was announced."""
        with self._announcing:
            self._announced += 1
            self._looked = float("-inf")

    def snapshot(self) -> LeagueSnapshot:
        """Return the current snapshot, or the last one if the folder cannot be read. Raises
        StorageError if there is none.
        """
        last = self.last
        requested = self._clock()
        if last is not None and self._looked > requested - self.logs.fresh:
            return last
        if not self._lock.acquire(timeout=-1 if last is None else LOOKING):
            return last or self.snapshot()  # the source is slow: only one thread waits for it
        try:
            # Another thread's look counts too, if it is recent enough for this request.
            if self.last is not None and self._looked > requested - self.logs.fresh:
                return self.last
            return self._look()
        finally:
            self._lock.release()

    def looked_before(self, seconds: float) -> bool:
        return self._looked < self._clock() - seconds

    def refresh(self) -> bool:
        """Look at the source. Return whether that replaced an earlier snapshot. Raises StorageError
        if the folder cannot be read and there is no earlier snapshot."""
        with self._lock:
            last = self.last
            return self._look() is not last is not None

    def ratings(self, snapshot: LeagueSnapshot) -> LeagueRatings:
        return LeagueRatings(snapshot, self.cache)

    @property
    def unusable(self) -> tuple[UnusableFile, ...]:
        return self.last.unusable if self.last else ()

    @property
    def weight(self) -> int:
        """The approximate bytes of memory of this league, with former logs that are in force."""
        size = sum(map(len, self.reader.files.values()))
        if self.last:
            former = [fault.file for fault in self.last.refused if fault.has_former]
            logs = [self.last.logs[name] for name in former if name in self.last.logs]
            size += sum(len(log.to_bytes()) for log in logs)
        return 50_000 + HEAVIER * size

    def _look(self) -> LeagueSnapshot:
        begin = self._clock()
        announced = self._announced
        try:
            self._has_unread_change = self.reader.follow() or self._has_unread_change
            if self._has_unread_change or self.last is None:
                self.last = self.reader.snapshot(datetime.now(JST))
                self._has_unread_change = False
                self._on_snapshot(self)
            self.trouble = ""
            self.failed = None
        except StorageError as error:
            is_logged = self.trouble == str(error)
            self.trouble = str(error)
            self.failed = error
            if self.last is None:
                raise
            if not is_logged:
                log.warning("the logs can't be read now: %s", error)
        with self._announcing:
            if announced == self._announced:  # else the look may have missed a change
                self._looked = begin
        return self.last


class LeagueRegistry:
    """Repositories by the league's folder ("" for the root), each opened on its first request.

    What it guarantees for the threads of a process: a folder has one repository at a time
    (`_lock`), and all leagues together take about `cache_mb` of memory
    (tests/league/test_repository.py: test_leagues_in_memory_stay_within_the_limit). `clock` returns
    seconds."""

    def __init__(
        self,
        open_logs: Callable[[str], LogSource],
        cache_mb: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open_logs = open_logs
        self._clock = clock
        self._limit = cache_mb << 20
        self._known: OrderedDict[str, LeagueRepository] = OrderedDict()
        self._lock = threading.Lock()
        self._updated: deque[NamedLeague] = deque()

    def league(self, folder: str = "") -> LeagueRepository:
        """Return the repository of a league. When memory runs short, leagues that alone take more
        than a quarter of it are removed first, then those not used for the longest time. Raises
        StorageError if it can't be opened."""
        league = self.known(folder)
        league.used = self._clock()
        return league

    def used(self, seconds: float, limit: int) -> list[NamedLeague]:
        """Return at most `limit` leagues used within these seconds, the latest first."""
        since = self._clock() - seconds
        with self._lock:
            latest = list(islice(reversed(self._known.items()), limit))
        named = [NamedLeague(folder, league) for folder, league in latest]
        return [entry for entry in named if entry.league.used >= since]

    def known(self, folder: str) -> LeagueRepository:
        """Return the repository of a league as `league` does, without counting it as used."""
        with self._lock:
            league = self._known.get(folder)
            if league is not None:
                self._known.move_to_end(folder)
        metrics.count("cache", cache="league", known=str(league is not None).lower())
        if league is not None:
            return league
        # Without the lock, because opening may read from the state store.
        logs = self._open_logs(folder)

        def note_update(league: LeagueRepository) -> None:
            self._updated.append(NamedLeague(folder, league))

        opened = LeagueRepository(logs, on_snapshot=note_update)
        with self._lock:
            league = self._known.setdefault(folder, opened)
            self._free_memory(folder)
            return league

    def _free_memory(self, folder: str) -> None:
        """Remove leagues other than that of `folder` until the others fit into the memory."""
        weights = {name: league.weight for name, league in self._known.items() if name != folder}
        total = sum(weights.values())
        giants = [name for name in weights if weights[name] > self._limit // 4]
        others = [name for name in weights if weights[name] <= self._limit // 4]
        for name in giants + others:
            if total <= self._limit and len(self._known) <= MOST:
                return
            total -= weights[name]
            del self._known[name]

    def in_memory(self, folder: str) -> LeagueSnapshot | None:
        """Return the last snapshot of a league without reading anything; None if there is none."""
        with self._lock:
            league = self._known.get(folder)
        if league is None:
            return None
        return league.last

    def forget(self, folder: str) -> None:
        """Open the league again on its next request, because its logs were moved or it is not
        used any more.
        """
        with self._lock:
            self._known.pop(folder, None)

    def settle(self, quiet: bool = False) -> None:
        """Store the good files of the leagues that were read, and log the files that are not in
        force. `quiet` logs nothing: commands and syncs print the faults themselves."""
        while self._updated:
            try:
                folder, league = self._updated.popleft()
            except IndexError:  # another thread was faster
                return
            if not quiet:
                _log_unusable(folder, league)
            league.reader.good.store()

    def expire_all(self) -> None:
        """Have every league in memory look at its source on the next request."""
        with self._lock:
            leagues = list(self._known.values())
        for league in leagues:
            league.expire()


def _log_unusable(folder: str, league: LeagueRepository) -> None:
    label = f"{folder}: " if folder else ""
    for fault in league.unusable:
        log.warning("%s%s", label, fault)
