"""Small facts that outlive a process, in SQLite or Postgres: one implementation on SQLAlchemy Core."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from storage.files import PerProcess
from storage.ports import Denied, StorageError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from storage.state_table import Database

_SWEEP_EVERY = 500  # writes


def open_state(url: str) -> SqlState:
    """The state store at `sqlite:///FILE`, `postgres://…` or `postgresql://…`. Asks nobody yet; ValueError."""
    return SqlState(url)


class SqlState:
    """A StateStore in one table, made when first used. Threads, processes and forked workers may share it.

    Every call is one statement, so each is atomic; an expired row counts as none, and goes with the sweep that every
    500th write makes. Keys and values are any text but NUL (Postgres keeps none) and lone surrogates: ValueError.
    All methods raise StorageError, or Denied, where the database can't be used; its password is never shown.
    """

    def __init__(self, url: str, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives seconds since 1970, as time.time. ValueError for an address that is none."""
        from storage.state_table import Database, parsed

        address = parsed(url)
        self._password = address.password or ""
        self._name = address.render_as_string(hide_password=True)
        self._clock = clock
        self._writes = itertools.count(1)
        self._database: PerProcess[Database] = PerProcess(lambda: Database(address))
        self._database.prepare()

    def get(self, key: str) -> str | None:
        """See the port."""
        with self._connection() as (database, connection):
            value: str | None = connection.scalar(database.value_of(_text(key), self._clock()))
            return value

    def put(self, key: str, value: str, ttl: float | None = None) -> None:
        """See the port."""
        now = self._clock()
        self._write(lambda database: database.put(_text(key), _text(value), _expiry(now, ttl)))

    def add(self, key: str, value: str, ttl: float | None = None) -> bool:
        """See the port."""
        now = self._clock()
        return self._write(lambda database: database.add(_text(key), _text(value), _expiry(now, ttl), now))

    def replace(self, key: str, old: str, new: str, ttl: float | None = None) -> bool:
        """See the port."""
        now, texts = self._clock(), (_text(key), _text(old), _text(new))
        return self._write(lambda database: database.replace(*texts, _expiry(now, ttl), now))

    def delete(self, key: str) -> None:
        """See the port."""
        with self._connection() as (database, connection):
            connection.execute(database.delete(_text(key)))

    def items(self, prefix: str, without: str | None = None) -> dict[str, str]:
        """See the port."""
        with self._connection() as (database, connection):
            rows = connection.execute(database.items(_text(prefix), self._clock(), without)).all()
            return {row.key: row.value for row in rows}

    def sweep(self) -> int:
        """Remove what has expired; how many went."""
        with self._connection() as (database, connection):
            return int(connection.execute(database.sweep(self._clock())).rowcount)

    def close(self) -> None:
        """Hang up; the next call connects again."""
        database = self._database.drop()
        if database is not None:
            database.close()

    def _write(self, statement: Callable[[Database], Any]) -> bool:
        """Whether the statement touched a row."""
        with self._connection() as (database, connection):
            # Without the option SQLAlchemy reports no count of an INSERT.
            options = {"preserve_rowcount": True}
            written = connection.execute(statement(database), execution_options=options).rowcount > 0
        if next(self._writes) % _SWEEP_EVERY == 0:
            self.sweep()
        return written

    @contextmanager
    def _connection(self) -> Iterator[tuple[Database, Connection]]:
        from sqlalchemy.exc import SQLAlchemyError

        try:
            database = self._database.get()
            with database.connect() as connection:
                yield database, connection
        except (SQLAlchemyError, OSError) as error:
            kind = Denied if _denied(error) else StorageError
            raise kind(f"{self._name}: {self._reason(error)}") from error

    def _reason(self, error: Exception) -> str:
        first = next(iter(str(getattr(error, "orig", None) or error).splitlines()), type(error).__name__)
        return first.replace(self._password, "***") if self._password else first


def _expiry(now: float, ttl: float | None) -> float | None:
    return None if ttl is None else now + ttl


def _text(text: str) -> str:
    if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError(f"the state store keeps no text like {text[:80]!r}")
    return text


def _denied(error: Exception) -> bool:
    """Whether the database refuses the credentials (SQLSTATE class 28) or the permission (42501)."""
    origin = getattr(error, "orig", None)
    state = str(getattr(origin, "sqlstate", None) or "")
    return state.startswith("28") or state == "42501" or "authentication failed" in str(origin)
