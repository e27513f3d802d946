"""The table of the state store, its statements, and the SQLAlchemy engine that runs them."""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import (
    URL,
    Column,
    ColumnElement,
    Double,
    Engine,
    Index,
    MetaData,
    Table,
    Text,
    bindparam,
    create_engine,
    delete,
    event,
    make_url,
    or_,
    update,
)
from sqlalchemy import select as selected
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DisconnectionError, SQLAlchemyError

from storage.schema import bring_up, is_current
from storage.state_shared import Change, Rows, SharedStatements
from storage.time_limit import TimeLimit

METADATA = MetaData()
_state = Table(
    "janroku_state",
    METADATA,
    # By default Postgres orders text by the language of the database; ranges of keys need the order of code points.
    Column("key", Text().with_variant(postgresql.TEXT(collation="C"), "postgresql"), primary_key=True),
    Column("value", Text, nullable=False),
    Column("expires", Double, nullable=True),  # seconds since 1970; null: never
)
Index("janroku_state_expires", _state.c.expires)

Act = Literal["GET", "PUT", "ADD", "REPLACE", "DELETE", "SWEEP"]
_CONNECT = 2  # seconds, the fewest that the driver takes
_UNASKED = 20.0  # seconds; a connection that was idle for longer is checked before use
_STATEMENT = 3  # seconds of a statement of the state
_LATER = 1.0  # seconds after a statement's limit in the server until the connection is ended here
_RENEWED = 600  # seconds after which a connection is replaced; a new one learns the database's time


def parsed(url: str) -> URL:
    """The address as a URL of SQLAlchemy. Raises ValueError when it is neither `sqlite:///FILE` nor one of Postgres."""
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        raise ValueError("DATABASE_URL is no address; write sqlite:///FILE or postgres://…") from None
    if address.drivername == "sqlite":
        if address.database in (None, "", ":memory:"):
            raise ValueError("SQLite needs a file: sqlite:///FILE")
        return address
    if address.drivername in {"postgres", "postgresql", "postgresql+psycopg"}:
        return address.set(drivername="postgresql+psycopg")
    raise ValueError(
        f"{address.drivername}: is no database for the state; write sqlite:///FILE or postgres://…"
    )


class Database:
    """The engine, the table, and the statements in the engine's dialect.

    Every command takes several statements, so their SQL is compiled once: building and compiling a statement takes longer
    than running it.
    """

    def __init__(self, address: URL) -> None:
        self._address = address
        self._is_sqlite = address.drivername == "sqlite"
        self._engine = _sqlite_engine(address) if self._is_sqlite else postgres_engine(address)
        insert = sqlite.insert if self._is_sqlite else postgresql.insert
        self._sql = {act: str(s.compile(dialect=self._engine.dialect)) for act, s in _statements(insert)}
        self._ready = False
        self._ahead: float | None = None  # the database's time less time.monotonic()
        if not self._is_sqlite:
            event.listen(self._engine, "connect", _or_closed(self._learn_time))
        self._making = threading.Lock()
        self._turn: AbstractContextManager[object] = threading.Lock() if self._is_sqlite else nullcontext()
        self._driver_error: type[Exception] = self._engine.dialect.loaded_dbapi.Error
        self._shared = None if self._is_sqlite else SharedStatements(self._rows, _nothing_done)

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What every method here may raise: the driver's errors, and SQLAlchemy's for its pool."""
        return self._driver_error, SQLAlchemyError, OSError

    def now(self) -> float:
        """The database's time in epoch seconds. Until it is known, and with SQLite, it is this machine's."""
        return time.time() if self._ahead is None else time.monotonic() + self._ahead

    def _learn_time(self, connection: Any) -> None:
        told = connection.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()[0]
        self._ahead = told - time.monotonic()
        connection.commit()

    def is_made(self) -> bool:
        """Whether the table is there, in this code's version. Nothing is made."""
        if self._is_sqlite and not Path(str(self._address.database)).exists():
            return False
        with self._engine.connect() as connection:
            return is_current(connection)

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def values(self, keys: Collection[str], now: float) -> dict[str, str]:
        """The values of those keys that have one."""
        if self._shared is not None:
            return self._shared.values(keys, now)
        with self._cursor() as cursor:
            rows = [
                (key, cursor.execute(self._sql["GET"], {"the_key": key, "now": now}).fetchone())
                for key in keys
            ]
        return {key: str(row[0]) for key, row in rows if row is not None}

    def add(self, change: Change) -> bool:
        """Set a value if there is none. Return whether it was set."""
        return self._shared.add(change) if self._shared is not None else self._changed("ADD", change)

    def replace(self, change: Change) -> bool:
        """Set a value if it is `old`. Return whether it was set."""
        return self._shared.replace(change) if self._shared is not None else self._changed("REPLACE", change)

    def put_all(self, changes: Sequence[Change]) -> None:
        """Set the values, of different keys: in one transaction on SQLite, in one statement on Postgres."""
        if self._shared is not None:
            self._shared.put_all(changes)
            return
        if len(changes) == 1:
            self.write("PUT", **_parameters(changes[0]))
            return
        with self._turn, self._cursor() as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            cursor.executemany(self._sql["PUT"], [_parameters(change) for change in changes])
            cursor.execute("COMMIT")

    def write(self, act: Act, **parameters: Any) -> int:
        """Run a statement and return how many rows it changed. SQLite has one writer at a time, so threads take turns."""
        with self._turn, self._cursor() as cursor:
            changed: int = cursor.execute(self._sql[act], parameters).rowcount
        return changed

    def _changed(self, act: Act, change: Change) -> bool:
        return self.write(act, **_parameters(change)) > 0

    def _rows(self, statement: str, parameters: Mapping[str, Any]) -> Rows:
        with self._cursor() as cursor:
            rows: Rows = cursor.execute(statement, parameters).fetchall()
        return rows

    def items(self, prefix: str, now: float, without: str | None = None) -> dict[str, str]:
        """The keys and values of a prefix, in key order, without expired rows and the value `without`."""
        found = selected(_state.c.key, _state.c.value).where(_living(now), _state.c.key >= prefix)
        if without is not None:
            found = found.where(_state.c.value != without)
        end = _after(prefix)
        query = (found if end is None else found.where(_state.c.key < end)).order_by(_state.c.key)
        self.make_ready()
        with self._engine.connect() as connection:
            return {row.key: row.value for row in connection.execute(query)}

    def rows(
        self, prefix: str, after: str | None, most: int, now: float
    ) -> list[tuple[str, str, float | None]]:
        """Key, value and expiry of the next living rows of a prefix, in key order."""
        query = selected(_state.c.key, _state.c.value, _state.c.expires)
        query = query.where(_living(now), _state.c.key >= prefix)
        query = query if after is None else query.where(_state.c.key > after)
        end = _after(prefix)
        query = query if end is None else query.where(_state.c.key < end)
        self.make_ready()
        with self._engine.connect() as connection:
            found = connection.execute(query.order_by(_state.c.key).limit(most))
            return [(row.key, row.value, row.expires) for row in found]

    @contextmanager
    def _cursor(self) -> Iterator[Any]:
        """A cursor of the driver, on a pooled connection on which each statement commits by itself.

        SQLAlchemy's own execution of a statement takes four times as long as the statement. An error leaves the pool without
        the connection.
        """
        self.make_ready()
        connection = self._engine.raw_connection()
        try:
            cursor = connection.cursor()
            yield cursor
            cursor.close()
        except BaseException:
            connection.invalidate()
            raise
        finally:
            connection.close()

    def make_ready(self) -> None:
        """Make the table before the first statement, and learn the database's time."""
        if not self._ready:
            with in_turn(self._making):
                self._make_table()
                self._ready = True

    def _make_table(self) -> None:
        """Make the table if it is missing, and upgrade what an older version left; see storage/schema.py."""
        if self._is_sqlite:
            Path(str(self._address.database)).parent.mkdir(parents=True, exist_ok=True)
        with self._engine.connect() as connection:
            if not is_current(connection):
                bring_up(connection, METADATA.create_all)


@contextmanager
def in_turn(lock: threading.Lock) -> Iterator[None]:
    """Hold the lock that the first user of a database holds. Raises TimeoutError where the first one gets no answer."""
    if not lock.acquire(timeout=_CONNECT):
        raise TimeoutError("the database does not answer")
    try:
        yield
    finally:
        lock.release()


def _statements(insert: Any) -> Iterator[tuple[Act, Any]]:
    """Yield the statements. GET reads a value. PUT sets a row in any case, ADD if there is none, REPLACE if its value is
    `old`; an expired row counts as none. DELETE removes a row, SWEEP the expired rows."""
    key, now = bindparam("the_key", type_=Text), bindparam("now", type_=Double)
    value, expires = bindparam("the_value", type_=Text), bindparam("until", type_=Double)
    row = insert(_state).values(key=key, value=value, expires=expires)
    new = {"value": row.excluded.value, "expires": row.excluded.expires}
    yield "GET", selected(_state.c.value).where(_state.c.key == key, _living(now))
    yield "PUT", row.on_conflict_do_update(index_elements=[_state.c.key], set_=new)
    yield (
        "ADD",
        row.on_conflict_do_update(index_elements=[_state.c.key], set_=new, where=_state.c.expires <= now),
    )
    old = bindparam("old", type_=Text)
    living = update(_state).where(_state.c.key == key, _state.c.value == old, _living(now))
    yield "REPLACE", living.values(value=value, expires=expires)
    yield "DELETE", delete(_state).where(_state.c.key == key)
    yield "SWEEP", delete(_state).where(_state.c.expires <= now)


def _living(now: ColumnElement[float] | float) -> ColumnElement[bool]:
    return or_(_state.c.expires.is_(None), _state.c.expires > now)


def _parameters(change: Change) -> dict[str, Any]:
    """A change as the parameters of the statements in SQLite."""
    key, value, until, now, old = change
    return {"the_key": key, "the_value": value, "until": until, "now": now, "old": old}


def _nothing_done(error: Exception) -> bool:
    """Whether Postgres has refused a statement for what it says, and not because it is ending or lacks something.

    The classes of SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html
    """
    return (getattr(error, "sqlstate", None) or "")[:2] in {"22", "23", "40", "54"}


def _after(prefix: str) -> str | None:
    """The first text, in the order of code points, after all texts that begin with `prefix`; None when there is none."""
    head = prefix.rstrip("\U0010ffff")
    if not head:
        return None
    following = ord(head[-1]) + 1
    return head[:-1] + chr(0xE000 if following == 0xD800 else following)


def _sqlite_engine(address: URL) -> Engine:
    engine = create_engine(
        address,
        paramstyle="named",
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        connect_args={"timeout": 10},
    )
    event.listen(engine, "connect", _or_closed(_prepare_sqlite))
    return engine


def _or_closed(prepare: Callable[[Any], None]) -> Callable[[Any, Any], None]:
    """`prepare` for a new connection, which is closed when that fails; SQLAlchemy does not close it."""

    def prepared(connection: Any, _record: Any) -> None:
        try:
            prepare(connection)
        except BaseException:
            connection.close()
            raise

    return prepared


def _prepare_sqlite(connection: Any) -> None:
    """Switch to WAL (https://www.sqlite.org/wal.html): readers and a writer at once.

    The switch does not wait for other processes, so it is repeated for up to 10 seconds.
    """
    give_up = time.monotonic() + 10
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
        except connection.OperationalError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.02)
    connection.execute("PRAGMA synchronous=NORMAL")


def postgres_engine(address: URL, size: int = 4, more: int = 0, seconds: int = _STATEMENT) -> Engine:
    """An engine whose pool keeps `size` connections and opens `more` for a while; each statement commits by itself.

    Heroku's smallest Postgres plan allows 20 connections in all. Those above `size` are opened and closed for each use.
    A statement takes `seconds` at most, also where the server hangs.
    """
    engine = create_engine(
        address,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        pool_reset_on_return=None,  # each statement commits by itself
        pool_size=size,
        max_overflow=more,
        pool_timeout=seconds,
        pool_recycle=_RENEWED,
        connect_args={"connect_timeout": _CONNECT, "keepalives_idle": 30, "application_name": "janroku"},
    )
    TimeLimit(engine, seconds + _LATER)
    event.listen(engine, "connect", _or_closed(lambda connection: _prepare_postgres(connection, seconds)))
    event.listen(engine, "checkin", _rest)
    event.listen(engine, "checkout", _still_there)
    return engine


def _rest(_connection: Any, record: Any) -> None:
    record.info["rests since"] = time.monotonic()


def _still_there(connection: Any, record: Any, _proxy: Any) -> None:
    """Replace a pooled connection that the server has closed; check one that was idle for long with a query.

    Data to read on an idle connection mean that the server has closed it. A query before every statement, as
    `pool_pre_ping` sends it, would double the round trips.
    """
    since = record.info.get("rests since")
    if since is None:
        return  # a new connection
    try:
        look = select.poll()
        look.register(connection.fileno(), select.POLLIN)
        if look.poll(0):
            raise OSError("the server hung up")
        if time.monotonic() - since > _UNASKED:
            connection.execute("SELECT 1")
    except Exception as error:  # after any error a new connection is safer
        raise DisconnectionError(type(error).__name__) from error


def _prepare_postgres(connection: Any, seconds: int) -> None:
    """Limit a statement in the server too. It is set here, since poolers refuse it among the options of a connection."""
    connection.execute(f"SET statement_timeout = '{seconds}s'")
    connection.commit()
