"""Keep a process's leagues: each repository is opened when first asked for, and kept while memory allows."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from itertools import islice

from bot.league.repository import LeagueRepository
from bot.league.snapshot import LeagueSnapshot
from bot.runtime import metrics
from storage.ports import LogSource

MOST = 10_000  # leagues held in memory, if they fit in CACHE_MB
log = logging.getLogger(__name__)
_FOLDER = re.compile(r"^[A-Za-z0-9_-]{1,40}$")


class LeagueRegistry:
    """Repositories by the league's folder ("" for the root). Safe in threads.

    `open_logs(folder)` gives a folder's log source. `cache_mb` bounds the megabytes of all leagues together.
    `clock` gives seconds.
    """

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
        """Return the repository of a league.

        When memory runs short, leagues that alone take more than a quarter of it are dropped first, then
        those not used for the longest time. Raises StorageError when the league's log source cannot be
        opened.
        """
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
        opened = LeagueRepository(logs, built=lambda league: self._unkept.append((folder, league)))
        with self._lock:
            kept = self._known.setdefault(folder, opened)
            self._make_room(folder)
            return kept

    def in_memory(self, folder: str) -> LeagueSnapshot | None:
        """Return the last snapshot of a league, None where there is none yet. Nothing is read for it."""
        with self._lock:
            known = self._known.get(folder)
        return known.last if known is not None else None

    def _make_room(self, newest: str) -> None:
        weights = {name: league.weight for name, league in self._known.items() if name != newest}
        total = sum(weights.values())
        giants = [name for name in weights if weights[name] > self._room // 4]
        for name in [*giants, *(name for name in weights if name not in giants)]:
            if total <= self._room and len(self._known) <= MOST:
                return
            total -= weights[name]
            del self._known[name]

    def forget(self, folder: str) -> None:
        """Open the league anew next time, because its logs have moved or nobody asks for it again."""
        with self._lock:
            self._known.pop(folder, None)

    def settle(self) -> None:
        """Log what is not in force in the leagues read anew, and keep their good files."""
        for folder, league in self._read_anew():
            for fault in league.unusable:
                log.warning("%s%s", f"{folder}: " if folder else "", fault)
            league.keep_good()

    def keep_good(self) -> None:
        """Keep the good files of the leagues read anew. For commands, which say by themselves what is not in
        force."""
        for _, league in self._read_anew():
            league.keep_good()

    def _read_anew(self) -> Iterator[tuple[str, LeagueRepository]]:
        """Yield the leagues with a new snapshot since the last call, each once among all threads."""
        while self._unkept:
            try:
                yield self._unkept.popleft()
            except IndexError:  # another thread was faster
                return

    def expire_all(self) -> None:
        """Have every league in memory look at its source on the next question."""
        with self._lock:
            leagues = list(self._known.values())
        for league in leagues:
            league.expire()


def check_folder_name(folder: str) -> None:
    """Raises ValueError for what cannot be the name of a league's folder."""
    if folder and not _FOLDER.fullmatch(folder):
        raise ValueError(f"no name for a league's folder: {folder!r}")
