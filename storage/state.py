"""Keeps the state in SQLite or Postgres, with one implementation on SQLAlchemy Core."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from storage.files import PerProcess
from storage.ports import Denied, StateRow, StateStore, StorageError
from storage.state_shared import Change

if TYPE_CHECKING:
    from storage.state_table import Database

_SWEEP_EVERY = 500  # writes of a process


class SqlState:
    """A StateStore in one table, made at first use. Threads, processes and forked workers may share it.

    Every call is one statement and so atomic. An expired row counts as missing; after every 500th write a sweep removes
    the expired rows. Text with NUL (which Postgres does not keep) or lone surrogates raises ValueError. All methods raise
    Denied when the database refuses the credentials or a permission, StorageError when it can't be used otherwise; no
    message shows the password.
    """

    def __init__(self, url: str, *, clock: Callable[[], float] | None = None) -> None:
        """`clock` gives seconds since 1970; without it the database's own clock counts. Raises ValueError when `url` is no address of a database for the state."""
        from storage.state_table import Database, parsed

        address = parsed(url)
        self._password = address.password or ""
        self._name = address.render_as_string(hide_password=True)
        self._clock = clock
        self._writes = 0
        self._database: PerProcess[Database] = PerProcess(lambda: Database(address))
        self._database.prepare()

    def now(self) -> float:
        """See `StateStore`."""
        return self._clock() if self._clock is not None else self._database.get().now()

    def get(self, key: str) -> str | None:
        """See `StateStore`."""
        return self.get_all((key,)).get(key)

    def get_all(self, keys: Collection[str]) -> dict[str, str]:
        """See `StateStore`."""
        with self._errors() as database:
            return database.values([_text(key) for key in keys], self._time(database))

    def put(self, key: str, value: str, ttl: float | None = None) -> None:
        """See `StateStore`."""
        self.put_all({key: value}, ttl)

    def put_all(self, values: Mapping[str, str], ttl: float | None = None) -> None:
        """See `StateStore`."""
        if values:
            with self._errors() as database:
                now = self._time(database)
                database.put_all([_change(key, value, ttl, now) for key, value in values.items()])
            self._sweep_after(len(values))

    def add(self, key: str, value: str, ttl: float | None = None) -> bool:
        """See `StateStore`."""
        with self._errors() as database:
            added = database.add(_change(key, value, ttl, self._time(database)))
        self._sweep_after(1)
        return added

    def replace(self, key: str, old: str, new: str, ttl: float | None = None) -> bool:
        """See `StateStore`."""
        with self._errors() as database:
            replaced = database.replace(_change(key, new, ttl, self._time(database), old))
        self._sweep_after(1)
        return replaced

    def delete(self, key: str) -> None:
        """See `StateStore`."""
        with self._errors() as database:
            database.write("DELETE", the_key=_text(key))
        self._sweep_after(1)

    def items(self, prefix: str, without: str | None = None) -> dict[str, str]:
        """See `StateStore`."""
        with self._errors() as database:
            return database.items(_text(prefix), self._time(database), without)

    def rows(self, prefix: str, after: str | None = None, most: int = 1000) -> list[StateRow]:
        """See `StateStore`."""
        with self._errors() as database:
            now = self._time(database)
            found = database.rows(_text(prefix), after and _text(after), most, now)
        return [StateRow(*row) for row in found]

    def is_made(self) -> bool:
        """Whether the database has been used before, and needs no upgrade. Nothing is made."""
        with self._errors() as database:
            return database.is_made()

    def sweep(self) -> int:
        """Remove the expired rows and return their number."""
        with self._errors() as database:
            return database.write("SWEEP", now=self._time(database))

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        database = self._database.drop()
        if database is not None:
            database.close()

    def _time(self, database: Database) -> float:
        """The time by the database's clock, which its first connection tells."""
        database.make_ready()
        return self.now()

    def _sweep_after(self, writes: int) -> None:
        """Count writes, and sweep when there were enough since the last sweep."""
        self._writes += writes  # threads may lose a count, which does no harm
        if self._writes >= _SWEEP_EVERY:
            self._writes = 0
            self.sweep()

    @contextmanager
    def _errors(self) -> Iterator[Database]:
        database = self._database.get()
        try:
            yield database
        except database.errors as error:
            kind = Denied if denied(error) else StorageError
            raise kind(f"{self._name}: {self._reason(error)}") from error

    def _reason(self, error: Exception) -> str:
        first = next(iter(str(getattr(error, "orig", None) or error).splitlines()), type(error).__name__)
        return first.replace(self._password, "***") if self._password else first


def _change(key: str, value: str, ttl: float | None, now: float, old: str = "") -> Change:
    """The change as the statements take it. Raises ValueError for text that no database keeps."""
    until = None if ttl is None else now + ttl
    return Change(_text(key), _text(value), until, now, _text(old))


def _text(text: str) -> str:
    try:
        if "\0" not in text and (text.isascii() or text.encode()):
            return text
    except UnicodeEncodeError:
        pass
    raise ValueError(f"the state store keeps no text like {text[:80]!r}")


def denied(error: Exception) -> bool:
    """Whether the database refuses the credentials (SQLSTATE class 28) or a permission (42501).

    The codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
    """
    origin = getattr(error, "orig", None) or error
    state = str(getattr(origin, "sqlstate", None) or "")
    return state.startswith("28") or state == "42501" or "authentication failed" in str(origin)


STATES: dict[str, Callable[[str], StateStore]] = {
    "sqlite:///": SqlState,
    "postgres://": SqlState,
    "postgresql://": SqlState,
}
"""What opens an address that begins so."""


def open_state(url: str) -> StateStore:
    """The state store at `sqlite:///FILE`, `postgres://…` or `postgresql://…`. Opening sends no request.

    Raises ValueError when the address is none of these.
    """
    for scheme, opened in STATES.items():
        if url.startswith(scheme):
            return opened(url)
    raise ValueError("DATABASE_URL is no place for state; write sqlite:///FILE or postgres://…")
