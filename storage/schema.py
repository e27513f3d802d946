"""The tables of the database, declared once for SQLite and Postgres, and the steps from an older
one to them.

A database without the table `janroku_schema` but with that of the values is version 1, as 0.1.0
left it;
0.2.0 wrote version 2. Both kept everything as JSON under string keys. A step runs in one transaction, for
which other processes wait that start meanwhile.

Times are in seconds since 1970, but days (`2026-11-23`) and what a column says otherwise.
"""

import base64
import json
import logging
import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import SQLAlchemyError

from storage.ports import NewerSchema

SCHEMA = 4
"""The version this code writes.

A change that older code can't read raises it and adds a step to UPGRADES.
"""

_LOCK = 0x6A616E72  # Postgres's advisory lock of whoever makes tables or upgrades
METADATA = sa.MetaData()
# Ranges of keys need the order of code points; by default Postgres orders text by the database's
# language.
_Key = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
_column: Callable[..., sa.Column[object]] = partial(sa.Column, nullable=False)
_flag = partial(_column, type_=sa.Boolean, default=False)
_whole = partial(_column, type_=sa.Integer, default=0)
_number = partial(_column, "number", sa.Integer, primary_key=True)
log = logging.getLogger(__name__)
Row = dict[str, Any]
Rows = Iterator[tuple[sa.Table, Row]]


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

# What Tenhou offers a league (storage/tenhou.py). `lines` and `merged` are packed; `version`
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
# these name (storage/tenhou.py). `token` and `id` of a room are encrypted; a record without
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


_FOREVER = 4e9  # seconds since 1970; where a value had no end
_LATE = 40  # days of which each file that was read is known: see storage/tenhou.py
_NOTICES = ("digest:", "season:", "evening:", "notice:")
_FAULTS = ("fault/open/", "fault/over/")
_ROOMS = ("tenhou/room-id/", "tenhou/room/")
_FORMS = (
    "event:",
    "dropbox:",
    "chat:",
    "member:",
    "home:",
    "me:",
    "answer:",
    *_NOTICES,
    *_FAULTS,
    *_ROOMS,
    "tenhou/kept/",
    "tenhou/own/",
    "tenhou/records/",
    "tenhou/through/",
    "tenhou/waiting/",
    # what is in other forms too
    "fault/told/",
    "tenhou/sizes/",
    "tenhou/own-waiting/",
    "rooms/",
    # what nobody needs any more
    "alive:",
    "notices/lease",
    "tenhou/connection",
    "sync/",
)
"""How the keys of former values begin. What is not here is a small value and stays one."""


def move(connection: sa.Connection) -> None:
    """Move the values of 0.1 and 0.2 into the tables. For use in a transaction. A record that can't
    be read stays among the values, where nobody asks for it, and is told in the log."""
    kept = {row.key: row for row in connection.execute(sa.select(VALUES))}
    values = {key: row.value for key, row in kept.items()}
    gone: list[str] = []
    rows: dict[tuple[str, ...], tuple[sa.Table, Row]] = {}
    for key, row in kept.items():
        form = next(filter(key.startswith, _FORMS), None)
        if form is None:
            continue
        name = key.removeprefix(form)
        rows_of = _tenhou_rows if form.startswith("tenhou/") else _rows
        try:
            new = list(rows_of(form, name, row.value, row.expires, values))
        except (ValueError, KeyError, TypeError, AttributeError, zlib.error):
            log.warning(
                "a record of an earlier version can't be read and is left where it is: %s", key[:40]
            )
            continue
        gone.append(key)
        for table, columns in new:
            names = [column.name for column in table.primary_key if column.name in columns]
            keys = [str(columns[name]) for name in names]
            rows[table.name, *(keys or [key])] = table, columns
    for table, columns in rows.values():
        connection.execute(table.insert().values(columns))
    for key in gone:
        connection.execute(sa.delete(VALUES).where(VALUES.c.key == key))


def _rows(
    form: str,
    name: str,
    value: str,
    until: float | None,
    values: Mapping[str, str],
) -> Rows:
    """The rows of a value whose key is `form` and `name`; a record may stand under several of
    `values`.
    """
    if form == "event:":
        at, event = name.split(":", 1)
        if value == "done":
            yield EVENTS, {"id": event, "taken": float(at), "done": True}
        else:
            owner, taken, content = value.split(" ", 2)
            data = json.loads(content)
            row: Row = {"id": event, "taken": float(taken), "owner": owner, "base": data["base"]}
            row["messages"] = json.dumps(data["messages"]) if data.get("messages") else ""
            row["raw"] = json.dumps(data["event"])
            row["done"] = False
            yield EVENTS, row
    elif form == "chat:":
        league = str(json.loads(value).get("league", ""))
        yield CHATS, {"chat": name, "league": league}
    elif form in ("member:", "home:"):
        table = HOMES if form == "home:" else MEMBERS
        yield table, {"user": name, "chat": value, "until": until or _FOREVER}
    elif form == "me:":
        league, user = name.split(":", 1)
        yield IDENTITIES, {"league": league, "user": user, "player": value}
    elif form == "answer:":
        chat, mark = name.split(":", 1)
        row = {"chat": chat, "sent": float(mark[:13])}
        for messages, question in json.loads(value):
            for message in messages:
                yield QUOTES, row | {"message": message, "question": question}
    elif form in _NOTICES:
        yield NOTICES, {"key": form + name, "until": until}
    elif form == "dropbox:":
        data = json.loads(value)
        yield ACCOUNTS, {"league": name, "folder": data["folder"], "token": data["token"]}
    elif form in _FAULTS and value:  # without a value somebody took it
        league, kind = name.split("/", 1)
        row = {"league": league, "kind": kind}
        data = json.loads(value)
        if form == "fault/over/":  # it is over, and was told
            since = _seconds(data["begin"])
            yield FAULTS, row | {"since": since, "told": since, "ended": _seconds(data["end"])}
        else:
            since = _seconds(data["since"])
            told = values.get(f"fault/told/{name}")
            row |= {"about": data["about"], "said": data["said"], "since": since}
            yield FAULTS, row | {"told": since if told and _seconds(told) == since else None}


def _tenhou_rows(
    form: str,
    name: str,
    value: str,
    _: float | None,
    values: Mapping[str, str],
) -> Rows:
    """As `_rows`, of what Tenhou offers."""
    if form == "tenhou/kept/":
        league, day = name.rsplit("/", 1)
        data = json.loads(value)
        row: Row = {part: base64.b64decode(data[part]) for part in ("lines", "merged")}
        row |= {"league": league, "day": f"{day[:4]}-{day[4:6]}-{day[6:]}"}
        row |= {"size": data["size"], "version": 1}
        waiting = bool(values.get(f"tenhou/waiting/{name}"))
        yield RESULTS, row | {"rooms": ",".join(sorted(data["rooms"])), "waiting": waiting}
    elif form == "tenhou/through/" or (form == "tenhou/waiting/" and name.endswith("/after")):
        # `tenhou/waiting/LEAGUE/after` has the days for which more than merging lines is to be
        # done.
        league = name.removesuffix("/after")
        through = values.get(f"tenhou/through/{league}", "").split(" ")
        day, mark, rooms = [*through, "", ""][:3]
        words = values.get(f"tenhou/sizes/{mark}", "").split(",")
        sizes = [word.split(":") for word in words if word]
        begin = min([day, *(first for first, _ in sizes[:1])])
        row = {"league": league, "begin": begin, "through": day, "rooms": rooms}
        yield READ, row | {"owed": values.get(f"tenhou/waiting/{league}/after", "")}
        # The size of a file without a line of the league is here alone.
        for read, size in sizes[-_LATE:]:
            if f"tenhou/kept/{league}/{read.replace('-', '')}" not in values:
                row = {"league": league, "day": read, "rooms": rooms, "version": 1}
                row |= {"size": int(size), "lines": b"", "merged": b"", "waiting": False}
                yield RESULTS, row
    elif form == "tenhou/own/":
        league = name.rsplit("/", 1)[0]
        games = json.loads(zlib.decompress(base64.b64decode(value)))
        for key, end, versions, started, stood, fresh in games:
            row = {"league": league, "key": key, "day": end[:10], "fresh": fresh}
            yield OWN_GAMES, row | {"game": json.dumps([end, versions, started, stood])}
    elif form in _ROOMS:
        known = json.loads(values.get(f"tenhou/room-id/{name}", "{}"))
        used = values.get(f"rooms/asked/{name}")
        packed = values.get(f"tenhou/room/{name}", "")
        row = {"league": name, "room": known.get("room", ""), "id": known.get("id", "")}
        row["memory"] = zlib.decompress(base64.b64decode(packed)).decode() if packed else ""
        row["used"] = _seconds(used) if used else None
        yield ROOMS, row | {"due": 0.0}
    elif form == "tenhou/records/":
        # An id begins with the hour of the game (`2026112321gm-…`), from which a record is known
        # for as long as its room tells of it.
        data = json.loads(value)
        for number, id_ in enumerate(data["known"]):
            hour = datetime.strptime(f"{id_[:10]}+0900", "%Y%m%d%H%z")
            noted = hour.timestamp() + number / 1000
            row = {"league": name, "id": id_, "due": None, "noted": noted, "tries": 0}
            yield RECORDS, row | {"refused": id_ in data.get("refused", [])}
        for id_, (due, tries) in data["waiting"].items():
            row = {"league": name, "id": id_, "tries": tries, "refused": False}
            yield RECORDS, row | {"due": _seconds(due), "noted": _seconds(due)}


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


# 0.1 and 0.2 have the same forms; 4 has one table more.
UPGRADES: dict[int, Callable[[sa.Connection], None]] = {
    1: move,
    2: move,
    3: lambda connection: None,
}
"""What brings a database from a version to the next one; it runs in the upgrade's transaction."""
