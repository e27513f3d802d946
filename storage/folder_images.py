"""Keeps images in a directory; this service itself serves them under signed links."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from pathlib import Path

from storage.addresses import LIFETIME, checked_key
from storage.file_names import file_name
from storage.files import write_atomic
from storage.image_links import ImageLinks, type_of
from storage.ports import Denied, NotFound, StorageError


class FolderImages:
    """An ImageStore in a directory. `url` gives a link of `ImageLinks`; `open` gives the image of a link's token.

    The base is the address of the service from outside (`https://janroku.example`). It is a text, or a function that `url`
    calls each time; `images.at(base).url(key)` sets it for one use.
    """

    def __init__(
        self,
        directory: str | Path,
        *,
        secret: bytes,
        base_url: str | Callable[[], str] = "",
        lifetime: int = LIFETIME,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`lifetime` is in whole seconds, `clock` gives seconds since 1970.

        Raises ValueError when `lifetime` is less than 4 or the secret shorter than 16 bytes.
        """
        self._directory = Path(directory)
        self._links = ImageLinks(secret, base_url, lifetime, clock)
        self._clock = clock

    def at(self, base_url: str) -> FolderImages:
        """The same store with links that begin with `base_url`."""
        other = copy(self)
        other._links = self._links.at(base_url)
        return other

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        """See `ImageStore`. `content_type` is not kept: `open` tells it from the bytes."""
        path = self._path(key)
        with self._errors(key, "can't be written: "):
            write_atomic(path, data, durable=False)

    def has(self, key: str) -> bool:
        """See `ImageStore`."""
        return self._path(key).is_file()

    def url(self, key: str) -> str:
        """See `ImageStore`. Raises StorageError when no base is known or LINE would refuse the address."""
        return self._links.url(key)

    def open(self, token: str) -> tuple[bytes, str, str]:
        """See `ImageStore`. The type is told from the bytes: PNG, JPEG, else application/octet-stream."""
        key = self._links.key(token)
        with self._errors(key):
            data = self._path(key).read_bytes()
        return data, type_of(data), file_name(key)

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

    def _path(self, key: str) -> Path:
        return self._directory / checked_key(key)

    @contextmanager
    def _errors(self, key: str, what: str = "") -> Iterator[None]:
        """Turn errors of the disk into those of the port; `what` comes before the reason and is "" unless writing."""
        where = f"{self._directory}/{key}"
        try:
            yield
        except PermissionError as error:
            raise Denied(f"{where}: {what}{error.strerror}") from error
        except OSError as error:
            if not what and isinstance(error, FileNotFoundError | IsADirectoryError | NotADirectoryError):
                raise NotFound(f"{where}: no such picture") from error
            raise StorageError(f"{where}: {what}{error.strerror or error}") from error
