"""Keeps images in the database of the state; this service itself serves them under signed links."""

from __future__ import annotations

from typing import Unpack

from sqlalchemy import delete, func, or_, select

from storage.addresses import LinkOptions, ServedImages, checked_key
from storage.database import Database, in_postgres
from storage.ports import LARGEST, NotFound, TooLarge
from storage.schema import IMAGES

ROOM = 256 << 20
"""The bytes of all images that a sweep leaves: a quarter of Heroku's smallest Postgres plan."""


class PostgresImages(ServedImages):
    """An ImageStore in a table.

    Its size is bounded: `sweep` also removes the oldest images beyond `room` bytes. An image of more than
    LARGEST bytes is refused.
    """

    def __init__(self, database: Database, *, room: int = ROOM, **links: Unpack[LinkOptions]) -> None:
        """See ServedImages. Raises ValueError when something is wrong, or the database is none of
        Postgres."""
        super().__init__(**links)
        self._database = in_postgres(database)
        self._room = room

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        """See `ImageStore`. `content_type` is not kept: `open` tells it from the bytes. Raises TooLarge."""
        if len(data) > LARGEST:
            raise TooLarge(f"postgres:{checked_key(key)}", len(data))
        new = {"data": data, "size": len(data), "put": self._clock()}
        self._database.put(IMAGES, {"key": checked_key(key), **new})

    def has(self, key: str) -> bool:
        """See `ImageStore`."""
        return self._database.value(select(IMAGES.c.key).where(IMAGES.c.key == checked_key(key))) is not None

    def sweep(self, older_than: float) -> int:
        """See `ImageStore`."""
        newer = func.sum(IMAGES.c.size).over(order_by=(IMAGES.c.put.desc(), IMAGES.c.key)).label("newer")
        kept = select(IMAGES.c.key, newer).subquery()
        beyond = IMAGES.c.key.in_(select(kept.c.key).where(kept.c.newer > self._room))
        old = IMAGES.c.put < self._clock() - older_than
        return self._database.write(delete(IMAGES).where(or_(old, beyond)))

    def _read(self, key: str) -> bytes:
        data = self._database.value(select(IMAGES.c.data).where(IMAGES.c.key == key))
        if data is None:
            raise NotFound(f"postgres:{key}: no such picture")
        return bytes(data)
