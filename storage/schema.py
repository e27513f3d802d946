"""The tables of the database, declared once for SQLite and Postgres.

Times are in seconds since 1970, but days (`2026-11-23`) and what a column says otherwise.
"""

from collections.abc import Callable
from functools import partial

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

SCHEMA = 4
"""The version this code writes.

A change that older code can't read raises it and adds a step to `storage.upgrades.UPGRADES`.
"""

METADATA = sa.MetaData()
# Ranges of keys need the order of code points; by default Postgres orders text by the database's
# language.
_Key = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
_column: Callable[..., sa.Column[object]] = partial(sa.Column, nullable=False)
_flag = partial(_column, type_=sa.Boolean, default=False)
_whole = partial(_column, type_=sa.Integer, default=0)
_number = partial(_column, "number", sa.Integer, primary_key=True)


def _table(name: str, *columns: sa.Column[object] | sa.Index) -> sa.Table:
    return sa.Table(f"janroku_{name}", METADATA, *columns)


def _keys(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, _Key, primary_key=True) for name in names]


def _texts(*names: str, index: bool = False) -> list[sa.Column[object]]:
    return [_column(name, sa.Text, default="", index=index) for name in names]


SCHEMAS = _table("schema", sa.Column("version", sa.Integer, primary_key=True))

# Small values that have no table of their own: see storage/values.py.
VALUES = _table(
    "state",
    *_keys("key"),
    *_texts("value"),
    sa.Column("expires", sa.Double, index=True),
)

# Events that are taken (storage/events.py). `owner`: a process, or who will take it; `messages`:
# the answer.
EVENTS = _table(
    "events",
    *_keys("id"),
    _column("taken", sa.Double, index=True),
    *_texts("owner", "raw", "base", "messages"),
    _flag("done"),
)
# Processes that show that they live.
PROCESSES = _table(
    "processes",
    *_keys("name"),
    _flag("worker"),
    _column("seen", sa.Double),
)
# The leagues' parts of a sync that are to be done.
JOBS = _table(
    "jobs",
    _number(),
    *_texts("work", "owner", "outcome"),
    _column("put", sa.Double),
)

# Who may ask, and who is who: see storage/chats.py. A member without a chat is a stranger.
CHATS = _table("chats", *_keys("chat"), *_texts("league"))
MEMBERS = _table(
    "members",
    *_keys("user"),
    *_texts("chat"),
    _column("until", sa.Double),
)
HOMES = _table(
    "homes",
    *_keys("user"),
    *_texts("chat"),
    _column("until", sa.Double),
)
IDENTITIES = _table("identities", *_keys("league", "user"), *_texts("player"))
# Chats in which names are hidden.
HIDDEN = _table("hidden", *_keys("chat"), _column("since", sa.Double))
QUOTES = _table(
    "quotes", *_keys("chat", "message"), *_texts("question"), _column("sent", sa.Double)
)

# What was sent once, under a key, and faults that last: see storage/notices.py, storage/faults.py.
NOTICES = _table("notices", *_keys("key"), sa.Column("until", sa.Double))
FAULTS = _table(
    "faults",
    _number(),
    *_texts("league", index=True),
    *_texts("kind", "about", "said"),
    _column("since", sa.Double),
    sa.Column("told", sa.Double),
    sa.Column("ended", sa.Double),
)
LEASES = _table(
    "leases",
    *_keys("name"),
    *_texts("holder"),
    _column("until", sa.Double),
)

# What Tenhou offers a league (storage/results.py). `lines` and `merged` are packed; `version`
# counts puts.
RESULTS = _table(
    "results",
    *_keys("league", "day"),
    _whole("size", type_=sa.BigInteger),
    *_texts("rooms"),
    _column("lines", sa.LargeBinary),
    _column("merged", sa.LargeBinary),
    _flag("waiting", index=True),
    _whole("version"),
)
READ = _table("read", *_keys("league"), *_texts("begin", "through", "rooms", "owed"))
# `day` is that of its end.
_GAME = (
    *_texts("day", index=True),
    *_texts("game"),
    _flag("fresh", index=True),
)
OWN_GAMES = _table("own_games", *_keys("league", "key"), *_GAME)

# Leagues' own Dropbox accounts (storage/accounts.py), their own rooms at Tenhou, and the records
# these name (storage/rooms.py, storage/records.py). `token` and `id` of a room are encrypted; a record without
# `due` is done with.
ACCOUNTS = _table("accounts", *_keys("league"), *_texts("folder", "token"))
ROOMS = _table(
    "rooms",
    *_keys("league"),
    *_texts("id", "room", "memory"),
    _column("due", sa.Double, index=True, default=0.0),
    sa.Column("used", sa.Double),
)
RECORDS = _table(
    "records",
    *_keys("league", "id"),
    sa.Column("due", sa.Double, index=True),
    _whole("tries"),
    _flag("refused"),
    _column("noted", sa.Double),
)

# Files and images of `postgres:`: see storage/postgres.py. A path that ends with "/" marks a
# folder without files; `folder` is the path without its last part.
FILES = _table(
    "files",
    *_keys("path"),
    _column("folder", _Key),
    *_texts("rev"),
    _whole("size", type_=sa.BigInteger),
    _column("data", sa.LargeBinary),
    sa.Index("janroku_files_folder", "folder"),
)
IMAGES = _table(
    "images",
    *_keys("key"),
    _column("data", sa.LargeBinary),
    _whole("size", type_=sa.BigInteger),
    _column("put", sa.Double),
    sa.Index("janroku_images_put", "put"),
)

KEPT = (
    ACCOUNTS,
    CHATS,
    HIDDEN,
    HOMES,
    IDENTITIES,
    NOTICES,
    OWN_GAMES,
    READ,
    RECORDS,
    RESULTS,
    ROOMS,
)
"""The tables that hold what nothing else knows: a backup has them, in this order."""
