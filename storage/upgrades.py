"""Bring a database up to the tables of this version.

The table `janroku_schema` has the version of a database. One without it but with the table of the
values is version 1, as 0.1.0 left it; 0.2.0 wrote version 2. All steps run in one transaction;
other processes that start meanwhile wait for it.
"""

from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from storage import former_values
from storage.ports import NewerSchema
from storage.schema import METADATA, SCHEMA, SCHEMAS, VALUES

_LOCK = 0x6A616E72  # Postgres's advisory lock of a process that makes or upgrades tables


def _add_table(connection: sa.Connection) -> None:
    """Version 4 has one more table, which is made like all tables that are missing."""


UPGRADES: dict[int, Callable[[sa.Connection], None]] = {
    1: former_values.move,
    2: former_values.move,
    3: _add_table,
}
"""What brings a database from a version to the next one, in the transaction of the upgrade."""


def is_current(connection: sa.Connection) -> bool:
    """Whether the database has this code's version. Raises NewerSchema when it has a newer one."""
    try:
        return _written(connection) == SCHEMA
    except SQLAlchemyError:
        # The table is missing, or the database is away, which the next statement reports.
        return False


def bring_up(connection: sa.Connection) -> None:
    """Make the tables and upgrade what an older version left. For use in a transaction. Raises
    NewerSchema when the database has a newer version; it is left as it was."""
    if connection.dialect.name != "sqlite":
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    tables = sa.inspect(connection)
    version = 1 if tables.has_table(VALUES.name) else SCHEMA
    if tables.has_table(SCHEMAS.name):
        version = _written(connection) or SCHEMA
    METADATA.create_all(connection)
    for step in range(version, SCHEMA):
        UPGRADES[step](connection)
    connection.execute(sa.delete(SCHEMAS))
    connection.execute(SCHEMAS.insert().values(version=SCHEMA))


def _written(connection: sa.Connection) -> int | None:
    version = connection.execute(sa.select(SCHEMAS.c.version)).scalar()
    if version is not None and version > SCHEMA:
        raise NewerSchema(version, SCHEMA)
    return version
