"""All that a service keeps in its database: by subject, and as the rows that a backup holds."""

import base64
import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from itertools import groupby, islice
from typing import Any, Self

from sqlalchemy import LargeBinary, Table, and_, delete, or_, select, tuple_, update
from sqlalchemy.types import TypeEngine

from storage import former_values
from storage.accounts import Accounts
from storage.chats import Chats
from storage.database import IN_MEMORY, UNGUARDED, Around, Database
from storage.events import REMEMBERED, Events
from storage.faults import Faults
from storage.former_values import FormerValue
from storage.jobs import Jobs
from storage.lease import Lease
from storage.notices import Notices
from storage.own_games import OwnGames
from storage.ports import Clock
from storage.records import Records
from storage.results import Results
from storage.rooms import Rooms
from storage.schema import CHATS, HOMES, IDENTITIES, KEPT, MEMBERS, METADATA, NOTICES
from storage.values import Values, kept_text

FORGOTTEN = 600.0  # seconds for which processes may still write what they have noted of a user
PAGE = 1000  # rows of a backup read or written at once
ROOT = ""  # the league of LEAGUE_CHATS, for which a chat asks that no table names


def _tables_with(column: str) -> list[Table]:
    return [table for table in METADATA.tables.values() if column in table.c]


_OF_LEAGUES = _tables_with("league")
_OF_USERS = _tables_with("user")
_OF_CHATS = _tables_with("chat")
TABLES: Mapping[str, Table] = {table.name.removeprefix("janroku_"): table for table in KEPT}


class State:
    """The subjects of a database. Who may share it: see Database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.values = Values(database)
        self.notices = Notices(database)
        self.faults = Faults(database)
        self.events = Events(database)
        self.jobs = Jobs(database)
        self.chats = Chats(database)
        self.accounts = Accounts(database)
        self.results = Results(database)
        self.own_games = OwnGames(database)
        self.rooms = Rooms(database)
        self.records = Records(database)

    def lease(self, name: str, life: float) -> Lease:
        return Lease(self.database, name, life)

    def unsent(self, message: str) -> None:
        """Forget a message that was taken back, and what comes of it later, in whatever order that
        comes.
        """
        self.values.put(f"unsent:{message}", "1", REMEMBERED)
        self.values.erase(f'"{message}"', by_value=True)
        self.events.erase(message)

    def was_unsent(self, message: str) -> bool:
        """Whether a message was taken back; what is kept of it meanwhile is forgotten."""
        taken_back = self.values.get(f"unsent:{message}") is not None
        if taken_back:
            self.unsent(message)
        return taken_back

    def answered(self, questions: Mapping[tuple[str, str], str]) -> None:
        """Keep which question each sent message answered, by chat and message; nothing of the 1:1
        chat of a user who was forgotten meanwhile. Looked up after the writing, so that either the
        forgetting or this sees the other.
        """
        if not questions:
            return
        self.chats.set_questions(questions)
        marks = {_forgotten(chat): chat for chat, _ in questions}
        if gone := self.values.present(marks):
            self.chats.forget_questions([marks[mark] for mark in gone])

    def forget_user(self, user: str, group: str = "", league: str | None = None) -> None:
        """Forget a user's id; with `group`, which asks for `league` (None: for none), only as its
        member. Values are found by the id in their key, and by the 1:1 chat that they name.
        """
        if group:
            self._forget_member(user, group, league)
            return
        self.values.put(_forgotten(user), "", FORGOTTEN)
        with self.database.begin("forget a user") as connection:
            for table in _OF_USERS:
                connection.execute(delete(table).where(table.c.user == user))
            for table in _OF_CHATS:
                connection.execute(delete(table).where(table.c.chat == user))
            named = NOTICES.c.key.contains(user, autoescape=True)
            connection.execute(delete(NOTICES).where(named))
        self.events.erase(user)
        self.values.erase(user)
        self.values.erase(f'"chat": "{user}"', by_value=True)

    def _forget_member(self, user: str, group: str, league: str | None) -> None:
        """Forget a user as a member of a group: where LINE saw them, the name that they gave in the
        group's league and in leagues that no chat asks for any more, greetings, votes.
        """
        unasked = IDENTITIES.c.league.not_in(select(CHATS.c.league))
        leagues = and_(IDENTITIES.c.league != ROOT, unasked)
        if league is not None:
            leagues = or_(leagues, IDENTITIES.c.league == league)
        with self.database.begin("forget a member") as connection:
            connection.execute(delete(MEMBERS).where(MEMBERS.c.user == user))
            connection.execute(delete(HOMES).where(HOMES.c.user == user, HOMES.c.chat == group))
            connection.execute(delete(IDENTITIES).where(IDENTITIES.c.user == user, leagues))
        self.values.erase(user, group)
        if league is not None:
            self.values.erase(user, f"/{league}/")

    def remove_league(self, league: str) -> None:
        with self.database.begin(f"remove {league}") as connection:
            chats = select(CHATS.c.chat).where(CHATS.c.league == league)
            connection.execute(delete(MEMBERS).where(MEMBERS.c.chat.in_(chats)))
            for table in _OF_LEAGUES:
                connection.execute(delete(table).where(table.c.league == league))
        self.values.delete(f"page:{league}")

    def rename_league(self, league: str, new: str) -> None:
        """Keep under a new name what is kept of a league. Links to its page end."""
        with self.database.begin(f"rename {league}") as connection:
            for table in _OF_LEAGUES:
                rows = update(table).where(table.c.league == league)
                connection.execute(rows.values(league=new))
        self.values.delete(f"page:{league}")

    def sweep(self) -> int:
        japan = timezone(timedelta(hours=9))
        today = datetime.fromtimestamp(self.database.clock(), japan).date()
        swept = (self.values, self.events, self.chats, self.notices, self.records)
        count = sum(subject.sweep() for subject in swept)
        return count + self.results.sweep(today) + self.own_games.sweep(today)

    def close(self) -> None:
        self.database.close()


def mark_of(user: str) -> str:
    """A mark that stands for a user who is to be forgotten: nobody can compute the id from it."""
    return hashlib.sha256(user.encode()).hexdigest()[:32]


def _forgotten(user: str) -> str:
    """The key of the mark that a user was forgotten a moment ago."""
    return f"forgotten:{mark_of(user)}"


def open_state(url: str, *, around: Around = UNGUARDED, clock: Clock | None = None) -> State:
    """The state at `sqlite:///FILE`, `postgres://…` or `postgresql://…`, which is sent no request
    yet.
    """
    return State(Database(url, around=around, clock=clock))


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A row: its table's name without `janroku_`, and its columns."""

    table: str
    columns: Mapping[str, Any]

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it from others; rows are in the order of it."""
        primary_key = TABLES[self.table].primary_key
        return self.table, *(self.columns[column.name] for column in primary_key)

    def to_json(self) -> str:
        """Bytes are in base64."""
        row = {"table": self.table, **self.columns}
        return json.dumps(row, ensure_ascii=False, default=_base64)

    @classmethod
    def from_json(cls, line: str | bytes) -> Self:
        """The row of a line of JSON. Raises ValueError where it is none of these tables'."""
        read = json.loads(line)
        table = TABLES.get(read.pop("table", "")) if isinstance(read, dict) else None
        if table is None or set(read) != set(table.columns.keys()):
            raise ValueError("no row of a backup")
        for column in table.columns:
            value = read[column.name]
            if value is None and not column.nullable:
                raise ValueError("a row without a value")
            binary = isinstance(column.type, LargeBinary)
            if value is not None and not isinstance(value, _json_types(column.type)):
                raise ValueError("a row with a value of another kind")
            if isinstance(value, str):
                kept_text(value)
            if binary:
                read[column.name] = base64.b64decode(str(value), validate=True)
        return cls(table.name.removeprefix("janroku_"), read)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _json_types(column_type: TypeEngine[Any]) -> tuple[type, ...]:
    """The types that a column's values have in JSON."""
    if isinstance(column_type, LargeBinary):
        return (str,)
    if column_type.python_type is float:
        return (int, float)
    return (column_type.python_type,)


def secret_of(row: KeptRow) -> str:
    """What is encrypted in a row, "" for nothing."""
    encrypted_columns = {"accounts": "token", "rooms": "id"}
    return str(row.columns.get(encrypted_columns.get(row.table, ""), ""))


def kept_rows(database: Database) -> Iterator[KeptRow]:
    """The rows of all kept tables, read page by page."""
    for name, table in TABLES.items():
        keys = list(table.primary_key)
        after = None
        while True:
            query = select(table).order_by(*keys).limit(PAGE)
            if after is not None:
                query = query.where(tuple_(*keys) > after)
            page = [KeptRow(name, row._asdict()) for row in database.rows(query)]
            yield from page
            if len(page) < PAGE:
                break
            after = page[-1].key[1:]


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
    """Write rows, in place of those with the same keys."""
    for name, group in groupby(rows, lambda row: row.table):
        while page := [row.columns for row in islice(group, PAGE)]:
            database.put(TABLES[name], *page)


def remove_rows(database: Database, rows: Iterable[KeptRow]) -> None:
    for row in rows:
        table = TABLES[row.table]
        here = [column == row.columns[column.name] for column in table.primary_key]
        database.write(delete(table).where(*here))
