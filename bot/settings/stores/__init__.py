"""The kinds of stores, and how logs, pictures and backups are opened by their addresses.

A new kind is a module with a StoreKind, and its line here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.settings.store_kind import LeagueAccounts, StoreKind
from bot.settings.stores.dropbox import DROPBOX
from bot.settings.stores.folder import FOLDER
from bot.settings.stores.postgres import POSTGRES
from bot.settings.stores.s3 import S3
from bot.settings.stores.sqlite import SQLITE
from bot.settings.variable import Variable
from storage.addresses import ImageOptions
from storage.backups import BackupPlace
from storage.ports import Guard, ImageStore, LogSource

if TYPE_CHECKING:
    from storage.database import Database

KINDS: tuple[StoreKind, ...] = (
    FOLDER,
    DROPBOX,
    S3,
    POSTGRES,
    SQLITE,
)
"""In the order of messages and documents; `flask setup` offers the last one first."""
LOG_KINDS = tuple(kind for kind in KINDS if kind.open_logs)
IMAGE_KINDS = tuple(kind for kind in KINDS if kind.open_images)
BACKUP_KINDS = tuple(kind for kind in KINDS if kind.open_backups)
STATE_KINDS = tuple(kind for kind in reversed(KINDS) if kind.state_schemes)


def kind_of(url: str) -> StoreKind:
    """The kind of store that an address names. Raises ValueError."""
    for kind in KINDS:
        if url.startswith(kind.schemes):
            return kind
    raise ValueError(f"{url!r} names no kind of store")


class AccountKind(NamedTuple):
    """A kind of store at which leagues may have accounts of their own, and how these are opened."""

    store: StoreKind
    accounts: LeagueAccounts


def kind_with_accounts() -> AccountKind:
    """The kind of store at which leagues may have accounts of their own."""
    for kind in KINDS:
        if kind.league_accounts:
            return AccountKind(kind, kind.league_accounts)
    raise LookupError("no kind of store has accounts for leagues")


def store_variables() -> Iterator[Variable[Any]]:
    """Yield the variables of all kinds of stores."""
    for kind in KINDS:
        yield from kind.variables


def open_logs(
    url: str,
    variables: Mapping[str, str],
    database: Database | None = None,
    guard: Guard = nullcontext,
) -> LogSource:
    """Open the log source at an address such as `file:DIR`, with the stores' variables.

    Opening sends no request. `guard` is around the calls of all but a folder. Raises ValueError
    when something is wrong.
    """
    for kind in LOG_KINDS:
        if kind.open_logs and url.startswith(kind.scheme):
            return kind.open_logs(url, variables, database, guard)
    raise ValueError(f"{url!r} is no place for logs; write {_forms(LOG_KINDS)}")


def open_images(url: str, options: ImageOptions) -> ImageStore:
    """Open the image store at an address. Opening sends no request. Raises ValueError."""
    for kind in IMAGE_KINDS:
        if kind.open_images and url.startswith(kind.scheme):
            return kind.open_images(url, options)
    raise ValueError(f"{url!r} is no place for images; write {_forms(IMAGE_KINDS)}")


def open_backups(url: str, variables: Mapping[str, str]) -> BackupPlace:
    """Open the place for backups at an address. Raises ValueError."""
    for kind in BACKUP_KINDS:
        if kind.open_backups and url.startswith(kind.scheme):
            return kind.open_backups(url, variables)
    raise ValueError(f"{url!r} is no place for backups; write {_forms(BACKUP_KINDS)}")


def _forms(kinds: tuple[StoreKind, ...]) -> str:
    return " or ".join(kind.plain_form for kind in kinds)
