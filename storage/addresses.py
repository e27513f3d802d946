"""Checks the keys and the addresses of images, for every image store.

LINE's limits for the addresses of images: https://developers.line.biz/en/reference/messaging-api/#image-message.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from storage.ports import StorageError

LIFETIME = 7 * 86400
"""Seconds a link lives unless told otherwise; also the longest S3 signs for."""

_LONGEST = 2000  # characters; LINE refuses longer addresses of images
_KEY = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names of this machine that a service on it may be reached by."""


def is_safe(scheme: str, host: str | None) -> bool:
    """Whether images may have such an address: https, which LINE demands, or http on a loopback host."""
    return bool(host) and (scheme == "https" or (scheme == "http" and host in LOOPBACK))


def checked_key(key: str) -> str:
    """Return the key. Raises ValueError when it is no key.

    A key is parts of letters, digits, `-`, `_` and `.` between `/`; no part begins with a dot.
    """
    if not _KEY.fullmatch(key):
        raise ValueError(f"not a key for an image: {key!r}")
    return key


def checked_address(url: str) -> str:
    """Return the address. Raises StorageError when it is too long for LINE, or http on another host than this one."""
    parts = urlsplit(url)
    if not is_safe(parts.scheme, parts.hostname):
        raise StorageError(f"an image's address must be https, not {parts.scheme}://{parts.netloc}")
    if len(url) > _LONGEST:
        raise StorageError(
            f"an image's address of {len(url)} characters on {parts.netloc}; LINE takes {_LONGEST}"
        )
    return url


STATES = ("sqlite:///", "postgres://", "postgresql://")
"""How the address of a database begins."""
