"""The tables of the database, declared once for SQLite and Postgres, and the steps that bring an older database to them.

A database without the table `janroku_schema` but with that of the values is version 1, as 0.1.0 left it; 0.2.0 wrote version
2. A step runs in one transaction, which other processes that start meanwhile wait for. What is worth a backup is `KEPT`.

Times are in seconds since 1970, but days (`2026-11-23`) and what a column says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    delete,
    inspect,
    select,
    text,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import SQLAlchemyError

from storage.ports import NewerSchema

SCHEMA = 3
"""The version this code writes. A change that older code can't read raises it and adds a step to storage/former.py."""

_LOCK = 0x6A616E72  # Postgres's advisory lock of whoever makes tables or upgrades
METADATA = MetaData()
# By default Postgres orders text by the language of the database; ranges of keys need the order of code points.
_Key = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")


def _table(name: str, *columns: Column[object] | Index) -> Table:
    return Table(f"janroku_{name}", METADATA, *columns)


def _key(name: str) -> Column[object]:
    return Column(name, _Key, primary_key=True)


def _text(name: str, default: str | None = "") -> Column[object]:
    return Column(name, Text, nullable=default is None, default=default)


def _time(name: str) -> Column[object]:
    return Column(name, Double, nullable=True)


SCHEMAS = _table("schema", Column("version", Integer, primary_key=True))

# Small values that have no table of their own: see storage/values.py.
VALUES = _table(
    "state", _key("key"), Column("value", Text, nullable=False), Column("expires", Double, index=True)
)

# Events that are taken: see storage/events.py. `owner` is a process, or who will take it; `messages` the answer, once made.
EVENTS = _table(
    "events",
    _key("id"),
    Column("taken", Double, nullable=False, index=True),
    _text("owner"),
    _text("raw"),
    _text("base"),
    _text("messages"),
    Column("done", Boolean, nullable=False, default=False),
)
# Processes that show that they live.
PROCESSES = _table(
    "processes",
    _key("name"),
    Column("worker", Boolean, nullable=False),
    Column("seen", Double, nullable=False),
)

# Who may ask, and who is who: see storage/chats.py. A member without a chat is a stranger.
CHATS = _table("chats", _key("chat"), _text("league"))
MEMBERS = _table("members", _key("user"), _text("chat"), Column("until", Double, nullable=False))
HOMES = _table("homes", _key("user"), _text("chat"), Column("until", Double, nullable=False))
IDENTITIES = _table("identities", _key("league"), _key("user"), _text("player"))
QUOTES = _table(
    "quotes", _key("chat"), _key("message"), _text("question"), Column("sent", Double, nullable=False)
)

# Leagues' own Dropbox accounts: see storage/accounts.py. `token` is encrypted.
ACCOUNTS = _table("accounts", _key("league"), _text("folder"), _text("token"))

# What was sent once, under a key: see storage/notices.py.
NOTICES = _table("notices", _key("key"), _time("until"))
FAULTS = _table(
    "faults",
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("league", Text, nullable=False, index=True),
    _text("kind"),
    _text("about"),
    _text("said"),
    Column("since", Double, nullable=False),
    _time("told"),
    _time("ended"),
)
LEASES = _table("leases", _key("name"), _text("holder"), Column("until", Double, nullable=False))

# What Tenhou offers a league: see storage/results.py. `lines` and `merged` are packed; `version` counts what was put.
RESULTS = _table(
    "results",
    _key("league"),
    _key("day"),
    Column("size", BigInteger, nullable=False),
    _text("rooms"),
    Column("lines", LargeBinary, nullable=False),
    Column("merged", LargeBinary, nullable=False),
    Column("waiting", Boolean, nullable=False, index=True),
    Column("version", Integer, nullable=False),
)
READ = _table("read", _key("league"), _text("begin"), _text("through"), _text("rooms"), _text("owed"))
OWN_GAMES = _table(
    "own_games",
    _key("league"),
    _key("key"),
    Column("day", Text, nullable=False, index=True),  # of its end
    _text("game"),
    Column("fresh", Boolean, nullable=False, index=True),
)

# Leagues' own rooms at Tenhou, and the records they name: see storage/rooms.py. `id` is encrypted.
ROOMS = _table(
    "rooms",
    _key("league"),
    _text("id"),
    _text("room"),
    _text("memory"),
    Column("due", Double, nullable=False, index=True, default=0.0),
    _time("used"),
)
RECORDS = _table(
    "records",
    _key("league"),
    _key("id"),
    Column("due", Double, index=True),  # nothing: it is done with
    Column("tries", Integer, nullable=False, default=0),
    Column("refused", Boolean, nullable=False, default=False),
    Column("noted", Double, nullable=False),
)

# The leagues' parts of a sync that are to be done: see storage/jobs.py.
JOBS = _table(
    "jobs",
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("work", Text, nullable=False),
    _text("owner"),
    _text("outcome"),
    Column("put", Double, nullable=False),
)

# Files and images of `postgres:`: see storage/postgres_logs.py and storage/postgres_images.py.
FILES = _table(
    "files",
    _key("path"),  # a path that ends with "/" marks a folder without files
    Column("folder", _Key, nullable=False),  # the path without its last part
    Column("rev", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Index("janroku_files_folder", "folder"),
)
IMAGES = _table(
    "images",
    _key("key"),
    Column("data", LargeBinary, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("put", Double, nullable=False),
    Index("janroku_images_put", "put"),
)

KEPT = (ACCOUNTS, CHATS, HOMES, IDENTITIES, NOTICES, OWN_GAMES, READ, RECORDS, RESULTS, ROOMS)
"""The tables that hold what nothing else knows: a backup has them, in this order."""


def is_current(connection: Connection) -> bool:
    """Whether the database has this code's version. Raises NewerSchema when it has a newer one."""
    try:
        version = connection.execute(select(SCHEMAS.c.version)).scalar()
    except SQLAlchemyError:
        return False  # the table is missing, or the database is away, which the next statement tells
    return version is not None and _checked(int(version)) == SCHEMA


def bring_up(connection: Connection, steps: Mapping[int, Callable[[Connection], None]]) -> None:
    """Make the tables and upgrade what an older version left, by a step for each version. For use in a transaction.

    Raises NewerSchema when the database has a newer version; it is left as it was.
    """
    if connection.dialect.name != "sqlite":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    version = _version(connection)
    METADATA.create_all(connection)
    for step in range(version, SCHEMA):
        steps[step](connection)
    connection.execute(delete(SCHEMAS))
    connection.execute(SCHEMAS.insert().values(version=SCHEMA))


def _version(connection: Connection) -> int:
    """The version of the database; this code's where it is empty."""
    tables = inspect(connection)
    if tables.has_table(SCHEMAS.name):
        version = connection.execute(select(SCHEMAS.c.version)).scalar()
        return SCHEMA if version is None else _checked(int(version))
    return 1 if tables.has_table(VALUES.name) else SCHEMA


def _checked(version: int) -> int:
    if version > SCHEMA:
        raise NewerSchema(version, SCHEMA)
    return version
