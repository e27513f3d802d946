"""The table `state`: small values that have no table of their own.

A row is a text under a key, perhaps with a time at which it expires. An expired value counts as none,
and `sweep` removes it later. Who stores what under which key is up to the callers. Only values of a
league have a LeagueKey, so that they are renamed and removed with the league.

What the table promises: each method is atomic, whatever other processes do at the same time. So of
several that `add` the same key one succeeds, and `change` loses no change of another.
tests/storage/test_values.py and test_once.py check it.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from storage.database import Subject
from storage.schema import VALUES


class LeagueKey(StrEnum):
    """The keys of a league's values. One that ends with a sign is a beginning of keys."""

    PAGE = "page:{league}"  # the version of the links to its page (bot/chat/links.py)
    EVENING = "evening/{league}"  # its last evening (bot/notify/evenings.py)
    QUIZ = "quiz/{league}/"  # the positions asked, by day (bot/answers/paifu/quizzes.py)
    QUIZ_VOTE = "quiz-vote/{league}/"  # the votes on them, by day and user
    FORGETTING = "forgetting:{league}:"  # new names, by player (bot/cli/leagues.py)

    def of(self, league: str) -> str:
        return self.format(league=league)

    def is_key(self, league: str) -> sa.ColumnElement[bool]:
        """Whether the key of a row of VALUES is this one, or begins with it."""
        key = kept_text(self.of(league))
        if self.endswith("{league}"):
            return VALUES.c.key == key
        return _begins_with(key)


class Values(Subject):
    """Texts by key.

    Methods raise ValueError for a text with NUL, which Postgres can't store, or lone surrogates.
    """

    def get(self, key: str) -> str | None:
        is_key = VALUES.c.key == kept_text(key)
        return self._value(VALUES.c.value, is_key, self._is_living)

    def put(self, key: str, value: str, ttl: float | None = None) -> None:
        """Set the value; it expires after `ttl` seconds (None: never)."""
        self._database.put(VALUES, self._row(key, value, ttl))

    def add(self, key: str, value: str, ttl: float | None = None) -> bool:
        """Set the value if there is none; return whether it was set."""
        is_expired = VALUES.c.expires <= self._database.clock()
        count = self._database.put(VALUES, self._row(key, value, ttl), where=is_expired)
        return count > 0

    def replace(
        self,
        key: str,
        old: str,
        new: str,
        ttl: float | None = None,
    ) -> bool:
        """Set the value if it is `old`; return whether it was set."""
        is_old = VALUES.c.key == kept_text(key), VALUES.c.value == old, self._is_living
        return self._change(VALUES, *is_old, **self._row(key, new, ttl)) > 0

    def change(
        self,
        key: str,
        new: Callable[[str | None], str],
        ttl: float | None = None,
    ) -> str:
        """Set the value that `new` computes from the present one, and return it.

        `new` is called again when another process has changed the value meanwhile.
        """
        while True:
            value = self.get(key)
            new_value = new(value)
            if value is None:
                was_set = self.add(key, new_value, ttl)
            else:
                was_set = self.replace(key, value, new_value, ttl)
            if was_set:
                return new_value

    def delete(self, key: str) -> None:
        self._remove(VALUES, VALUES.c.key == kept_text(key))

    def erase(self, *words: str, by_value: bool = False) -> None:
        """Remove the values whose key (or value, with `by_value`) contains all these words."""
        text = VALUES.c.value if by_value else VALUES.c.key
        self._remove(VALUES, *(text.contains(word, autoescape=True) for word in words))

    def items(self, prefix: str, holding: str = "") -> dict[str, str]:
        """The values whose keys begin with `prefix` and that contain `holding`, ordered by key."""
        query = (
            sa.select(VALUES)
            .where(
                _begins_with(kept_text(prefix)),
                VALUES.c.value.contains(holding, autoescape=True),
                self._is_living,
            )
            .order_by(VALUES.c.key)
        )
        return {row.key: row.value for row in self._database.rows(query)}

    def present(self, keys: Collection[str]) -> set[str]:
        """Those of the keys that have a value."""
        is_wanted = VALUES.c.key.in_(sorted(keys))
        query = sa.select(VALUES.c.key).where(is_wanted, self._is_living)
        return {row.key for row in self._database.rows(query)}

    def sweep(self) -> int:
        """Remove expired values; return their number."""
        return self._remove(VALUES, VALUES.c.expires <= self._database.clock())

    @property
    def _is_living(self) -> sa.ColumnElement[bool]:
        now = self._database.clock()
        return sa.or_(VALUES.c.expires.is_(None), VALUES.c.expires > now)

    def _row(self, key: str, value: str, ttl: float | None) -> dict[str, Any]:
        return {
            "key": kept_text(key),
            "value": kept_text(value),
            "expires": self._end(ttl),
        }


def _begins_with(prefix: str) -> sa.ColumnElement[bool]:
    """Whether a key begins with this. LIKE would ignore case in SQLite."""
    return sa.func.substr(VALUES.c.key, 1, len(prefix)) == prefix


def kept_text(text: str) -> str:
    """Return the text. Raises ValueError for one that the databases can't store."""
    with suppress(UnicodeEncodeError):
        if "\0" not in text and (text.isascii() or text.encode()):
            return text
    raise ValueError(f"the database keeps no text like {text[:80]!r}")
