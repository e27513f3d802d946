"""The last good versions of the files that people edit.

A good version is stored next to the former versions, as `history/NAME/good.txt` (or `.toml`), and
`history/good.json` has since when each is known. They are written when they change, after the
version before is stored among the former ones; so is a version that is not good.

All of this is in the league's folder and not in the database. A season log that is deleted is
noticed because the folder has its good version: also after the database is lost, for a command with
another database, and in a copy of the folder.

What this guarantees between threads and processes: the bytes are written before the index, and the
index at the revision read, so an index never names bytes that are not there, and no process removes
another's entry. Tests: tests/league/test_last_good.py, tests/cli/test_unusable.py.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from bot.league.files import (
    STAMP,
    change,
    current,
    history_file,
    keep_once,
    read_version,
    versions,
)
from rating.encoding import refusal
from storage.ports import Conflict, LogSource, NotFound, StorageError

INDEX = "history/good.json"
REMOVED = ""  # the hash of a file whose removal an admin accepted
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GoodFile:
    """The last good bytes of a file. `since` (aware, if known) is when they were first read or, of
    a former version, replaced."""

    data: bytes
    since: datetime | None = None

    def entry(self) -> IndexEntry:
        since = ""
        if self.since is not None:
            since = self.since.astimezone(UTC).strftime(STAMP)
        return IndexEntry(_digest(self.data), since)


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What the index has of a file: the hash of its good bytes and since when they are known, as a
    STAMP, "" where that is not known."""

    sha256: str
    since: str

    def when(self) -> datetime | None:
        try:
            return datetime.strptime(self.since, STAMP).replace(tzinfo=UTC)
        except ValueError:
            return None


Entries = dict[str, IndexEntry]


@dataclass(frozen=True, slots=True)
class IndexFile:
    """The index as it was read or written: its bytes and its revision."""

    data: bytes
    revision: str | None

    def entries(self) -> Entries:
        return _entries(self.data)

    def digest(self, name: str) -> str | None:
        """Return the hash of a file's good bytes, None where the index does not have the file."""
        entry = self.entries().get(name)
        return None if entry is None else entry.sha256


class LastGood:
    """The last good files of one folder.

    An added version is in force at once; `store` lets it outlive the process. Safe in threads.
    """

    def __init__(self, logs: LogSource) -> None:
        self._logs = logs
        self._added: dict[str, GoodFile] = {}
        self._unstored: set[str] = set()
        self._unusable: dict[str, GoodFile] = {}  # to be stored as former versions
        self._index: IndexFile | None = None

    def add(self, files: Mapping[str, bytes], now: datetime) -> None:
        """Take these files as good ones; nothing is written. The caller's bytes are referenced, so
        that bytes which were read again are not in memory twice."""
        for name, data in files.items():
            good = self._added.get(name)
            if good is None or good.data != data:
                self._added[name] = GoodFile(data, now)
                self._unstored.add(name)
            elif good.data is not data:
                self._added[name] = replace(good, data=data)

    def add_unusable(self, files: Mapping[str, bytes], now: datetime) -> None:
        """Take these files as not good: `store` stores them as former versions."""
        for name, data in files.items():
            earlier = self._unusable.get(name)
            if data and (earlier is None or earlier.data != data):
                self._unusable[name] = GoodFile(data, now)

    def names(self) -> set[str]:
        """Return the names of the files with a good version. Raises StorageError."""
        entries = self._known_index().entries()
        stored = {name for name, entry in entries.items() if entry.sha256 != REMOVED}
        return stored | self._unstored

    def before(self, name: str, data: bytes | None) -> GoodFile | None:
        """Return the last good version where it differs from these bytes (None: there is no such
        file); None where they are good or accepted, or no version is known. Raises StorageError."""
        added = self._added.get(name)
        if added is not None and added.data == data:
            return None
        digest = REMOVED if data is None else _digest(data)
        if self._known_index().digest(name) == digest:
            self._drop(name)
            return None
        stored = self._fresh_index().digest(name)  # another process may have a newer version
        if stored == digest:
            self._drop(name)
            return None
        is_unstored = name in self._unstored
        if added is not None and not is_unstored and stored not in (None, _digest(added.data)):
            self._added.pop(name, None)
        return self.get(name)

    def accept(self, name: str, data: bytes | None, now: datetime) -> None:
        """Take these bytes (None: there is no such file) as good because an admin accepts them. The
        good version before becomes a former one. Raises StorageError."""
        self._unusable.pop(name, None)
        self._index = None
        if data is not None:
            good = GoodFile(data, now)
            self._added[name] = good
            self._write({name: good})
            return
        before = self.get(name)
        if before is not None:
            keep_once(self._logs, name, before.data, now)
            self._added.pop(name, None)
            removed = replace(GoodFile(b"", now).entry(), sha256=REMOVED)
            self._change_index({name: removed}, now)

    def changed(self) -> bool:
        """Whether another process has written the index since it was read. Raises StorageError."""
        before = self._index
        after = self._fresh_index()
        return before is not None and before.data != after.data

    def store(self) -> None:
        """Store the versions that were added. Where the folder can't be written, that is logged."""
        self._store_unusable()
        new: dict[str, GoodFile] = {}
        for name in sorted(self._unstored.copy()):
            good = self._added.get(name)
            if good is not None:
                new[name] = good
        if not new:
            return
        try:
            entries = self._write(new)
        except StorageError as error:
            log.info("the last good version can't be stored: %s", error)
            return
        for name, good in new.items():
            self._mark_stored(name, good, entries.get(name))

    def _store_unusable(self) -> None:
        for name, version in list(self._unusable.items()):
            try:
                keep_once(self._logs, name, version.data, version.since or datetime.now(UTC))
                self._unusable.pop(name, None)
            except StorageError as error:
                log.info("a version of %s can't be stored: %s", name, error)

    def get(self, name: str) -> GoodFile | None:
        """Return the last good version of a file, None if none is known. Raises StorageError."""
        if name in self._added:
            return self._added[name]
        try:
            data = self._logs.read(history_file(name, "good")).data
        except NotFound:
            return None
        entry = IndexFile(*current(self._logs, INDEX)).entries().get(name)
        if entry is None:
            return GoodFile(data)
        if entry.sha256 == REMOVED:
            return None
        since = entry.when() if entry.sha256 == _digest(data) else None
        return GoodFile(data, since)

    def get_text(self, name: str) -> GoodFile | None:
        """Return the last good version of a text file, or else its newest former version that can
        be read. Raises StorageError."""
        good = self.get(name)
        if good is not None and not refusal(good.data):
            return good
        for version in reversed(versions(self._logs, name)):
            try:
                data = read_version(self._logs, name, version.name)
            except NotFound:
                continue
            if data.strip() and not refusal(data):
                return GoodFile(data, version.when())
        return None

    def _drop(self, name: str) -> None:
        """Forget an added version that the file has replaced."""
        self._added.pop(name, None)
        self._unstored.discard(name)

    def _mark_stored(self, name: str, good: GoodFile, entry: IndexEntry | None) -> None:
        self._unstored.discard(name)
        added = self._added.get(name)
        if added is None:
            return
        if added.data != good.data:  # another thread has added a newer one
            self._unstored.add(name)
        elif entry is not None and entry.sha256 == _digest(good.data):
            self._added[name] = replace(added, since=entry.when())

    def _write(self, files: Mapping[str, GoodFile]) -> Entries:
        """Write the files that are not stored yet: first the bytes, then the index. Return the
        index. Raises StorageError."""
        is_remembered = self._index is not None
        entries = {name: good.entry() for name, good in files.items()}
        index = self._known_index()
        fresh = _missing(index, entries)
        if not fresh and is_remembered:  # another process may have stored a newer file since
            index = self._fresh_index()
            fresh = _missing(index, entries)
        if not fresh:
            return index.entries()
        for name in fresh:
            place = history_file(name, "good")
            replaced = current(self._logs, place).data
            if _digest(replaced) == index.digest(name):
                keep_once(self._logs, name, replaced, files[name].since or datetime.now(UTC))
            self._logs.overwrite(place, files[name].data)
        new = {name: entries[name] for name in fresh}
        data = _joined(index.data, new)
        try:
            self._index = IndexFile(data, self._logs.write(INDEX, data, index.revision))
        except Conflict:  # another process stores files too
            self._index = None
            data = self._change_index(new, datetime.now(UTC))
        return _entries(data)

    def _change_index(self, entries: Entries, now: datetime) -> bytes:
        def joined(data: bytes) -> bytes:
            return _joined(data, entries)

        return change(self._logs, INDEX, joined, now, keeping=False)

    def _known_index(self) -> IndexFile:
        return self._index or self._fresh_index()

    def _fresh_index(self) -> IndexFile:
        index = IndexFile(*current(self._logs, INDEX))
        self._index = index
        return index


def _missing(index: IndexFile, entries: Entries) -> list[str]:
    """Return the names of the files of which the index has other bytes, or none."""
    return [name for name, entry in entries.items() if index.digest(name) != entry.sha256]


def _joined(data: bytes, entries: Entries) -> bytes:
    """Return the bytes of an index with other entries."""
    joined = _entries(data) | entries
    texts = {name: asdict(entry) for name, entry in joined.items()}
    return json.dumps(texts, indent=1, sort_keys=True).encode()


def _entries(data: bytes) -> Entries:
    """Return the entries by file; an index or an entry that can't be read counts as missing."""
    try:
        texts = json.loads(data)
    except ValueError:
        return {}
    entries: Entries = {}
    if not isinstance(texts, dict):
        return entries
    for name, text in texts.items():
        if not isinstance(text, dict):
            continue
        sha256 = text.get("sha256")
        since = text.get("since")
        if isinstance(sha256, str) and isinstance(since, str):
            entries[name] = IndexEntry(sha256, since)
    return entries


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
