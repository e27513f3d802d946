"""The tables of files and images in the database of the state, and the connections that all leagues of a process share."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import (
    URL,
    BigInteger,
    Column,
    Connection,
    Double,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
    inspect,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import SQLAlchemyError

from storage.files import PerProcess
from storage.ports import Denied, StorageError
from storage.schema import bring_up, is_current
from storage.state import denied
from storage.state_table import METADATA, in_turn, parsed, postgres_engine

_metadata = MetaData()
_C = postgresql.TEXT(collation="C")  # folders are ranges of paths, in the order of code points
_files = Table(
    "janroku_files",
    _metadata,
    Column("path", _C, primary_key=True),  # a path that ends with "/" marks a folder without files
    Column("folder", _C, nullable=False),  # the path without its last part
    Column("rev", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
_images = Table(
    "janroku_images",
    _metadata,
    Column("key", _C, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("put", Double, nullable=False),  # seconds since 1970
)
Index("janroku_files_folder", _files.c.folder)
Index("janroku_images_put", _images.c.put)

_STATEMENT = 10  # seconds of a statement: a file may have megabytes
Statement = tuple[str, Mapping[str, Any]]
"""SQL with `%(name)s` for its parameters, and these."""


class _Tables:
    """The engine of a process, and the tables once they are made."""

    def __init__(self, address: URL) -> None:
        self._engine = postgres_engine(address, 1, 2, _STATEMENT)
        self._making = threading.Lock()
        self._ready = False
        self.errors = (self._engine.dialect.loaded_dbapi.Error, SQLAlchemyError, OSError)

    def close(self) -> None:
        self._engine.dispose()

    def run(self, statements: tuple[Statement, ...]) -> tuple[list[tuple[Any, ...]], int]:
        """Run the statements in one transaction; the rows of the last one, and how many rows the first one changed."""
        if not self._ready:
            with in_turn(self._making):
                self._make()
        connection = self._engine.raw_connection()
        try:
            driver: Any = connection.driver_connection
            if len(statements) == 1:
                found = self._execute(driver, statements)
            else:
                with driver.transaction():
                    found = self._execute(driver, statements)
        except BaseException:
            connection.invalidate()
            raise
        finally:
            connection.close()
        return found

    @staticmethod
    def _execute(driver: Any, statements: tuple[Statement, ...]) -> tuple[list[tuple[Any, ...]], int]:
        counts = []
        with driver.cursor(binary=True) as cursor:
            for sql, parameters in statements:
                cursor.execute(sql, parameters)
                counts.append(cursor.rowcount)
            return (cursor.fetchall() if cursor.description else []), counts[0]

    def _make(self) -> None:
        if self._ready:
            return
        with self._engine.connect() as connection:
            if not is_current(connection) or not inspect(connection).has_table(_files.name):
                bring_up(connection, _make_all)
        self._ready = True


def _make_all(connection: Connection) -> None:
    METADATA.create_all(connection)
    _metadata.create_all(connection)


class PostgresTables:
    """The tables at an address. Threads, processes and forked workers may share it.

    Methods raise Denied when the database refuses the credentials or a permission, NewerSchema when a newer version has
    written it, StorageError when it can't be used otherwise; no message shows the password.
    """

    def __init__(self, url: str) -> None:
        address = parsed(url)
        if not address.drivername.startswith("postgresql"):
            raise ValueError("postgres: keeps files in Postgres; DATABASE_URL must be postgres://…")
        self._password = address.password or ""
        self._tables: PerProcess[_Tables] = PerProcess(lambda: _Tables(address))
        self._tables.prepare()

    def run(self, what: str, *statements: Statement) -> tuple[list[tuple[Any, ...]], int]:
        """Run statements in one transaction; the rows of the last one, and how many rows the first one changed.

        `what` names the file in errors.
        """
        with self._errors(what) as tables:
            return tables.run(statements)

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        tables = self._tables.drop()
        if tables is not None:
            tables.close()

    @contextmanager
    def _errors(self, what: str) -> Iterator[_Tables]:
        tables = self._tables.get()
        try:
            yield tables
        except tables.errors as error:
            words = next(iter(str(getattr(error, "orig", None) or error).splitlines()), type(error).__name__)
            words = words.replace(self._password, "***") if self._password else words
            raise (Denied if denied(error) else StorageError)(f"postgres:{what}: {words}") from error


_opened: dict[str, PostgresTables] = {}
_opening = threading.Lock()


def tables_at(url: str) -> PostgresTables:
    """The tables of the database at DATABASE_URL; all stores of a process share them.

    Opening sends no request. Raises ValueError when the address is none of Postgres.
    """
    with _opening:
        found = _opened.get(url)
        if found is None:
            found = _opened[url] = PostgresTables(url)
        return found


def close_all() -> None:
    """Close the connections of this process to the tables of files and images; the next call opens new ones."""
    with _opening:
        opened = list(_opened.values())
    for tables in opened:
        tables.close()
