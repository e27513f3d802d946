"""SQLAlchemy's engine for a database: how SQLite and Postgres are connected, and which limits apply.

What every engine guarantees: statements commit by themselves except in `transaction`; a connection is
prepared before its first use; the tables are there, and of this version, after `make_ready`; no call
lasts longer than the limits below.
"""

import select as polling
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DisconnectionError

from storage import upgrades

CONNECT_TIMEOUT = 2  # seconds, the fewest that Postgres's driver takes
_STATEMENT_TIMEOUT = 3  # seconds; the client's own limit is a second more
_UPGRADE_TIMEOUT = 60  # seconds, of a statement of an upgrade
_TABLES_WAIT = 2  # seconds to wait for a thread that makes or upgrades the tables
_UNCHECKED = 20.0  # seconds; a connection that was idle for longer is checked before use
_RECYCLED = (
    600  # seconds after which a connection is replaced; a new one learns the database's time
)
_SQLITE_TIMEOUT = 10  # seconds to wait for another process that writes


class Engine(ABC):
    """The engine for a database's address. Threads may share it."""

    begin_statement = "BEGIN"

    def __init__(self, address: sa.URL, **options: Any) -> None:
        self.address = address
        self.sqlalchemy = sa.create_engine(
            address,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            execution_options={"preserve_rowcount": True},  # of INSERT too
            **options,
        )
        self.driver_error: type[Exception] = self.sqlalchemy.dialect.loaded_dbapi.Error
        self.write_turn: AbstractContextManager[object] = nullcontext()
        self.clock_offset: float | None = None  # the database's time less time.monotonic()
        self._is_ready = False
        self._tables_lock = threading.Lock()
        sa.event.listen(self.sqlalchemy, "do_connect", self._connect)

    def make_ready(self) -> None:
        """Make the tables before the first statement, or upgrade those of an older version.

        Other threads wait for it _TABLES_WAIT seconds at most, since members wait for their answers.
        """
        if self._is_ready:
            return
        if not self._tables_lock.acquire(timeout=_TABLES_WAIT):
            raise TimeoutError("another thread is still connecting or upgrading the tables")
        try:
            if not self._is_ready:
                self._make_tables()
                self._is_ready = True
        finally:
            self._tables_lock.release()

    @contextmanager
    def transaction(self, connection: sa.Connection, seconds: int = 0) -> Iterator[None]:
        """A transaction on a connection.

        With Postgres `seconds` are how long a statement may take, 0 for the usual limit; SQLite has no
        such limit and ignores them.
        """
        connection.exec_driver_sql(self.begin_statement)
        try:
            yield
        except BaseException:
            connection.exec_driver_sql("ROLLBACK")
            raise
        else:
            connection.exec_driver_sql("COMMIT")

    def close(self) -> None:
        """Close the connections, those in use when they are free again."""
        self._is_ready = False
        pool = self.sqlalchemy.pool
        self.sqlalchemy.dispose()
        sa.event.listen(pool, "checkin", _close_returned)

    def _connect(
        self,
        dialect: Any,
        _record: Any,
        arguments: Sequence[Any],
        options: Mapping[str, Any],
    ) -> Any:
        """A new connection. It is closed when it can't be prepared."""
        connection = self._driver(dialect).connect(*arguments, **options)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _make_tables(self) -> None:
        with self.sqlalchemy.connect() as connection:
            if not upgrades.is_current(connection):
                with self.transaction(connection, _UPGRADE_TIMEOUT):
                    upgrades.bring_up(connection)

    def _driver(self, dialect: Any) -> Any:
        """What opens connections: the dialect, or a class of the driver."""
        return dialect

    @abstractmethod
    def _prepare(self, connection: Any) -> None:
        """Prepare a new connection of the driver."""


class SqliteEngine(Engine):
    """SQLite in a file, or in memory. Threads take turns to write: it has one writer at a time."""

    begin_statement = "BEGIN IMMEDIATE"

    def __init__(self, address: sa.URL) -> None:
        options: dict[str, Any] = {
            "connect_args": {"timeout": _SQLITE_TIMEOUT, "check_same_thread": False}
        }
        self.is_in_memory = not address.database
        if self.is_in_memory:
            # Each connection would have a database of its own, so all threads share one.
            options["poolclass"] = sa.StaticPool
        super().__init__(address, **options)
        # SQLite only retries after pauses while another connection writes; a lock wakes the next
        # thread at once.
        self.write_turn = threading.Lock()

    def _make_tables(self) -> None:
        if not self.is_in_memory:
            Path(str(self.address.database)).parent.mkdir(parents=True, exist_ok=True)
        super()._make_tables()

    def _prepare(self, connection: Any) -> None:
        """Switch to WAL (https://www.sqlite.org/wal.html), which allows readers during a write.

        The switch does not wait for other processes, so it is repeated for some seconds.
        """
        if self.is_in_memory:
            return
        end = time.monotonic() + _SQLITE_TIMEOUT
        while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            try:
                connection.execute("PRAGMA journal_mode=WAL").fetchone()
            except connection.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)
        connection.execute("PRAGMA synchronous=NORMAL")


class PostgresEngine(Engine):
    """Postgres, with a pool of connections that are checked when they were idle."""

    def __init__(self, address: sa.URL) -> None:
        # Heroku's smallest Postgres plan allows 20 connections in all. None beyond the pool's is
        # opened for a moment: to connect costs more than ten statements.
        super().__init__(
            address,
            pool_size=5,
            max_overflow=0,
            pool_timeout=_STATEMENT_TIMEOUT,
            pool_recycle=_RECYCLED,
            connect_args={
                "connect_timeout": CONNECT_TIMEOUT,
                "keepalives_idle": 30,
                "application_name": "janroku",
            },
        )
        sa.event.listen(self.sqlalchemy, "checkin", _note_return)
        sa.event.listen(self.sqlalchemy, "checkout", _check_idle)

    @contextmanager
    def transaction(self, connection: sa.Connection, seconds: int = 0) -> Iterator[None]:
        driver: Any = connection.connection.driver_connection
        try:
            with super().transaction(connection):
                if seconds:
                    driver.patience = seconds
                    connection.exec_driver_sql(f"SET LOCAL statement_timeout = '{seconds}s'")
                yield
        finally:
            driver.patience = _STATEMENT_TIMEOUT

    def _driver(self, dialect: Any) -> Any:
        return _bounded_connection()

    def _prepare(self, connection: Any) -> None:
        """Learn the database's time, and limit statements; poolers refuse the limit as an option."""
        clock = "SELECT extract(epoch FROM clock_timestamp())::float8"
        (seconds,) = connection.execute(clock).fetchone()
        self.clock_offset = seconds - time.monotonic()
        connection.execute(f"SET statement_timeout = '{_STATEMENT_TIMEOUT}s'")
        connection.commit()


def open_engine(address: sa.URL) -> Engine:
    """The engine for an address. It connects when it is used first."""
    if address.drivername == "sqlite":
        return SqliteEngine(address)
    return PostgresEngine(address)


def _close_returned(_connection: Any, record: Any) -> None:
    record.close()


def _note_return(_connection: Any, record: Any) -> None:
    """Note when a connection returned to the pool."""
    record.info["returned"] = time.monotonic()


def _check_idle(connection: Any, record: Any, _proxy: Any) -> None:
    """Replace a pooled connection that the server has closed.

    There is something to read on an idle connection only if it is closed. One that was idle for long is
    also checked with a query. SQLAlchemy's own `pool_pre_ping` would double the round trips.
    """
    returned = record.info.get("returned")
    if returned is None:
        return  # a new connection
    try:
        poll = polling.poll()
        poll.register(connection.fileno(), polling.POLLIN)
        if poll.poll(0):
            raise OSError("the server has closed the connection")
        if time.monotonic() - returned > _UNCHECKED:
            connection.execute("SELECT 1")
    except Exception as error:  # after any error a new connection is safer
        raise DisconnectionError(type(error).__name__) from error


@cache
def _bounded_connection() -> Any:
    """The class of Postgres's connections, which ends a statement by itself.

    It waits for `patience` seconds and one more. The kernel keeps the connections of a stopped server
    and acknowledges what is sent there, so neither a limit of the server nor one of TCP would end it.
    """
    import psycopg  # loaded only where it is used

    class BoundedConnection(psycopg.Connection[Any]):
        patience = _STATEMENT_TIMEOUT

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
                    self.close()  # the answer that it waits for might come later
                raise

    return BoundedConnection
