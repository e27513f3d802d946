"""Keeps images in a directory; this service itself serves them under signed links."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from storage.addresses import LIFETIME, checked_address, checked_key
from storage.files import write_atomic
from storage.ports import Denied, NotFound, StorageError

_PURPOSE = b"janroku image link 1\0"
# The first bytes of the formats LINE shows; PNG's are in https://www.w3.org/TR/png-3/.
_TYPES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


class FolderImages:
    """An ImageStore in a directory. `url` gives `<base>/images/<token>`; `open` gives the image of a token.

    A token holds the key and the time it expires, signed with `secret` (HMAC-SHA256). Nobody can make one without the
    secret; every process with the same secret accepts it, also after a restart. The expiry moves in steps of a quarter of
    `lifetime`: an image keeps its address for a whole step, so a phone need not load it again, and a link lives between
    three quarters of `lifetime` and all of it.

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
        if len(secret) < 16:
            raise ValueError("the secret for image links needs 16 bytes at least")
        if lifetime < 4:
            raise ValueError("links to images must live 4 seconds at least")
        self._directory = Path(directory)
        self._secret = secret
        self._base_url = base_url
        self._lifetime = lifetime
        self._clock = clock

    def at(self, base_url: str) -> FolderImages:
        """The same store with links that begin with `base_url`."""
        return FolderImages(
            self._directory,
            secret=self._secret,
            base_url=base_url,
            lifetime=self._lifetime,
            clock=self._clock,
        )

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
        base = self._base_url if isinstance(self._base_url, str) else self._base_url()
        if not base:
            raise StorageError("the address of this service is not known yet; set PUBLIC_URL")
        return checked_address(f"{base.rstrip('/')}/images/{self._token(checked_key(key))}")

    def open(self, token: str) -> tuple[bytes, str]:
        """The bytes of an image and its content type, by the token of a link.

        The type is told from the bytes: PNG, JPEG, else application/octet-stream. Raises NotFound when the token is altered
        or expired or the image is gone.
        """
        key = self._key(token)
        if key is None:
            raise NotFound("there is no such picture, or its link has expired")
        with self._errors(key):
            data = self._path(key).read_bytes()
        kinds = (kind for magic, kind in _TYPES.items() if data.startswith(magic))
        return data, next(kinds, "application/octet-stream")

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

    def _token(self, key: str) -> str:
        step = self._lifetime // 4
        expires = int(self._clock()) // step * step + self._lifetime
        payload = _encoded(f"{expires:x}.{key}".encode())
        return f"{payload}.{self._signature(payload)}"

    def _key(self, token: str) -> str | None:
        """The key in a token; None when the token is altered or expired."""
        payload, _, signature = token.partition(".")
        if not token.isascii() or not hmac.compare_digest(signature, self._signature(payload)):
            return None
        expires, _, key = base64.urlsafe_b64decode(payload + "==").decode().partition(".")
        return key if self._clock() < int(expires, 16) else None

    def _signature(self, payload: str) -> str:
        return _encoded(hmac.digest(self._secret, _PURPOSE + payload.encode(), hashlib.sha256))

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


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
