"""Keep the last good version of each file that people edit, so that it stays in force while a newer one is
unusable.

The bytes lie beside the file's former versions, as `history/NAME/good.txt` (or `.toml`), and
`history/good.json` says since when each is known. They are written only when they change. So a restart
changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from gettext import gettext as _
from typing import Any

from bot.league.edit import change, current
from bot.league.versions import read_version, versions
from rating.encoding import refusal
from rating.logdates import JST
from storage.ports import Conflict, LogSource, NotFound, StorageError

INDEX = "history/good.json"
_STAMP = "%Y%m%dT%H%M%SZ"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GoodFile:
    """The last good bytes of a file. `since` is when they were first read or, of a former version, replaced
    (aware).

    `since` is None where that is not known.
    """

    data: bytes
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class UnusableFile:
    """A file that cannot be used, with the line (from 1, 0 if unknown) and the reason, and what is in force
    instead.

    `large` says that its size is the reason. `kept` says that a former version is in force, `since` as
    GoodFile has it. Otherwise the file counts as missing.
    """

    file: str
    line: int
    reason: str
    large: bool = False
    kept: bool = False
    since: datetime | None = None

    def instead(self, good: GoodFile | None) -> UnusableFile:
        """Return the same with what is in force instead, None for nothing."""
        return replace(self, kept=True, since=good.since) if good else self

    @property
    def outcome(self) -> str:
        """What is in force instead, in words."""
        if not self.kept:
            return _("no good version of it is known")
        if not self.since:
            return _("the last good version stays in force")
        since = self.since.astimezone(JST)
        return _("the last good version of {since:%Y-%m-%d %H:%M} JST stays in force").format(since=since)

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.reason}; {self.outcome}"


class LastGood:
    """The last good files of one folder. What was met serves at once; `keep` makes it outlive the process."""

    def __init__(self, logs: LogSource) -> None:
        self._logs = logs
        self._met: dict[str, GoodFile] = {}
        self._unkept: set[str] = set()
        self._index: tuple[bytes, str | None] | None = None  # the index's text and revision, once it is known

    def meet(self, files: Mapping[str, bytes], now: datetime) -> None:
        """Take these files, by name, for good ones. `now` is aware. Nothing is read or written.

        The caller's bytes are the ones held, so that bytes which were read anew are not in memory twice.
        """
        for name, data in files.items():
            known = self._met.get(name)
            if known is None or known.data != data:
                self._met[name] = GoodFile(data, now)
                self._unkept.add(name)
            elif known.data is not data:
                self._met[name] = replace(known, data=data)

    def keep(self) -> None:
        """Keep the good files that were met. Only those are written that are not kept yet.

        Where the folder cannot be written, that is logged; this object knows them all the same.
        """
        new: dict[str, GoodFile] = {}
        for name in sorted(self._unkept.copy()):
            self._unkept.discard(name)  # before the look, because another thread may meet a newer one
            new[name] = self._met[name]
        if not new:
            return
        digests = {name: hashlib.sha256(good.data).hexdigest() for name, good in new.items()}
        try:
            index = self._write(new, digests)
        except StorageError as error:
            log.info("the last good version can't be kept: %s", error)
            self._unkept.update(new)
            return
        for name, good in new.items():
            if _digest(index, name) == digests[name] and self._met[name].data == good.data:
                self._met[name] = replace(self._met[name], since=_moment(index[name]["since"]))

    def _write(self, files: Mapping[str, GoodFile], digests: Mapping[str, str]) -> dict[str, Any]:
        """Write the files that are not kept yet, first the bytes and then the index. Return the index."""
        remembered = self._index is not None
        text, rev = self._index = self._index or current(self._logs, INDEX)
        fresh = _fresh(text, digests)
        if not fresh and remembered:  # another process may have kept a newer file since
            text, rev = self._index = current(self._logs, INDEX)
            fresh = _fresh(text, digests)
        if not fresh:
            return _entries(text)
        for name in fresh:
            self._logs.overwrite(_place(name), files[name].data)
        entries = {name: {"sha256": digests[name], "since": _stamp(files[name])} for name in fresh}
        new = _joined(text, entries)
        try:
            self._index = new, self._logs.write(INDEX, new, rev)
        except Conflict:  # another process keeps files too
            self._index, now = None, datetime.now(UTC)
            new = change(self._logs, INDEX, lambda old: _joined(old, entries), now, keeping=False)
        return _entries(new)

    def get(self, name: str) -> GoodFile | None:
        """Return the last good version of a file, None if none is known.

        Raises StorageError when the folder cannot be reached.
        """
        if name in self._met:
            return self._met[name]
        try:
            data = self._logs.read(_place(name)).data
        except NotFound:
            return None
        known = _entries(current(self._logs, INDEX)[0]).get(name)
        same = known is not None and known["sha256"] == hashlib.sha256(data).hexdigest()
        return GoodFile(data, _moment(known["since"]) if known and same else None)

    def get_text(self, name: str) -> GoodFile | None:
        """Return the last good version of a text file, or else the newest former version that can be read.

        Raises StorageError when the folder cannot be reached.
        """
        found = self.get(name)
        if found is not None and not refusal(found.data):
            return found
        for version in reversed(versions(self._logs, name)):
            try:
                data = read_version(self._logs, name, version.name)
            except NotFound:
                continue
            if not refusal(data):
                return GoodFile(data, version.when())
        return None


def _entries(text: bytes) -> dict[str, Any]:
    """Return the index's entries by file. An index that cannot be read counts as empty."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    entries = found.items() if isinstance(found, dict) else ()
    return {
        name: entry
        for name, entry in entries
        if isinstance(entry, dict)
        and isinstance(entry.get("sha256"), str)
        and isinstance(entry.get("since"), str)
    }


def _fresh(text: bytes, digests: Mapping[str, str]) -> list[str]:
    """Return the files that the index has with other bytes, or not at all."""
    index = _entries(text)
    return [name for name, digest in digests.items() if _digest(index, name) != digest]


def _joined(old: bytes, entries: Mapping[str, Any]) -> bytes:
    return json.dumps({**_entries(old), **entries}, indent=1, sort_keys=True).encode()


def _digest(index: Mapping[str, Any], name: str) -> str:
    return str(index[name]["sha256"]) if name in index else ""


def _stamp(good: GoodFile) -> str:
    return good.since.astimezone(UTC).strftime(_STAMP) if good.since else ""


def _moment(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def _place(name: str) -> str:
    return f"history/{name}/good{name[name.rfind('.') :] if '.' in name else ''}"
