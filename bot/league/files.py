"""The files of a league's folder: their names, a safe change of one of them, and the former
versions of each.

A change writes a file at the revision read and keeps what it replaces under `history/NAME/`: a ring
of numbered files, and `index.json`, which says when each was kept and what its bytes hash to. A
writer first takes a place in the ring by writing the index at its revision, so two never share one.
If it dies before the bytes are there, the hash tells.
"""

import hashlib
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from rating.league import LOG_NAME
from rating.league_file import LEAGUE_FILE as LEAGUE_FILE
from storage.ports import Conflict, LogSource, NotFound, StorageError

RATING_FILE = "rating.txt"  # ratings before the first game
TEAM_LOG = "teamlog.txt"  # sessions of team matches (2 vs 2)
PAIFU_LOG = "recordlog.txt"  # a line for each game record
GOOD = "good"  # the last good version, which the folder itself may not have any more (last_good.py)
MOST = 50  # versions of a file
RECENT = 20  # the newest of these, which stay whatever their day
STAMP = "%Y%m%dT%H%M%SZ"
TRIES = 12  # of a change, while others write the file too
PAUSE = 0.15  # seconds; times the number of tries so far, it is the longest wait
_INDEX_TRIES = 20
EDITING_TIME = timedelta(minutes=10)  # for which a file may be half written by hand


def is_read(name: str) -> bool:
    """Return whether a file of the folder says something of the league."""
    return LOG_NAME.match(name) is not None or name in (
        LEAGUE_FILE,
        RATING_FILE,
        TEAM_LOG,
        PAIFU_LOG,
    )


def paifu_file(name: str) -> str:
    """Return the path of a game record's gzipped bytes.

    `name` is a `PaifuEntry.file`, or Tenhou's id.
    """
    return f"records/{name}.mjlog"


def history_file(name: str, kept: str) -> str:
    """Return the path of what is kept of a file, under a name of its own and the file's ending."""
    return f"history/{name}/{kept}{name[name.rfind('.') :] if '.' in name else ''}"


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A former version: when it was replaced (`kept`, UTC, as 20260503T040000Z), its bytes' size
    and SHA-256, its place in the ring."""

    name: str
    kept: str
    size: int
    sha256: str
    slot: int

    def when(self, zone: tzinfo = UTC) -> datetime:
        return datetime.strptime(self.kept, STAMP).replace(tzinfo=UTC).astimezone(zone)


def change(
    logs: LogSource,
    name: str,
    new: Callable[[bytes], bytes],
    now: datetime,
    sleep: Callable[[float], None] = time.sleep,
    *,
    keeping: bool = True,
) -> bytes:
    """Write `new` of the file's bytes (none if there is no file), and return what was written. It
    is called again when somebody else wrote meanwhile, so that neither loses anything. The former
    version is kept if `keeping`, which files that can be made again don't need. Raises StorageError
    when the folder cannot be reached, or others keep writing."""
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


def write_keeping(
    logs: LogSource,
    name: str,
    data: bytes,
    rev: str | None,
    now: datetime,
    old: bytes = b"",
) -> str:
    """Write a file after its former bytes `old` (read at `rev`) are kept. Return the new revision.
    Raises Conflict when somebody else has written meanwhile."""
    if rev is not None and old != data:
        keep(logs, name, old, rev, now)
    return logs.write(name, data, rev)


def keep(
    logs: LogSource,
    name: str,
    data: bytes,
    rev: str,
    now: datetime,
) -> None:
    """Keep these bytes as a version, unless the newest is the same. Raises Conflict when too many
    write the index."""
    digest = hashlib.sha256(data).hexdigest()
    stamp = now.astimezone(UTC).strftime(STAMP)
    for _ in range(_INDEX_TRIES):
        known, index_rev = _index(logs, name)
        if known and known[-1].sha256 == digest:
            if (
                _version_bytes(logs, name, known[-1]) is None
            ):  # its writer died before writing the bytes
                logs.overwrite(history_file(name, f"{known[-1].slot:02d}"), data)
            return
        slot = _free_slot(known)
        tail = hashlib.sha256(rev.encode()).hexdigest()[:8]
        version = FileVersion(f"{stamp}-{tail}", stamp, len(data), digest, slot)
        kept = [other for other in known if other.slot != slot and other.name != version.name] + [
            version
        ]
        text = json.dumps([asdict(v) for v in kept], indent=1)
        try:
            logs.write(f"history/{name}/index.json", text.encode(), index_rev)
        except Conflict:
            continue
        logs.overwrite(history_file(name, f"{slot:02d}"), data)
        return
    raise Conflict(f"history/{name}/index.json: too many writers at once")


def keep_once(logs: LogSource, name: str, data: bytes, now: datetime) -> None:
    """Keep bytes that were seen as a version of the file, unless any version is the same."""
    digest = hashlib.sha256(data).hexdigest()
    known = [version for version in versions(logs, name) if version.sha256 == digest]
    if not any(_version_bytes(logs, name, version) for version in known):
        keep(logs, name, data, digest, now)


def versions(logs: LogSource, name: str) -> list[FileVersion]:
    """Return the file's former versions, oldest first."""
    return _index(logs, name)[0]


def read_version(logs: LogSource, name: str, version: str) -> bytes:
    """Return a former version's bytes. `version` may be the beginning of its name, or GOOD. Raises
    NotFound when that is no version or several; the message names the newest ones."""
    if version == GOOD:
        return logs.read(history_file(name, GOOD)).data
    known = versions(logs, name)
    found = [v for v in known if v.name == version] or [
        v for v in known if v.name.startswith(version)
    ]
    if len(found) != 1:
        what = "is the beginning of several versions" if found else "is no version"
        newest = ", ".join(v.name for v in known[-5:]) or "none"
        raise NotFound(f"{version} {what} of {name}; there are: {newest}")
    data = _version_bytes(logs, name, found[0])
    if data is None:
        raise NotFound(f"history/{name}: the bytes of {found[0].name} are not there")
    return data


def restore(logs: LogSource, name: str, version: str, now: datetime) -> str:
    """Put a former version back and keep what it replaces. Return the new revision. Raises NotFound
    and Conflict."""
    data = read_version(logs, name, version)
    old, rev = current(logs, name)
    return write_keeping(logs, name, data, rev, now=now, old=old)


def _index(logs: LogSource, name: str) -> tuple[list[FileVersion], str | None]:
    """Return the versions and the index's revision.

    An index that cannot be read counts as empty.
    """
    text, rev = current(logs, f"history/{name}/index.json")
    try:
        return [FileVersion(**entry) for entry in json.loads(text)], rev
    except (ValueError, TypeError):
        return [], rev


def _version_bytes(logs: LogSource, name: str, version: FileVersion) -> bytes | None:
    try:
        data = logs.read(history_file(name, f"{version.slot:02d}")).data
    except NotFound:
        return None
    return data if hashlib.sha256(data).hexdigest() == version.sha256 else None


def _free_slot(known: Sequence[FileVersion]) -> int:
    """Return a place in the ring: one never used, or that of the version to drop. Long past days
    keep their first."""
    if len(known) < MOST:
        return min(set(range(MOST)) - {version.slot for version in known})
    days: set[str] = set()
    for version in known[:-RECENT]:
        if version.kept[:8] in days:
            return version.slot
        days.add(version.kept[:8])
    return known[0].slot
