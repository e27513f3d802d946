"""Keep game records (牌譜) in a league's folder: bytes under records/, and a line each in
recordlog.txt.
"""

import gzip
import logging
from collections.abc import Sequence
from datetime import date, datetime

from bot.league.files import PAIFU_LOG, change, current, paifu_file
from bot.league.moment_text import moment_text
from rating.paifu import recordlog
from rating.paifu.formats import parse
from rating.paifu.record import Record
from rating.paifu.recordlog import PaifuEntry, merged, read
from rating.paifu.tiles import PaifuError
from storage.ports import LogSource, NotFound, StorageError

MOST = 2000  # records whose bytes a league keeps, some 25 MB; what was counted of the others stays
DROPPED = 3  # the newest of the others, which are looked for at each addition
log = logging.getLogger(__name__)


class PaifuFolder:
    """Keeps records fetched from Tenhou, by id. A folder out of reach is only logged: the answer is
    made all the same."""

    def __init__(self, logs: LogSource) -> None:
        self._logs = logs
        self._last: tuple[bytes, Record] | None = None

    def parsed(self, data: bytes) -> Record:
        """Return the record of these bytes; the last is kept.

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
            log.warning("a record kept can't be read: %s", error)
            return None

    def has(self, paifu_id: str) -> bool:
        return self.get(paifu_id) is not None

    def put(self, paifu_id: str, data: bytes) -> None:
        """Keep a record, unless the bytes are no record."""
        try:
            self.parsed(data)
            self._logs.overwrite(paifu_file(paifu_id), gzip.compress(data, mtime=0))
        except PaifuError as error:
            log.warning("record %s can't be read: %s", paifu_id, error)
        except StorageError as error:
            log.warning("a record can't be kept: %s", error)


def entry_of(record: Record, paifu_id: str = "", day: date | None = None) -> PaifuEntry:
    """Return the line of a record, with the words of its moments; its file is named by Tenhou's id,
    or by the game's key where there is none."""
    return recordlog.entry_of(record, moment_text, paifu_id, day)


def keep_paifu(logs: LogSource, data: bytes, entry: PaifuEntry, now: datetime) -> bool:
    """Have a record counted in recordlog.txt. Return whether it was new. The bytes of a file that
    somebody sent are kept here; `PaifuFolder` has kept what Tenhou sent. Raises StorageError."""
    new = False
    unkept = not entry.id

    def with_entry(before: bytes) -> bytes:
        nonlocal new, unkept
        new = entry.key not in {old.key for old in read(before)}
        after = merged(before, entry)
        if unkept and after != before:  # the bytes go first: no line without its record
            _keep_bytes(logs, data, entry)
            unkept = False
        return after

    change(logs, PAIFU_LOG, with_entry, now, keeping=False)
    return new


def keep_paifus(
    logs: LogSource,
    kept: Sequence[tuple[bytes, PaifuEntry]],
    now: datetime,
) -> None:
    """Keep the bytes of several records, then have them counted in recordlog.txt.

    Raises StorageError.
    """
    for data, entry in kept:
        _keep_bytes(logs, data, entry)
    entries = [entry for _, entry in kept]
    change(logs, PAIFU_LOG, lambda before: merged(before, *entries), now, keeping=False)


def _keep_bytes(logs: LogSource, data: bytes, entry: PaifuEntry) -> None:
    packed = data if data.startswith(b"\x1f\x8b") else gzip.compress(data, mtime=0)
    logs.overwrite(paifu_file(entry.file), packed)


def drop_oldest(logs: LogSource, added: str, most: int = MOST) -> None:
    """Remove the bytes of the oldest records above `most`; what was counted of them stays. Each
    call, one after each addition, removes a few: the record `added` if it is one of them, and their
    newest. Raises StorageError."""
    entries = read(current(logs, PAIFU_LOG)[0])
    entries = sorted(
        entries,
        key=lambda entry: (str(entry.day or ""), entry.file),
    )
    files = [entry.file for entry in entries[: max(0, len(entries) - most)]]
    dropped = files[-DROPPED:]
    if added in files and added not in dropped:
        dropped.append(added)
    for file in dict.fromkeys(dropped):
        logs.remove(paifu_file(file))
