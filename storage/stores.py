"""Opens logs and images by their addresses.

A new kind is a class in its own file, and a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from storage.addresses import ImageOptions
from storage.files import folder_of
from storage.folder import FolderImages, FolderLogs
from storage.ports import Guard, ImageStore, LogSource
from storage.s3_images import S3Images

if TYPE_CHECKING:
    from storage.database import Database


def _dropbox_logs(
    url: str,
    env: Mapping[str, str],
    _: Database | None,
    guard: Guard,
) -> LogSource:
    from storage.dropbox_logs import DropboxLogs  # its SDK is loaded only where it is used

    names = "app_key", "app_secret", "refresh_token", "access_token"
    credentials: dict[str, Any] = {name: env.get(f"DROPBOX_{name.upper()}", "") for name in names}
    return DropboxLogs(url.removeprefix("dropbox:"), **credentials, guard=guard)


def _postgres_logs(
    url: str, _: Mapping[str, str], database: Database | None, guard: Guard
) -> LogSource:
    from storage.postgres import PostgresLogs  # SQLAlchemy is loaded only where it is used

    return PostgresLogs(database, url.removeprefix("postgres:"), guard)


def _postgres_images(_: str, options: ImageOptions) -> ImageStore:
    from storage.postgres import PostgresImages

    return PostgresImages(options)


def _s3_images(url: str, options: ImageOptions) -> ImageStore:
    return S3Images(*url.removeprefix("s3://").split("/", 1), guard=options.guard)


_LogOpener = Callable[[str, Mapping[str, str], "Database | None", Guard], LogSource]

LOGS: dict[str, _LogOpener] = {
    "file:": lambda url, *_: FolderLogs(folder_of(url)),
    "dropbox:": _dropbox_logs,
    "postgres:": _postgres_logs,
}
IMAGES: dict[str, Callable[[str, ImageOptions], ImageStore]] = {
    "file:": lambda url, options: FolderImages(folder_of(url), options),
    "s3://": _s3_images,
    "postgres:": _postgres_images,
}
"""What opens an address that begins so."""


def open_logs(
    url: str,
    env: Mapping[str, str],
    database: Database | None = None,
    guard: Guard = nullcontext,
) -> LogSource:
    """The log source at `file:DIR`, `dropbox:/FOLDER` (`dropbox:/` is the app's own folder) or
    `postgres:/FOLDER`. Opening sends no request. `guard` stands around the calls of all but a
    folder. Dropbox needs DROPBOX_REFRESH_TOKEN with DROPBOX_APP_KEY and DROPBOX_APP_SECRET, or
    DROPBOX_ACCESS_TOKEN, in `env`. Raises ValueError when something is wrong."""
    for scheme, opened in LOGS.items():
        if url.startswith(scheme):
            return opened(url, env, database, guard)
    raise ValueError(f"{url!r} is no place for logs; write file:DIR, dropbox:/FOLDER or postgres:")


def open_backups(url: str, env: Mapping[str, str]) -> LogSource | S3Images:
    """Where backups are kept: as `open_logs`, or `s3://BUCKET/PREFIX`. Raises ValueError."""
    if url.startswith("s3://"):
        return S3Images(*url.removeprefix("s3://").split("/", 1))
    return open_logs(url, env)


def open_images(url: str, options: ImageOptions) -> ImageStore:
    """The image store at `file:DIR`, `s3://BUCKET/PREFIX` or `postgres:`. Opening sends no request.
    S3 takes credentials, region and endpoint from the AWS_* variables. Raises ValueError."""
    for scheme, opened in IMAGES.items():
        if url.startswith(scheme):
            return opened(url, options)
    raise ValueError(
        f"{url!r} is no place for images; write file:DIR, s3://BUCKET/PREFIX or postgres:"
    )
