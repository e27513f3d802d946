"""Opens the image store by its address. A new kind of store is a class in a file of its own, and its line
here."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from storage.files import folder_of
from storage.folder_images import FolderImages
from storage.ports import Guard, ImageStore
from storage.s3_images import S3Images

if TYPE_CHECKING:
    from storage.database import Database

_S3_TIMEOUT = 5.0  # seconds; an answer may wait for Dropbox too, and a LINE reply token lives about a minute

__all__ = ["IMAGES", "FolderImages", "S3Images", "open_images"]


@dataclass(frozen=True)
class ImageOptions:
    """What an image store may need beside its address.

    `secret` and `base_url` are for stores whose images this service serves itself (see ServedImages),
    `database` for `postgres:`; `guard` stands around all calls.
    """

    secret: bytes = field(default=b"", repr=False)
    base_url: str | Callable[[], str] = ""
    database: Database | None = None
    guard: Guard = nullcontext


def _postgres(url: str, options: ImageOptions) -> ImageStore:
    from storage.database import in_postgres  # SQLAlchemy is loaded only where it is used
    from storage.postgres_images import PostgresImages

    database = in_postgres(options.database, options.guard)
    return PostgresImages(database, secret=options.secret, base_url=options.base_url)


IMAGES: dict[str, Callable[[str, ImageOptions], ImageStore]] = {
    "file:": lambda url, options: FolderImages(
        folder_of(url), options.guard, secret=options.secret, base_url=options.base_url
    ),
    "s3://": lambda url, options: S3Images(
        *url.removeprefix("s3://").split("/", 1), timeout=_S3_TIMEOUT, attempts=2, guard=options.guard
    ),
    "postgres:": _postgres,
}
"""What opens an address that begins so."""


def open_images(url: str, options: ImageOptions) -> ImageStore:
    """The image store at `file:DIR`, `s3://BUCKET/PREFIX` or `postgres:` (in the database of the options).

    S3 takes its credentials, region and endpoint from the AWS_* variables. Opening sends no request.
    Raises ValueError when the address or another setting is wrong.
    """
    for scheme, opened in IMAGES.items():
        if url.startswith(scheme):
            return opened(url, options)
    raise ValueError(f"{url!r} is no place for images; write file:DIR, s3://BUCKET/PREFIX or postgres:")
