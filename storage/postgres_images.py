"""Keeps images in the database of the state; this service itself serves them under signed links."""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import copy

from storage.addresses import LIFETIME, checked_key
from storage.file_names import file_name
from storage.image_links import ImageLinks, type_of
from storage.ports import LARGEST, NotFound, TooLarge
from storage.postgres import tables_at

ROOM = 256 << 20
"""The bytes of all images that a sweep leaves: a quarter of Heroku's smallest Postgres plan."""

_PUT = """
    INSERT INTO janroku_images (key, data, size, put) VALUES (%(key)s, %(data)s, %(size)s, %(now)s)
    ON CONFLICT (key) DO UPDATE SET data = excluded.data, size = excluded.size, put = excluded.put"""
_SWEEP = """
    DELETE FROM janroku_images WHERE put < %(oldest)s OR key IN (
        SELECT key FROM (SELECT key, sum(size) OVER (ORDER BY put DESC, key) AS newer FROM janroku_images) AS kept
        WHERE newer > %(room)s)"""


class PostgresImages:
    """An ImageStore in a table. `url` gives a link of `ImageLinks`; `open` gives the image of a link's token.

    Its size is bounded: `sweep` also removes the oldest images beyond `room` bytes. An image of more than LARGEST bytes is
    refused.
    """

    def __init__(
        self,
        database_url: str,
        *,
        secret: bytes,
        base_url: str | Callable[[], str] = "",
        lifetime: int = LIFETIME,
        clock: Callable[[], float] = time.time,
        room: int = ROOM,
    ) -> None:
        """`database_url` is DATABASE_URL; for the rest see ImageLinks. Raises ValueError when one of them is wrong."""
        self._tables = tables_at(database_url)
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
        row = {"key": checked_key(key), "data": data, "size": len(data), "now": self._clock()}
        self._tables.run(key, (_PUT, row))

    def has(self, key: str) -> bool:
        """See `ImageStore`."""
        one = ("SELECT 1 FROM janroku_images WHERE key = %(key)s", {"key": checked_key(key)})
        return bool(self._tables.run(key, one)[0])

    def url(self, key: str) -> str:
        """See `ImageStore`. Raises StorageError when no base is known or LINE would refuse the address."""
        return self._links.url(key)

    def open(self, token: str) -> tuple[bytes, str]:
        """The bytes of an image and its content type, by the token of a link.

        Raises NotFound when the token is altered or expired or the image is gone.
        """
        key = self._links.key(token)
        rows, _ = self._tables.run(key, ("SELECT data FROM janroku_images WHERE key = %(key)s", {"key": key}))
        if not rows:
            raise NotFound(f"postgres:{key}: no such picture")
        data = bytes(rows[0][0])
        return data, type_of(data)

    def name_of(self, token: str) -> str:
        """The name of the file that a link's token leads to. Raises NotFound when the token is altered or expired."""
        return file_name(self._links.key(token))

    def sweep(self, older_than: float) -> int:
        """See `ImageStore`."""
        bounds = {"oldest": self._clock() - older_than, "room": self._room}
        return self._tables.run("*", (_SWEEP, bounds))[1]
