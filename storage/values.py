"""Small values under keys, with an expiry, for what has no table of its own: a confirmation, a draft, a
mark."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, delete, func, or_, select, update

from storage.database import Subject
from storage.schema import VALUES


class Values(Subject):
    """Text under keys. Each method is atomic between processes; an expired value counts as none.

    Text with NUL (which Postgres does not keep) or lone surrogates raises ValueError.
    """

    def get(self, key: str) -> str | None:
        """The value; None when there is none or it has expired."""
        query = select(VALUES.c.value).where(VALUES.c.key == kept_text(key), self._living)
        return self._database.value(query)

    def put(self, key: str, value: str, ttl: float | None = None) -> None:
        """Set the value; it expires after `ttl` seconds (None: never)."""
        self._database.put(VALUES, self._row(key, value, ttl))

    def add(self, key: str, value: str, ttl: float | None = None) -> bool:
        """Set the value if there is none; return whether it was set."""
        expired = VALUES.c.expires <= self._database.clock()
        return self._database.put(VALUES, self._row(key, value, ttl), where=expired) > 0

    def replace(self, key: str, old: str, new: str, ttl: float | None = None) -> bool:
        """Set `new` if the value is `old`; return whether it was set."""
        found = update(VALUES).where(VALUES.c.key == kept_text(key), VALUES.c.value == old, self._living)
        return self._database.write(found.values(self._row(key, new, ttl))) > 0

    def delete(self, key: str) -> None:
        """Remove the value, if it is there."""
        self._database.write(delete(VALUES).where(VALUES.c.key == kept_text(key)))

    def items(self, prefix: str) -> dict[str, str]:
        """The living values whose keys begin with `prefix`, in the order of keys."""
        begins = func.substr(VALUES.c.key, 1, len(prefix)) == kept_text(prefix)
        rows = self._database.rows(select(VALUES).where(begins, self._living).order_by(VALUES.c.key))
        return {row.key: row.value for row in rows}

    def sweep(self) -> int:
        """Remove the expired values and return their number."""
        return self._database.write(delete(VALUES).where(VALUES.c.expires <= self._database.clock()))

    @property
    def _living(self) -> ColumnElement[bool]:
        return or_(VALUES.c.expires.is_(None), VALUES.c.expires > self._database.clock())

    def _row(self, key: str, value: str, ttl: float | None) -> dict[str, Any]:
        expires = None if ttl is None else self._database.clock() + ttl
        return {"key": kept_text(key), "value": kept_text(value), "expires": expires}


def kept_text(text: str) -> str:
    """Return the text. Raises ValueError for one that no database keeps."""
    try:
        if "\0" not in text and (text.isascii() or text.encode()):
            return text
    except UnicodeEncodeError:
        pass
    raise ValueError(f"the database keeps no text like {text[:80]!r}")
