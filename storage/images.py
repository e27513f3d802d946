"""Opens the image store by its address. A new kind of store is a class in a file of its own, and its line here."""

from __future__ import annotations

from collections.abc import Callable

from storage.addresses import LIFETIME
from storage.files import folder_of
from storage.folder_images import FolderImages
from storage.ports import ImageStore
from storage.s3_images import S3Images

_S3_TIMEOUT = 5.0  # seconds; an answer may wait for Dropbox too, and a LINE reply token lives about a minute
_S3_ATTEMPTS = 2

__all__ = ["IMAGES", "LIFETIME", "FolderImages", "S3Images", "open_images"]


def _folder(url: str, secret: bytes, base_url: str | Callable[[], str], lifetime: int) -> FolderImages:
    return FolderImages(folder_of(url), secret=secret, base_url=base_url, lifetime=lifetime)


def _s3(url: str, secret: bytes, base_url: str | Callable[[], str], lifetime: int) -> S3Images:
    bucket, _, prefix = url.removeprefix("s3://").partition("/")
    return S3Images(bucket, prefix, lifetime=lifetime, timeout=_S3_TIMEOUT, attempts=_S3_ATTEMPTS)


IMAGES: dict[str, Callable[[str, bytes, str | Callable[[], str], int], ImageStore]] = {
    "file:": _folder,
    "s3://": _s3,
}
"""What opens an address that begins so."""


def open_images(
    url: str, *, secret: bytes = b"", base_url: str | Callable[[], str] = "", lifetime: int = LIFETIME
) -> ImageStore:
    """The image store at `file:DIR` or `s3://BUCKET/PREFIX`; its links live `lifetime` seconds.

    `secret` and `base_url` are for FolderImages only; S3 takes its credentials, region and endpoint from the AWS_*
    variables. Opening sends no request. Raises ValueError when the address or another setting is wrong.
    """
    for scheme, opened in IMAGES.items():
        if url.startswith(scheme):
            return opened(url, secret, base_url, lifetime)
    raise ValueError(f"{url!r} is no place for images; write file:DIR or s3://BUCKET/PREFIX")
