"""Follow the folders of a process's leagues; hand out snapshots of them and their ratings.

Only files at another revision are read. A look at a source in the cloud holds for some seconds
(`LogSource.fresh`); when it cannot be reached, the last snapshot still serves. Of ratings,
unchanged games cost nothing, a few new games little.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from datetime import datetime
from itertools import islice

from bot.league.in_force import UnusableFile
from bot.league.ratings import LeagueRatings, RatingCache
from bot.league.snapshot import LeagueReader, LeagueSnapshot
from bot.runtime import metrics
from rating.logdates import JST
from storage.ports import LogSource, StorageError

LOOKING = 2.0  # seconds to wait for another thread's look, if there is a snapshot already
HEAVIER = 12  # bytes of memory for each byte of the logs; measured at 11
MOST = 10_000  # leagues held in memory, if they fit in CACHE_MB
log = logging.getLogger(__name__)


class LeagueRepository:
    """One league. Safe in threads: one thread looks at the source, the others wait for it."""

    def __init__(
        self,
        logs: LogSource,
        clock: Callable[[], float] = time.monotonic,
        on_snapshot: Callable[[LeagueRepository], None] = lambda league: None,
    ) -> None:
        """`clock` gives seconds. `on_snapshot` is called with this object after each new snapshot."""
        self.logs = logs
        self.cache = RatingCache()
        self.reader = LeagueReader(logs)
        self.last: LeagueSnapshot | None = None  # the last snapshot
        self.trouble = ""  # why the last look failed, for the admin
        self.failed: StorageError | None = None  # the same as an error
        self.used = float("-inf")  # when somebody asked for it last; the registry sets it
        self._clock = clock
        self._on_snapshot = on_snapshot
        self._lock = threading.Lock()
        self._telling = threading.Lock()
        self._looked = float("-inf")  # when the last look began
        self._announced = 0  # changes announced so far
        self._unbuilt = False  # whether the last look read a change and then failed

    def expire(self) -> None:
        """Look at the source on the next question, because a change was announced."""
        with self._telling:
            self._announced += 1
            self._looked = float("-inf")

    def snapshot(self) -> LeagueSnapshot:
        """Return what is known now.

        Raises StorageError when the folder cannot be read and never was.
        """
        known = self.last
        asked = self._clock()
        if known is not None and self._looked > asked - self.logs.fresh:
            return known
        if not self._lock.acquire(timeout=-1 if known is None else LOOKING):
            return known or self.snapshot()  # the source is slow: only one thread waits for it
        try:
            # Another thread's look serves too, if it began after this question was asked.
            if self.last is not None and self._looked > asked - self.logs.fresh:
                return self.last
            return self._look()
        finally:
            self._lock.release()

    def looked_before(self, seconds: float) -> bool:
        return self._looked < self._clock() - seconds

    def refresh(self) -> bool:
        """Look at the source. Return whether that changed a snapshot known before. Raises
        StorageError when the folder cannot be read and never was."""
        with self._lock:
            known = self.last
            return self._look() is not known is not None

    def ratings(self, snapshot: LeagueSnapshot) -> LeagueRatings:
        return LeagueRatings(snapshot, self.cache)

    @property
    def unusable(self) -> tuple[UnusableFile, ...]:
        return self.last.unusable if self.last else ()

    @property
    def weight(self) -> int:
        """About how many bytes of memory this league takes, former logs in force included."""
        data = sum(map(len, self.reader.files.values()))
        if self.last:
            former = [fault.file for fault in self.last.refused if fault.kept]
            logs = [self.last.logs[name] for name in former if name in self.last.logs]
            data += sum(len(log.to_bytes()) for log in logs)
        return 50_000 + HEAVIER * data

    def _look(self) -> LeagueSnapshot:
        began = self._clock()
        announced = self._announced
        try:
            self._unbuilt = self.reader.follow() or self._unbuilt
            if self._unbuilt or self.last is None:
                self.last = self.reader.snapshot(datetime.now(JST))
                self._unbuilt = False
                self._on_snapshot(self)
            self.trouble = ""
            self.failed = None
        except StorageError as error:
            told = self.trouble == str(error)
            self.trouble = str(error)
            self.failed = error
            if self.last is None:
                raise
            if not told:
                log.warning("the logs can't be read now: %s", error)
        with self._telling:
            if announced == self._announced:  # else the look may have missed a change
                self._looked = began
        return self.last


class LeagueRegistry:
    """Repositories by the league's folder ("" for the root), each opened when first asked for. Safe
    in threads. `cache_mb` bounds all leagues together; `clock` gives seconds."""

    def __init__(
        self,
        open_logs: Callable[[str], LogSource],
        cache_mb: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open_logs = open_logs
        self._clock = clock
        self._room = cache_mb << 20
        self._known: OrderedDict[str, LeagueRepository] = OrderedDict()
        self._lock = threading.Lock()
        self._unkept: deque[tuple[str, LeagueRepository]] = deque()

    def league(self, folder: str = "") -> LeagueRepository:
        """Return the repository of a league. When memory runs short, leagues that alone take more
        than a quarter go first, then those not used for the longest time. Raises StorageError when
        it can't be opened."""
        league = self.known(folder)
        league.used = self._clock()
        return league

    def used(self, seconds: float, most: int) -> list[tuple[str, LeagueRepository]]:
        """The leagues used within so many seconds with their folders, the latest first."""
        since = self._clock() - seconds
        with self._lock:
            latest = list(islice(reversed(self._known.items()), most))
        return [(folder, league) for folder, league in latest if league.used >= since]

    def known(self, folder: str) -> LeagueRepository:
        """Return the repository of a league as `league` does, without counting it as used."""
        with self._lock:
            known = self._known.get(folder)
            if known is not None:
                self._known.move_to_end(folder)
        metrics.count("cache", cache="league", known=str(known is not None).lower())
        if known is not None:
            return known
        # without the lock, because opening may ask the state store
        logs = self._open_logs(folder)
        opened = LeagueRepository(
            logs, on_snapshot=lambda league: self._unkept.append((folder, league))
        )
        with self._lock:
            kept = self._known.setdefault(folder, opened)
            weights = {
                name: league.weight for name, league in self._known.items() if name != folder
            }
            total = sum(weights.values())
            for name in sorted(
                weights, key=lambda name: weights[name] <= self._room // 4
            ):  # giants first
                if total <= self._room and len(self._known) <= MOST:
                    break
                total -= weights[name]
                del self._known[name]
            return kept

    def in_memory(self, folder: str) -> LeagueSnapshot | None:
        """Return the last snapshot of a league, None where there is none yet.

        Nothing is read for it.
        """
        with self._lock:
            known = self._known.get(folder)
        return known.last if known is not None else None

    def forget(self, folder: str) -> None:
        """Open the league anew next time, because its logs have moved or nobody asks for it
        again.
        """
        with self._lock:
            self._known.pop(folder, None)

    def settle(self, quiet: bool = False) -> None:
        """Keep the good files of the leagues read anew, and log what is not in force there. `quiet`
        logs nothing: commands and syncs say it by themselves."""
        while self._unkept:
            try:
                folder, league = self._unkept.popleft()
            except IndexError:  # another thread was faster
                return
            for fault in () if quiet else league.unusable:
                log.warning("%s%s", f"{folder}: " if folder else "", fault)
            league.reader.good.store()

    def expire_all(self) -> None:
        """Have every league in memory look at its source on the next question."""
        with self._lock:
            leagues = list(self._known.values())
        for league in leagues:
            league.expire()
