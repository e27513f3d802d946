"""The tables of the database, declared once for SQLite and Postgres, and the steps that bring an older
database to them.

A database without the table `janroku_schema` but with that of the values is version 1, as 0.1.0 left it;
0.2.0 wrote version 2. A step runs in one transaction, which other processes that start meanwhile wait for.
What is worth a backup is `KEPT`.

Times are in seconds since 1970, but days (`2026-11-23`) and what a column says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import SQLAlchemyError

from storage.ports import NewerSchema

SCHEMA = 3
"""The version this code writes. A change that older code can't read raises it and adds a step to
storage/former.py."""

_LOCK = 0x6A616E72  # Postgres's advisory lock of whoever makes tables or upgrades
METADATA = sa.MetaData()
# By default Postgres orders text by the language of the database; ranges of keys need the order of code
# points.
_Key = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")


def _table(name: str, *columns: sa.Column[object] | sa.Index) -> sa.Table:
    return sa.Table(f"janroku_{name}", METADATA, *columns)


def _keys(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, _Key, primary_key=True) for name in names]


def _texts(*names: str, index: bool = False) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.Text, nullable=False, default="", index=index) for name in names]


def _time(name: str, index: bool = False, default: float | None = None) -> sa.Column[object]:
    return sa.Column(name, sa.Double, nullable=False, default=default, index=index)


def _maybe(name: str, index: bool = False) -> sa.Column[object]:
    """A time that may be none."""
    return sa.Column(name, sa.Double, index=index)


def _whole(name: str, kind: type[sa.Integer] = sa.Integer) -> sa.Column[object]:
    return sa.Column(name, kind, nullable=False, default=0)


def _flag(name: str, index: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.Boolean, nullable=False, default=False, index=index)


def _bytes(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.LargeBinary, nullable=False)


SCHEMAS = _table("schema", sa.Column("version", sa.Integer, primary_key=True))

# Small values that have no table of their own: see storage/values.py.
VALUES = _table("state", *_keys("key"), *_texts("value"), _maybe("expires", index=True))

# Events that are taken: see storage/events.py. `owner` is a process, or who will take it; `messages` the
# answer, once made.
EVENTS = _table(
    "events",
    *_keys("id"),
    _time("taken", index=True),
    *_texts("owner", "raw", "base", "messages"),
    _flag("done"),
)
# Processes that show that they live.
PROCESSES = _table("processes", *_keys("name"), _flag("worker"), _time("seen"))
# The leagues' parts of a sync that are to be done.
JOBS = _table(
    "jobs",
    sa.Column("number", sa.Integer, primary_key=True),
    *_texts("work", "owner", "outcome"),
    _time("put"),
)

# Who may ask, and who is who: see storage/chats.py. A member without a chat is a stranger.
CHATS = _table("chats", *_keys("chat"), *_texts("league"))
MEMBERS = _table("members", *_keys("user"), *_texts("chat"), _time("until"))
HOMES = _table("homes", *_keys("user"), *_texts("chat"), _time("until"))
IDENTITIES = _table("identities", *_keys("league", "user"), *_texts("player"))
QUOTES = _table("quotes", *_keys("chat", "message"), *_texts("question"), _time("sent"))

# What was sent once, under a key: see storage/notices.py.
NOTICES = _table("notices", *_keys("key"), _maybe("until"))
FAULTS = _table(
    "faults",
    sa.Column("number", sa.Integer, primary_key=True),
    *_texts("league", index=True),
    *_texts("kind", "about", "said"),
    _time("since"),
    _maybe("told"),
    _maybe("ended"),
)
LEASES = _table("leases", *_keys("name"), *_texts("holder"), _time("until"))

# What Tenhou offers a league: see storage/results.py. `lines` and `merged` are packed; `version` counts what
# was put.
RESULTS = _table(
    "results",
    *_keys("league", "day"),
    _whole("size", sa.BigInteger),
    *_texts("rooms"),
    _bytes("lines"),
    _bytes("merged"),
    _flag("waiting", index=True),
    _whole("version"),
)
READ = _table("read", *_keys("league"), *_texts("begin", "through", "rooms", "owed"))
# `day` is that of its end.
OWN_GAMES = _table(
    "own_games",
    *_keys("league", "key"),
    *_texts("day", index=True),
    *_texts("game"),
    _flag("fresh", index=True),
)

# Leagues' own Dropbox accounts, their own rooms at Tenhou, and the records these name: see storage/rooms.py.
# `token` and `id` of a room are encrypted; a record without `due` is done with.
ACCOUNTS = _table("accounts", *_keys("league"), *_texts("folder", "token"))
ROOMS = _table(
    "rooms",
    *_keys("league"),
    *_texts("id", "room", "memory"),
    _time("due", index=True, default=0.0),
    _maybe("used"),
)
RECORDS = _table(
    "records",
    *_keys("league", "id"),
    _maybe("due", index=True),
    _whole("tries"),
    _flag("refused"),
    _time("noted"),
)

# Files and images of `postgres:`: see storage/postgres_logs.py and storage/postgres_images.py. A path that
# ends with "/" marks a folder without files; `folder` is the path without its last part.
FILES = _table(
    "files",
    *_keys("path"),
    sa.Column("folder", _Key, nullable=False),
    *_texts("rev"),
    _whole("size", sa.BigInteger),
    _bytes("data"),
    sa.Index("janroku_files_folder", "folder"),
)
IMAGES = _table(
    "images",
    *_keys("key"),
    _bytes("data"),
    _whole("size", sa.BigInteger),
    _time("put"),
    sa.Index("janroku_images_put", "put"),
)

KEPT = (ACCOUNTS, CHATS, HOMES, IDENTITIES, NOTICES, OWN_GAMES, READ, RECORDS, RESULTS, ROOMS)
"""The tables that hold what nothing else knows: a backup has them, in this order."""


def is_current(connection: sa.Connection) -> bool:
    """Whether the database has this code's version. Raises NewerSchema when it has a newer one."""
    try:
        version = connection.execute(sa.select(SCHEMAS.c.version)).scalar()
    except SQLAlchemyError:
        return False  # the table is missing, or the database is away, which the next statement tells
    return version is not None and _checked(int(version)) == SCHEMA


def bring_up(connection: sa.Connection, steps: Mapping[int, Callable[[sa.Connection], None]]) -> None:
    """Make the tables and upgrade what an older version left, by a step for each version. For use in a
    transaction.

    Raises NewerSchema when the database has a newer version; it is left as it was.
    """
    if connection.dialect.name != "sqlite":
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    version = _version(connection)
    METADATA.create_all(connection)
    for step in range(version, SCHEMA):
        steps[step](connection)
    connection.execute(sa.delete(SCHEMAS))
    connection.execute(SCHEMAS.insert().values(version=SCHEMA))


def _version(connection: sa.Connection) -> int:
    """The version of the database; this code's where it is empty."""
    tables = sa.inspect(connection)
    if tables.has_table(SCHEMAS.name):
        version = connection.execute(sa.select(SCHEMAS.c.version)).scalar()
        return SCHEMA if version is None else _checked(int(version))
    return 1 if tables.has_table(VALUES.name) else SCHEMA


def _checked(version: int) -> int:
    if version > SCHEMA:
        raise NewerSchema(version, SCHEMA)
    return version
