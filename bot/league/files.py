"""The files of a league's folder: their names, a safe change of one of them, and the former
versions of each.

A change writes a file at the revision read, and stores what it replaces under `history/NAME/`: a
ring of numbered files, and `index.json` with the time and the hash of each. What this guarantees,
and the tests that show it (tests/league/test_versions.py, tests/league/test_killed.py):

- no writer overwrites what another has written meanwhile: it reads again and repeats its change
  (test_change_is_repeated_after_another_writer);
- two writers never share a place in the ring: a writer first takes one by writing the index at its
  revision (test_concurrent_writers_lose_no_version);
- the bytes of a version are complete or missing: the hash shows where a writer was killed before
  it had written them (test_version_of_a_killed_writer_counts_as_missing).
"""

import hashlib
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import NamedTuple

from rating.league import LOG_NAME
from rating.league_file import LEAGUE_FILE as LEAGUE_FILE
from storage.ports import Conflict, LogSource, NotFound, StorageError

RATING_FILE = "rating.txt"  # ratings before the first game
TEAM_LOG = "teamlog.txt"  # sessions of team matches (2 vs 2)
PAIFU_LOG = "recordlog.txt"  # a line for each game record
GOOD = "good"  # the last good version, which the folder itself may have lost (last_good.py)
MOST = 50  # versions of a file
RECENT = 20  # the newest of these, which are never removed
STAMP = "%Y%m%dT%H%M%SZ"
TRIES = 12  # of a change, while others write the file too
PAUSE = 0.15  # seconds; times the number of tries so far, it is the longest wait
_INDEX_TRIES = 20
EDITING_TIME = timedelta(minutes=10)  # for which a file may be half written by hand


def is_read(name: str) -> bool:
    """Return whether the bot reads a file of this name in a league's folder."""
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


def history_file(name: str, version: str) -> str:
    """Return the path of a version of a file: the version's name with the file's extension."""
    extension = ""
    if "." in name:
        extension = name[name.rfind(".") :]
    return f"history/{name}/{version}{extension}"


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A former version: the time it was replaced (`kept`, UTC, as 20260503T040000Z), the size and
    SHA-256 of its bytes, its place in the ring. The fields are those of the index."""

    name: str
    kept: str
    size: int
    sha256: str
    slot: int

    @property
    def day(self) -> str:
        return self.kept[:8]

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
    """Write `new` of the file's bytes (empty if there is no file), and return the written bytes.
    `new` is called again if another writer was faster, so that neither change is lost. The former
    version is stored if `keeping`, which generated files don't need. Raises StorageError when the
    folder cannot be reached, or other writers are always faster."""
    for attempt in range(TRIES):
        data, rev = current(logs, name)
        new_data = new(data)
        if new_data == data:
            return new_data
        try:
            if keeping:
                write_keeping(logs, name, new_data, rev, now=now, old=data)
            else:
                logs.write(name, new_data, rev)
            return new_data
        except Conflict:
            sleep(random.uniform(0, PAUSE * (attempt + 1)))  # noqa: S311
    raise StorageError(f"{name}: others kept writing it")


class CurrentFile(NamedTuple):
    """A file's bytes and revision; empty and None if there is no file."""

    data: bytes
    rev: str | None


def current(logs: LogSource, name: str) -> CurrentFile:
    try:
        file = logs.read(name)
    except NotFound:
        return CurrentFile(b"", None)
    return CurrentFile(file.data, file.rev)


def write_keeping(
    logs: LogSource,
    name: str,
    data: bytes,
    rev: str | None,
    now: datetime,
    old: bytes = b"",
) -> str:
    """Write a file after its former bytes `old` (read at `rev`) are stored. Return the new revision.
    Raises Conflict if another writer was faster."""
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
    """Store these bytes as a version, unless the newest version is equal. Raises Conflict when
    other writers of the index are always faster."""
    digest = hashlib.sha256(data).hexdigest()
    stamp = now.astimezone(UTC).strftime(STAMP)
    tail = hashlib.sha256(rev.encode()).hexdigest()[:8]
    for _ in range(_INDEX_TRIES):
        index = _index(logs, name)
        newest = index.versions[-1] if index.versions else None
        if newest is not None and newest.sha256 == digest:
            if _version_bytes(logs, name, newest) is None:  # its writer was killed
                logs.overwrite(_slot_file(name, newest.slot), data)
            return
        slot = _free_slot(index.versions)
        version = FileVersion(f"{stamp}-{tail}", stamp, len(data), digest, slot)
        try:
            logs.write(_index_file(name), index.with_version(version), index.rev)
        except Conflict:
            continue
        logs.overwrite(_slot_file(name, slot), data)
        return
    raise Conflict(f"{_index_file(name)}: too many writers at once")


def _index_file(name: str) -> str:
    return f"history/{name}/index.json"


def _slot_file(name: str, slot: int) -> str:
    return history_file(name, f"{slot:02d}")


def keep_once(logs: LogSource, name: str, data: bytes, now: datetime) -> None:
    """Store bytes that were read as a version of the file, unless any version is equal."""
    digest = hashlib.sha256(data).hexdigest()
    equal = [version for version in versions(logs, name) if version.sha256 == digest]
    if not any(_version_bytes(logs, name, version) for version in equal):
        keep(logs, name, data, digest, now)


def versions(logs: LogSource, name: str) -> list[FileVersion]:
    """Return the file's former versions, oldest first."""
    return _index(logs, name).versions


def read_version(logs: LogSource, name: str, version: str) -> bytes:
    """Return a former version's bytes. `version` may be the beginning of its name, or GOOD. Raises
    NotFound if no version or several match; the message lists the newest ones."""
    if version == GOOD:
        return logs.read(history_file(name, GOOD)).data
    former = versions(logs, name)
    matches = [other for other in former if other.name == version]
    if not matches:
        matches = [other for other in former if other.name.startswith(version)]
    if len(matches) != 1:
        fault = "is the beginning of several versions" if matches else "is no version"
        newest = ", ".join(other.name for other in former[-5:]) or "none"
        raise NotFound(f"{version} {fault} of {name}; there are: {newest}")
    (match,) = matches
    data = _version_bytes(logs, name, match)
    if data is None:
        raise NotFound(f"history/{name}: the bytes of {match.name} are not there")
    return data


def restore(logs: LogSource, name: str, version: str, now: datetime) -> str:
    """Put a former version back and store what it replaces. Return the new revision. Raises NotFound
    and Conflict."""
    data = read_version(logs, name, version)
    old, rev = current(logs, name)
    return write_keeping(logs, name, data, rev, now=now, old=old)


class _Index(NamedTuple):
    """The versions of a file, oldest first, and the index's revision."""

    versions: list[FileVersion]
    rev: str | None

    def with_version(self, version: FileVersion) -> bytes:
        """Return the bytes of the index with a new version, which replaces that in its slot."""
        others = [
            other
            for other in self.versions
            if other.slot != version.slot and other.name != version.name
        ]
        return json.dumps([asdict(entry) for entry in (*others, version)], indent=1).encode()


def _index(logs: LogSource, name: str) -> _Index:
    """Return the index of a file's versions. One that cannot be read counts as empty."""
    text, rev = current(logs, _index_file(name))
    try:
        return _Index([FileVersion(**entry) for entry in json.loads(text)], rev)
    except (ValueError, TypeError):
        return _Index([], rev)


def _version_bytes(logs: LogSource, name: str, version: FileVersion) -> bytes | None:
    try:
        data = logs.read(_slot_file(name, version.slot)).data
    except NotFound:
        return None
    return data if hashlib.sha256(data).hexdigest() == version.sha256 else None


def _free_slot(former: Sequence[FileVersion]) -> int:
    """Return a place in the ring: an unused one, or that of the version to remove. Of older days
    the first version is removed last."""
    if len(former) < MOST:
        return min(set(range(MOST)) - {version.slot for version in former})
    days: set[str] = set()
    for version in former[:-RECENT]:
        if version.day in days:
            return version.slot
        days.add(version.day)
    return former[0].slot
