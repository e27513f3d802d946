"""The database of a service, SQLite or Postgres: statements, transactions, errors and the time.

What Database guarantees on both: every call is one transaction; errors are those of storage/ports.py and
do not show the password; all processes see the same clock. tests/storage/test_state.py and
test_hanging_database.py check it.
"""

import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import copy
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from storage import upgrades
from storage.engine import Engine, open_engine
from storage.ports import Clock, Denied, Guard, StorageError

Around = Callable[[Any, bool], AbstractContextManager[None]]
"""Returns the context in which a call of the database runs, such as a circuit breaker's, which raises
Unavailable. It gets the statement or its description (see `words_of`), and whether it writes.
"""


def _unguarded(_what: Any, _write: bool) -> AbstractContextManager[None]:
    return nullcontext()


UNGUARDED: Around = _unguarded

Where = sa.ColumnElement[bool] | None

IN_MEMORY = "sqlite://"
"""The address of a database in the memory of this process, with one connection for all threads."""


class Database:
    """A database at an address.

    Threads may share it, and processes that fork while it is closed. The tables are made at first use.
    Methods raise Denied when the credentials or a permission are refused, NewerSchema when a newer
    version has written it, and StorageError otherwise.
    """

    def __init__(
        self,
        url: str,
        *,
        around: Around = UNGUARDED,
        clock: Clock | None = None,
    ) -> None:
        """`clock` returns seconds since 1970; without it the database's clock is used.

        Raises ValueError as `parsed` does.
        """
        self.address = parsed(url)
        self.is_sqlite = self.address.drivername == "sqlite"
        self._clock = clock
        self._around = around
        self._password = self.address.password or ""
        self._name = self.address.render_as_string(hide_password=True)
        self._engine = open_engine(self.address)

    def called_through(self, around: Around) -> "Database":
        """The same database and connections, with another context around each call."""
        database = copy(self)
        database._around = around
        return database

    def insert(self, table: sa.Table) -> Any:
        """An INSERT of this database's dialect, which has `on_conflict_do_update`."""
        if self.is_sqlite:
            return sqlite.insert(table)
        return postgresql.insert(table)

    def replacing(
        self,
        table: sa.Table,
        columns: Iterable[str],
        where: Where = None,
    ) -> Any:
        """An INSERT of rows with these columns that replaces rows with the same keys.

        A row for which `where` is not true is not replaced.
        """
        insert = self.insert(table)
        keys = [column.name for column in table.primary_key]
        new = {name: insert.excluded[name] for name in columns if name not in keys}
        return insert.on_conflict_do_update(index_elements=keys, set_=new, where=where)

    def clock(self) -> float:
        """Seconds since 1970 by the clock that all processes share.

        This is Postgres's clock, or with SQLite this machine's.
        """
        if self._clock is None and not self.is_sqlite and self._engine.clock_offset is None:
            with self._connected("clock", write=False):
                pass  # the first connection learns the time
        return self.now()

    def now(self) -> float:
        """As `clock`, but without a request.

        Until the database has been reached it is this machine's time.
        """
        if self._clock is not None:
            return self._clock()
        offset = self._engine.clock_offset
        if offset is None:
            return time.time()
        return time.monotonic() + offset

    def rows(
        self,
        query: Any,
        description: str = "",
        values: Mapping[str, Any] | None = None,
    ) -> Sequence[Any]:
        """The rows of a query, or those that a statement has changed and returns.

        Errors name it by `description`, or else by its table. `values` are those of its parameters.
        """
        with self._connected(description or query, write=query.is_dml) as connection:
            return connection.execute(query, values).all()

    def first(
        self,
        query: Any,
        description: str = "",
        values: Mapping[str, Any] | None = None,
    ) -> Any:
        """The first row of a query, None where there is none."""
        return next(iter(self.rows(query, description, values)), None)

    def value(self, query: Any) -> Any | None:
        """The first column of a query's first row, None where there is none."""
        row = self.first(query)
        if row is None:
            return None
        return row[0]

    def write(
        self,
        statement: Any,
        description: str = "",
        values: Mapping[str, Any] | None = None,
    ) -> int:
        """Run a statement with the values of its parameters; return how many rows it has changed."""
        with self._connected(description or statement, write=True) as connection:
            return connection.execute(statement, values).rowcount

    def put(
        self,
        table: sa.Table,
        *rows: Mapping[str, Any],
        where: Where = None,
    ) -> int:
        """Insert rows, or replace those with the same keys for which `where` is true.

        Return the number of rows that were written.
        """
        if not rows:
            return 0
        insert = self.replacing(table, rows[0], where)
        if len(rows) == 1:
            return self.write(insert.values(rows[0]))
        with self.begin(words_of(insert)) as connection:
            return connection.execute(insert, rows).rowcount

    @contextmanager
    def begin(
        self,
        description: str,
        alone: str = "",
        seconds: int = 0,
    ) -> Iterator[sa.Connection]:
        """A transaction: all that is done with its connection takes effect, or nothing.

        Only one transaction with the same `alone` (the name of a lock) runs at a time, so what it
        has read stays true until it ends; SQLite has one writer at a time anyway. With Postgres
        `seconds` are how long a statement may take, such as for a file of megabytes; SQLite has no
        such limit and ignores them.
        """
        transaction = self._engine.transaction
        with (
            self._connected(description, write=True) as connection,
            transaction(connection, seconds),
        ):
            if alone and not self.is_sqlite:
                lock = sa.func.pg_advisory_xact_lock(zlib.crc32(alone.encode()))
                connection.execute(sa.select(lock))
            yield connection

    def is_made(self) -> bool:
        """Whether the database has been used before, and needs no upgrade. Makes nothing."""
        if self.is_sqlite and not Path(str(self.address.database)).exists():
            return False
        with self._errors("look") as engine, engine.sqlalchemy.connect() as connection:
            return upgrades.is_current(connection)

    def close(self) -> None:
        """Close the connections, those in use when they are free again.

        The next call opens new ones.
        """
        self._engine.close()

    @contextmanager
    def _connected(self, statement: Any, write: bool) -> Iterator[sa.Connection]:
        with self._around(statement, write), self._errors(statement) as engine:
            engine.make_ready()
            turn = engine.write_turn if write else nullcontext()
            with turn, engine.sqlalchemy.connect() as connection:
                yield connection

    @contextmanager
    def _errors(self, statement: Any) -> Iterator[Engine]:
        """Turn the errors of SQLAlchemy and of the driver into the ports'."""
        engine = self._engine
        try:
            yield engine
        except (engine.driver_error, SQLAlchemyError, OSError) as error:
            raise self._port_error(error, statement) from error

    def _port_error(self, error: Exception, statement: Any) -> StorageError:
        origin = getattr(error, "orig", None) or error
        reason = next(iter(str(origin).splitlines()), type(error).__name__)
        if self._password:
            reason = reason.replace(self._password, "***")
        state = str(getattr(origin, "sqlstate", None) or "")
        if state:
            reason += f" (SQLSTATE {state})"
        message = f"{self._name}: {words_of(statement)}: {reason}"
        # SQLSTATE class 28 refuses the credentials, 42501 a permission
        # (https://www.postgresql.org/docs/current/errcodes-appendix.html).
        is_denied = state.startswith("28") or state == "42501"
        if is_denied or "authentication failed" in str(origin):
            return Denied(message)
        return StorageError(message)


class Subject:
    """Base of the classes that read and write one table or some. For errors see Database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def _first(self, table: sa.Table, *where: Any) -> Any:
        """The first row for which all this is true; None where there is none."""
        return self._database.first(sa.select(table).where(*where))

    def _rows(self, table: sa.Table, *where: Any) -> Sequence[Any]:
        """The rows for which all this is true."""
        return self._database.rows(sa.select(table).where(*where))

    def _value(self, column: Any, *where: Any) -> Any | None:
        """The column of the first row for which all this is true; None where there is none."""
        return self._database.value(sa.select(column).where(*where).limit(1))

    def _change(self, table: sa.Table, *where: Any, **values: Any) -> int:
        return self._database.write(sa.update(table).where(*where).values(values))

    def _end(self, ttl: float | None) -> float | None:
        """The time in `ttl` seconds, None for never."""
        if ttl is None:
            return None
        return self._database.clock() + ttl

    def _remove(self, table: sa.Table, *where: Any) -> int:
        return self._database.write(sa.delete(table).where(*where))


def checked_postgres(database: Database | None, guard: Guard = nullcontext) -> Database:
    """The database, checked to be Postgres.

    With a `guard` its calls run inside the guard instead of the database's own context; without one
    nothing changes. Raises ValueError for None and for SQLite.
    """
    if database is None or database.is_sqlite:
        raise ValueError("postgres: keeps files in Postgres; DATABASE_URL must be postgres://…")
    if guard is nullcontext:
        return database
    return database.called_through(lambda statement, write: guard())


def parsed(url: str) -> sa.URL:
    """The address as SQLAlchemy's URL.

    Raises ValueError unless it is `sqlite:///FILE` or one of Postgres.
    """
    try:
        address = sa.make_url(url)
    except (ArgumentError, ValueError):
        raise ValueError(
            "DATABASE_URL is no address; write sqlite:///FILE or postgres://…"
        ) from None
    kind = address.drivername
    if kind == "sqlite":
        if url != IN_MEMORY and address.database in (None, "", ":memory:"):
            raise ValueError("SQLite needs a file: sqlite:///FILE")
        return address
    if kind in {"postgres", "postgresql", "postgresql+psycopg"}:
        return address.set(drivername="postgresql+psycopg")
    raise ValueError(f"{kind}: is no database for the state; write sqlite:///FILE or postgres://…")


def words_of(statement: Any) -> str:
    """A statement in two words, such as `update janroku_events`; a text stays as it is."""
    if isinstance(statement, str):
        return statement
    if hasattr(statement, "table"):
        tables = [statement.table]
    else:
        tables = statement.get_final_froms()
    names = [getattr(table, "name", str(table)) for table in tables]
    return " ".join([statement.__visit_name__, *names])
