"""A log folder from two sides: as Janroku opens it, and as its owner edits files by hand."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import psycopg
import pytest

from storage.files import content_rev
from storage.logs import DropboxLogs, FolderLogs
from storage.ports import LogSource
from storage.postgres_logs import PostgresLogs
from tests.fakes.dropbox import FakeDropbox


class Place(Protocol):
    """A log folder: how to open it, and what its owner does in it."""

    def open(self) -> LogSource:
        """A new LogSource on the folder, as after a restart."""

    def put(self, name: str, data: bytes) -> None:
        """Write a file by hand."""

    def delete(self, name: str) -> None:
        """Remove a file by hand."""

    def remove_folder(self) -> None:
        """Remove the whole folder."""


class DiskPlace:
    """A directory; `logs` opens it."""

    def __init__(self, folder: Path, logs: Callable[[Path], LogSource] = FolderLogs) -> None:
        self.folder, self._logs = folder, logs
        folder.mkdir()

    def open(self) -> LogSource:
        return self._logs(self.folder)

    def put(self, name: str, data: bytes) -> None:
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_bytes(data)

    def delete(self, name: str) -> None:
        (self.folder / name).unlink()

    def remove_folder(self) -> None:
        shutil.rmtree(self.folder)


class DropboxPlace:
    """A folder at Dropbox, made by putting a file into it and deleting it; `""` is the app's own folder."""

    def __init__(self, dropbox: FakeDropbox, folder: str) -> None:
        self.dropbox, self.folder = dropbox, folder
        self.put("x", b"")
        self.delete("x")

    def open(self) -> DropboxLogs:
        fake = self.dropbox
        return DropboxLogs(
            self.folder, app_key=fake.app_key, app_secret=fake.app_secret, refresh_token=fake.refresh_token
        )

    def put(self, name: str, data: bytes) -> None:
        self.dropbox.account.put(f"{self.folder}/{name}", data)

    def delete(self, name: str) -> None:
        self.dropbox.account.delete(f"{self.folder}/{name}")

    def remove_folder(self) -> None:
        self.dropbox.account.delete(self.folder)


class PostgresPlace:
    """A folder in a table, made by putting a file into it and removing it; `""` is the root."""

    def __init__(self, database_url: str, folder: str) -> None:
        self.url, self.folder = database_url, folder
        self.open().overwrite("x", b"")
        self.open().remove("x")

    def open(self) -> PostgresLogs:
        return PostgresLogs(self.url, self.folder)

    def put(self, name: str, data: bytes) -> None:
        path = f"{self.folder}/{name}" if self.folder else name
        row = {
            "path": path,
            "folder": path.rpartition("/")[0],
            "rev": content_rev(data),
            "size": len(data),
            "data": data,
        }
        self._run(
            "INSERT INTO janroku_files (path, folder, rev, size, data) VALUES (%(path)s, %(folder)s, %(rev)s, %(size)s, %(data)s) "
            "ON CONFLICT (path) DO UPDATE SET rev = excluded.rev, size = excluded.size, data = excluded.data",
            row,
        )

    def delete(self, name: str) -> None:
        path = f"{self.folder}/{name}" if self.folder else name
        self._run("DELETE FROM janroku_files WHERE path = %(path)s", {"path": path})

    def remove_folder(self) -> None:
        self._run(
            "DELETE FROM janroku_files WHERE starts_with(path, %(top)s)",
            {"top": f"{self.folder}/" if self.folder else ""},
        )

    def _run(self, sql: str, row: dict[str, object]) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(sql.encode(), row)


def _postgres(folder: str) -> Callable[[pytest.FixtureRequest, Path], Place]:
    return lambda request, folder_here: PostgresPlace(request.getfixturevalue("database_url"), folder)


def _dropbox(folder: str) -> Callable[[pytest.FixtureRequest, Path], Place]:
    return lambda request, folder_here: DropboxPlace(request.getfixturevalue("dropbox"), folder)


PLACES: dict[str, Callable[[pytest.FixtureRequest, Path], Place]] = {
    "file:": lambda request, folder: DiskPlace(folder / "logs"),
    "dropbox:/FOLDER": _dropbox("/リーグ/Logs"),
    "dropbox:/": _dropbox(""),
    "postgres:/FOLDER": _postgres("リーグ/east"),
    "postgres:": _postgres(""),
}
"""A place for the address beginning so; the contract suite runs on each."""
