"""What is in force of the files that people edit: the file itself or, while it is unusable, its last good
version.

Its bytes lie beside the file's former versions, as `history/NAME/good.txt` (or `.toml`), and
`history/good.json` says since when each is known. They are written only when they change. So a restart
changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from gettext import gettext as _
from typing import Any

from bot.league.files import LEAGUE_FILE, STAMP, change, current, history_file, read_version, versions
from rating.encoding import as_text, refusal
from rating.league import LOG_NAME, League
from rating.league_file import LeagueError, decoded, line_of, parse_league
from rating.logdates import JST
from rating.models import MODELS
from storage.ports import LARGEST, Conflict, LogSource, NotFound, StorageError, TooLarge, too_large

INDEX = "history/good.json"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GoodFile:
    """The last good bytes of a file. `since` is when they were first read or, of a former version, replaced
    (aware); None where that is not known."""

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


@dataclass(frozen=True)
class LeagueInForce:
    """The league in force, and what is wrong with league.toml where that is not as the file has it."""

    league: League
    error: LeagueError | None = None
    unusable: UnusableFile | None = None


@dataclass
class LogsInForce:
    """The files in force by name, and the season logs that cannot be used, with what is in force instead."""

    files: dict[str, bytes] = field(default_factory=dict)
    unusable: list[UnusableFile] = field(default_factory=list)


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
        entries = {
            name: {
                "sha256": hashlib.sha256(good.data).hexdigest(),
                "since": good.since.astimezone(UTC).strftime(STAMP) if good.since else "",
            }
            for name, good in new.items()
        }
        try:
            index = self._write(new, entries)
        except StorageError as error:
            log.info("the last good version can't be kept: %s", error)
            self._unkept.update(new)
            return
        for name in index.keys() & new.keys():
            same = index[name]["sha256"] == entries[name]["sha256"]
            if same and self._met[name].data == new[name].data:
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

    def get(self, name: str) -> GoodFile | None:
        """Return the last good version of a file, None if none is known.

        Raises StorageError when the folder cannot be reached.
        """
        if name in self._met:
            return self._met[name]
        try:
            data = self._logs.read(history_file(name, "good")).data
        except NotFound:
            return None
        known = _entries(current(self._logs, INDEX)[0]).get(name, {"sha256": "", "since": ""})
        same = known["sha256"] == hashlib.sha256(data).hexdigest()
        return GoodFile(data, _moment(known["since"]) if same else None)

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


def read_in_force(logs: LogSource, now: datetime | None = None) -> LeagueInForce:
    """Return what a folder's league.toml says, or its last good version where it is unusable.

    With `now`, a good league.toml is kept as the last good version. Raises LeagueError when neither can be
    used, because writing by a guess would misplace games, and StorageError when the folder cannot be reached.
    """
    files, large = read_files(logs, [LEAGUE_FILE])
    good = LastGood(logs)
    found = league_in_force(files.get(LEAGUE_FILE), good, now, large.get(LEAGUE_FILE, ""))
    good.keep()
    if found.error is not None and not (found.unusable and found.unusable.kept):
        raise found.error
    return found


def league_in_force(
    data: bytes | None, good: LastGood, now: datetime | None = None, large: str = ""
) -> LeagueInForce:
    """Return what the bytes of league.toml say (None: there is no file), or the last good version of them.

    `large` says why the file was not read, where it is too large. With `now`, `good` meets good bytes.
    Without any known version the league is empty. Raises StorageError when the folder cannot be reached.
    """
    if data is None and not large:
        return LeagueInForce(League())
    try:
        if large:
            raise LeagueError("too_large", words=large)
        league = _parsed(data or b"")
    except LeagueError as error:
        former = good.get(LEAGUE_FILE)
        try:
            league = _parsed(former.data) if former else League()
        except LeagueError:  # written by an older or a newer Janroku
            former, league = None, League()
        line = line_of(error, as_text(data or b""))
        unusable = UnusableFile(LEAGUE_FILE, line, error.reason, large=bool(large)).instead(former)
        return LeagueInForce(league, error, unusable)
    if now is not None:
        good.meet({LEAGUE_FILE: data or b""}, now)
    return LeagueInForce(league)


def read_files(logs: LogSource, names: Iterable[str]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return the bytes of these files by name, and the reason for each that is too large to read.

    A file that is gone is in neither. Raises StorageError when the folder cannot be reached.
    """
    files, large = {}, {}
    for name in names:
        try:
            files[name] = logs.read(name).data
        except NotFound:
            continue
        except TooLarge as error:
            large[name] = too_large(error.size)
    return files, large


def refusals(files: Mapping[str, bytes], large: Mapping[str, str]) -> dict[str, str]:
    """Return why season logs cannot be used, by name: they are no text, too large (`large`), or so together.

    Of logs that are too large together, the oldest seasons' are refused.
    """
    found = {name: reason for name, reason in large.items() if LOG_NAME.match(name)}
    total = 0
    for name in sorted(filter(LOG_NAME.match, files), key=_number, reverse=True):
        total += len(files[name])
        if total > LARGEST:
            found[name] = too_large(total, "with the newer seasons' logs it has ")
        elif reason := refusal(files[name]):
            found[name] = reason
    return found


def logs_in_force(
    files: Mapping[str, bytes], large: Mapping[str, str], good: LastGood, now: datetime | None = None
) -> LogsInForce:
    """Return the season logs among the files as they are in force; the other files are left as they are.

    `large` has the reason of each file that was not read because of its size. With `now`, `good` meets the
    good logs. A last good version for which LARGEST leaves no room beside the other logs in force is not in
    force. Raises StorageError when the folder cannot be reached.
    """
    refused = refusals(files, large)
    result = LogsInForce({name: data for name, data in files.items() if name not in refused})
    usable = {name: data for name, data in result.files.items() if LOG_NAME.match(name)}
    room = LARGEST - sum(map(len, usable.values()))
    for name in sorted(refused, key=_number, reverse=True):
        former = good.get_text(name)
        if former is not None and len(former.data) > room:
            former = None
        if former is not None:
            room -= len(former.data)
            result.files[name] = former.data
        is_large = name in large or refused[name] != refusal(files[name])
        result.unusable.append(UnusableFile(name, 0, refused[name], is_large).instead(former))
    result.unusable.sort(key=lambda fault: fault.file)
    if now is not None:
        good.meet(usable, now)
    return result


def _parsed(data: bytes) -> League:
    return parse_league(decoded(data), tuple(MODELS))


def _number(name: str) -> tuple[int, str]:
    found = LOG_NAME.match(name)
    return (int(found[1]) if found else 0, name)


def _entries(text: bytes) -> dict[str, Any]:
    """Return the index's entries by file. An index that cannot be read counts as empty."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return {
        name: entry
        for name, entry in (found.items() if isinstance(found, dict) else ())
        if isinstance(entry, dict)
        and isinstance(entry.get("sha256"), str)
        and isinstance(entry.get("since"), str)
    }


def _moment(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None
