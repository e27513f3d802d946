"""The three ports. Implementations know bytes and names, nothing of mahjong.

Every implementation turns its vendor's errors into the ones below; their messages name the store and the file, never a
secret, and end up before the admin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


class StorageError(Exception):
    """The store could not be reached or refused; trying again later may help."""


class NotFound(StorageError):
    """There is no such file."""


class Conflict(StorageError):
    """The file is no longer at the revision the writer had read: read again, merge, write again."""


class Denied(StorageError):
    """The credentials are wrong, expired or lack a permission; trying again won't help."""


class Unavailable(StorageError):
    """The store has failed several times in a row and is not asked at the moment; asking again in some seconds may help."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The folder as it is now, as far as it differs from an earlier look.

    `files` maps the name of each new or changed file to its revision, `removed` names those gone. With `reset` the
    earlier look no longer counts: `files` is the whole folder.
    """

    cursor: str
    files: Mapping[str, str]
    removed: frozenset[str] = frozenset()
    reset: bool = False


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file's bytes and the revision they were read at."""

    name: str
    rev: str
    data: bytes


class LogSource(Protocol):
    """A folder of small files: season logs, league.toml, teamlog.txt, and charts put beside them.

    Names are relative, `/` between parts (`logvol3.txt`, `charts/rating.png`); `changes` speaks of the top level only.
    """

    def changes(self, cursor: str | None = None) -> Changes:
        """What differs since `cursor`; without one, or where it is too old, everything with `reset`."""

    def read(self, name: str) -> LogFile:
        """The newest bytes. Raises NotFound."""

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        """Put the bytes and return the new revision.

        `rev` is the revision they were made from, None for a new file; Conflict when the file stands elsewhere (or exists,
        with None). Atomic: a reader sees the old bytes or the new ones.
        """

    def overwrite(self, name: str, data: bytes) -> str:
        """Put the bytes whatever was there (charts, not logs)."""


class ImageStore(Protocol):
    """Pictures for phones: written once under a key made from what they show, read by signed address."""

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        """Store under `key` (letters, digits, `-`, `_`, `.`, `/`); putting the same key again is harmless."""

    def has(self, key: str) -> bool:
        """Whether the picture is there (asks the store)."""

    def url(self, key: str) -> str:
        """A signed https address (http on loopback) that expires; asks nobody."""

    def sweep(self, older_than: float) -> int:
        """Remove pictures last put more than this many seconds ago; how many went."""


class StateStore(Protocol):
    """Small facts that must outlive a process: events seen, chats enrolled, cursors. Text by key, with an expiry."""

    def get(self, key: str) -> str | None:
        """The value, or None where there is none or it has expired."""

    def put(self, key: str, value: str, ttl: float | None = None) -> None:
        """Set the value; it expires after `ttl` seconds (never, when None)."""

    def add(self, key: str, value: str, ttl: float | None = None) -> bool:
        """Set the value only where there is none; True where it was set. Atomic between processes."""

    def replace(self, key: str, old: str, new: str, ttl: float | None = None) -> bool:
        """Set `new` only where the value is `old`; True where it was set. Atomic between processes."""

    def delete(self, key: str) -> None:
        """Forget the key; harmless where there is none."""

    def items(self, prefix: str, without: str | None = None) -> dict[str, str]:
        """All living values whose key starts with `prefix`, but those that are `without`; in the order of the keys."""
