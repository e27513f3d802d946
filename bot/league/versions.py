"""Keep former versions of the log folder's files at every write, list them, and put them back.

A file's versions lie under `history/NAME/`: a ring of numbered files, and `index.json`, which says when each
was kept and what its bytes hash to. A writer first takes a place in the ring by writing the index at its
revision, so two writers never share one. If a writer dies before the bytes are there, the hash tells. When
the ring is full, the oldest version is dropped, but long past days keep their first version longer than their
others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, tzinfo

from storage.ports import Conflict, LogSource, NotFound

MOST = 50  # versions of a file
RECENT = 20  # the newest of these, which stay whatever their day
_TRIES = 20


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A former version: its name, when it was replaced, its bytes' size and SHA-256, its place in the ring.

    `kept` is in UTC, as 20260503T040000Z.
    """

    name: str
    kept: str
    size: int
    sha256: str
    slot: int

    def when(self, zone: tzinfo = UTC) -> datetime:
        """Return the moment it was replaced."""
        return datetime.strptime(self.kept, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).astimezone(zone)


def write_keeping(
    logs: LogSource, name: str, data: bytes, rev: str | None, now: datetime, old: bytes = b""
) -> str:
    """Write a file after its former bytes `old` (read at `rev`) are kept. Return the new revision.

    Raises Conflict when somebody else has written the file meanwhile.
    """
    if rev is not None and old != data:
        keep(logs, name, old, rev, now)
    return logs.write(name, data, rev)


def keep(logs: LogSource, name: str, data: bytes, rev: str, now: datetime) -> None:
    """Keep these bytes as a version of the file, unless the newest version is the same.

    Raises Conflict when too many writers change the index at once.
    """
    digest = hashlib.sha256(data).hexdigest()
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    for _ in range(_TRIES):
        known, index_rev = _index(logs, name)
        if known and known[-1].sha256 == digest:
            version = known[-1]  # its writer may have died before writing the bytes
            if _bytes(logs, name, version) is None:
                logs.overwrite(_place(name, version.slot), data)
            return
        slot = _free(known)
        tail = hashlib.sha256(rev.encode()).hexdigest()[:8]
        version = FileVersion(f"{stamp}-{tail}", stamp, len(data), digest, slot)
        kept = [other for other in known if other.slot != slot and other.name != version.name] + [version]
        text = json.dumps([asdict(v) for v in kept], indent=1)
        try:
            logs.write(f"history/{name}/index.json", text.encode(), index_rev)
        except Conflict:
            continue
        logs.overwrite(_place(name, slot), data)
        return
    raise Conflict(f"history/{name}/index.json: too many writers at once")


def versions(logs: LogSource, name: str) -> list[FileVersion]:
    """Return the file's former versions, oldest first."""
    return _index(logs, name)[0]


def read_version(logs: LogSource, name: str, version: str) -> bytes:
    """Return a former version's bytes. `version` may be the beginning of its name.

    Raises NotFound when that is no version or several; the message names the newest ones.
    """
    known = versions(logs, name)
    found = [v for v in known if v.name == version] or [v for v in known if v.name.startswith(version)]
    if len(found) != 1:
        what = "is the beginning of several versions" if found else "is no version"
        raise NotFound(
            f"{version} {what} of {name}; there are: {', '.join(v.name for v in known[-5:]) or 'none'}"
        )
    data = _bytes(logs, name, found[0])
    if data is None:
        raise NotFound(f"history/{name}: the bytes of {found[0].name} are not there")
    return data


def restore(logs: LogSource, name: str, version: str, now: datetime) -> str:
    """Put a former version back and keep what it replaces. Return the new revision.

    Raises NotFound when there is no such version, and Conflict when somebody else writes the file meanwhile.
    """
    data = read_version(logs, name, version)
    try:
        current = logs.read(name)
    except NotFound:
        return logs.write(name, data, None)
    return write_keeping(logs, name, data, current.rev, now=now, old=current.data)


def _index(logs: LogSource, name: str) -> tuple[list[FileVersion], str | None]:
    """Return the versions and the index's revision. An unreadable index counts as empty and is written
    anew."""
    try:
        file = logs.read(f"history/{name}/index.json")
    except NotFound:
        return [], None
    try:
        return [FileVersion(**entry) for entry in json.loads(file.data)], file.rev
    except (ValueError, TypeError):
        return [], file.rev


def _bytes(logs: LogSource, name: str, version: FileVersion) -> bytes | None:
    """Return the version's bytes, or None if they are not what the index says."""
    try:
        data = logs.read(_place(name, version.slot)).data
    except NotFound:
        return None
    return data if hashlib.sha256(data).hexdigest() == version.sha256 else None


def _free(known: Sequence[FileVersion]) -> int:
    """Return a place in the ring: one never used, or else that of the version to drop."""
    if len(known) < MOST:
        return next(slot for slot in range(MOST) if all(v.slot != slot for v in known))
    days: set[str] = set()
    for version in known[:-RECENT]:
        if version.kept[:8] in days:
            return version.slot
        days.add(version.kept[:8])
    return known[0].slot


def _place(name: str, slot: int) -> str:
    return f"history/{name}/{slot:02d}{name[name.rfind('.') :] if '.' in name else ''}"
