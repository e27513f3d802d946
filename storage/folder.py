"""Logs and images on a disk: for development, tests, and leagues with a machine of their own.

The service itself serves the images, under signed links.

What is guaranteed: a reader sees the old bytes of a file or the new ones, also after a crash. A write
compares the revision and writes under a file lock, so of two processes that write one revision one gets
Conflict. tests/storage/test_logs_contract.py, test_images_contract.py, test_folder.py and test_races.py
check it.
"""

import fcntl
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple

from storage.addresses import ImageOptions, ServedImages, checked_key
from storage.files import checked_name, content_rev, is_name, write_atomic
from storage.ports import (
    IN_THE_WAY,
    LARGEST,
    Conflict,
    Denied,
    LogFile,
    NotFound,
    StorageError,
    TooLarge,
)

_LOCK = ".janroku.lock"
_WRITABLE = 0o222  # the bits of a file mode that let somebody write
_SETTLED = 2.0  # seconds; the coarsest time stamps of common file systems (FAT) have this step


class _Stamp(NamedTuple):
    """What changes on the disk when a file changes."""

    modified_ns: int
    changed_ns: int
    size: int
    inode: int


class _KnownRevision(NamedTuple):
    """The revision of a file as long as it has this stamp."""

    stamp: _Stamp
    rev: str


class FolderLogs:
    """A LogSource in a directory. A revision is computed from the bytes."""

    fresh = 0.0

    def __init__(self, directory: str | Path) -> None:
        self._directory = Path(directory)
        self._known: dict[str, _KnownRevision] = {}  # by name

    def revisions(self) -> dict[str, str]:
        """Files that have not changed since the last call are not read."""
        revisions: dict[str, str] = {}
        with _as_port_errors(self._directory, "folder"), os.scandir(self._directory) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    before = self._known.get(entry.name)
                    if before is not None and before.stamp == _stamp(entry.stat()):
                        revisions[entry.name] = before.rev
                    elif is_name(entry.name) and entry.is_file():
                        revisions[entry.name] = self._rev_of(entry.name)
        return dict(sorted(revisions.items()))

    def folders(self) -> set[str]:
        with _as_port_errors(self._directory, "folder"), os.scandir(self._directory) as entries:
            return {entry.name for entry in entries if is_name(entry.name) and entry.is_dir()}

    def below(self, folder: str) -> list[str]:
        top = self._path(folder)
        with _as_port_errors(top, "folder"):
            walk = os.walk(top, onerror=_raise_other)
            paths = [Path(place, name) for place, _, names in walk for name in names]
        names = [path.relative_to(self._directory).as_posix() for path in paths]
        return sorted(filter(is_name, names))

    def read(self, name: str) -> LogFile:
        path = self._path(name)
        with _as_port_errors(path):
            size = path.stat().st_size
            if size > LARGEST:
                raise TooLarge(str(path), size)
            data = path.read_bytes()
        return LogFile(name, content_rev(data), data)

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        path = self._path(name)
        current = None
        with _as_port_errors(path), self._locked(path):
            with suppress(FileNotFoundError), path.open("rb") as file:
                current = _rev_in(file)
            if current != rev:
                raise Conflict(f"{path}: changed by someone else meanwhile")
            return self._replace(path, data)

    def overwrite(self, name: str, data: bytes) -> str:
        path = self._path(name)
        with _as_port_errors(path), self._locked(path):
            return self._replace(path, data)

    def remove(self, name: str) -> None:
        path = self._path(name)
        with (
            _as_port_errors(path),
            self._locked(path),
            suppress(FileNotFoundError, NotADirectoryError),
        ):
            path.unlink()

    def _path(self, name: str) -> Path:
        return self._directory / checked_name(name)

    def _rev_of(self, name: str) -> str:
        """The revision of a file, which is read for it.

        It is remembered under the file's stamp, unless the file may still change within the step of
        the clock and have the same stamp then.
        """
        with (self._directory / name).open("rb") as file:
            before = os.fstat(file.fileno())
            rev = _rev_in(file)
            size = file.tell()
        settled = time.time() - max(before.st_mtime, before.st_ctime) > _SETTLED
        if settled and before.st_size == size:
            self._known[name] = _KnownRevision(_stamp(before), rev)
        return rev

    def _replace(self, path: Path, data: bytes) -> str:
        try:
            write_atomic(path, data)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            raise Conflict(f"{path}: {IN_THE_WAY}") from None
        return content_rev(data)

    @contextmanager
    def _locked(self, path: Path) -> Iterator[None]:
        """The lock for a write, as a context.

        Raises Denied when the mode of the file, its folders or the file whose version it is
        (`history/NAME/…`) lets nobody write. The superuser could write all the same.
        """
        self._directory.mkdir(parents=True, exist_ok=True)
        names = path.relative_to(self._directory).parts
        places = (self._directory, path, *(self._directory / name for name in names))
        for place in places:
            if place.exists() and not place.stat().st_mode & _WRITABLE:
                raise Denied(f"{place}: read-only: its mode lets nobody write it")
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        handle = os.open(self._directory / _LOCK, flags, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


class FolderImages(ServedImages):
    """An ImageStore in a directory."""

    def __init__(self, directory: str | Path, options: ImageOptions) -> None:
        super().__init__(options)
        self._directory = Path(directory)

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        """`content_type` is not stored: `open` derives it from the bytes."""
        path = self._path(key)
        with self._guard(), _as_port_errors(path, "", "can't be written: "):
            write_atomic(path, data, durable=False)

    def has(self, key: str) -> bool:
        with self._guard():
            return self._path(key).is_file()

    def sweep(self, older_than: float) -> int:
        oldest = self._clock() - older_than
        removed = 0
        with self._guard(), _as_port_errors(self._directory / "*", "picture"):
            for path in self._directory.rglob("*"):
                with suppress(FileNotFoundError):
                    if path.is_file() and path.stat().st_mtime < oldest:
                        path.unlink()
                        if not path.name.startswith("."):
                            removed += 1
        return removed

    def _read(self, key: str) -> bytes:
        path = self._path(key)
        with self._guard(), _as_port_errors(path, "picture"):
            return path.read_bytes()

    def _path(self, key: str) -> Path:
        return self._directory / checked_key(key)


@contextmanager
def _as_port_errors(path: Path, kind: str = "file", prefix: str = "") -> Iterator[None]:
    """Turn the disk's errors into the port's.

    `kind` is what is missing where the error is NotFound, "" where nothing can be missing. `prefix` is
    written before the reason.
    """
    try:
        yield
    except OSError as error:
        if kind and isinstance(error, FileNotFoundError | IsADirectoryError | NotADirectoryError):
            raise NotFound(f"{path}: no such {kind}") from error
        message = f"{path}: {prefix}{error.strerror or error}"
        if isinstance(error, PermissionError):
            raise Denied(message) from error
        raise StorageError(message) from error


def _raise_other(error: OSError) -> None:
    """Raise an error of listing a folder, unless the folder is gone."""
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise error


def _rev_in(file: BufferedReader) -> str:
    """The revision of an open file, which is read piece by piece because it may have any size."""
    digest = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{file.tell():x}-{digest[:40]}"


def _stamp(status: os.stat_result) -> _Stamp:
    return _Stamp(
        modified_ns=status.st_mtime_ns,
        changed_ns=status.st_ctime_ns,
        size=status.st_size,
        inode=status.st_ino,
    )
