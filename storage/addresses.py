"""Keys and addresses of images: what each may be, files' names in keys, and links that this service
signs.

LINE's limits: https://developers.line.biz/en/reference/messaging-api/#image-message.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, quote, urlsplit

from itsdangerous import BadData, Signer
from itsdangerous.encoding import base64_decode, base64_encode

from storage.ports import Clock, Guard, NotFound, StorageError, StoredImage

if TYPE_CHECKING:
    from storage.database import Database

LIFETIME = 7 * 86400
"""Seconds a link lives: the longest S3 signs for."""
UNREACHABLE = 2.0 * LIFETIME + 24 * 3600.0
"""Seconds after which no link leads to a picture: it may be given for LIFETIME, and then live for
as long.
"""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names of this machine that a service on it may be reached by."""
STATES = ("sqlite:///", "postgres://", "postgresql://")
"""How the address of a database begins."""

_LONGEST = 2000  # characters; LINE refuses longer addresses of images
_KEY = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
_PLAIN = re.compile(r"(?!u8-)[A-Za-z0-9_-][A-Za-z0-9._-]*")
_CODED = "u8-"  # begins the part of a name in UTF-8, as base64 with - and _
# The first bytes of the formats LINE shows; PNG's are in https://www.w3.org/TR/png-3/.
_TYPES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


def allowed_address(url: str) -> bool:
    """Return whether LINE takes pictures from this address: https, or http on a loopback host."""
    parts = split(url)
    if parts is None or not parts.hostname:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)


def split(url: str) -> SplitResult | None:
    """Return an address in its parts, or None for a malformed one: wrong brackets, a wrong port,
    blanks.
    """
    if any(character.isspace() for character in url):
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises ValueError for a wrong port
    except ValueError:
        return None
    return parts


def checked_key(key: str) -> str:
    """Return the key. Raises ValueError for one whose parts between `/` hold more than
    `A-Za-z0-9_.-`, or begin with a dot."""
    if not _KEY.fullmatch(key):
        raise ValueError(f"not a key for an image: {key!r}")
    return key


def checked_address(url: str) -> str:
    """Return the address.

    Raises StorageError when LINE would not take it: too long, or http elsewhere.
    """
    parts = urlsplit(url)
    if not allowed_address(url):
        raise StorageError(f"an image's address must be https, not {parts.scheme}://{parts.netloc}")
    if len(url) > _LONGEST:
        raise StorageError(
            f"an image's address of {len(url)} characters on {parts.netloc}; LINE takes {_LONGEST}"
        )
    return url


def key_part(name: str) -> str:
    """A file's name as a part of a key: itself where it can be, else its UTF-8 in letters and
    digits.
    """
    if _PLAIN.fullmatch(name):
        return name
    coded = base64.urlsafe_b64encode(name.encode("utf-8", "replace"))
    return _CODED + coded.decode().rstrip("=")


def file_name(key: str) -> str:
    """The file's name that `key_part` made the last part of a key of; the part itself where it is not
    coded.
    """
    _, _, part = key.rpartition("/")
    if not part.startswith(_CODED):
        return part
    coded = part.removeprefix(_CODED)
    padding = "=" * (-len(coded) % 4)
    try:
        return base64.urlsafe_b64decode(coded + padding).decode()
    except ValueError:
        return part


def attachment(name: str) -> str:
    """The value of Content-Disposition (RFC 6266) with which a browser saves a file by this name.

    A name that is not plain ASCII is given twice: in ASCII for old browsers, and in UTF-8.
    """
    if _PLAIN.fullmatch(name):
        return f"attachment; filename={name}"
    extension = ""
    if "." in name:
        _, _, ending = name.rpartition(".")
        extension = re.sub(r"[^A-Za-z0-9]", "", ending)[:8]
    ascii_name = f"file.{extension or 'bin'}"
    return f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(name, safe='')}"


class SignedTokens:
    """Tokens that hold words and the epoch second they expire, signed with `secret` (HMAC-SHA256).
    All processes and restarts share the secret. `purpose` keeps tokens of one use from another's.
    """

    def __init__(self, secret: bytes, purpose: str, clock: Clock = time.time) -> None:
        """Raises ValueError for a secret of less than 16 bytes."""
        if len(secret) < 16:
            raise ValueError("the secret of signed links needs 16 bytes at least")
        self._signer = Signer(secret, key_derivation="none", digest_method=hashlib.sha256)
        self._purpose = purpose.encode()
        self._clock = clock

    def token(self, words: str, expires: int) -> str:
        payload = base64_encode(f"{expires:x}.{words}")
        signature = self._signer.get_signature(self._purpose + payload)
        return b".".join([payload, signature]).decode()

    def words(self, token: str) -> str:
        """A token's words.

        Raises NotFound for one that has expired or is altered, if only in spelling.
        """
        with suppress(BadData, ValueError):
            payload = base64_decode(token.partition(".")[0]).decode()
            hexadecimal, _, words = payload.partition(".")
            expires = int(hexadecimal, 16)
            right = self.token(words, expires).encode()
            if hmac.compare_digest(right, token.encode()) and self._clock() < expires:
                return words
        raise NotFound("there is nothing under this link, or it has expired")


@dataclass(frozen=True)
class ImageOptions:
    """What an image store may need besides its address. For images that this service serves itself
    `secret` signs the links, and `base_url` is, or gives for each link, the service's address from
    outside. `database` is that of `postgres:`. `guard` is around all calls; `clock` gives epoch
    seconds. `variables` are the stores' own variables by name."""

    secret: bytes = field(default=b"", repr=False)
    base_url: str | Callable[[], str] = ""
    database: Database | None = None
    guard: Guard = nullcontext
    clock: Clock = time.time
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)


class ServedImages:
    """What stores share whose images this service serves itself, under signed links
    `<base>/images/<token>`. A token holds the key and the time it expires. The expiry moves in
    steps of a quarter of LIFETIME, for which an image keeps its address, so that a phone need not
    load it again."""

    def __init__(self, options: ImageOptions) -> None:
        self._tokens = SignedTokens(options.secret, "janroku image link 1\0", options.clock)
        self._base_url = options.base_url
        self._guard = options.guard
        self._clock = options.clock

    def url(self, key: str) -> str:
        """Raises StorageError when no base is known or LINE would refuse the address."""
        base = self._base_url if isinstance(self._base_url, str) else self._base_url()
        if not base:
            raise StorageError("the address of this service is not known yet; set PUBLIC_URL")
        step = LIFETIME // 4
        checked_key(key)
        step_start = int(self._clock()) // step * step
        token = self._tokens.token(key, step_start + LIFETIME)
        return checked_address(f"{base.rstrip('/')}/images/{token}")

    def open(self, token: str) -> StoredImage:
        """The first bytes decide the type: PNG, JPEG, else application/octet-stream."""
        key = self._tokens.words(token)
        data = self._read(key)
        content_type = "application/octet-stream"
        for first_bytes, image_type in _TYPES.items():
            if data.startswith(first_bytes):
                content_type = image_type
        return StoredImage(data, content_type, file_name(key))

    def _read(self, key: str) -> bytes:
        raise NotImplementedError
