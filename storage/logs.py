"""Opens the place of the season logs by its address. A new kind of place is a class in a file of its own, and
its line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING

from storage.dropbox_logs import DropboxLogs
from storage.files import folder_of
from storage.folder_logs import FolderLogs
from storage.ports import Guard, LogSource

if TYPE_CHECKING:
    from storage.database import Database

__all__ = ["LOGS", "DropboxLogs", "FolderLogs", "open_logs"]


def _dropbox(url: str, env: Mapping[str, str], database: Database | None, guard: Guard) -> DropboxLogs:
    return DropboxLogs(
        url.removeprefix("dropbox:"),
        app_key=env.get("DROPBOX_APP_KEY", ""),
        app_secret=env.get("DROPBOX_APP_SECRET", ""),
        refresh_token=env.get("DROPBOX_REFRESH_TOKEN", ""),
        access_token=env.get("DROPBOX_ACCESS_TOKEN", ""),
        guard=guard,
    )


def _postgres(url: str, env: Mapping[str, str], database: Database | None, guard: Guard) -> LogSource:
    from storage.database import in_postgres  # SQLAlchemy is loaded only where it is used
    from storage.postgres_logs import PostgresLogs

    return PostgresLogs(in_postgres(database, guard), url.removeprefix("postgres:"))


LOGS: dict[str, Callable[[str, Mapping[str, str], Database | None, Guard], LogSource]] = {
    "file:": lambda url, *_: FolderLogs(folder_of(url)),
    "dropbox:": _dropbox,
    "postgres:": _postgres,
}
"""What opens an address that begins so."""


def open_logs(
    url: str, env: Mapping[str, str], database: Database | None = None, guard: Guard = nullcontext
) -> LogSource:
    """The log source at `file:DIR`, `dropbox:/FOLDER` (`dropbox:/` is the app's own folder), or `postgres:`
    (`postgres:/FOLDER`).

    Opening sends no request. `postgres:` is in `database`; `guard` stands around the calls of all but a
    folder. Dropbox needs DROPBOX_REFRESH_TOKEN with DROPBOX_APP_KEY and DROPBOX_APP_SECRET, or
    DROPBOX_ACCESS_TOKEN, in `env`. Raises ValueError when the address is none of these or something is
    missing in `env`.
    """
    for scheme, opened in LOGS.items():
        if url.startswith(scheme):
            return opened(url, env, database, guard)
    raise ValueError(f"{url!r} is no place for logs; write file:DIR, dropbox:/FOLDER or postgres:")
