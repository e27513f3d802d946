"""Sign the links under which this service itself serves images, for every image store without a server of its own."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable

from storage.addresses import checked_address, checked_key
from storage.ports import NotFound, StorageError

_PURPOSE = b"janroku image link 1\0"
# The first bytes of the formats LINE shows; PNG's are in https://www.w3.org/TR/png-3/.
_TYPES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


class ImageLinks:
    """Makes `<base>/images/<token>` of a key, and the key of a token.

    A token holds the key and the time it expires, signed with `secret` (HMAC-SHA256). Nobody can make one without the
    secret; every process with the same secret accepts it, also after a restart. The expiry moves in steps of a quarter of
    `lifetime`: an image keeps its address for a whole step, so a phone need not load it again, and a link lives between
    three quarters of `lifetime` and all of it.
    """

    def __init__(
        self, secret: bytes, base_url: str | Callable[[], str], lifetime: int, clock: Callable[[], float]
    ) -> None:
        """`lifetime` is in whole seconds, `clock` gives seconds since 1970.

        Raises ValueError when `lifetime` is less than 4 or the secret shorter than 16 bytes.
        """
        if len(secret) < 16:
            raise ValueError("the secret for image links needs 16 bytes at least")
        if lifetime < 4:
            raise ValueError("links to images must live 4 seconds at least")
        self._secret = secret
        self._base_url = base_url
        self._lifetime = lifetime
        self._clock = clock

    def at(self, base_url: str) -> ImageLinks:
        """The same links beginning with `base_url`."""
        return ImageLinks(self._secret, base_url, self._lifetime, self._clock)

    def url(self, key: str) -> str:
        """The address of an image. Raises StorageError when no base is known or LINE would refuse the address."""
        base = self._base_url if isinstance(self._base_url, str) else self._base_url()
        if not base:
            raise StorageError("the address of this service is not known yet; set PUBLIC_URL")
        return checked_address(f"{base.rstrip('/')}/images/{self._token(checked_key(key))}")

    def key(self, token: str) -> str:
        """The key in a token. Raises NotFound when the token is altered or expired."""
        payload, _, signature = token.partition(".")
        if token.isascii() and hmac.compare_digest(signature, self._signature(payload)):
            expires, _, key = base64.urlsafe_b64decode(payload + "==").decode().partition(".")
            if self._clock() < int(expires, 16):
                return key
        raise NotFound("there is no such picture, or its link has expired")

    def _token(self, key: str) -> str:
        step = self._lifetime // 4
        expires = int(self._clock()) // step * step + self._lifetime
        payload = _encoded(f"{expires:x}.{key}".encode())
        return f"{payload}.{self._signature(payload)}"

    def _signature(self, payload: str) -> str:
        return _encoded(hmac.digest(self._secret, _PURPOSE + payload.encode(), hashlib.sha256))


def type_of(data: bytes) -> str:
    """The content type told from the bytes: PNG, JPEG, else application/octet-stream."""
    kinds = (kind for magic, kind in _TYPES.items() if data.startswith(magic))
    return next(kinds, "application/octet-stream")


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
