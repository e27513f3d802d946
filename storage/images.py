"""Opens the image store by its address. A new kind of store is a class in a file of its own, and its line here."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from storage.addresses import LIFETIME
from storage.files import folder_of
from storage.folder_images import FolderImages
from storage.ports import Guard, ImageStore
from storage.s3_images import S3Images

if TYPE_CHECKING:
    from storage.database import Database

_S3_TIMEOUT = 5.0  # seconds; an answer may wait for Dropbox too, and a LINE reply token lives about a minute
_S3_ATTEMPTS = 2

__all__ = ["IMAGES", "LIFETIME", "FolderImages", "S3Images", "open_images"]


@dataclass(frozen=True)
class ImageOptions:
    """What an image store may need beside its address; `lifetime` of links is in seconds.

    `secret` and `base_url` are for stores whose images this service serves itself, `database` for `postgres:`, `guard` for one outside.
    """

    secret: bytes = field(default=b"", repr=False)
    base_url: str | Callable[[], str] = ""
    lifetime: int = LIFETIME
    database: Database | None = None
    guard: Guard = nullcontext


def _folder(url: str, options: ImageOptions) -> FolderImages:
    return FolderImages(
        folder_of(url), secret=options.secret, base_url=options.base_url, lifetime=options.lifetime
    )


def _s3(url: str, options: ImageOptions) -> S3Images:
    bucket, _, prefix = url.removeprefix("s3://").partition("/")
    return S3Images(
        bucket,
        prefix,
        lifetime=options.lifetime,
        timeout=_S3_TIMEOUT,
        attempts=_S3_ATTEMPTS,
        guard=options.guard,
    )


def _postgres(url: str, options: ImageOptions) -> ImageStore:
    from storage.database import in_postgres  # SQLAlchemy is loaded only where it is used
    from storage.postgres_images import PostgresImages

    return PostgresImages(
        in_postgres(options.database),
        secret=options.secret,
        base_url=options.base_url,
        lifetime=options.lifetime,
    )


IMAGES: dict[str, Callable[[str, ImageOptions], ImageStore]] = {
    "file:": _folder,
    "s3://": _s3,
    "postgres:": _postgres,
}
"""What opens an address that begins so."""


def open_images(
    url: str,
    *,
    secret: bytes = b"",
    base_url: str | Callable[[], str] = "",
    lifetime: int = LIFETIME,
    database: Database | None = None,
    guard: Guard = nullcontext,
) -> ImageStore:
    """The image store at `file:DIR`, `s3://BUCKET/PREFIX` or `postgres:` (in `database`).

    See ImageOptions; S3 takes its credentials, region and endpoint from the AWS_* variables. Opening sends no request.
    Raises ValueError when the address or another setting is wrong.
    """
    for scheme, opened in IMAGES.items():
        if url.startswith(scheme):
            return opened(url, ImageOptions(secret, base_url, lifetime, database, guard))
    raise ValueError(f"{url!r} is no place for images; write file:DIR, s3://BUCKET/PREFIX or postgres:")
