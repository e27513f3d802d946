"""Fetch the records (牌譜) that leagues' rooms have named: one at a time, each once.

It is done after the rooms' connection is closed. A record goes into the league's folder and counts
in recordlog.txt. Above a limit the oldest go; their counts stay.
"""

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from bot.league.files import paifu_file
from bot.league.paifu_log import PaifuFolder, drop_oldest, entry_of, keep_paifu
from bot.runtime import metrics
from bot.runtime.translation import translated as _
from bot.tenhou.client import TenhouBusy, TenhouError, TenhouNotFound, note_failure
from bot.tenhou.paifu_fetcher import PaifuFetcher
from rating.paifu.tiles import PaifuError
from storage.ports import LogSource, NotFound, StorageError
from storage.records import DueRecord
from storage.state import State

BETWEEN = 0.5  # seconds between two records
MOST = 100  # records requested in one run, of all leagues together
AGAIN = tuple(timedelta(minutes=5 * 2**tries) for tries in range(8))
"""The waits until a record that is not there is requested again; after the last one it is given up.
"""

REST = timedelta(minutes=20)  # the wait where Tenhou or the folder can't be reached
SOON = timedelta(minutes=2)  # the wait where another request of ours was under way
FAILURES = 2  # failures of Tenhou in a row, after which the others wait


def no_progress(done: int, total: int) -> None:
    """Show nothing."""


@dataclass(frozen=True)
class PaifuCollector:
    """Fetches the records that leagues wait for. `fetcher` makes what sends requests to Tenhou,
    `open_logs` opens a league's folder, `now` returns an aware time, `wait` sleeps so many seconds.

    What it guarantees: Tenhou gets one request at a time (`PaifuFetcher`). A record is marked as
    fetched only after it is in the folder and in recordlog.txt, so a process that is killed leaves
    it due, and the next run fetches it again, which changes nothing. Shown by
    tests/sync/test_killed_evening.py."""

    state: State
    fetcher: Callable[[], PaifuFetcher]
    open_logs: Callable[[str], LogSource]
    now: Callable[[], datetime]
    wait: Callable[[float], None] = time.sleep

    def collect(
        self,
        leagues: Collection[str],
        progress: Callable[[int, int], None] = no_progress,
        limit: int = MOST,
    ) -> list[str]:
        """Fetch what is due for these leagues, at most `limit` records, and return the notes on it.
        What can't be fetched now is requested again later. Raises StorageError."""
        run = _CollectRun()
        fetcher = self.fetcher()
        all_due = self.state.records.due(leagues, self.now().timestamp(), limit)
        for number, due in enumerate(all_due):
            progress(number, len(all_due))
            if run.failures_in_row == FAILURES or due.league in run.leagues_down:
                self._wait(due, REST)
            else:
                self._collect_one(fetcher, due, run)
        if all_due:
            progress(len(all_due), len(all_due))
        if run.fetched:
            run.notes.append(_("records fetched: {count}", count=run.fetched))
        return run.notes

    def _collect_one(self, fetcher: PaifuFetcher, due: DueRecord, run: "_CollectRun") -> None:
        label = f"{due.league}: " if due.league else ""
        try:
            self._fetch(fetcher, due)
        except (TenhouNotFound, PaifuError):
            run.failures_in_row = 0
            if self._try_again(due):
                metrics.count("records", outcome="not there")
            else:
                metrics.count("records", outcome="given up")
                run.notes.append(label + _("Tenhou has no record {paifu}: given up", paifu=due.id))
        except TenhouBusy as error:
            self._wait(due, SOON)
            run.notes.append(label + _("a record is fetched later: {error}", error=error))
        except TenhouError as error:
            note_failure(error)
            metrics.count("records", outcome="failed")
            run.failures_in_row += 1
            self._try_again(due)
            run.notes.append(label + _("a record is fetched later: {error}", error=error))
        except StorageError as error:
            run.leagues_down.add(due.league)
            self._wait(due, REST)
            run.notes.append(label + _("records are kept later: {error}", error=error))
        else:
            run.failures_in_row = 0
            run.fetched += 1
            self.state.records.mark_fetched(due.league, due.id)
            metrics.count("records", outcome="fetched")
            self.wait(BETWEEN)

    def _wait(self, due: DueRecord, wait: timedelta, tries: int | None = None) -> None:
        self.state.records.postpone(
            due.league,
            due.id,
            (self.now() + wait).timestamp(),
            tries,
        )

    def _try_again(self, due: DueRecord) -> bool:
        """Have a record that is not there requested again later; False where it is given up."""
        if due.tries >= len(AGAIN):
            self.state.records.give_up(due.league, due.id)
            return False
        self._wait(due, AGAIN[due.tries], due.tries + 1)
        return True

    def _fetch(self, fetcher: PaifuFetcher, due: DueRecord) -> None:
        """Store one record and have it counted. Doing it twice changes nothing."""
        logs = self.open_logs(due.league)
        # Another error than NotFound shows, before any request, that nothing could be stored.
        with suppress(NotFound):
            logs.read(paifu_file(due.id))
        folder = PaifuFolder(logs)
        data = fetcher.get(due.id, folder, retry=True)
        record = folder.parsed(data)
        if not folder.has(due.id):
            raise StorageError(_("record {paifu} could not be written", paifu=due.id))
        keep_paifu(logs, data, entry_of(record, due.id, _day_of(due.id)), self.now())
        drop_oldest(logs, due.id)


def _day_of(paifu_id: str) -> date | None:
    """Return the day with which an id begins, as in `2026081004gm-0009-11017-9b9f92d7`."""
    try:
        return date(int(paifu_id[:4]), int(paifu_id[4:6]), int(paifu_id[6:8]))
    except ValueError:
        return None


@dataclass
class _CollectRun:
    """One run of `collect`: what was fetched, and which leagues are left out from now on."""

    notes: list[str] = field(default_factory=list)
    fetched: int = 0
    failures_in_row: int = 0  # of Tenhou
    leagues_down: set[str] = field(default_factory=set)  # leagues whose folder fails
