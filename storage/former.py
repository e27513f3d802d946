"""The forms in which versions 0.1 and 0.2 kept everything, as JSON under string keys, moved into the tables once.

A record that can't be read stays among the values, where nobody asks for it, and is told in the log.
"""

from __future__ import annotations

import base64
import json
import logging
import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, delete, select

from storage.schema import (
    ACCOUNTS,
    CHATS,
    EVENTS,
    FAULTS,
    HOMES,
    IDENTITIES,
    MEMBERS,
    NOTICES,
    OWN_GAMES,
    QUOTES,
    READ,
    RECORDS,
    RESULTS,
    ROOMS,
    VALUES,
)

Row = dict[str, Any]
Moved = Iterator[tuple[Table, Row]]
Values = Mapping[str, str]
"""All values by their whole keys: one record may stand under several."""

_FOREVER = 4e9  # seconds since 1970; where a value had no end
log = logging.getLogger(__name__)


def move(connection: Connection) -> None:
    """Move the values of before into the tables. For use in a transaction."""
    found = {row.key: row for row in connection.execute(select(VALUES))}
    values = {key: row.value for key, row in found.items()}
    gone: list[str] = []
    rows: dict[tuple[str, ...], tuple[Table, Row]] = {}
    for key, row in found.items():
        read = next((read for prefix, read in _FORMS.items() if key.startswith(prefix)), None)
        if read is None:
            continue
        try:
            new = list(read(key, row.value, row.expires, values))
        except (ValueError, KeyError, TypeError, AttributeError, zlib.error):
            log.warning("a record of an earlier version can't be read and is left where it is: %s", key[:40])
            continue
        gone.append(key)
        for table, columns in new:
            keys = [str(columns[column.name]) for column in table.primary_key if column.name in columns]
            rows[table.name, *(keys or [key])] = table, columns
    for table, columns in rows.values():
        connection.execute(table.insert().values(columns))
    for key in gone:
        connection.execute(delete(VALUES).where(VALUES.c.key == key))


def _event(key: str, value: str, _until: float | None, _values: Values) -> Moved:
    _, at, event = key.split(":", 2)
    if value == "done":
        yield EVENTS, {"id": event, "taken": float(at), "done": True}
        return
    owner, taken, content = value.split(" ", 2)
    data = json.loads(content)
    messages = json.dumps(data["messages"]) if data.get("messages") else ""
    row = {"owner": owner, "raw": json.dumps(data["event"]), "base": data["base"], "messages": messages}
    yield EVENTS, {"id": event, "taken": float(taken), "done": False, **row}


def _chat(key: str, value: str, _until: float | None, _values: Values) -> Moved:
    yield CHATS, {"chat": key.removeprefix("chat:"), "league": str(json.loads(value).get("league", ""))}


def _member(key: str, value: str, until: float | None, _values: Values) -> Moved:
    table = HOMES if key.startswith("home:") else MEMBERS
    yield table, {"user": key.partition(":")[2], "chat": value, "until": until or _FOREVER}


def _identity(key: str, value: str, _until: float | None, _values: Values) -> Moved:
    _, league, user = key.split(":", 2)
    yield IDENTITIES, {"league": league, "user": user, "player": value}


def _answer(key: str, value: str, until: float | None, _values: Values) -> Moved:
    _, chat, mark = key.split(":", 2)
    for messages, question in json.loads(value):
        for message in messages:
            yield QUOTES, {"chat": chat, "message": message, "question": question, "sent": float(mark[:13])}


def _notice(key: str, _value: str, until: float | None, _values: Values) -> Moved:
    yield NOTICES, {"key": key, "until": until}


def _account(key: str, value: str, _until: float | None, _values: Values) -> Moved:
    data = json.loads(value)
    yield ACCOUNTS, {"league": key.partition(":")[2], "folder": data["folder"], "token": data["token"]}


def _fault(key: str, value: str, _until: float | None, values: Values) -> Moved:
    """`fault/open/LEAGUE/KIND` is a fault that lasts, `fault/over/LEAGUE/KIND` one that is over and was told."""
    if not value:
        return  # somebody took it
    _, what, league, kind = key.split("/", 3)
    row: Row = {"league": league, "kind": kind}
    data = json.loads(value)
    if what == "over":
        begin, end = _seconds(data["begin"]), _seconds(data["end"])
        yield FAULTS, row | {"since": begin, "told": begin, "ended": end}
        return
    since = _seconds(data["since"])
    told = values.get(f"fault/told/{league}/{kind}")
    row |= {"about": data["about"], "said": data["said"], "since": since}
    yield FAULTS, row | {"told": since if told and _seconds(told) == since else None}


def _kept(key: str, value: str, _until: float | None, values: Values) -> Moved:
    league, name = key.removeprefix("tenhou/kept/").rsplit("/", 1)
    data = json.loads(value)
    lines, merged = (base64.b64decode(data[part]) for part in ("lines", "merged"))
    yield (
        RESULTS,
        {
            "league": league,
            "day": f"{name[:4]}-{name[4:6]}-{name[6:]}",
            "size": data["size"],
            "rooms": ",".join(sorted(data["rooms"])),
            "lines": lines,
            "merged": merged,
            "waiting": bool(values.get(f"tenhou/waiting/{league}/{name}")),
            "version": 1,
        },
    )


def _read(key: str, _value: str, _until: float | None, values: Values) -> Moved:
    """`tenhou/through/LEAGUE` is what was read, `tenhou/waiting/LEAGUE/after` the days for which more is to be done."""
    if key.startswith("tenhou/waiting/") and not key.endswith("/after"):
        return  # a day with lines to merge: see _kept
    league = key.removeprefix("tenhou/through/").removeprefix("tenhou/waiting/").removesuffix("/after")
    day, mark, rooms = (*values.get(f"tenhou/through/{league}", "").split(" "), "", "")[:3]
    begin = min(values.get(f"tenhou/sizes/{mark}", "").partition(":")[0] or day, day)
    owed = values.get(f"tenhou/waiting/{league}/after", "")
    yield READ, {"league": league, "begin": begin, "through": day, "rooms": rooms, "owed": owed}


def _own(key: str, value: str, _until: float | None, _values: Values) -> Moved:
    league = key.removeprefix("tenhou/own/").rsplit("/", 1)[0]
    for name, end, versions, started, stood, fresh in json.loads(zlib.decompress(base64.b64decode(value))):
        row = {"league": league, "key": name, "day": end[:10], "fresh": fresh}
        yield OWN_GAMES, row | {"game": json.dumps([end, versions, started, stood])}


def _room(key: str, value: str, _until: float | None, values: Values) -> Moved:
    league = key.rsplit("/", 1)[1]
    known = json.loads(values.get(f"tenhou/room-id/{league}", "{}"))
    used = values.get(f"rooms/asked/{league}")
    row = {"league": league, "room": known.get("room", ""), "id": known.get("id", ""), "due": 0.0}
    packed = values.get(f"tenhou/room/{league}", "")
    memory = zlib.decompress(base64.b64decode(packed)).decode() if packed else ""
    yield ROOMS, row | {"memory": memory, "used": _seconds(used) if used else None}


def _records(key: str, value: str, _until: float | None, _values: Values) -> Moved:
    """An id begins with the hour of the game (`2026112321gm-…`), from which a record is known for as long as its room tells of it."""
    league, data = key.removeprefix("tenhou/records/"), json.loads(value)
    refused = data.get("refused", [])
    for number, record in enumerate(data["known"]):
        noted = datetime.strptime(f"{record[:10]}+0900", "%Y%m%d%H%z").timestamp() + number / 1000
        row = {"league": league, "id": record, "due": None, "noted": noted}
        yield RECORDS, row | {"refused": record in refused, "tries": 0}
    for record, (due, tries) in data["waiting"].items():
        row = {"league": league, "id": record, "due": _seconds(due), "noted": _seconds(due)}
        yield RECORDS, row | {"refused": False, "tries": tries}


def _nothing(_key: str, _value: str, _until: float | None, _values: Values) -> Moved:
    """What other forms say too, or what nobody needs any more."""
    yield from ()


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


_FORMS: Mapping[str, Callable[[str, str, float | None, Values], Moved]] = {
    "event:": _event,
    "alive:": _nothing,
    "chat:": _chat,
    "member:": _member,
    "home:": _member,
    "me:": _identity,
    "answer:": _answer,
    "digest:": _notice,
    "season:": _notice,
    "evening:": _notice,
    "notice:": _notice,
    "notices/lease": _nothing,
    "dropbox:": _account,
    "fault/open/": _fault,
    "fault/over/": _fault,
    "fault/told/": _nothing,
    "tenhou/kept/": _kept,
    "tenhou/waiting/": _read,
    "tenhou/through/": _read,
    "tenhou/sizes/": _nothing,
    "tenhou/own/": _own,
    "tenhou/own-waiting/": _nothing,
    "tenhou/room-id/": _room,
    "tenhou/room/": _room,
    "tenhou/records/": _records,
    "tenhou/connection": _nothing,
    "rooms/": _nothing,
    "sync/": _nothing,
}
"""How the values whose keys begin so are read. What is not here is a small value and stays one."""


def _to_2(connection: Connection) -> None:
    """Remove the claims and outcomes of the former queue's sync jobs, which nobody reads any more."""
    connection.execute(delete(VALUES).where(VALUES.c.key >= "sync/", VALUES.c.key < "sync0"))


UPGRADES: Mapping[int, Callable[[Connection], None]] = {1: _to_2, 2: move}
"""What brings a database from a version to the next one; it runs in the upgrade's transaction."""
