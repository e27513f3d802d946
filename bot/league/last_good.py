"""The last good versions of a folder's files: met, kept, replaced and accepted (see in_force.py)."""

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from bot.league.files import STAMP, change, current, history_file, keep_once, read_version, versions
from rating.encoding import refusal
from storage.ports import Conflict, LogSource, NotFound, StorageError

INDEX = "history/good.json"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GoodFile:
    """The last good bytes of a file. `since` (aware, if known) is when they were first read or, of a former
    version, replaced."""

    data: bytes
    since: datetime | None = None


class LastGood:
    """The last good files of one folder. What was met serves at once; `keep` makes it outlive the process."""

    def __init__(self, logs: LogSource) -> None:
        self._logs = logs
        self._met: dict[str, GoodFile] = {}
        self._unkept: set[str] = set()
        self._odd: dict[str, GoodFile] = {}  # what was seen instead of a good version, and is not kept yet
        self._index: tuple[bytes, str | None] | None = None  # the index's text and revision, once it is known

    def meet(self, files: Mapping[str, bytes], now: datetime) -> None:
        """Take these files for good ones; nothing is written. The caller's bytes are held, so that bytes
        which were read anew are not in memory twice."""
        for name, data in files.items():
            known = self._met.get(name)
            if known is None or known.data != data:
                self._met[name] = GoodFile(data, now)
                self._unkept.add(name)
            elif known.data is not data:
                self._met[name] = replace(known, data=data)

    def see(self, files: Mapping[str, bytes], now: datetime) -> None:
        """Take these files for such that are not good: they are kept as former versions."""
        for name, data in files.items():
            if data and (name not in self._odd or self._odd[name].data != data):
                self._odd[name] = GoodFile(data, now)

    def names(self) -> set[str]:
        """Return the names of the files of which a good version is known. Raises StorageError."""
        return {name for name, entry in self._entries().items() if entry["sha256"]} | self._unkept

    def before(self, name: str, data: bytes | None) -> GoodFile | None:
        """Return the last good version where it is another than these bytes (None: there is no such file);
        None where they are good or accepted, or none is known. Raises StorageError."""
        if name in self._met and self._met[name].data == data:
            return None
        digest = hashlib.sha256(data).hexdigest() if data is not None else ""
        if self._entries().get(name, {}).get("sha256") != digest:
            self._index = None  # another process may know more
            if self._entries().get(name, {}).get("sha256") != digest:
                return self.get(name)
        self._met.pop(name, None)
        self._unkept.discard(name)
        return None

    def accept(self, name: str, data: bytes | None, now: datetime) -> None:
        """Take these bytes (None: there is no such file) for good because an admin says so. What was good
        before is kept as a former version. Raises StorageError."""
        self._odd.pop(name, None)
        self._index = None
        if data is not None:
            self._met[name] = GoodFile(data, now)
            self._write({name: self._met[name]}, {name: _entry(self._met[name])})
        elif before := self.get(name):
            keep_once(self._logs, name, before.data, now)
            self._met.pop(name, None)
            gone = {name: _entry(GoodFile(b"", now)) | {"sha256": ""}}

            def forgotten(index: bytes) -> bytes:
                return json.dumps({**_entries(index), **gone}, indent=1, sort_keys=True).encode()

            change(self._logs, INDEX, forgotten, now, keeping=False)

    def changed(self) -> bool:
        """Whether another process has written the index since it was read. Raises StorageError."""
        before, self._index = self._index, current(self._logs, INDEX)
        return before is not None and before[0] != self._index[0]

    def keep(self) -> None:
        """Keep the files that were met and are not kept yet. Where the folder cannot be written, that is
        logged."""
        for name, odd in list(self._odd.items()):
            try:
                keep_once(self._logs, name, odd.data, odd.since or datetime.now(UTC))
                self._odd.pop(name, None)
            except StorageError as error:
                log.info("a version of %s can't be kept: %s", name, error)
        new: dict[str, GoodFile] = {}
        for name in sorted(self._unkept.copy()):
            self._unkept.discard(name)  # before the look, because another thread may meet a newer one
            new[name] = self._met[name]
        if not new:
            return
        entries = {name: _entry(good) for name, good in new.items()}
        try:
            index = self._write(new, entries)
        except StorageError as error:
            log.info("the last good version can't be kept: %s", error)
            self._unkept.update(new)
            return
        for name in index.keys() & new.keys():
            if (index[name]["sha256"] == entries[name]["sha256"]) and self._met[name].data == new[name].data:
                self._met[name] = replace(self._met[name], since=_moment(index[name]["since"]))

    def _write(self, files: Mapping[str, GoodFile], entries: Mapping[str, Any]) -> dict[str, Any]:
        """Write the files that are not kept yet, first the bytes and then the index. Return the index."""

        def lacking(index: bytes) -> list[str]:
            there = _entries(index)
            return [n for n, new in entries.items() if there.get(n, {}).get("sha256") != new["sha256"]]

        remembered = self._index is not None
        text, rev = self._index = self._index or current(self._logs, INDEX)
        fresh = lacking(text)
        if not fresh and remembered:  # another process may have kept a newer file since
            text, rev = self._index = current(self._logs, INDEX)
            fresh = lacking(text)
        if not fresh:
            return _entries(text)
        for name in fresh:
            # The good version that is about to be replaced.
            data = current(self._logs, history_file(name, "good"))[0]
            if hashlib.sha256(data).hexdigest() == _entries(text).get(name, {}).get("sha256"):
                keep_once(self._logs, name, data, files[name].since or datetime.now(UTC))
            self._logs.overwrite(history_file(name, "good"), files[name].data)
        added = {name: entries[name] for name in fresh}

        def joined(old: bytes) -> bytes:
            return json.dumps({**_entries(old), **added}, indent=1, sort_keys=True).encode()

        new = joined(text)
        try:
            self._index = new, self._logs.write(INDEX, new, rev)
        except Conflict:  # another process keeps files too
            self._index = None
            new = change(self._logs, INDEX, joined, datetime.now(UTC), keeping=False)
        return _entries(new)

    def _entries(self) -> dict[str, Any]:
        self._index = self._index or current(self._logs, INDEX)
        return _entries(self._index[0])

    def get(self, name: str) -> GoodFile | None:
        """Return the last good version of a file, None if none is known. Raises StorageError."""
        if name in self._met:
            return self._met[name]
        try:
            data = self._logs.read(history_file(name, "good")).data
        except NotFound:
            return None
        known = _entries(current(self._logs, INDEX)[0]).get(name, {"sha256": None, "since": ""})
        if known["sha256"] == "":  # that the file is gone was accepted
            return None
        same = known["sha256"] == hashlib.sha256(data).hexdigest()
        return GoodFile(data, _moment(known["since"]) if same else None)

    def get_text(self, name: str) -> GoodFile | None:
        """Return the last good version of a text file, or else the newest former one that can be read. Raises
        StorageError."""
        found = self.get(name)
        if found is not None and not refusal(found.data):
            return found
        for version in reversed(versions(self._logs, name)):
            try:
                data = read_version(self._logs, name, version.name)
            except NotFound:
                continue
            if data.strip() and not refusal(data):
                return GoodFile(data, version.when())
        return None


def _entry(good: GoodFile) -> dict[str, str]:
    since = good.since.astimezone(UTC).strftime(STAMP) if good.since else ""
    return {"sha256": hashlib.sha256(good.data).hexdigest(), "since": since}


def _entries(text: bytes) -> dict[str, Any]:
    """Return the index's entries by file; one that cannot be read counts as empty."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return {
        name: entry
        for name, entry in (found.items() if isinstance(found, dict) else ())
        if isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in ("sha256", "since"))
    }


def _moment(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None
