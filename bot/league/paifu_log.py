"""Records analysed are kept in the league's folder: a line each in recordlog.txt, a sent file's bytes beside it."""

from __future__ import annotations

import gzip
import threading
from typing import TYPE_CHECKING

from bot.tenhou.paifu_source import file_of
from storage.ports import Conflict, LogSource, NotFound

if TYPE_CHECKING:
    from rating.paifu.recordlog import Entry

FILE = "recordlog.txt"
_TRIES = 6
_ALONE = threading.Lock()


def keep(logs: LogSource, data: bytes, entry: Entry) -> bool:
    """Have a record counted; whether it was new. The same game again changes nothing. StorageError."""
    with _ALONE:
        for _ in range(_TRIES - 1):
            try:
                return _keep(logs, data, entry)
            except Conflict:  # another process was quicker
                continue
        return _keep(logs, data, entry)


def _keep(logs: LogSource, data: bytes, entry: Entry) -> bool:
    from rating.paifu.recordlog import merged, read

    rev: str | None = None
    known = b""
    try:
        found = logs.read(FILE)
        rev, known = found.rev, found.data
    except NotFound:
        pass
    fresh = merged(known, entry)
    if fresh == known:
        return False
    if not entry.id:  # what Tenhou sent is kept already
        packed = data if data.startswith(b"\x1f\x8b") else gzip.compress(data, mtime=0)
        logs.overwrite(file_of(entry.file), packed)
    logs.write(FILE, fresh, rev)
    return entry.key not in {old.key for old in read(known)}
