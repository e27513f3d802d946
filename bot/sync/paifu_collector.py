"""Fetch the records (牌譜) that leagues' rooms have named: one at a time, each once, after the rooms' connection is closed.

A record goes into the league's folder and counts in recordlog.txt. Above a limit the oldest are removed; their counts stay.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from gettext import gettext as _

from bot.league.files import paifu_file
from bot.league.paifu_log import PaifuFolder, drop_oldest, keep_paifu
from bot.runtime import metrics
from bot.sync.download import note_failure
from bot.tenhou.errors import TenhouBusy, TenhouError, TenhouNotFound
from bot.tenhou.paifu_fetcher import PaifuFetcher
from rating.paifu.recordlog import entry_of
from rating.paifu.tiles import PaifuError
from storage.ports import LogSource, NotFound, StorageError
from storage.rooms import DueRecord
from storage.state import State

BETWEEN = 0.5  # seconds between two records
MOST = 100  # records asked for in one run, of all leagues together
AGAIN = tuple(timedelta(minutes=minutes) for minutes in (5, 10, 20, 40, 80, 160, 320, 640))
"""The waits until a record that is not there is asked for again; after the last one it is given up."""
REST = timedelta(minutes=20)  # the wait where Tenhou or the folder can't be reached
SOON = timedelta(minutes=2)  # the wait where another request of ours was under way
FAILURES = 2  # failures of Tenhou in a row, after which the others wait
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class PaifuCollector:
    """Fetches what leagues wait for.

    `fetcher` makes what asks Tenhou, `open_logs` opens a league's folder, `now` returns an aware time, `wait` sleeps so
    many seconds.
    """

    state: State
    fetcher: Callable[[], PaifuFetcher]
    open_logs: Callable[[str], LogSource]
    now: Callable[[], datetime]
    wait: Callable[[float], None] = time.sleep

    def collect(
        self,
        leagues: Collection[str],
        progress: Progress = lambda done, total: None,
        most: int = MOST,
    ) -> list[str]:
        """Fetch what is due for these leagues, `most` at once, and return what to say of it, a line each.

        A record that is not there, or can't be had now, is no problem: it is asked for again later. Raises StorageError
        when the state store cannot be reached.
        """
        due = self.state.records.due(leagues, self.now().timestamp(), most)
        run = _Run(self, self.fetcher())
        for number, one in enumerate(due):
            progress(number, len(due))
            run.one(one)
        if due:
            progress(len(due), len(due))
        return run.told()


@dataclass
class _Run:
    """One run: what is due, how many were fetched, what is said; leagues whose folder fails; failures of Tenhou in a row."""

    tools: PaifuCollector
    fetcher: PaifuFetcher
    fetched: int = 0
    notes: list[str] = field(default_factory=list)
    down: set[str] = field(default_factory=set)
    failures: int = 0

    def told(self) -> list[str]:
        words = _("records fetched: {count}").format(count=self.fetched)
        return [*self.notes, *([words] if self.fetched else [])]

    def one(self, due: DueRecord) -> None:
        """Fetch one record, unless its league's folder or Tenhou has failed in this run."""
        league, paifu, said = due.league, due.id, f"{due.league}: " if due.league else ""
        if self.failures == FAILURES or league in self.down:
            self._wait(due, REST)
            return
        try:
            self._fetch(league, paifu)
        except (TenhouNotFound, PaifuError):
            self.failures = 0
            again = self._lacks(due)
            metrics.count("records", outcome="not there" if again else "given up")
            if not again:
                self.notes.append(said + _("Tenhou has no record {paifu}: given up").format(paifu=paifu))
        except TenhouBusy as error:
            self._wait(due, SOON)
            self.notes.append(said + _("a record is fetched later: {error}").format(error=error))
        except TenhouError as error:
            note_failure(error)
            metrics.count("records", outcome="failed")
            self.failures += 1
            self._lacks(due)
            self.notes.append(said + _("a record is fetched later: {error}").format(error=error))
        except StorageError as error:
            self.down.add(league)
            self._wait(due, REST)
            self.notes.append(said + _("records are kept later: {error}").format(error=error))
        else:
            self.failures = 0
            self.fetched += 1
            self.tools.state.records.done(league, paifu)
            metrics.count("records", outcome="fetched")
            self.tools.wait(BETWEEN)

    def _wait(self, due: DueRecord, wait: timedelta, tries: int | None = None) -> None:
        until = (self.tools.now() + wait).timestamp()
        self.tools.state.records.wait(due.league, due.id, until, tries)

    def _lacks(self, due: DueRecord) -> bool:
        """Note that a record is not there, and return whether it is asked for again."""
        if again := due.tries < len(AGAIN):
            self._wait(due, AGAIN[due.tries], due.tries + 1)
        else:
            self.tools.state.records.give_up(due.league, due.id)
        return again

    def _fetch(self, league: str, paifu: str) -> None:
        """Keep one record and have it counted. Doing it twice changes nothing, so the process may end anywhere."""
        logs = self.tools.open_logs(league)
        with suppress(NotFound):  # another error tells, before Tenhou is asked, that nothing could be kept
            logs.read(paifu_file(paifu))
        kept = PaifuFolder(logs)
        data = self.fetcher.get(paifu, kept, anew=True)
        record = kept.parsed(data)
        if not kept.has(paifu):
            raise StorageError(_("record {paifu} could not be written").format(paifu=paifu))
        keep_paifu(logs, data, entry_of(record, paifu, _day(paifu)), self.tools.now())
        drop_oldest(logs, paifu)


def _day(paifu: str) -> date | None:
    """Return the day in a record's id, such as `2026081004gm-0009-11017-9b9f92d7`."""
    try:
        return date(int(paifu[:4]), int(paifu[4:6]), int(paifu[6:8]))
    except ValueError:
        return None
