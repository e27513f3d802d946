"""Keeps images in the database of the state; this service itself serves them under signed links."""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import copy

from sqlalchemy import delete, func, or_, select

from storage.addresses import LIFETIME, checked_key
from storage.database import Database, in_postgres
from storage.file_names import file_name
from storage.image_links import ImageLinks, type_of
from storage.ports import LARGEST, NotFound, TooLarge
from storage.schema import IMAGES

ROOM = 256 << 20
"""The bytes of all images that a sweep leaves: a quarter of Heroku's smallest Postgres plan."""


class PostgresImages:
    """An ImageStore in a table. `url` gives a link of `ImageLinks`; `open` gives the image of a link's token.

    Its size is bounded: `sweep` also removes the oldest images beyond `room` bytes. An image of more than LARGEST bytes is
    refused.
    """

    def __init__(
        self,
        database: Database,
        *,
        secret: bytes,
        base_url: str | Callable[[], str] = "",
        lifetime: int = LIFETIME,
        clock: Callable[[], float] = time.time,
        room: int = ROOM,
    ) -> None:
        """See ImageLinks. Raises ValueError when something is wrong, or the database is none of Postgres."""
        self._database = in_postgres(database)
        self._links = ImageLinks(secret, base_url, lifetime, clock)
        self._clock = clock
        self._room = room

    def at(self, base_url: str) -> PostgresImages:
        """The same store with links that begin with `base_url`."""
        other = copy(self)
        other._links = self._links.at(base_url)
        return other

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        """See `ImageStore`. `content_type` is not kept: `open` tells it from the bytes. Raises TooLarge."""
        if len(data) > LARGEST:
            raise TooLarge(f"postgres:{checked_key(key)}", len(data))
        new = {"data": data, "size": len(data), "put": self._clock()}
        self._database.put(IMAGES, {"key": checked_key(key), **new})

    def has(self, key: str) -> bool:
        """See `ImageStore`."""
        return self._database.first(select(IMAGES.c.key).where(IMAGES.c.key == checked_key(key))) is not None

    def url(self, key: str) -> str:
        """See `ImageStore`. Raises StorageError when no base is known or LINE would refuse the address."""
        return self._links.url(key)

    def open(self, token: str) -> tuple[bytes, str, str]:
        """See `ImageStore`. The type is told from the bytes: PNG, JPEG, else application/octet-stream."""
        key = self._links.key(token)
        row = self._database.first(select(IMAGES.c.data).where(IMAGES.c.key == key))
        if row is None:
            raise NotFound(f"postgres:{key}: no such picture")
        data = bytes(row.data)
        return data, type_of(data), file_name(key)

    def sweep(self, older_than: float) -> int:
        """See `ImageStore`."""
        newer = func.sum(IMAGES.c.size).over(order_by=(IMAGES.c.put.desc(), IMAGES.c.key)).label("newer")
        kept = select(IMAGES.c.key, newer).subquery()
        beyond = IMAGES.c.key.in_(select(kept.c.key).where(kept.c.newer > self._room))
        old = IMAGES.c.put < self._clock() - older_than
        return self._database.write(delete(IMAGES).where(or_(old, beyond)))
