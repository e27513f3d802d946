"""Back up every league: its files, their former versions, its records, and what only the database knows.

The state is read before the files: what a sync merges meanwhile is then in the files and counts as waiting in
the state, and merging it again changes nothing. Pictures are left out, because they are drawn again, and
secrets stay as encrypted as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from bot.league.archive import TARRED, About, ArchiveWriter
from bot.league.files import is_read
from bot.league.repository import check_folder_name
from bot.runtime.version import VERSION
from storage.database import Database
from storage.ports import LogSource, NotFound, StorageError, TooLarge
from storage.schema import SCHEMA
from storage.state import KeptRow, kept_rows, secret_of

Progress = Callable[[int, int], None]
OpenLogs = Callable[[str], LogSource]


@dataclass
class Backup:
    """What was backed up. `left_out` names files that were not, and why; `problems` leagues that could not be
    read."""

    about: About
    problems: list[str] = field(default_factory=list)
    encrypted: int = 0

    @property
    def files(self) -> int:
        """The number of files of all leagues."""
        return sum(self.about.leagues.values())


def back_up(
    file: Any, database: Database, open_logs: OpenLogs, progress: Progress = lambda done, total: None
) -> Backup:
    """Write a backup of all leagues into an open file. `progress` counts leagues.

    A league of a host that can't be read is a problem and left out. Raises StorageError when the root folder
    or the state store can't be reached.
    """
    made = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    backup = Backup(About(VERSION, SCHEMA, made))
    writer = ArchiveWriter(file)
    leagues: set[str] = {""}

    def rows() -> Iterator[KeptRow]:
        for row in kept_rows(database):
            leagues.update(_league_of(row))
            backup.encrypted += bool(secret_of(row))
            yield row

    backup.about.state = writer.put_rows(rows())
    leagues |= _folders(open_logs)
    for done, league in enumerate(sorted(leagues)):
        progress(done, len(leagues))
        backup.about.leagues[league] = 0
        try:
            _league(writer, league, open_logs(league), backup.about)
        except StorageError as error:
            if not league:
                raise
            backup.problems.append(f"{league}: {error}")
            backup.about.left_out.append(f"leagues/{league}: could not be read")
    writer.close(backup.about)
    progress(len(leagues), len(leagues))
    return backup


def names_in(logs: LogSource) -> list[str]:
    """Return the names of a league's files that a backup holds; none where the folder is missing."""
    try:
        top = logs.changes().files
    except NotFound:
        return []
    return [*(name for folder in TARRED for name in logs.below(folder)), *filter(is_read, sorted(top))]


def _league(writer: ArchiveWriter, league: str, logs: LogSource, about: About) -> None:
    """Write a league's files and count them in `about`. What is too large to be read is left out, and
    said."""
    try:
        top = logs.changes().files
    except NotFound:  # enrolled, and nothing synced yet
        return

    def read(names: list[str]) -> Iterator[tuple[str, bytes]]:
        for name in names:
            try:
                data = logs.read(name).data
            except NotFound:
                continue  # removed meanwhile
            except TooLarge as error:
                about.left_out.append(f"{league or 'root'}: {error}")
                continue
            yield name, data
            about.leagues[league] += 1

    for folder in TARRED:
        if names := logs.below(folder):
            writer.put_folder(league, folder, read(names))
    for name, data in read(sorted(filter(is_read, top))):
        writer.put_file(league, name, data)


def _league_of(row: KeptRow) -> set[str]:
    """Return the league that a row names, where it may be known from nothing else."""
    league = str(row.columns["league"]) if row.table in ("accounts", "chats", "rooms") else ""
    return {league} if _is_folder(league) else set()


def _folders(open_logs: OpenLogs) -> set[str]:
    """Return the folders in the root that hold a league's files, also of leagues that no chat asks for."""
    found: set[str] = set()
    try:
        folders = open_logs("").changes().folders
    except NotFound:
        return found
    for folder in folders - {*TARRED, "charts"}:
        if _is_folder(folder):
            try:
                if any(map(is_read, open_logs(folder).changes().files)):
                    found.add(folder)
            except StorageError:
                found.add(folder)  # its turn tells what is wrong
    return found


def _is_folder(name: str) -> bool:
    try:
        check_folder_name(name)
    except ValueError:
        return False
    return True
