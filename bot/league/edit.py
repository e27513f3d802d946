"""Change a file of the log folder safely: read it, change it, write it at the revision read, keep the former
version.

When somebody else wrote meanwhile, the change is made again from the new bytes, so that neither loses
anything.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import datetime

from bot.league.versions import write_keeping
from storage.ports import Conflict, LogSource, NotFound, StorageError

TRIES = 12
PAUSE = 0.15  # seconds; times the number of tries so far, it is the longest wait


def change(
    logs: LogSource,
    name: str,
    new: Callable[[bytes], bytes],
    now: datetime,
    sleep: Callable[[float], None] = time.sleep,
    *,
    keeping: bool = True,
) -> bytes:
    """Write `new` of the file's bytes (none if there is no file), and return what was written.

    Nothing is written when the bytes stay the same. `new` may be called several times. The former version is
    kept, unless `keeping` is off (for files that can be made again). Raises StorageError when the folder
    cannot be reached, or when others keep writing the file.
    """
    for tried in range(TRIES):
        data, rev = current(logs, name)
        wanted = new(data)
        if wanted == data:
            return wanted
        try:
            if keeping:
                write_keeping(logs, name, wanted, rev, now=now, old=data)
            else:
                logs.write(name, wanted, rev)
            return wanted
        except Conflict:
            sleep(random.uniform(0, PAUSE * (tried + 1)))  # noqa: S311
    raise StorageError(f"{name}: others kept writing it")


def current(logs: LogSource, name: str) -> tuple[bytes, str | None]:
    """Return the file's bytes and revision, or no bytes and None if there is no file."""
    try:
        file = logs.read(name)
    except NotFound:
        return b"", None
    return file.data, file.rev
