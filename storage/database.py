"""The database of a service, SQLite or Postgres: one engine and one pool for all that is kept in
tables.
"""

import select as polling
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DisconnectionError, SQLAlchemyError

from storage import upgrades
from storage.ports import Clock, Denied, Guard, StorageError

Around = Callable[[Any, bool], AbstractContextManager[None]]
"""What stands around each call of the database: the statement or words (see `words_of`), and
whether it writes. A circuit breaker raises Unavailable here."""

UNGUARDED: Around = lambda what, write: nullcontext()  # noqa: E731

Where = sa.ColumnElement[bool] | None

_CONNECT = 2  # seconds, the fewest that the driver takes
_STATEMENT = 3  # seconds of a statement; the client's own limit is a second more
_UPGRADE = 60  # the same of an upgrade
_UNASKED = 20.0  # seconds; a connection that was idle for longer is checked before use
_RENEWED = 600  # seconds after which a connection is replaced; a new one learns the database's time
IN_MEMORY = "sqlite://"
"""The address of a database in the memory of this process, with one connection for all threads."""


class Database:
    """A database at an address. Threads may share it, and processes that fork while it is closed.
    The tables are made at first use. Every call is one transaction. Methods raise Denied when the
    credentials or a permission are refused, NewerSchema when a newer version has written it,
    StorageError otherwise; no message shows the password."""

    def __init__(
        self,
        url: str,
        *,
        around: Around = UNGUARDED,
        clock: Clock | None = None,
    ) -> None:
        """`clock` gives seconds since 1970; without it the database's counts.

        Errors: see `parsed`.
        """
        self.address = parsed(url)
        self.is_sqlite = self.address.drivername == "sqlite"
        self._clock = clock
        self._around = around
        self._password = self.address.password or ""
        self._name = self.address.render_as_string(hide_password=True)
        self._engine = _Engine(self.address)

    def insert(self, table: sa.Table) -> Any:
        """An INSERT of this database's dialect, which has `on_conflict_do_update`."""
        return (sqlite if self.is_sqlite else postgresql).insert(table)

    def replacing(
        self,
        table: sa.Table,
        columns: Iterable[str],
        where: Where = None,
    ) -> Any:
        """An INSERT of rows of these columns, in place of those with the same keys (where `where`
        holds).
        """
        insert = self.insert(table)
        keys = [column.name for column in table.primary_key]
        new = {name: insert.excluded[name] for name in columns if name not in keys}
        return insert.on_conflict_do_update(index_elements=keys, set_=new, where=where)

    def clock(self) -> float:
        """Seconds since 1970 by the clock all processes share:

        Postgres's, or with SQLite this machine's.
        """
        if self._clock is None and not self.is_sqlite and self._engine.ahead is None:
            with self._connected("clock", write=False):
                pass  # a first connection tells the time
        return self.now()

    def now(self) -> float:
        """As `clock`, but it asks nobody: until the database has been reached it is this machine's
        time.
        """
        if self._clock is not None:
            return self._clock()
        ahead = self._engine.ahead
        if ahead is None:
            return time.time()
        return time.monotonic() + ahead

    def rows(
        self, query: Any, what: str = "", values: Mapping[str, Any] | None = None
    ) -> Sequence[Any]:
        """The rows of a query, or those that a statement has changed and returns. `what` names it
        in errors, else its table; `values` are those of its parameters."""
        with self._connected(what or query, write=query.is_dml) as connection:
            return connection.execute(query, values).all()

    def first(
        self,
        query: Any,
        what: str = "",
        values: Mapping[str, Any] | None = None,
    ) -> Any:
        return next(iter(self.rows(query, what, values)), None)

    def value(self, query: Any) -> Any | None:
        """The first column of a query's first row; None where there is none."""
        row = self.first(query)
        return None if row is None else row[0]

    def write(
        self,
        statement: Any,
        what: str = "",
        values: Mapping[str, Any] | None = None,
    ) -> int:
        """Run a statement with the values of its parameters, and return how many rows it has
        changed.
        """
        with self._connected(what or statement, write=True) as connection:
            return connection.execute(statement, values).rowcount

    def put(
        self,
        table: sa.Table,
        *rows: Mapping[str, Any],
        where: Where = None,
    ) -> int:
        """Insert rows, in place of those with the same keys (where `where` holds); return their
        number.
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
        what: str,
        alone: str = "",
        seconds: int = 0,
    ) -> Iterator[sa.Connection]:
        """A transaction: all that is done with its connection, or nothing. Of those with the same
        `alone` one is under way at a time, so what they have read holds until they end. A statement
        of Postgres may take `seconds`, where they are given: a file has megabytes."""
        with self._connected(what, write=True) as connection, _transaction(connection, seconds):
            if alone and not self.is_sqlite:
                lock = sa.func.pg_advisory_xact_lock(zlib.crc32(alone.encode()))
                connection.execute(sa.select(lock))
            yield connection

    def is_made(self) -> bool:
        """Whether the database has been used before, and needs no upgrade. Nothing is made."""
        if self.is_sqlite and not Path(str(self.address.database)).exists():
            return False
        with self._errors("look") as engine, engine.sqlalchemy.connect() as connection:
            return upgrades.is_current(connection)

    def close(self) -> None:
        """Close the connections, those in use when they are free again; the next call opens new
        ones.
        """
        self._engine.close()

    @contextmanager
    def _connected(self, what: Any, write: bool) -> Iterator[sa.Connection]:
        with self._around(what, write), self._errors(what) as engine:
            engine.make_ready()
            with engine.turn if write else nullcontext(), engine.sqlalchemy.connect() as connection:
                yield connection

    @contextmanager
    def _errors(self, what: Any) -> Iterator["_Engine"]:
        engine = self._engine
        try:
            yield engine
        except (engine.driver_error, SQLAlchemyError, OSError) as error:
            origin = getattr(error, "orig", None) or error
            words = next(iter(str(origin).splitlines()), type(error).__name__)
            words = words.replace(self._password, "***") if self._password else words
            # SQLSTATE class 28 refuses the credentials, 42501 a permission
            # (https://www.postgresql.org/docs/current/errcodes-appendix.html).
            state = str(getattr(origin, "sqlstate", None) or "")
            denied = (
                state.startswith("28") or state == "42501" or "authentication failed" in str(origin)
            )
            words += f" (SQLSTATE {state})" if state else ""
            raise (Denied if denied else StorageError)(
                f"{self._name}: {words_of(what)}: {words}"
            ) from error


class _Engine:
    """A database's engine.

    Threads that write to SQLite take turns, since it has one writer at a time.
    """

    def __init__(self, address: sa.URL) -> None:
        self.is_sqlite = address.drivername == "sqlite"
        self.address = address
        self.sqlalchemy = sa.create_engine(
            address,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            execution_options={"preserve_rowcount": True},  # of INSERT too
            **(_SQLITE_OPTIONS if self.is_sqlite else _POSTGRES_OPTIONS),
            **({"poolclass": sa.StaticPool} if self.is_sqlite and not address.database else {}),
        )
        self.driver_error: type[Exception] = self.sqlalchemy.dialect.loaded_dbapi.Error
        self.turn: AbstractContextManager[object] = (
            threading.Lock() if self.is_sqlite else nullcontext()
        )
        self.ahead: float | None = None  # Postgres's time less time.monotonic()
        self._ready = False
        self._making = threading.Lock()
        sa.event.listen(self.sqlalchemy, "do_connect", self._connect)
        if not self.is_sqlite:
            sa.event.listen(self.sqlalchemy, "checkin", _note_rest)
            sa.event.listen(self.sqlalchemy, "checkout", _still_there)

    def close(self) -> None:
        self._ready = False
        pool = self.sqlalchemy.pool
        self.sqlalchemy.dispose()
        sa.event.listen(pool, "checkin", lambda _connection, record: record.close())

    def _connect(
        self, dialect: Any, _record: Any, given: Sequence[Any], named: Mapping[str, Any]
    ) -> Any:
        """A new connection, which is closed when it can't be prepared."""
        connection = (dialect if self.is_sqlite else _bounded()).connect(*given, **named)
        try:
            if not self.is_sqlite:
                # Learn its time; limit statements, which poolers refuse among the options.
                clock = "SELECT extract(epoch FROM clock_timestamp())::float8"
                row = connection.execute(clock).fetchone()
                self.ahead = row[0] - time.monotonic()
                connection.execute(f"SET statement_timeout = '{_STATEMENT}s'")
                connection.commit()
            elif self.address.database:
                _prepare_sqlite(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def make_ready(self) -> None:
        """Make the tables before the first statement, or upgrade what an older version left."""
        if self._ready:
            return
        if not self._making.acquire(timeout=_CONNECT):
            raise TimeoutError("the database does not answer")
        try:
            if not self._ready:
                if self.is_sqlite and self.address.database:
                    Path(self.address.database).parent.mkdir(parents=True, exist_ok=True)
                with self.sqlalchemy.connect() as connection:
                    if not upgrades.is_current(connection):
                        with _transaction(connection, _UPGRADE):
                            upgrades.bring_up(connection)
                self._ready = True
        finally:
            self._making.release()


class Subject:
    """A subject of which a database keeps something. For errors see Database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def _value(self, column: Any, *where: Any) -> Any | None:
        """The column of the first row for which all this holds; None where there is none."""
        return self._database.value(sa.select(column).where(*where).limit(1))

    def _change(self, table: sa.Table, *where: Any, **values: Any) -> int:
        return self._database.write(sa.update(table).where(*where).values(values))

    def _end(self, ttl: float | None) -> float | None:
        """When what begins now is over after `ttl` seconds; None: never."""
        return None if ttl is None else self._database.clock() + ttl

    def _remove(self, table: sa.Table, *where: Any) -> int:
        return self._database.write(sa.delete(table).where(*where))


def in_postgres(database: Database | None, guard: Guard = nullcontext) -> Database:
    """The same database and connections, for files and images, with a `guard` of their own around
    the calls. Raises ValueError for SQLite's."""
    if database is None or database.is_sqlite:
        raise ValueError("postgres: keeps files in Postgres; DATABASE_URL must be postgres://…")
    if guard is not nullcontext:
        database = copy(database)
        database._around = lambda what, write: guard()
    return database


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
    """A statement in two words: `update janroku_events`; words stay as they are."""
    if isinstance(statement, str):
        return statement
    if hasattr(statement, "table"):
        tables = [statement.table]
    else:
        tables = statement.get_final_froms()
    names = [getattr(table, "name", str(table)) for table in tables]
    return " ".join([statement.__visit_name__, *names])


@contextmanager
def _transaction(connection: sa.Connection, seconds: int = 0) -> Iterator[None]:
    """A transaction on a connection whose statements commit by themselves otherwise. A statement of
    Postgres may take `seconds`, where they are given."""
    sqlite = connection.dialect.name == "sqlite"
    driver: Any = connection.connection.driver_connection
    connection.exec_driver_sql("BEGIN IMMEDIATE" if sqlite else "BEGIN")
    try:
        if seconds and not sqlite:
            driver.patience = seconds
            connection.exec_driver_sql(f"SET LOCAL statement_timeout = '{seconds}s'")
        yield
    except BaseException:
        connection.exec_driver_sql("ROLLBACK")
        raise
    else:
        connection.exec_driver_sql("COMMIT")
    finally:
        if not sqlite:
            driver.patience = _STATEMENT


_SQLITE_OPTIONS: dict[str, Any] = {"connect_args": {"timeout": 10, "check_same_thread": False}}
# Heroku's smallest Postgres plan allows 20 connections in all. None beyond the pool's is opened
# for a moment: to connect costs more than ten statements.
_POSTGRES_OPTIONS: dict[str, Any] = {
    "pool_size": 5,
    "max_overflow": 0,
    "pool_timeout": _STATEMENT,
    "pool_recycle": _RENEWED,
    "connect_args": {
        "connect_timeout": _CONNECT,
        "keepalives_idle": 30,
        "application_name": "janroku",
    },
}


def _prepare_sqlite(connection: Any) -> None:
    """Switch to WAL (https://www.sqlite.org/wal.html): readers and a writer at once. The switch
    does not wait for other processes, so it is repeated for up to 10 seconds."""
    give_up = time.monotonic() + 10
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
        except connection.OperationalError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.02)
    connection.execute("PRAGMA synchronous=NORMAL")


def _note_rest(_connection: Any, record: Any) -> None:
    record.info["rests"] = time.monotonic()


def _still_there(connection: Any, record: Any, _proxy: Any) -> None:
    """Replace a pooled connection that the server has closed; check one that was idle for long with
    a query. Data to read on an idle connection mean that it is closed. `pool_pre_ping` would double
    round trips."""
    since = record.info.get("rests")
    if since is None:
        return  # a new connection
    try:
        look = polling.poll()
        look.register(connection.fileno(), polling.POLLIN)
        if look.poll(0):
            raise OSError("the server hung up")
        if time.monotonic() - since > _UNASKED:
            connection.execute("SELECT 1")
    except Exception as error:  # after any error a new connection is safer
        raise DisconnectionError(type(error).__name__) from error


@cache
def _bounded() -> Any:
    """Postgres's connection, which ends a statement by itself after `patience` seconds and one
    more. The kernel keeps a stopped server's connections and acknowledges what is sent there, so
    neither a limit of the server nor one of TCP does."""
    import psycopg  # loaded only where it is used

    class Bounded(psycopg.Connection[Any]):
        patience = _STATEMENT

        def wait(
            self,
            gen: Any,
            interval: float = 0.1,
            timeout: float | None = None,
        ) -> Any:
            try:
                return super().wait(gen, interval, timeout=self.patience + 1.0)
            except psycopg.OperationalError:
                if self.pgconn.transaction_status == psycopg.pq.TransactionStatus.ACTIVE:
                    self.close()  # what it waits for might come later
                raise

    return Bounded
