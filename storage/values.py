"""Small values that have no table of their own, by key."""

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select

from storage.database import Subject
from storage.schema import VALUES


class Values(Subject):
    """Text under keys. Each method is atomic between processes; an expired value counts as none.
    Text with NUL (which Postgres does not keep) or lone surrogates raises ValueError."""

    def get(self, key: str) -> str | None:
        return self._value(VALUES.c.value, VALUES.c.key == kept_text(key), self._living)

    def put(self, key: str, value: str, ttl: float | None = None) -> None:
        """Set the value; it expires after `ttl` seconds (None: never)."""
        self._database.put(VALUES, self._row(key, value, ttl))

    def add(self, key: str, value: str, ttl: float | None = None) -> bool:
        """Set the value if there is none; return whether it was set."""
        expired = VALUES.c.expires <= self._database.clock()
        count = self._database.put(VALUES, self._row(key, value, ttl), where=expired)
        return count > 0

    def replace(
        self,
        key: str,
        old: str,
        new: str,
        ttl: float | None = None,
    ) -> bool:
        same = VALUES.c.key == kept_text(key), VALUES.c.value == old, self._living
        return self._change(VALUES, *same, **self._row(key, new, ttl)) > 0

    def change(
        self,
        key: str,
        new: Callable[[str | None], str],
        ttl: float | None = None,
    ) -> str:
        """Set what `new` makes of the value, also where others change it at once, and return it."""
        while True:
            value = self.get(key)
            made = new(value)
            if value is None:
                was_set = self.add(key, made, ttl)
            else:
                was_set = self.replace(key, value, made, ttl)
            if was_set:
                return made

    def delete(self, key: str) -> None:
        self._remove(VALUES, VALUES.c.key == kept_text(key))

    def erase(self, *words: str, by_value: bool = False) -> None:
        """Remove the values in whose key (or value) all these words stand."""
        text = VALUES.c.value if by_value else VALUES.c.key
        self._remove(VALUES, *(text.contains(word, autoescape=True) for word in words))

    def items(self, prefix: str, holding: str = "") -> dict[str, str]:
        """The living values whose keys begin with `prefix` and that contain `holding`, in the order
        of keys.
        """
        begins = func.substr(VALUES.c.key, 1, len(prefix)) == kept_text(prefix)
        holds = VALUES.c.value.contains(holding, autoescape=True)
        query = select(VALUES).where(begins, holds, self._living).order_by(VALUES.c.key)
        return {row.key: row.value for row in self._database.rows(query)}

    def present(self, keys: Collection[str]) -> set[str]:
        """Those of the keys that have a value."""
        query = select(VALUES.c.key).where(VALUES.c.key.in_(sorted(keys)), self._living)
        return {row.key for row in self._database.rows(query)}

    def sweep(self) -> int:
        return self._remove(VALUES, VALUES.c.expires <= self._database.clock())

    @property
    def _living(self) -> ColumnElement[bool]:
        return or_(VALUES.c.expires.is_(None), VALUES.c.expires > self._database.clock())

    def _row(self, key: str, value: str, ttl: float | None) -> dict[str, Any]:
        return {"key": kept_text(key), "value": kept_text(value), "expires": self._end(ttl)}


def kept_text(text: str) -> str:
    """Return the text. Raises ValueError for one that no database keeps."""
    with suppress(UnicodeEncodeError):
        if "\0" not in text and (text.isascii() or text.encode()):
            return text
    raise ValueError(f"the database keeps no text like {text[:80]!r}")
