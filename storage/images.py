"""Where charts wait for the phones that show them: a directory this service serves, or an S3 bucket."""

from __future__ import annotations

from collections.abc import Callable

from storage.addresses import LIFETIME
from storage.files import folder_of
from storage.folder_images import FolderImages
from storage.s3_images import S3Images

_S3_TIMEOUT = 5.0  # seconds; with Dropbox's part a tap stays well within LINE's minute
_S3_ATTEMPTS = 2

__all__ = ["LIFETIME", "FolderImages", "S3Images", "open_images"]


def open_images(
    url: str, *, secret: bytes = b"", base_url: str | Callable[[], str] = "", lifetime: int = LIFETIME
) -> FolderImages | S3Images:
    """The image store at `file:DIR` or `s3://BUCKET/PREFIX`, its links good for `lifetime` seconds.

    `secret` and `base_url` are FolderImages' own; S3 takes its credentials, region and endpoint from the AWS_*
    variables. Asks nobody yet. ValueError says what is wrong with the address.
    """
    if url.startswith("file:"):
        return FolderImages(folder_of(url), secret=secret, base_url=base_url, lifetime=lifetime)
    if url.startswith("s3://"):
        bucket, _, prefix = url.removeprefix("s3://").partition("/")
        return S3Images(bucket, prefix, lifetime=lifetime, timeout=_S3_TIMEOUT, attempts=_S3_ATTEMPTS)
    raise ValueError(f"{url!r} is no place for images; write file:DIR or s3://BUCKET/PREFIX")
