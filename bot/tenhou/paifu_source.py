"""Where game records come from: kept in the league's folder once fetched, else asked of Tenhou with its manners."""

from __future__ import annotations

import gzip
import logging
from collections.abc import Callable
from datetime import datetime
from functools import cache

from bot import texts
from bot.runtime.circuit_breaker import Breaker
from bot.tenhou.client import Away, NotThere, Tenhou, TenhouError
from bot.tenhou.paifu_fetcher import RESTS, Records
from bot.tenhou.throttle import Rounds
from storage.ports import LogSource, NotFound, StateStore, StorageError

PATIENCE = 10.0  # seconds for one record: whoever sent its address waits for the answer
FAILURES = 2  # records in a row that Tenhou does not give before it is left alone
PAUSE = 60.0  # seconds it is left alone then: longer than others are, for it owes us nothing
UNKNOWN = 600.0  # seconds Tenhou is not asked again for a record it did not have
log = logging.getLogger(__name__)


def records_of(
    tenhou_url: str, logs: LogSource, state: StateStore, now: Callable[[], datetime] = texts.now
) -> Records:
    """The records of one league."""
    breaker = breaker_of(tenhou_url)
    source, turn = _Polite(tenhou_url, state, breaker), Rounds(state, now).turn
    return Records(source, FolderCache(logs), turn, lambda: breaker.is_open)


@cache
def breaker_of(tenhou_url: str) -> Breaker:
    """This process's own, for all leagues together."""
    return Breaker("tenhou", FAILURES, PAUSE)


def file_of(name: str) -> str:
    """Where a record's bytes lie in the league's folder, gzipped."""
    return f"records/{name}.mjlog"


class FolderCache:
    """Records kept in the league's folder. A folder out of reach is no reason not to answer."""

    def __init__(self, logs: LogSource) -> None:
        self._logs = logs

    def get(self, record_id: str) -> bytes | None:
        """The record as it was kept, gzipped."""
        try:
            return self._logs.read(file_of(record_id)).data
        except NotFound:
            return None
        except StorageError as error:
            log.warning("a record kept can't be read: %s", error)
            return None

    def put(self, record_id: str, data: bytes) -> None:
        """Keep a record, unless it is none."""
        from rating.paifu.mjlog import parse
        from rating.paifu.tiles import PaifuError

        try:
            parse(data)
            self._logs.overwrite(file_of(record_id), gzip.compress(data, mtime=0))
        except PaifuError as error:
            log.warning("record %s can't be read: %s", record_id, error)
        except StorageError as error:
            log.warning("a record can't be kept: %s", error)


class _Polite:
    """Tenhou, hung up after each record, not asked twice in a row for what it has not, left alone where it does not answer."""

    def __init__(self, url: str, state: StateStore, breaker: Breaker) -> None:
        self._url, self._state, self._breaker = url, state, breaker

    def record(self, record_id: str) -> bytes:
        """See bot.tenhou.paifu_fetcher.Source."""
        known = f"tenhou/nothing/{record_id}"
        if self._state.get(known) is not None:
            raise NotThere(f"Tenhou had no game record {record_id} a few minutes ago")
        if not self._breaker.allow():
            raise TenhouError(RESTS)
        try:
            with Tenhou(self._url, patience=PATIENCE) as tenhou:
                data = tenhou.record(record_id)
        except Away:
            self._breaker.failed()
            raise
        except TenhouError as error:  # an answer, if not the one hoped for
            self._breaker.worked()
            if isinstance(error, NotThere):
                self._state.put(known, "", UNKNOWN)
            raise
        self._breaker.worked()
        return data
