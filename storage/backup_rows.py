"""The rows of the tables that a backup has: read, written, removed, and as lines of JSON.

What is guaranteed: a table is read page by page in the order of its keys, so a backup of a large database
needs little memory; a line of JSON becomes the same row again, and a line that fits no table is refused.
tests/league/test_backup.py checks it.
"""

import base64
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from typing import Any, Self

import sqlalchemy as sa

from storage import former_values
from storage.database import IN_MEMORY, Database
from storage.former_values import FormerValue
from storage.schema import KEPT
from storage.values import kept_text

PAGE = 1000  # rows read or written at once
PREFIX = "janroku_"  # of the tables' names in the database
TABLES: Mapping[str, sa.Table] = {table.name.removeprefix(PREFIX): table for table in KEPT}
_ENCRYPTED_COLUMNS = {"accounts": "token", "rooms": "id"}  # by table


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A row: its table's name without `janroku_`, and its columns."""

    table: str
    columns: Mapping[str, Any]

    @property
    def key(self) -> tuple[str, ...]:
        """The table and the primary key. Rows are in the order of it."""
        primary_key = TABLES[self.table].primary_key
        return self.table, *(self.columns[column.name] for column in primary_key)

    def to_json(self) -> str:
        """A line of JSON; bytes are in base64."""
        row = {"table": self.table, **self.columns}
        return json.dumps(row, ensure_ascii=False, default=_base64)

    @classmethod
    def from_json(cls, line: str | bytes) -> Self:
        """The row of a line of JSON. Raises ValueError for a line that fits none of the tables."""
        columns = json.loads(line)
        table = None
        if isinstance(columns, dict):
            table = TABLES.get(columns.pop("table", ""))
        if table is None or set(columns) != set(table.columns.keys()):
            raise ValueError("no row of a backup")
        for column in table.columns:
            columns[column.name] = _value_from_json(column, columns[column.name])
        return cls(table.name.removeprefix(PREFIX), columns)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _value_from_json(column: sa.Column[Any], value: Any) -> Any:
    """A column's value, checked. Raises ValueError for one that does not fit the column."""
    if value is None:
        if not column.nullable:
            raise ValueError("a row without a value")
        return None
    if not isinstance(value, _json_types(column.type)):
        raise ValueError("a row with a value of another kind")
    if isinstance(value, str):
        kept_text(value)  # raises ValueError for a text that the databases can't store
        if isinstance(column.type, sa.LargeBinary):
            return base64.b64decode(value, validate=True)
    return value


def _json_types(column_type: sa.types.TypeEngine[Any]) -> tuple[type, ...]:
    """The types that a column's values have in JSON."""
    if isinstance(column_type, sa.LargeBinary):
        return (str,)
    if column_type.python_type is float:
        return (int, float)
    return (column_type.python_type,)


def secret_of(row: KeptRow) -> str:
    """The encrypted text in a row, "" for none."""
    column = _ENCRYPTED_COLUMNS.get(row.table, "")
    return str(row.columns.get(column, ""))


def kept_rows(database: Database) -> Iterator[KeptRow]:
    """Yield the rows of all tables, read page by page."""
    for name, table in TABLES.items():
        keys = list(table.primary_key)
        last_key: tuple[str, ...] | None = None
        while True:
            query = sa.select(table).order_by(*keys).limit(PAGE)
            if last_key is not None:
                query = query.where(sa.tuple_(*keys) > last_key)
            page = [KeptRow(name, row._asdict()) for row in database.rows(query)]
            yield from page
            if len(page) < PAGE:
                break
            _, *last_values = page[-1].key
            last_key = tuple(last_values)


def former_rows(values: Iterable[FormerValue]) -> Iterator[KeptRow]:
    """Yield the rows that the values of a backup of 0.1 or 0.2 stand for."""
    database = Database(IN_MEMORY, clock=time.time)
    with database.begin("move former values") as connection:
        for value in values:
            former_values.add(connection, value)
        former_values.move(connection)
    yield from kept_rows(database)
    database.close()


def put_rows(database: Database, rows: Iterable[KeptRow]) -> None:
    """Write rows, ordered by table, in place of those with the same keys.

    Each page is a transaction of its own; after a failure, write all again.
    """
    for name, rows_of_table in groupby(rows, attrgetter("table")):
        while page := [row.columns for row in islice(rows_of_table, PAGE)]:
            database.put(TABLES[name], *page)


def remove_rows(database: Database, rows: Iterable[KeptRow]) -> None:
    for row in rows:
        table = TABLES[row.table]
        has_key = [column == row.columns[column.name] for column in table.primary_key]
        database.write(sa.delete(table).where(*has_key))
