"""Store game records (牌譜) in a league's folder: their bytes under records/, and a line for each in
recordlog.txt.
"""

import gzip
import logging
from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from bot.league.files import PAIFU_LOG, change, current, paifu_file
from bot.league.moment_text import moment_text
from rating.paifu import recordlog
from rating.paifu.formats import parse
from rating.paifu.record import Record
from rating.paifu.recordlog import PaifuEntry, counted_copy, merged, read
from rating.paifu.tiles import PaifuError
from storage.ports import LogSource, NotFound, StorageError

MOST = 2000  # records whose bytes a league stores, some 25 MB; the lines of the others stay
DROPPED = 3  # the newest of the others, which are removed at each addition
log = logging.getLogger(__name__)


class CountedRecord(NamedTuple):
    """The bytes of a record, and its line in recordlog.txt."""

    data: bytes
    entry: PaifuEntry


class PaifuFolder:
    """Stores records fetched from Tenhou, by id. A folder out of reach is only logged: the answer
    is made all the same."""

    def __init__(self, logs: LogSource) -> None:
        self._logs = logs
        self._last: tuple[bytes, Record] | None = None

    def parsed(self, data: bytes) -> Record:
        """Return the record of these bytes; the last one is cached.

        Raises PaifuError when they are no record.
        """
        if self._last is None or self._last[0] is not data:
            self._last = (data, parse(data))
        return self._last[1]

    def get(self, paifu_id: str) -> bytes | None:
        """Return the gzipped record, or None if it is not there or cannot be read."""
        try:
            return self._logs.read(paifu_file(paifu_id)).data
        except NotFound:
            return None
        except StorageError as error:
            log.warning("a stored record can't be read: %s", error)
            return None

    def has(self, paifu_id: str) -> bool:
        return self.get(paifu_id) is not None

    def put(self, paifu_id: str, data: bytes) -> None:
        """Store a record, unless the bytes are no record."""
        try:
            self.parsed(data)
            self._logs.overwrite(paifu_file(paifu_id), gzip.compress(data, mtime=0))
        except PaifuError as error:
            log.warning("record %s can't be read: %s", paifu_id, error)
        except StorageError as error:
            log.warning("a record can't be stored: %s", error)


def entry_of(record: Record, paifu_id: str = "", day: date | None = None) -> PaifuEntry:
    """Return the line of a record, with the words of its moments; its file is named by Tenhou's id,
    or by the game's key where there is none."""
    return recordlog.entry_of(record, moment_text, paifu_id, day)


def keep_paifu(logs: LogSource, data: bytes, entry: PaifuEntry, now: datetime) -> bool:
    """Add a record to recordlog.txt. Return whether it was new. The bytes of a file that somebody
    sent are stored here; `PaifuFolder` has stored those that Tenhou sent. Raises StorageError.

    The order guarantees that no line is without its record where the process ends in between: the
    bytes are written first."""
    is_new = False
    has_bytes = bool(entry.id)

    def with_entry(before: bytes) -> bytes:
        nonlocal is_new, has_bytes
        is_new = counted_copy(read(before), entry) is None
        after = merged(before, entry)
        if not has_bytes and after != before:
            _store_bytes(logs, data, entry)
            has_bytes = True
        return after

    change(logs, PAIFU_LOG, with_entry, now, keeping=False)
    return is_new


def keep_paifus(
    logs: LogSource,
    records: Sequence[CountedRecord],
    now: datetime,
) -> None:
    """Store the bytes of several records, then add them to recordlog.txt.

    Raises StorageError.
    """
    for record in records:
        _store_bytes(logs, record.data, record.entry)
    entries = [record.entry for record in records]

    def with_entries(before: bytes) -> bytes:
        return merged(before, *entries)

    change(logs, PAIFU_LOG, with_entries, now, keeping=False)


def _store_bytes(logs: LogSource, data: bytes, entry: PaifuEntry) -> None:
    packed = data if data.startswith(b"\x1f\x8b") else gzip.compress(data, mtime=0)
    logs.overwrite(paifu_file(entry.file), packed)


def drop_oldest(logs: LogSource, added: str, most: int = MOST) -> None:
    """Remove the bytes of the oldest records above `most`; their lines stay. Each call, one after
    each addition, removes a few: the record `added` if it is one of them, and their newest. Raises
    StorageError."""
    entries = sorted(read(current(logs, PAIFU_LOG).data), key=_age)
    files = [entry.file for entry in entries[: max(0, len(entries) - most)]]
    dropped = files[-DROPPED:]
    if added in files and added not in dropped:
        dropped.append(added)
    for file in dict.fromkeys(dropped):
        logs.remove(paifu_file(file))


def _age(entry: PaifuEntry) -> tuple[str, ...]:
    """The order of records, the oldest first."""
    return str(entry.day or ""), entry.file
