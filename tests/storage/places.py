"""A log folder from two sides: as Janroku opens it, and as its owner edits files by hand."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest
from sqlalchemy import delete

from bot.settings.stores import LOG_KINDS, open_logs
from storage.database import Database
from storage.dropbox_logs import DropboxLogs
from storage.files import content_rev
from storage.ports import LogSource
from storage.postgres import PostgresLogs
from storage.schema import FILES
from tests.fakes.dropbox import FakeDropbox


class Place(Protocol):
    """A log folder: how to open it, and what its owner does in it."""

    def open(self) -> LogSource:
        pass

    def put(self, name: str, data: bytes) -> None:
        pass

    def delete(self, name: str) -> None:
        pass

    def remove_folder(self) -> None:
        pass


class DiskPlace:
    """A directory, at the address that a store's scheme makes of it."""

    def __init__(self, folder: Path, scheme: str) -> None:
        self.folder = folder
        self._url = f"{scheme}{folder}"
        folder.mkdir()

    def open(self) -> LogSource:
        return open_logs(self._url, {})

    def put(self, name: str, data: bytes) -> None:
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_bytes(data)

    def delete(self, name: str) -> None:
        (self.folder / name).unlink()

    def remove_folder(self) -> None:
        shutil.rmtree(self.folder)


class DropboxPlace:
    """A folder at Dropbox, made by putting a file into it and deleting it; `""` is the app's own
    folder.
    """

    def __init__(self, dropbox: FakeDropbox, folder: str) -> None:
        self.dropbox = dropbox
        self.folder = folder
        self.put("x", b"")
        self.delete("x")

    def open(self) -> DropboxLogs:
        key = self.dropbox.app_key
        secret = self.dropbox.app_secret
        token = self.dropbox.refresh_token
        return DropboxLogs(self.folder, app_key=key, app_secret=secret, refresh_token=token)

    def put(self, name: str, data: bytes) -> None:
        self.dropbox.account.put(f"{self.folder}/{name}", data)

    def delete(self, name: str) -> None:
        self.dropbox.account.delete(f"{self.folder}/{name}")

    def remove_folder(self) -> None:
        self.dropbox.account.delete(self.folder)


class PostgresPlace:
    """A folder in a table, made by putting a file into it and removing it; `""` is the root."""

    def __init__(self, database: Database, folder: str) -> None:
        self.database = database
        self.folder = folder
        self.open().overwrite("x", b"")
        self.open().remove("x")

    def open(self) -> PostgresLogs:
        return PostgresLogs(self.database, self.folder)

    def put(self, name: str, data: bytes) -> None:
        path = self._path(name)
        folder, _, _ = path.rpartition("/")
        row = {"path": path, "folder": folder, "rev": content_rev(data)}
        self.database.put(FILES, row | {"size": len(data), "data": data})

    def delete(self, name: str) -> None:
        path = self._path(name)
        self.database.write(delete(FILES).where(FILES.c.path == path))

    def remove_folder(self) -> None:
        inside = FILES.c.path.startswith(self._path(""), autoescape=True)
        self.database.write(delete(FILES).where(inside))

    def _path(self, name: str) -> str:
        return f"{self.folder}/{name}" if self.folder else name


def _postgres(folder: str) -> Callable[[pytest.FixtureRequest, Path], Place]:
    return lambda request, folder_here: PostgresPlace(request.getfixturevalue("database"), folder)


def _dropbox(folder: str) -> Callable[[pytest.FixtureRequest, Path], Place]:
    return lambda request, folder_here: DropboxPlace(request.getfixturevalue("dropbox"), folder)


def _on_disk(scheme: str) -> Callable[[pytest.FixtureRequest, Path], Place]:
    def place(_request: pytest.FixtureRequest, folder: Path) -> Place:
        return DiskPlace(folder / "logs", scheme)

    return place


PLACES: dict[str, Callable[[pytest.FixtureRequest, Path], Place]] = {
    **{kind.scheme: _on_disk(kind.scheme) for kind in LOG_KINDS if kind.on_disk},
    "dropbox:/FOLDER": _dropbox("/リーグ/Logs"),
    "dropbox:/": _dropbox(""),
    "postgres:/FOLDER": _postgres("リーグ/east"),
    "postgres:": _postgres(""),
}
"""A place for the address beginning so; the contract suite runs on each. A store on a disk needs no
line; every other one needs one, with a server that the tests start themselves.
"""
