"""Keeps logs and images on a disk: for development, tests, and leagues that run Janroku on their
own machine.

This service itself serves the images, under signed links.
"""

import fcntl
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path

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

_Stamp = tuple[int, int, int, int]


class FolderLogs:
    """A LogSource in a directory. A revision is of the bytes. A write holds a file lock, for its
    comparison with `rev`."""

    fresh = 0.0

    def __init__(self, directory: str | Path) -> None:
        self._directory = Path(directory)
        self._known: dict[str, tuple[_Stamp, str]] = {}

    def revisions(self) -> dict[str, str]:
        """Unchanged files are not read."""
        found: dict[str, str] = {}
        with _errors(self._directory, "folder"), os.scandir(self._directory) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    known = self._known.get(entry.name)
                    if known is not None and known[0] == _stamp(entry.stat()):
                        found[entry.name] = known[1]
                    elif is_name(entry.name) and entry.is_file():
                        found[entry.name] = self._rev_of(entry.name)
        return dict(sorted(found.items()))

    def folders(self) -> set[str]:
        with _errors(self._directory, "folder"), os.scandir(self._directory) as entries:
            return {entry.name for entry in entries if is_name(entry.name) and entry.is_dir()}

    def below(self, folder: str) -> list[str]:
        top = self._path(folder)
        with _errors(top, "folder"):
            walk = os.walk(top, onerror=_raise_other)
            paths = [Path(place, name) for place, _, names in walk for name in names]
        names = [path.relative_to(self._directory).as_posix() for path in paths]
        return sorted(filter(is_name, names))

    def read(self, name: str) -> LogFile:
        path = self._path(name)
        with _errors(path):
            size = path.stat().st_size
            if size > LARGEST:
                raise TooLarge(str(path), size)
            data = path.read_bytes()
        return LogFile(name, content_rev(data), data)

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        path = self._path(name)
        current = None
        with _errors(path), self._locked(path):
            with suppress(FileNotFoundError), path.open("rb") as file:
                current = _rev_in(file)
            if current != rev:
                raise Conflict(f"{path}: changed by someone else meanwhile")
            return self._replace(path, data)

    def overwrite(self, name: str, data: bytes) -> str:
        path = self._path(name)
        with _errors(path), self._locked(path):
            return self._replace(path, data)

    def remove(self, name: str) -> None:
        path = self._path(name)
        with _errors(path), self._locked(path), suppress(FileNotFoundError, NotADirectoryError):
            path.unlink()

    def _path(self, name: str) -> Path:
        return self._directory / checked_name(name)

    def _rev_of(self, name: str) -> str:
        """The revision of a file, kept by its stamp unless it may change again within the clock's
        step.
        """
        with (self._directory / name).open("rb") as file:
            before = os.fstat(file.fileno())
            rev = _rev_in(file)
            size = file.tell()
        settled = time.time() - max(before.st_mtime, before.st_ctime) > _SETTLED
        if settled and before.st_size == size:
            self._known[name] = (_stamp(before), rev)
        return rev

    def _replace(self, path: Path, data: bytes) -> str:
        try:
            write_atomic(path, data)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            raise Conflict(f"{path}: {IN_THE_WAY}") from None
        return content_rev(data)

    @contextmanager
    def _locked(self, path: Path) -> Iterator[None]:
        """Hold the lock for a write. Raises Denied when the mode of the file or a folder above lets
        nobody write; root could write all the same. So for the versions (`history/NAME/…`) of such
        a file."""
        self._directory.mkdir(parents=True, exist_ok=True)
        above = (self._directory / part for part in path.relative_to(self._directory).parts)
        for place in (self._directory, path, *above):
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
        """`content_type` is not kept: `open` tells it from the bytes."""
        path = self._path(key)
        with self._guard(), _errors(path, "", "can't be written: "):
            write_atomic(path, data, durable=False)

    def has(self, key: str) -> bool:
        with self._guard():
            return self._path(key).is_file()

    def sweep(self, older_than: float) -> int:
        oldest = self._clock() - older_than
        gone = 0
        with self._guard(), _errors(self._directory / "*", "picture"):
            for path in self._directory.rglob("*"):
                with suppress(FileNotFoundError):
                    if path.is_file() and path.stat().st_mtime < oldest:
                        path.unlink()
                        if not path.name.startswith("."):
                            gone += 1
        return gone

    def _read(self, key: str) -> bytes:
        path = self._path(key)
        with self._guard(), _errors(path, "picture"):
            return path.read_bytes()

    def _path(self, key: str) -> Path:
        return self._directory / checked_key(key)


@contextmanager
def _errors(where: Path, kind: str = "file", what: str = "") -> Iterator[None]:
    """Turn errors of the disk into the port's.

    A missing `kind` is NotFound; `what` precedes the reason.
    """
    try:
        yield
    except OSError as error:
        if kind and isinstance(error, FileNotFoundError | IsADirectoryError | NotADirectoryError):
            raise NotFound(f"{where}: no such {kind}") from error
        refused = Denied if isinstance(error, PermissionError) else StorageError
        raise refused(f"{where}: {what}{error.strerror or error}") from error


def _raise_other(error: OSError) -> None:
    """Raise what keeps a folder from being listed, unless it is gone."""
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise error


def _rev_in(file: BufferedReader) -> str:
    """The revision of an open file, read piece by piece because it may be of any size."""
    digest = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{file.tell():x}-{digest[:40]}"


def _stamp(status: os.stat_result) -> _Stamp:
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino
