"""The forms in which versions 0.1 and 0.2 kept everything, as JSON under string keys, moved into the tables
once.

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

from storage import schema
from storage.schema import VALUES

Row = dict[str, Any]
_FOREVER = 4e9  # seconds since 1970; where a value had no end
_CHATS = ("chat:", "member:", "home:", "me:", "answer:")
_NOTICES = ("digest:", "season:", "evening:", "notice:")
_FAULTS = ("fault/open/", "fault/over/")
_RESULTS = ("tenhou/kept/", "tenhou/own/", "tenhou/records/")
_LATE = 40  # days of which each file that was read is known: see storage/results.py
_READ = ("tenhou/through/", "tenhou/waiting/")
_ROOMS = ("tenhou/room-id/", "tenhou/room/")
_BESIDE = ("fault/told/", "tenhou/sizes/", "tenhou/own-waiting/", "rooms/")  # what other forms say too
_OLD = ("alive:", "notices/lease", "tenhou/connection", "sync/")
_FORMS = ("event:", "dropbox:", *_CHATS, *_NOTICES, *_FAULTS, *_RESULTS, *_READ, *_ROOMS, *_BESIDE, *_OLD)
"""How the keys of former values begin. What is not here is a small value and stays one."""
log = logging.getLogger(__name__)


def move(connection: Connection) -> None:
    """Move the values of before into the tables. For use in a transaction."""
    found = {row.key: row for row in connection.execute(select(VALUES))}
    values = {key: row.value for key, row in found.items()}
    gone: list[str] = []
    rows: dict[tuple[str, ...], tuple[Table, Row]] = {}
    for key, row in found.items():
        form = next(filter(key.startswith, _FORMS), None)
        if form is None:
            continue
        try:
            name = key.removeprefix(form)
            if form.startswith("tenhou/"):
                new = list(_tenhou_rows(form, name, row.value, values))
            else:
                new = list(_rows(form, name, row.value, row.expires, values))
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


def _rows(
    form: str, name: str, value: str, until: float | None, values: Mapping[str, str]
) -> Iterator[tuple[Table, Row]]:
    """The rows of a value whose key is `form` and `name`. A record may stand under several of `values`, by
    their whole keys."""
    if form == "event:":
        at, event = name.split(":", 1)
        if value == "done":
            yield schema.EVENTS, {"id": event, "taken": float(at), "done": True}
        else:
            owner, taken, content = value.split(" ", 2)
            data = json.loads(content)
            row: Row = {"id": event, "taken": float(taken), "owner": owner, "done": False}
            row |= {"raw": json.dumps(data["event"]), "base": data["base"]}
            messages = json.dumps(data["messages"]) if data.get("messages") else ""
            yield schema.EVENTS, row | {"messages": messages}
    elif form == "chat:":
        yield schema.CHATS, {"chat": name, "league": str(json.loads(value).get("league", ""))}
    elif form in ("member:", "home:"):
        table = schema.HOMES if form == "home:" else schema.MEMBERS
        yield table, {"user": name, "chat": value, "until": until or _FOREVER}
    elif form == "me:":
        league, user = name.split(":", 1)
        yield schema.IDENTITIES, {"league": league, "user": user, "player": value}
    elif form == "answer:":
        chat, mark = name.split(":", 1)
        row = {"chat": chat, "sent": float(mark[:13])}
        for messages, question in json.loads(value):
            for message in messages:
                yield schema.QUOTES, row | {"message": message, "question": question}
    elif form in _NOTICES:
        yield schema.NOTICES, {"key": form + name, "until": until}
    elif form == "dropbox:":
        data = json.loads(value)
        yield schema.ACCOUNTS, {"league": name, "folder": data["folder"], "token": data["token"]}
    elif form in _FAULTS and value:  # without a value somebody took it
        league, kind = name.split("/", 1)
        row, data = {"league": league, "kind": kind}, json.loads(value)
        if form == "fault/over/":  # it is over, and was told
            since = _seconds(data["begin"])
            yield schema.FAULTS, row | {"since": since, "told": since, "ended": _seconds(data["end"])}
        else:
            since, told = _seconds(data["since"]), values.get(f"fault/told/{name}")
            row |= {"about": data["about"], "said": data["said"], "since": since}
            yield schema.FAULTS, row | {"told": since if told and _seconds(told) == since else None}


def _tenhou_rows(form: str, name: str, value: str, values: Mapping[str, str]) -> Iterator[tuple[Table, Row]]:
    """As `_rows`, of what Tenhou offers."""
    if form == "tenhou/kept/":
        league, day = name.rsplit("/", 1)
        data = json.loads(value)
        row: Row = {part: base64.b64decode(data[part]) for part in ("lines", "merged")}
        row |= {
            "league": league,
            "day": f"{day[:4]}-{day[4:6]}-{day[6:]}",
            "size": data["size"],
            "version": 1,
        }
        row |= {
            "rooms": ",".join(sorted(data["rooms"])),
            "waiting": bool(values.get(f"tenhou/waiting/{name}")),
        }
        yield schema.RESULTS, row
    elif form == "tenhou/through/" or (form == "tenhou/waiting/" and name.endswith("/after")):
        # The days for which more is to be done are under `tenhou/waiting/LEAGUE/after`, those with lines to
        # merge beside it.
        league = name.removesuffix("/after")
        day, mark, rooms = (*values.get(f"tenhou/through/{league}", "").split(" "), "", "")[:3]
        sizes = [word.split(":") for word in values.get(f"tenhou/sizes/{mark}", "").split(",") if word]
        row = {"league": league, "begin": min([day, *(first for first, _ in sizes[:1])]), "through": day}
        owed = values.get(f"tenhou/waiting/{league}/after", "")
        yield schema.READ, row | {"rooms": rooms, "owed": owed}
        for read, size in sizes[
            -_LATE:
        ]:  # where a file held no line of the league, its size stands here alone
            if f"tenhou/kept/{league}/{read.replace('-', '')}" not in values:
                row = {"league": league, "day": read, "size": int(size), "rooms": rooms, "version": 1}
                yield schema.RESULTS, row | {"lines": b"", "merged": b"", "waiting": False}
    elif form == "tenhou/own/":
        games = json.loads(zlib.decompress(base64.b64decode(value)))
        for key, end, versions, started, stood, fresh in games:
            row = {"league": name.rsplit("/", 1)[0], "key": key, "day": end[:10], "fresh": fresh}
            yield schema.OWN_GAMES, row | {"game": json.dumps([end, versions, started, stood])}
    elif form in _ROOMS:
        known = json.loads(values.get(f"tenhou/room-id/{name}", "{}"))
        used, packed = values.get(f"rooms/asked/{name}"), values.get(f"tenhou/room/{name}", "")
        row = {"league": name, "room": known.get("room", ""), "id": known.get("id", ""), "due": 0.0}
        memory = zlib.decompress(base64.b64decode(packed)).decode() if packed else ""
        yield schema.ROOMS, row | {"memory": memory, "used": _seconds(used) if used else None}
    elif form == "tenhou/records/":
        # An id begins with the hour of the game (`2026112321gm-…`), from which a record is known for as long
        # as its room tells of it.
        data = json.loads(value)
        refused = data.get("refused", [])
        for number, id_ in enumerate(data["known"]):
            noted = datetime.strptime(f"{id_[:10]}+0900", "%Y%m%d%H%z").timestamp() + number / 1000
            row = {"league": name, "id": id_, "due": None, "noted": noted, "tries": 0}
            yield schema.RECORDS, row | {"refused": id_ in refused}
        for id_, (due, tries) in data["waiting"].items():
            row = {"league": name, "id": id_, "due": _seconds(due), "noted": _seconds(due), "tries": tries}
            yield schema.RECORDS, row | {"refused": False}


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _to_2(connection: Connection) -> None:
    """Remove the claims and outcomes of the former queue's sync jobs, which nobody reads any more."""
    connection.execute(delete(VALUES).where(VALUES.c.key >= "sync/", VALUES.c.key < "sync0"))


UPGRADES: Mapping[int, Callable[[Connection], None]] = {1: _to_2, 2: move}
"""What brings a database from a version to the next one; it runs in the upgrade's transaction."""
