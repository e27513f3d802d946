"""Back up every league: its files, their former versions, its records, and what only the database
knows; and put a backup back. Pictures are drawn again; secrets stay as encrypted as they are.

The state is read before the files: what a sync merges meanwhile is then in the files and waits in
the state, and merging it again changes nothing.

A restore checks everything before it writes anything, and one that was stopped can be run again.
Without `over`, a file with other bytes, or a file or a row that the backup does not have, ends it
before the first write.
"""

from __future__ import annotations

import heapq
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from itertools import groupby
from tempfile import TemporaryFile
from typing import Any, NamedTuple

from bot.league.archive import (
    TARRED,
    About,
    Archive,
    ArchivedFile,
    ArchiveError,
    ArchiveWriter,
)
from bot.league.files import is_read
from bot.league.folder_names import check_folder_name
from bot.league.last_good import INDEX
from bot.runtime.encryption import Encryption
from bot.runtime.version import VERSION
from storage.backup_rows import KeptRow, kept_rows, put_rows, remove_rows, secret_of
from storage.backups import BackupPlace
from storage.database import Database
from storage.ports import LogSource, NotFound, StorageError, TooLarge
from storage.schema import SCHEMA

DAILY = 7  # backups that BACKUP_URL keeps
_DAILY = re.compile(r"janroku-[0-9]{4}-[0-9]{2}-[0-9]{2}\.zip")
NAMING_LEAGUES = ("accounts", "chats", "rooms")
"""The tables from which a league may be known that has no folder in the root."""

Progress = Callable[[int, int], None]
"""Called with the number of leagues that are done, and that of all."""
OpenLogs = Callable[[str], LogSource]
"""Opens the folder of a league by its name."""


def no_progress(done: int, total: int) -> None:
    """Show nothing."""


def no_account(league: str) -> bool:
    """Where no league has an account of its own."""
    return False


class NotEmpty(ValueError):
    """There is something else where the backup would go; the message names it."""


@dataclass
class Backup:
    """What was backed up.

    `about` names files left out, and why; `problems` leagues that can't be read.
    """

    about: About
    problems: list[str] = field(default_factory=list)
    encrypted: int = 0

    @property
    def files(self) -> int:
        return sum(self.about.leagues.values())


def back_up(
    file: Any,
    database: Database,
    open_logs: OpenLogs,
    progress: Progress = no_progress,
) -> Backup:
    """Write a backup of all leagues into an open file. A league of a host that can't be read is a
    problem and left out. Raises StorageError when the root folder or the state store can't be
    reached."""
    backup = Backup(About(VERSION, SCHEMA, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")))
    writer = ArchiveWriter(file)
    rows = _StateRows(database)
    backup.about.state = writer.put_rows(rows)
    backup.encrypted = rows.encrypted
    leagues = sorted(rows.leagues.union(_folders(open_logs)))
    for done, league in enumerate(leagues):
        progress(done, len(leagues))
        backup.about.leagues[league] = 0
        try:
            _write_league(writer, league, open_logs(league), backup.about)
        except StorageError as error:
            if not league:
                raise
            backup.problems.append(f"{league}: {error}")
            backup.about.left_out.append(f"leagues/{league}: could not be read")
    writer.close(backup.about)
    progress(len(leagues), len(leagues))
    return backup


class _StateRows:
    """The rows of the database in the order of keys. While they are read, it collects the leagues
    that they name ("" is the root's), and counts those that are encrypted."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.leagues = {""}
        self.encrypted = 0

    def __iter__(self) -> Iterator[KeptRow]:
        for row in kept_rows(self._database):
            if row.table in NAMING_LEAGUES and _is_folder(str(row.columns["league"])):
                self.leagues.add(str(row.columns["league"]))
            if secret_of(row):
                self.encrypted += 1
            yield row


def keep_daily(place: BackupPlace, database: Database, open_logs: OpenLogs, day: date) -> None:
    """Write the day's backup, if there is none yet, and remove all but the newest DAILY. Raises
    StorageError."""
    name = f"janroku-{day}.zip"
    backups = sorted(filter(_DAILY.fullmatch, place.names()))
    if name in backups:
        return
    with TemporaryFile() as file:
        back_up(file, database, open_logs)
        file.seek(0)
        place.put(name, file.read())
    for old in backups[: 1 - DAILY]:
        place.remove(old)


def leagues_of(database: Database, open_logs: OpenLogs) -> list[str]:
    """Return the folders of all leagues that the database or the root folder knows, the root's ("")
    first.
    """
    rows = _StateRows(database)
    for _row in rows:
        pass  # reading them collects the leagues
    return sorted(rows.leagues.union(_folders(open_logs)))


def names_in(logs: LogSource) -> list[str]:
    """Return the names of a league's files that go into a backup; none where the folder is
    missing.
    """
    try:
        top_names = logs.revisions()
    except NotFound:  # enrolled, and nothing synced yet
        return []
    names: list[str] = []
    for folder in TARRED:
        names += logs.below(folder)
    return [*names, *filter(is_read, sorted(top_names))]


def _write_league(writer: ArchiveWriter, league: str, logs: LogSource, about: About) -> None:
    """Write a league's files; `about` counts them, and lists those that are too large."""

    def read(names: Sequence[str]) -> Iterator[ArchivedFile]:
        for name in names:
            try:
                data = logs.read(name).data
            except NotFound:
                continue  # removed meanwhile
            except TooLarge as error:
                about.left_out.append(f"{league or 'root'}: {error}")
                continue
            yield ArchivedFile(name, data)
            about.leagues[league] += 1

    names = names_in(logs)
    for folder in TARRED:
        inside = [name for name in names if name.startswith(f"{folder}/")]
        if inside:
            writer.put_folder(league, folder, read(inside))
    for file in read([name for name in names if "/" not in name]):
        writer.put_file(league, file)


def _folders(open_logs: OpenLogs) -> Iterator[str]:
    """Yield the folders in the root that have a league's files, also of leagues without a chat."""
    try:
        folders = open_logs("").folders()
    except NotFound:
        return
    for folder in filter(_is_folder, folders - {*TARRED, "charts"}):
        try:
            has_files = any(map(is_read, open_logs(folder).revisions()))
        except StorageError:
            has_files = True  # the fault is reported when the league is written
        if has_files:
            yield folder


def _is_folder(name: str) -> bool:
    try:
        check_folder_name(name)
    except ValueError:
        return False
    return True


@dataclass
class Restored:
    """Numbers of files and values restored.

    `without_key`: values left out that can't be decrypted here.
    """

    leagues: int = 0
    written: int = 0
    unchanged: int = 0
    removed: int = 0
    state: int = 0
    without_key: int = 0
    own_accounts: list[str] = field(default_factory=list)


class RowPair(NamedTuple):
    """The row of one key in the backup and in this installation's database; None for no row."""

    backup: KeptRow | None
    database: KeptRow | None

    def is_same(self) -> bool:
        if self.backup is None or self.database is None:
            return False
        return self.backup.columns == self.database.columns


class _PlacedRow(NamedTuple):
    """A row, and whether it is the backup's or the database's."""

    row: KeptRow
    is_in_backup: bool


class Restore:
    """A restore of one backup into the stores of this installation. The files of a league that
    `has_account`, an account of its own, stay as they are. `progress` counts leagues, each twice.
    With `over` other content is replaced.

    The order of the steps of `write` guarantees that the bot answers in no chat before all files
    are there, so that a restore that was killed can be run again. Shown by tests/league/test_backup.py.
    """

    def __init__(
        self,
        archive: Archive,
        database: Database,
        open_logs: OpenLogs,
        *,
        has_account: Callable[[str], bool] = no_account,
        secret_key: str = "",
        over: bool = False,
        clock: Callable[[], float] = time.time,
        progress: Progress = no_progress,
    ) -> None:
        self._archive = archive
        self._database = database
        self._open_logs = open_logs
        self._has_account = has_account
        self._encryption = Encryption(secret_key) if secret_key else None
        self._over = over
        self._clock = clock
        self._progress = progress

    def check(self) -> None:
        """Read the whole backup and, unless `over`, compare it with what is there. Raises
        ArchiveError when the backup is broken or of a newer version, NotEmpty when something else
        is there, and StorageError.
        """
        about = self._archive.about
        if about.schema > SCHEMA:
            raise ArchiveError(
                f"the backup is of a newer Janroku ({about.version}, schema {about.schema}; this version "
                f"reads up to {SCHEMA})"
            )
        for _row in self._archive.rows():
            pass  # each is checked as it is read
        leagues = self._archive.leagues
        for done, league in enumerate(leagues):
            self._progress(done, 2 * len(leagues))
            self._check_league(league)
        if self._over:
            return
        for pair in self._row_pairs():
            if pair.database is not None and not pair.is_same():
                raise NotEmpty(f"the database holds rows of {pair.database.table!r} already")
        for league in leagues:
            if not self._has_own_files(league):
                self._check_empty(league)

    def write(self) -> Restored:
        """Write what is missing or different: accounts, then files, at last what makes the bot
        answer. Raises StorageError when a store cannot be reached; then run it again."""
        result = Restored()
        leagues = self._archive.leagues
        put_rows(self._database, self._rows(result, secret=True))
        for done, league in enumerate(leagues, len(leagues)):
            self._progress(done, 2 * len(leagues))
            self._write_league(league, result)
        if self._over:
            remove_rows(self._database, self._extra_rows())
        put_rows(self._database, self._rows(result, secret=False))
        self._progress(2 * len(leagues), 2 * len(leagues))
        return result

    def _has_own_files(self, league: str) -> bool:
        return bool(league) and self._has_account(league)

    def _check_league(self, league: str) -> None:
        check_folder_name(league)
        # For an account whose token can't be read this raises: nothing is written elsewhere.
        self._open_logs(league)
        count = sum(1 for _file in self._archive.files(league))
        if count != self._archive.about.leagues[league]:
            raise ArchiveError(f"the backup is broken: files of {league or 'the root'} are missing")

    def _check_empty(self, league: str) -> None:
        """Raises NotEmpty when the league's folder has a file that the backup does not have, or
        with other bytes."""
        logs = self._open_logs(league)
        which = f" (league {league})" if league else ""
        # The last good versions of files are stored again at every look, so they may differ.
        names = {name for name in names_in(logs) if name != INDEX and "/good." not in name}
        if not names:
            return
        for name, data in self._archive.files(league):
            if name in names and _bytes(logs, name) != data:
                raise NotEmpty(f"{name} is there already, with other content{which}")
            names.discard(name)
        if names:
            raise NotEmpty(f"{min(names)} is there already, and not in the backup{which}")

    def _write_league(self, league: str, result: Restored) -> None:
        logs = self._open_logs(league)
        has_own_files = self._has_own_files(league)
        if has_own_files:
            result.own_accounts.append(league)
        names = set(names_in(logs))
        for name, data in self._archive.files(league):
            if name in names and (has_own_files or _bytes(logs, name) == data):
                result.unchanged += 1
            else:
                logs.overwrite(name, data)
                result.written += 1
            names.discard(name)
        if self._over and not has_own_files:
            for name in sorted(names):
                logs.remove(name)
                result.removed += 1
        result.leagues += 1

    def _rows(self, result: Restored, secret: bool) -> Iterator[KeptRow]:
        """Yield the rows to write: those with a secret, or those without."""
        now = self._clock()
        for row in self._archive.rows():
            encrypted = secret_of(row)
            until = row.columns.get("until")
            if bool(encrypted) is not secret or (until is not None and until <= now):
                continue
            if secret and not self._can_decrypt(encrypted):
                result.without_key += 1
                continue
            result.state += 1
            yield row

    def _can_decrypt(self, encrypted: str) -> bool:
        if self._encryption is None:
            return False
        try:
            return bool(self._encryption.decrypt(encrypted))
        except ValueError:
            return False

    def _extra_rows(self) -> list[KeptRow]:
        """Return the rows of the database that the backup does not have."""
        rows = (pair.database for pair in self._row_pairs() if pair.backup is None)
        return [row for row in rows if row is not None]

    def _row_pairs(self) -> Iterator[RowPair]:
        """Yield the rows of the backup and of the database in the order of keys."""
        backup_rows = (_PlacedRow(row, is_in_backup=True) for row in self._archive.rows())
        database_rows = (_PlacedRow(row, is_in_backup=False) for row in kept_rows(self._database))
        placed_rows = heapq.merge(backup_rows, database_rows, key=_key_of)
        for _key, same_key in groupby(placed_rows, key=_key_of):
            by_place = {placed.is_in_backup: placed.row for placed in same_key}
            yield RowPair(backup=by_place.get(True), database=by_place.get(False))


def _key_of(placed: _PlacedRow) -> tuple[str, ...]:
    return placed.row.key


def _bytes(logs: LogSource, name: str) -> bytes | None:
    try:
        return logs.read(name).data
    except (NotFound, TooLarge):
        return None
