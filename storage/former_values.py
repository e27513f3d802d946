"""The formats of 0.1 and 0.2, in their databases and backups.

Both versions stored everything as values: JSON under string keys. `move` puts the values of a
database into its tables; `read_line` reads a value of a backup, whose values go the same way
(`storage.state.former_rows`).

END is the last day on which a new version has to read these formats. A version after it deletes
this module, steps 1 and 2 of `storage.upgrades`, `former_rows`, format 1 of `bot.league.archive`
and LINE's JSON in `bot.dispatch.pending` (an unanswered event is moved as it was). It refuses such
databases and backups in a line with the last version that reads them. Files in a league's folder
have no former formats, and what people send stays valid for good.
"""

import base64
import json
import logging
import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

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

END = date(2027, 12, 31)
FOREVER = 4e9  # seconds since 1970; for a value without an end
FILES_READ = 40  # days of which the size of each file is known: see storage/results.py
log = logging.getLogger(__name__)

Row = dict[str, Any]
Rows = Iterator[tuple[sa.Table, Row]]


class FormerValue(NamedTuple):
    """A value: its key, in a reader without the prefix; its text; and when it expires."""

    name: str
    text: str
    expires: float | None


# A reader also gets the texts of all values by their keys, for what is spread over several values.
Reader = Callable[[FormerValue, Mapping[str, str]], Rows]


def read_line(line: bytes) -> FormerValue:
    """Return the value in a line of a backup. Raises ValueError for a line that has none."""
    try:
        data = json.loads(line)
        value = FormerValue(data["key"], data["value"], data["expires"])
    except (KeyError, TypeError, RecursionError):
        raise ValueError("a line without a value") from None
    is_value = isinstance(value.name, str) and isinstance(value.text, str)
    if not is_value or not isinstance(value.expires, int | float | None):
        raise ValueError("a line with a value of another kind")
    return value


def add(connection: sa.Connection, value: FormerValue) -> None:
    """Store a value as 0.1 and 0.2 did."""
    row = {"key": value.name, "value": value.text, "expires": value.expires}
    connection.execute(VALUES.insert().values(row))


def move(connection: sa.Connection) -> None:
    """Move the values of 0.1 and 0.2 into the tables, in a transaction. A value that can't be read
    stays, and the log has a warning."""
    values = list(connection.execute(sa.select(VALUES)))
    texts = {value.key: value.value for value in values}
    rows: dict[tuple[str, ...], tuple[sa.Table, Row]] = {}
    for value in values:
        prefix = next(filter(value.key.startswith, READERS), None)
        if prefix is None:
            continue
        former = FormerValue(value.key.removeprefix(prefix), value.value, value.expires)
        try:
            new = list(READERS[prefix](former, texts))
        except (ValueError, KeyError, TypeError, AttributeError, zlib.error):
            log.warning(
                "a record of an earlier version can't be read and is left where it is: %s",
                value.key[:40],
            )
            continue
        for table, row in new:
            columns = [column.name for column in table.primary_key if column.name in row]
            identity = [str(row[column]) for column in columns] or [value.key]
            rows[table.name, *identity] = table, row
        connection.execute(sa.delete(VALUES).where(VALUES.c.key == value.key))
    for table, row in rows.values():
        connection.execute(table.insert().values(row))


def _event(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    marked, event = value.name.split(":", 1)
    if value.text == "done":
        yield EVENTS, {"id": event, "taken": float(marked), "done": True}
        return
    owner, taken, content = value.text.split(" ", 2)
    data = json.loads(content)
    messages = ""
    if data.get("messages"):
        messages = json.dumps(data["messages"])
    row = {
        "id": event,
        "taken": float(taken),
        "owner": owner,
        "base": data["base"],
        "messages": messages,
        "raw": json.dumps(data["event"]),
        "done": False,
    }
    yield EVENTS, row


def _account(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    data = json.loads(value.text)
    yield ACCOUNTS, {"league": value.name, "folder": data["folder"], "token": data["token"]}


def _chat(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    league = str(json.loads(value.text).get("league", ""))
    yield CHATS, {"chat": value.name, "league": league}


def _member(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    until = value.expires or FOREVER
    yield MEMBERS, {"user": value.name, "chat": value.text, "until": until}


def _home(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    until = value.expires or FOREVER
    yield HOMES, {"user": value.name, "chat": value.text, "until": until}


def _identity(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    league, user = value.name.split(":", 1)
    yield IDENTITIES, {"league": league, "user": user, "player": value.text}


def _quotes(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    chat, mark = value.name.split(":", 1)
    sent = float(mark[:13])
    for messages, question in json.loads(value.text):
        for message in messages:
            yield QUOTES, {"chat": chat, "sent": sent, "message": message, "question": question}


def _notice_reader(prefix: str) -> Reader:
    def read(value: FormerValue, texts: Mapping[str, str]) -> Rows:
        yield NOTICES, {"key": prefix + value.name, "until": value.expires}

    return read


def _open_fault(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    if not value.text:  # another process took it
        return
    league, kind = value.name.split("/", 1)
    data = json.loads(value.text)
    since = _seconds(data["since"])
    reported = texts.get(f"fault/told/{value.name}")
    is_reported = bool(reported) and _seconds(str(reported)) == since
    row = {
        "league": league,
        "kind": kind,
        "about": data["about"],
        "said": data["said"],
        "since": since,
        "told": since if is_reported else None,
    }
    yield FAULTS, row


def _ended_fault(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    """A fault that was reported, and is over."""
    if not value.text:  # another process took it
        return
    league, kind = value.name.split("/", 1)
    data = json.loads(value.text)
    since = _seconds(data["begin"])
    row = {
        "league": league,
        "kind": kind,
        "since": since,
        "told": since,
        "ended": _seconds(data["end"]),
    }
    yield FAULTS, row


def _results(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    league, day = value.name.rsplit("/", 1)
    data = json.loads(value.text)
    row = {
        "league": league,
        "day": f"{day[:4]}-{day[4:6]}-{day[6:]}",
        "size": data["size"],
        "rooms": ",".join(sorted(data["rooms"])),
        "lines": base64.b64decode(data["lines"]),
        "merged": base64.b64decode(data["merged"]),
        "waiting": bool(texts.get(f"tenhou/waiting/{value.name}")),
        "version": 1,
    }
    yield RESULTS, row


def _through(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    yield from _read_files(value.name, texts)


def _waiting(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    """`tenhou/waiting/LEAGUE/after` has the days of which more than lines is waiting; the other
    values are read with their results."""
    if value.name.endswith("/after"):
        yield from _read_files(value.name.removesuffix("/after"), texts)


def _read_files(league: str, texts: Mapping[str, str]) -> Rows:
    """What is read of Tenhou's files for a league."""
    through = texts.get(f"tenhou/through/{league}", "").split(" ")
    day, mark, rooms = [*through, "", ""][:3]
    words = texts.get(f"tenhou/sizes/{mark}", "").split(",")
    sizes = [word.split(":") for word in words if word]
    first_days = [first for first, _size in sizes[:1]]
    row = {
        "league": league,
        "begin": min([day, *first_days]),
        "through": day,
        "rooms": rooms,
        "owed": texts.get(f"tenhou/waiting/{league}/after", ""),
    }
    yield READ, row
    for file_day, size in sizes[-FILES_READ:]:
        # A file without a line of the league has no results; its size is known from here alone.
        if f"tenhou/kept/{league}/{file_day.replace('-', '')}" in texts:
            continue
        empty = {
            "league": league,
            "day": file_day,
            "size": int(size),
            "rooms": rooms,
            "lines": b"",
            "merged": b"",
            "waiting": False,
            "version": 1,
        }
        yield RESULTS, empty


def _own_games(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    league = value.name.rsplit("/", 1)[0]
    for key, end, versions, started, is_in_log, fresh in json.loads(_unpacked(value.text)):
        game = json.dumps([end, versions, started, is_in_log])
        row = {"league": league, "key": key, "day": end[:10], "fresh": fresh, "game": game}
        yield OWN_GAMES, row


def _room(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    league = value.name
    room = json.loads(texts.get(f"tenhou/room-id/{league}", "{}"))
    memory = ""
    if packed := texts.get(f"tenhou/room/{league}"):
        memory = _unpacked(packed).decode()
    used = texts.get(f"rooms/asked/{league}")
    row = {
        "league": league,
        "room": room.get("room", ""),
        "id": room.get("id", ""),
        "memory": memory,
        "used": _seconds(used) if used else None,
        "due": 0.0,
    }
    yield ROOMS, row


def _records(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    data = json.loads(value.text)
    refused = data.get("refused", [])
    for number, record in enumerate(data["known"]):
        # An id begins with the hour of the game: `2026112321gm-…`.
        hour = datetime.strptime(f"{record[:10]}+0900", "%Y%m%d%H%z")
        row = {
            "league": value.name,
            "id": record,
            "due": None,
            "noted": hour.timestamp() + number / 1000,
            "tries": 0,
            "refused": record in refused,
        }
        yield RECORDS, row
    for record, (due, tries) in data["waiting"].items():
        row = {
            "league": value.name,
            "id": record,
            "due": _seconds(due),
            "noted": _seconds(due),
            "tries": tries,
            "refused": False,
        }
        yield RECORDS, row


def _nothing(value: FormerValue, texts: Mapping[str, str]) -> Rows:
    """A value that is read with others, or that nobody needs any more."""
    yield from ()


def _unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


READERS: dict[str, Reader] = {
    "event:": _event,
    "dropbox:": _account,
    "chat:": _chat,
    "member:": _member,
    "home:": _home,
    "me:": _identity,
    "answer:": _quotes,
    "digest:": _notice_reader("digest:"),
    "season:": _notice_reader("season:"),
    "evening:": _notice_reader("evening:"),
    "notice:": _notice_reader("notice:"),
    "fault/open/": _open_fault,
    "fault/over/": _ended_fault,
    "tenhou/room-id/": _room,
    "tenhou/room/": _room,
    "tenhou/kept/": _results,
    "tenhou/own/": _own_games,
    "tenhou/records/": _records,
    "tenhou/through/": _through,
    "tenhou/waiting/": _waiting,
    "fault/told/": _nothing,
    "tenhou/sizes/": _nothing,
    "tenhou/own-waiting/": _nothing,
    "rooms/": _nothing,
    "alive:": _nothing,
    "notices/lease": _nothing,
    "tenhou/connection": _nothing,
    "sync/": _nothing,
}
"""What reads the values whose keys begin so. Any other is a small value, and stays one."""
