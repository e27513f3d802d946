"""Keeps the state in SQLite or Postgres, with one implementation on SQLAlchemy Core."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from storage.files import PerProcess
from storage.ports import Denied, StateStore, StorageError

if TYPE_CHECKING:
    from storage.state_table import Act, Database

_SWEEP_EVERY = 500  # writes of a process


class SqlState:
    """A StateStore in one table, made at first use. Threads, processes and forked workers may share it.

    Every call is one statement and so atomic. An expired row counts as missing; after every 500th write a sweep removes
    the expired rows. Text with NUL (which Postgres does not keep) or lone surrogates raises ValueError. All methods raise
    Denied when the database refuses the credentials or a permission, StorageError when it can't be used otherwise; no
    message shows the password.
    """

    def __init__(self, url: str, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives seconds since 1970. Raises ValueError when `url` is no address of a database for the state."""
        from storage.state_table import Database, parsed

        address = parsed(url)
        self._password = address.password or ""
        self._name = address.render_as_string(hide_password=True)
        self._clock = clock
        self._writes = 0
        self._database: PerProcess[Database] = PerProcess(lambda: Database(address))
        self._database.prepare()

    def get(self, key: str) -> str | None:
        """See `StateStore`."""
        with self._errors() as database:
            return database.value(the_key=_text(key), now=self._clock())

    def put(self, key: str, value: str, ttl: float | None = None) -> None:
        """See `StateStore`."""
        now = self._clock()
        self._write("PUT", the_key=_text(key), the_value=_text(value), until=_expiry(now, ttl))

    def add(self, key: str, value: str, ttl: float | None = None) -> bool:
        """See `StateStore`."""
        now = self._clock()
        return self._write(
            "ADD", the_key=_text(key), the_value=_text(value), until=_expiry(now, ttl), now=now
        )

    def replace(self, key: str, old: str, new: str, ttl: float | None = None) -> bool:
        """See `StateStore`."""
        now = self._clock()
        row = {"the_key": _text(key), "old": _text(old), "the_value": _text(new)}
        return self._write("REPLACE", **row, until=_expiry(now, ttl), now=now)

    def put_all(self, values: Mapping[str, str], ttl: float | None = None) -> None:
        """See `StateStore`."""
        until = _expiry(self._clock(), ttl)
        rows = [
            {"the_key": _text(key), "the_value": _text(value), "until": until}
            for key, value in values.items()
        ]
        if rows:
            with self._errors() as database:
                database.write_all("PUT", rows)
            self._sweep_after(len(rows))

    def delete(self, key: str) -> None:
        """See `StateStore`."""
        self._write("DELETE", the_key=_text(key))

    def items(self, prefix: str, without: str | None = None) -> dict[str, str]:
        """See `StateStore`."""
        with self._errors() as database:
            return database.items(_text(prefix), self._clock(), without)

    def sweep(self) -> int:
        """Remove the expired rows and return their number."""
        with self._errors() as database:
            return database.write("SWEEP", now=self._clock())

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        database = self._database.drop()
        if database is not None:
            database.close()

    def _write(self, act: Act, **parameters: Any) -> bool:
        """Run a statement; return whether it changed a row."""
        with self._errors() as database:
            written = database.write(act, **parameters) > 0
        self._sweep_after(1)
        return written

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
            kind = Denied if _denied(error) else StorageError
            raise kind(f"{self._name}: {self._reason(error)}") from error

    def _reason(self, error: Exception) -> str:
        first = next(iter(str(getattr(error, "orig", None) or error).splitlines()), type(error).__name__)
        return first.replace(self._password, "***") if self._password else first


def _expiry(now: float, ttl: float | None) -> float | None:
    return None if ttl is None else now + ttl


def _text(text: str) -> str:
    try:
        if "\0" not in text and (text.isascii() or text.encode()):
            return text
    except UnicodeEncodeError:
        pass
    raise ValueError(f"the state store keeps no text like {text[:80]!r}")


def _denied(error: Exception) -> bool:
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
