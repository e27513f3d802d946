"""What is in force of the files that people edit: the file itself or, while it is unusable or has
lost games, its last good version.

That lies beside the former versions, as `history/NAME/good.txt` (or `.toml`), and
`history/good.json` says since when each is known. They are written when they change, after the
version before is kept among the former ones; so is a version that is not good.

A season log has lost games when it is gone or empty, or when a tenth of its games, and at least
three, stand in no log any more. It counts as good again once they are back, or an admin has said
that they are to go (`LastGood.accept`).
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from bot.league.files import (
    LEAGUE_FILE,
    STAMP,
    change,
    current,
    history_file,
    keep_once,
    read_version,
    versions,
)
from bot.runtime.translation import translated as _
from rating.encoding import as_text, refusal
from rating.league import LOG_NAME, League
from rating.league_file import LeagueError, decoded, line_of, parse_league
from rating.logdates import JST
from rating.models import MODELS
from rating.roomlog import parse
from rating.same_game import identity
from storage.ports import LARGEST, Conflict, LogSource, NotFound, StorageError, TooLarge, too_large

INDEX = "history/good.json"
log = logging.getLogger(__name__)
FEW = 3  # games that a hand takes out; fewer are a correction


@dataclass(frozen=True, slots=True)
class GoodFile:
    """The last good bytes of a file. `since` (aware, if known) is when they were first read or, of
    a former version, replaced."""

    data: bytes
    since: datetime | None = None


class LastGood:
    """The last good files of one folder.

    What was met serves at once; `keep` makes it outlive the process.
    """

    def __init__(self, logs: LogSource) -> None:
        self._logs = logs
        self._met: dict[str, GoodFile] = {}
        self._unkept: set[str] = set()
        self._odd: dict[
            str, GoodFile
        ] = {}  # what was seen instead of a good version, and is not kept yet
        self._index: tuple[bytes, str | None] | None = (
            None  # the index's text and revision, once it is known
        )

    def meet(self, files: Mapping[str, bytes], now: datetime) -> None:
        """Take these files for good ones; nothing is written. The caller's bytes are held, so that
        bytes which were read anew are not in memory twice."""
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
        kept = {name for name, entry in self._entries().items() if entry["sha256"]}
        return kept | self._unkept

    def before(self, name: str, data: bytes | None) -> GoodFile | None:
        """Return the last good version where it is another than these bytes (None: there is no such
        file); None where they are good or accepted, or none is known. Raises StorageError."""
        if name in self._met and self._met[name].data == data:
            return None
        digest = _digest(data) if data is not None else ""
        if self._entries().get(name, {}).get("sha256") != digest:
            self._index = None  # another process may know more
            kept = self._entries().get(name, {}).get("sha256")
            if kept != digest:
                met = self._met.get(name)
                if met and name not in self._unkept and kept not in (None, _digest(met.data)):
                    del self._met[name]  # it has kept a newer one
                return self.get(name)
        self._met.pop(name, None)
        self._unkept.discard(name)
        return None

    def accept(self, name: str, data: bytes | None, now: datetime) -> None:
        """Take these bytes (None: there is no such file) for good because an admin says so. What
        was good before is kept as a former version. Raises StorageError."""
        self._odd.pop(name, None)
        self._index = None
        if data is not None:
            self._met[name] = GoodFile(data, now)
            self._write(
                {name: self._met[name]},
                {name: _entry(self._met[name])},
            )
        elif before := self.get(name):
            keep_once(self._logs, name, before.data, now)
            self._met.pop(name, None)
            gone = {name: _entry(GoodFile(b"", now)) | {"sha256": ""}}

            def forgotten(index: bytes) -> bytes:
                return _index_bytes({**_entries(index), **gone})

            change(self._logs, INDEX, forgotten, now, keeping=False)

    def changed(self) -> bool:
        """Whether another process has written the index since it was read. Raises StorageError."""
        before = self._index
        self._index = current(self._logs, INDEX)
        return before is not None and before[0] != self._index[0]

    def keep(self) -> None:
        """Keep the files that were met and are not kept yet. Where the folder cannot be written,
        that is logged."""
        for name, odd in list(self._odd.items()):
            try:
                keep_once(self._logs, name, odd.data, odd.since or datetime.now(UTC))
                self._odd.pop(name, None)
            except StorageError as error:
                log.info("a version of %s can't be kept: %s", name, error)
        new = {}
        for name in sorted(self._unkept.copy()):
            good = self._met.get(name)
            if good is not None:
                new[name] = good
        if not new:
            return
        entries = {name: _entry(good) for name, good in new.items()}
        try:
            index = self._write(new, entries)
        except StorageError as error:
            log.info("the last good version can't be kept: %s", error)
            return
        for name, good in new.items():
            self._unkept.discard(name)
            met = self._met.get(name)
            if met and met.data != good.data:  # another thread has met a newer one
                self._unkept.add(name)
            elif met and _has_bytes(index, name, entries[name]):
                self._met[name] = replace(met, since=_moment(index[name]["since"]))

    def _write(
        self,
        files: Mapping[str, GoodFile],
        entries: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Write the files that are not kept yet, first the bytes and then the index.

        Return the index.
        """

        def lacking(index: bytes) -> list[str]:
            there = _entries(index)
            return [name for name, new in entries.items() if not _has_bytes(there, name, new)]

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
            if _digest(data) == _entries(text).get(name, {}).get("sha256"):
                keep_once(self._logs, name, data, files[name].since or datetime.now(UTC))
            self._logs.overwrite(history_file(name, "good"), files[name].data)
        added = {name: entries[name] for name in fresh}

        def joined(old: bytes) -> bytes:
            return _index_bytes({**_entries(old), **added})

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
        known = _entries(current(self._logs, INDEX)[0]).get(
            name,
            {"sha256": None, "since": ""},
        )
        if known["sha256"] == "":  # that the file is gone was accepted
            return None
        same = known["sha256"] == _digest(data)
        return GoodFile(data, _moment(known["since"]) if same else None)

    def get_text(self, name: str) -> GoodFile | None:
        """Return the last good version of a text file, or else the newest former one that can be
        read. Raises StorageError."""
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
    return {"sha256": _digest(good.data), "since": since}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _index_bytes(entries: Mapping[str, Any]) -> bytes:
    return json.dumps(entries, indent=1, sort_keys=True).encode()


def _has_bytes(index: Mapping[str, Any], name: str, entry: Mapping[str, Any]) -> bool:
    """Whether the index says that the bytes of this entry are the good ones."""
    known = index.get(name, {}).get("sha256")
    return bool(known == entry["sha256"])


def _entries(text: bytes) -> dict[str, Any]:
    """Return the index's entries by file; one that cannot be read counts as empty."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return {
        name: entry
        for name, entry in (found.items() if isinstance(found, dict) else ())
        if isinstance(entry, dict)
        and all(isinstance(entry.get(key), str) for key in ("sha256", "since"))
    }


def _moment(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class UnusableFile:
    """A file that cannot be used, with line (from 1, 0 if unknown) and reason; `large` says that
    its size is that. `lost`: it can be read but is gone or empty, or has fewer `games` (before and
    now). `kept`: a former version is in force, `since` as GoodFile has it; otherwise the file
    counts as missing."""

    file: str
    line: int
    reason: str
    large: bool = False
    kept: bool = False
    since: datetime | None = None
    lost: Literal["", "gone", "empty", "fewer"] = ""
    games: tuple[int, int] = (0, 0)

    def instead(self, good: GoodFile | None) -> UnusableFile:
        return replace(self, kept=True, since=good.since) if good else self

    @property
    def outcome(self) -> str:
        if not self.kept:
            return _("no good version of it is known")
        if not self.since:
            return _("the last good version stays in force")
        since = self.since.astimezone(JST)
        return _("the last good version of {since:%Y-%m-%d %H:%M} JST stays in force", since=since)

    @property
    def cure(self) -> str:
        """What brings lost games back; "" where nothing is lost."""
        if not self.lost:
            return ""
        return _(
            "`flask league restore {file} good` puts it back, `flask league accept {file}` takes it as it is"
        ).format(file=self.file)

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return "; ".join(filter(None, (f"{where}: {self.reason}", self.outcome, self.cure)))


@dataclass(frozen=True)
class LeagueInForce:
    """The league in force, and what is wrong with league.toml where that is not as the file has
    it.
    """

    league: League
    error: LeagueError | None = None
    unusable: UnusableFile | None = None


def read_in_force(logs: LogSource, now: datetime | None = None) -> LeagueInForce:
    """Return what a folder's league.toml says, or its last good version; with `now`, a good one is
    kept as that. Raises LeagueError when neither can be used, because writing by a guess would
    misplace games, and StorageError."""
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
    """Return what the bytes of league.toml say (None: there is no file), or the last good version
    of them, else an empty league. `large` says why the file was not read, where it is too large.
    With `now`, `good` meets good bytes. Raises StorageError."""
    try:
        if not large and _says_nothing(data):
            former = good.before(LEAGUE_FILE, data)
            if former is not None and not _says_nothing(former.data):
                lost: Literal["gone", "empty"] = "gone" if data is None else "empty"
                fault = UnusableFile(LEAGUE_FILE, 0, _lost_words(lost), lost=lost).instead(former)
                return LeagueInForce(_parsed(former.data), unusable=fault)
            if data is None:
                return LeagueInForce(League())
        if large:
            raise LeagueError("too_large", words=large)
        league = _parsed(data or b"")
    except LeagueError as error:
        former = good.get(LEAGUE_FILE)
        try:
            league = _parsed(former.data) if former else League()
        except LeagueError:  # written by an older or a newer Janroku
            former = None
            league = League()
        line = line_of(error, as_text(data or b""))
        unusable = UnusableFile(LEAGUE_FILE, line, error.reason, large=bool(large)).instead(former)
        if now is not None and data is not None:
            good.see({LEAGUE_FILE: data}, now)
        return LeagueInForce(league, error, unusable)
    if now is not None:
        good.meet({LEAGUE_FILE: data or b""}, now)
    return LeagueInForce(league)


def read_files(
    logs: LogSource,
    names: Iterable[str],
) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return the bytes of these files, and the reason for each that is too large; one that is gone
    is in neither. Raises StorageError."""
    files = {}
    large = {}
    for name in names:
        try:
            files[name] = logs.read(name).data
        except NotFound:
            continue
        except TooLarge as error:
            large[name] = too_large(error.size)
    return files, large


def refusals(
    files: Mapping[str, bytes],
    large: Mapping[str, str],
) -> dict[str, str]:
    """Return why season logs can't be used: no text, too large (`large`), or so together: then the
    oldest are refused."""
    found = {name: reason for name, reason in large.items() if LOG_NAME.match(name)}
    total = 0
    for name in sorted(filter(LOG_NAME.match, files), key=_number, reverse=True):
        total += len(files[name])
        if total > LARGEST:
            found[name] = too_large(total, "with the newer seasons' logs it has ")
        elif reason := refusal(files[name]):
            found[name] = reason
    return found


def losses(
    logs: Mapping[str, bytes], good: LastGood, gone: Iterable[str]
) -> dict[str, UnusableFile]:
    """Return which of all the season logs that can be read, and of those that are `gone`, have lost
    games. Raises StorageError."""
    former = {name: good.before(name, data) for name, data in logs.items()}
    former |= {name: good.before(name, None) for name in gone}
    found: dict[str, UnusableFile] = {}
    for name, before in former.items():
        data = logs.get(name, b"")
        if before is None or (before.data and data.startswith(before.data)):
            continue
        had = _games(name, before.data)
        has = _games(name, data)
        less = len(had) - len(has)
        if _is_loss(had, has, less):
            others = (_games(other, there) for other, there in logs.items() if other != name)
            less -= len((had - has) & frozenset[object]().union(*others))
        if _is_loss(had, has, less):
            lost: Literal["gone", "empty", "fewer"] = "gone"
            if has:
                lost = "fewer"
            elif name in logs:
                lost = "empty"
            words = _lost_words(lost).format(had=len(had), has=len(has))
            found[name] = UnusableFile(
                name, 0, words, lost=lost, games=(len(had), len(has))
            ).instead(before)
    return found


def logs_in_force(
    files: Mapping[str, bytes],
    large: Mapping[str, str],
    good: LastGood,
    now: datetime | None = None,
    gone: Iterable[str] | None = None,
) -> tuple[dict[str, bytes], list[UnusableFile]]:
    """Return the files with the season logs as they are in force, and the logs that cannot be used,
    with what is in force instead. `large` has the reason of each file that was not read. `gone`
    names the logs that are not there any more; by default those of which a good version is known
    and that are in neither. With `now`, `good` meets the good logs, and sees the others. A good
    version for which LARGEST leaves no room beside the others is not in force. Raises StorageError.
    """
    refused = refusals(files, large)
    if gone is None:
        there = {*files, *large}
        gone = [name for name in good.names() if LOG_NAME.match(name) and name not in there]
    usable = {n: data for n, data in files.items() if LOG_NAME.match(n) and n not in refused}
    lost = losses(usable, good, gone)
    if now is not None:
        good.see(
            {name: files[name] for name in (*refused, *lost) if name in files},
            now,
        )
    usable = {name: data for name, data in usable.items() if name not in lost}
    replaced = {*refused, *lost}
    in_force = {name: data for name, data in files.items() if name not in replaced}
    unusable = []
    room = LARGEST - sum(map(len, usable.values()))
    for name in sorted(replaced, key=_number, reverse=True):
        former = good.get_text(name)
        if former is not None and len(former.data) > room:
            former = None
        if former is not None:
            room -= len(former.data)
            in_force[name] = former.data
        fault = lost.get(name)
        if fault is None:
            is_large = name in large or refused[name] != refusal(files[name])
            fault = UnusableFile(name, 0, refused[name], is_large)
        unusable.append(fault.instead(former))
    if now is not None:
        good.meet(usable, now)
    return in_force, sorted(unusable, key=lambda fault: fault.file)


def _parsed(data: bytes) -> League:
    return parse_league(decoded(data), tuple(MODELS))


def _says_nothing(data: bytes | None) -> bool:
    lines = [line.strip() for line in (data or b"").splitlines()]
    return all(not line or line.startswith(b"#") for line in lines)


def _games(name: str, data: bytes) -> frozenset[object]:
    lines = parse(name, data).lines
    return frozenset(identity(line) for line in lines if line.game is not None)


def _is_loss(had: Collection[object], has: Collection[object], less: int) -> bool:
    return less > 0 and (not has or less >= max(FEW, len(had) / 10))


def _lost_words(lost: str) -> str:
    words = {"gone": _("the file is gone"), "empty": _("nothing of it is left")}
    return words.get(lost) or _("it has {has} games, and had {had} before")


def _number(name: str) -> tuple[int, str]:
    found = LOG_NAME.match(name)
    return (int(found[1]) if found else 0, name)
