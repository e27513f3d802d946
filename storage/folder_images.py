"""Keeps images in a directory; this service itself serves them under signed links."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Unpack

from storage.addresses import LinkOptions, ServedImages, checked_key
from storage.files import write_atomic
from storage.ports import Denied, Guard, NotFound, StorageError


class FolderImages(ServedImages):
    """An ImageStore in a directory."""

    def __init__(
        self, directory: str | Path, guard: Guard = nullcontext, **links: Unpack[LinkOptions]
    ) -> None:
        """See ServedImages. `guard` stands around all that reads or writes."""
        super().__init__(**links)
        self._directory = Path(directory)
        self._guard = guard

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        """See `ImageStore`. `content_type` is not kept: `open` tells it from the bytes."""
        path = self._path(key)
        with self._errors(key, "can't be written: "):
            write_atomic(path, data, durable=False)

    def has(self, key: str) -> bool:
        """See `ImageStore`."""
        with self._guard():
            return self._path(key).is_file()

    def sweep(self, older_than: float) -> int:
        """See `ImageStore`."""
        oldest = self._clock() - older_than
        gone = 0
        with self._errors("*"):
            for path in self._directory.rglob("*"):
                with suppress(FileNotFoundError):
                    if path.is_file() and path.stat().st_mtime < oldest:
                        path.unlink()
                        gone += not path.name.startswith(".")
        return gone

    def _read(self, key: str) -> bytes:
        with self._errors(key):
            return self._path(key).read_bytes()

    def _path(self, key: str) -> Path:
        return self._directory / checked_key(key)

    @contextmanager
    def _errors(self, key: str, what: str = "") -> Iterator[None]:
        """Turn errors of the disk into those of the port; `what` comes before the reason and is "" unless
        writing."""
        where = f"{self._directory}/{key}"
        with self._guard():
            try:
                yield
            except PermissionError as error:
                raise Denied(f"{where}: {what}{error.strerror}") from error
            except OSError as error:
                if not what and isinstance(error, FileNotFoundError | IsADirectoryError | NotADirectoryError):
                    raise NotFound(f"{where}: no such picture") from error
                raise StorageError(f"{where}: {what}{error.strerror or error}") from error
