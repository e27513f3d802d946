"""The version of what the database holds: written at first use, raised by upgrades, refused where it is newer than this code.

A database without the table `janroku_schema` but with the state's is version 1, as 0.1.0 left it. An upgrade runs in one
transaction, which other processes that start meanwhile wait for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from sqlalchemy import Column, Connection, Integer, MetaData, Table, delete, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError

from storage.ports import NewerSchema
from storage.time_limit import UNTIL

SCHEMA = 2
"""The version this code writes. A change that older code can't read raises it and adds a line to UPGRADES."""

_UPGRADE = 60  # seconds an upgrade may take
_LOCK = 0x6A616E72  # Postgres's advisory lock of whoever makes tables or upgrades
_metadata = MetaData()
_schema = Table("janroku_schema", _metadata, Column("version", Integer, primary_key=True))


def _to_2(connection: Connection) -> None:
    """Remove the claims and outcomes of the former queue's sync jobs, which nobody reads any more."""
    connection.execute(text("DELETE FROM janroku_state WHERE key >= 'sync/' AND key < 'sync0'"))


UPGRADES: Mapping[int, Callable[[Connection], None]] = {1: _to_2}
"""What brings a database from a version to the next one; it runs in the upgrade's transaction."""


def is_current(connection: Connection) -> bool:
    """Whether the database has this code's version. Raises NewerSchema when it has a newer one."""
    try:
        version = connection.execute(select(_schema.c.version)).scalar()
    except SQLAlchemyError:
        return False  # the table is missing, or the database is away, which the next statement tells
    return version is not None and _checked(int(version)) == SCHEMA


def bring_up(connection: Connection, make_tables: Callable[[Connection], None]) -> None:
    """Make the tables and upgrade what an older version left, in one transaction of a connection that commits by itself.

    Raises NewerSchema when the database has a newer version; it is left as it was.
    """
    sqlite = connection.dialect.name == "sqlite"
    connection.execute(text("BEGIN IMMEDIATE" if sqlite else "BEGIN"))
    try:
        if not sqlite:
            connection.info[UNTIL] = time.monotonic() + _UPGRADE
            connection.execute(text(f"SET LOCAL statement_timeout = '{_UPGRADE}s'"))
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        version = _version(connection)
        make_tables(connection)
        _metadata.create_all(connection)
        for step in range(version, SCHEMA):
            UPGRADES[step](connection)
        connection.execute(delete(_schema))
        connection.execute(_schema.insert().values(version=SCHEMA))
    except BaseException:
        connection.execute(text("ROLLBACK"))
        raise
    connection.execute(text("COMMIT"))


def _version(connection: Connection) -> int:
    """The version of the database; this code's where it is empty."""
    tables = inspect(connection)
    if tables.has_table(_schema.name):
        version = connection.execute(select(_schema.c.version)).scalar()
        return SCHEMA if version is None else _checked(int(version))
    return 1 if tables.has_table("janroku_state") else SCHEMA


def _checked(version: int) -> int:
    if version > SCHEMA:
        raise NewerSchema(version, SCHEMA)
    return version
