"""Put a backup back: everything is checked before anything is written, and a restore that was stopped can be
run again.

Without `over` nothing that is there is changed: a file with other bytes, a file or a value that the backup
does not have, end it before the first write. What is there already as the backup has it counts as done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bot.league.archive import Archive, ArchiveError
from bot.league.backup import OpenLogs, Progress, names_in
from bot.league.repository import check_folder_name
from bot.runtime.encryption import Encryption
from storage.database import Database
from storage.ports import LogSource, NotFound, TooLarge
from storage.schema import SCHEMA
from storage.state import KeptRow, kept_rows, put_rows, remove_rows, secret_of

_AGAIN = "/good."  # the last good version of a file is kept anew at every look


class NotEmpty(ValueError):
    """There is something else where the backup would go; the message names it."""


@dataclass
class Restored:
    """What was restored: numbers of files and values. `without_key`: values that cannot be decrypted here,
    left out."""

    leagues: int = 0
    written: int = 0
    unchanged: int = 0
    removed: int = 0
    state: int = 0
    without_key: int = 0
    own_accounts: list[str] = field(default_factory=list)


class Restore:
    """A restore of one backup into the stores of this installation.

    `open_logs` opens a league's folder, `has_account` says whether a league has a Dropbox account of its own;
    such a folder keeps the files it has. `secret_key` is JANROKU_SECRET_KEY. `progress` counts leagues, each
    twice.
    """

    def __init__(
        self,
        archive: Archive,
        database: Database,
        open_logs: OpenLogs,
        *,
        has_account: Callable[[str], bool] = lambda league: False,
        secret_key: str = "",
        over: bool = False,
        clock: Callable[[], float] = time.time,
        progress: Progress = lambda done, total: None,
    ) -> None:
        self._archive = archive
        self._database = database
        self._open_logs = open_logs
        self._has_account = has_account
        self._encryption = Encryption(secret_key) if secret_key else None
        self._over = over
        self._clock = clock
        self._progress = progress
        self._result = Restored()

    def check(self) -> None:
        """Read the whole backup and, unless `over`, compare it with what is there.

        Raises ArchiveError when the backup is broken or of a newer version, NotEmpty when something else is
        there, and StorageError when a store cannot be reached.
        """
        about = self._archive.about
        if about.schema > SCHEMA:
            raise ArchiveError(
                f"the backup is of a newer Janroku ({about.version}, schema {about.schema}; this version "
                f"reads up to {SCHEMA})"
            )
        for _ in self._archive.rows():
            pass  # each is checked as it is read
        for done, league in enumerate(self._archive.leagues):
            self._progress(done, 2 * len(self._archive.leagues))
            check_folder_name(league)
            self._open_logs(league)  # of an account whose token can't be read nothing is written elsewhere
            if sum(1 for _ in self._archive.files(league)) != about.leagues[league]:
                raise ArchiveError(f"the backup is broken: files of {league or 'the root'} are missing")
        if not self._over:
            self._compare()

    def _compare(self) -> None:
        """Raises NotEmpty when the stores hold something else than the backup."""
        for ours, theirs in _beside(self._archive.rows(), kept_rows(self._database)):
            if theirs is not None and (ours is None or ours.columns != theirs.columns):
                raise NotEmpty(f"the database holds rows of {theirs.table!r} already")
        for league in self._archive.leagues:
            if league and self._has_account(league):
                continue
            logs = self._open_logs(league)
            there = set(names_in(logs))
            for name, data in self._archive.files(league) if there else ():
                if name in there and not _again(name) and _bytes(logs, name) != data:
                    raise NotEmpty(f"{name} is there already, with other content{_of(league)}")
                there.discard(name)
            for name in sorted(there):
                if not _again(name):
                    raise NotEmpty(f"{name} is there already, and not in the backup{_of(league)}")

    def write(self) -> Restored:
        """Write what is missing or different. Raises StorageError when a store cannot be reached; then run it
        again.

        Accounts come first, then the files, and at last what makes the bot answer.
        """
        result, leagues = self._result, self._archive.leagues
        self._write_rows(first=True)
        for done, league in enumerate(leagues, len(leagues)):
            self._progress(done, 2 * len(leagues))
            self._league(league)
            result.leagues += 1
        if self._over:
            self._drop_rows()
        self._write_rows(first=False)
        self._progress(2 * len(leagues), 2 * len(leagues))
        return result

    def _league(self, league: str) -> None:
        logs = self._open_logs(league)
        there, own = set(names_in(logs)), bool(league) and self._has_account(league)
        if own:
            self._result.own_accounts.append(league)
        for name, data in self._archive.files(league):
            if name in there and (own or _bytes(logs, name) == data):
                self._result.unchanged += 1
            else:
                logs.overwrite(name, data)
                self._result.written += 1
            there.discard(name)
        if self._over and not own:
            for name in sorted(there):
                logs.remove(name)
                self._result.removed += 1

    def _write_rows(self, *, first: bool) -> None:
        """Write the rows, those with a secret `first` or all others."""
        put_rows(self._database, self._rows(first))

    def _rows(self, first: bool) -> Iterator[KeptRow]:
        now = self._clock()
        for row in self._archive.rows():
            secret, until = secret_of(row), row.columns.get("until")
            if bool(secret) is not first or (until is not None and until <= now):
                continue
            if secret and not self._can_decrypt(secret):
                self._result.without_key += 1
                continue
            self._result.state += 1
            yield row

    def _drop_rows(self) -> None:
        """Remove the rows that the backup does not have."""
        gone = [
            theirs
            for ours, theirs in _beside(self._archive.rows(), kept_rows(self._database))
            if theirs and not ours
        ]
        remove_rows(self._database, gone)

    def _can_decrypt(self, secret: str) -> bool:
        try:
            return self._encryption is not None and bool(self._encryption.decrypt(secret))
        except ValueError:
            return False


def _beside(
    ours: Iterator[KeptRow], theirs: Iterator[KeptRow]
) -> Iterator[tuple[KeptRow | None, KeptRow | None]]:
    """Yield the values of both in the order of keys, those of one key together."""
    one, other = next(ours, None), next(theirs, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one.key < other.key):
            yield one, None
            one = next(ours, None)
        elif one is None or other.key < one.key:
            yield None, other
            other = next(theirs, None)
        else:
            yield one, other
            one, other = next(ours, None), next(theirs, None)


def _bytes(logs: LogSource, name: str) -> bytes | None:
    try:
        return logs.read(name).data
    except (NotFound, TooLarge):
        return None


def _again(name: str) -> bool:
    return name == "history/good.json" or _AGAIN in name


def _of(league: str) -> str:
    return f" (league {league})" if league else ""
