"""The state: what a service stores in its database by subject, and what affects several subjects.

Those are forgetting a user or a message, renaming and removing a league, and sweeping. Each subject's
module says which tables it has and what they promise.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone

import sqlalchemy as sa

from storage.accounts import Accounts
from storage.chats import Chats
from storage.database import UNGUARDED, Around, Database
from storage.events import REMEMBERED, Events
from storage.faults import Faults
from storage.jobs import Jobs
from storage.lease import Lease
from storage.notices import Notices
from storage.own_games import OwnGames
from storage.ports import Clock
from storage.records import Records
from storage.results import Results
from storage.rooms import Rooms
from storage.schema import CHATS, HOMES, IDENTITIES, MEMBERS, METADATA, NOTICES, VALUES
from storage.values import LeagueKey, Values

FORGOTTEN = 600.0  # seconds for which processes may still write what they have noted of a user
ROOT = ""  # the league of LEAGUE_CHATS, whose chats are not in the table of chats
_JAPAN = timezone(timedelta(hours=9))


def _tables_with(column: str) -> list[sa.Table]:
    return [table for table in METADATA.tables.values() if column in table.c]


_OF_LEAGUES = _tables_with("league")
_OF_USERS = _tables_with("user")
_OF_CHATS = _tables_with("chat")


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
        """Forget a message that was taken back, also what is stored of it later (`was_unsent`)."""
        self.values.put(f"unsent:{message}", "1", REMEMBERED)
        self.values.erase(f'"{message}"', by_value=True)
        self.events.erase(message)

    def was_unsent(self, message: str) -> bool:
        """Whether a message was taken back. What was stored of it since is forgotten then."""
        was_taken_back = self.values.get(f"unsent:{message}") is not None
        if was_taken_back:
            self.unsent(message)
        return was_taken_back

    def answered(self, questions: Mapping[tuple[str, str], str]) -> None:
        """Store which question each sent message answered, by chat and message.

        Nothing stays of the 1:1 chat of a user who is being forgotten. Whether one is, is looked up
        after writing, so that of two processes the one that forgets or this one sees the other.
        """
        if not questions:
            return
        self.chats.set_questions(questions)
        chats_by_mark = {_forgotten(chat): chat for chat, _ in questions}
        forgotten = self.values.present(chats_by_mark)
        if forgotten:
            self.chats.forget_questions([chats_by_mark[mark] for mark in forgotten])

    def forget_user(
        self,
        user: str,
        group: str = "",
        league: str | None = None,
    ) -> None:
        """Forget a user's id, or with `group` only that the user is a member of it.

        `league` is the group's, None for a group that is not let in. Of the values those are removed
        that have the id in their key, or name it as their 1:1 chat.
        """
        if group:
            self._forget_member(user, group, league)
            return
        self.values.put(_forgotten(user), "", FORGOTTEN)
        with self.database.begin("forget a user") as connection:
            for table in _OF_USERS:
                connection.execute(sa.delete(table).where(table.c.user == user))
            for table in _OF_CHATS:
                connection.execute(sa.delete(table).where(table.c.chat == user))
            names_user = NOTICES.c.key.contains(user, autoescape=True)
            connection.execute(sa.delete(NOTICES).where(names_user))
        self.events.erase(user)
        self.values.erase(user)
        self.values.erase(f'"chat": "{user}"', by_value=True)

    def _forget_member(self, user: str, group: str, league: str | None) -> None:
        """Forget a user as a member of a group.

        That is where LINE saw the user, greetings, votes, and the name that the user gave in the
        group's league and in leagues that no chat uses any more.
        """
        has_no_chat = IDENTITIES.c.league.not_in(sa.select(CHATS.c.league))
        in_league = sa.and_(IDENTITIES.c.league != ROOT, has_no_chat)
        if league is not None:
            in_league = sa.or_(in_league, IDENTITIES.c.league == league)
        with self.database.begin("forget a member") as connection:
            connection.execute(sa.delete(MEMBERS).where(MEMBERS.c.user == user))
            is_home = HOMES.c.user == user, HOMES.c.chat == group
            connection.execute(sa.delete(HOMES).where(*is_home))
            connection.execute(sa.delete(IDENTITIES).where(IDENTITIES.c.user == user, in_league))
        self.values.erase(user, group)
        if league is not None:
            self.values.erase(user, f"/{league}/")

    def remove_league(self, league: str) -> None:
        """Remove what is stored of a league. Its chats lose their access.

        What is stored of a chat itself stays, as always when a chat loses its access: the users seen
        there and the answers that messages had expire soon, and whether it hides names still applies
        if it gets access again.
        """
        with self.database.begin(f"remove {league}") as connection:
            # The members before the chats, whose rows identify the league's members.
            chats = sa.select(CHATS.c.chat).where(CHATS.c.league == league)
            connection.execute(sa.delete(MEMBERS).where(MEMBERS.c.chat.in_(chats)))
            for table in _OF_LEAGUES:
                connection.execute(sa.delete(table).where(table.c.league == league))
            for key in LeagueKey:
                connection.execute(sa.delete(VALUES).where(key.is_key(league)))

    def rename_league(self, league: str, new: str) -> None:
        """Store under a new name what is stored of a league. Links to its page become invalid."""
        with self.database.begin(f"rename {league}") as connection:
            for table in _OF_LEAGUES:
                rows = sa.update(table).where(table.c.league == league)
                connection.execute(rows.values(league=new))
            connection.execute(sa.delete(VALUES).where(LeagueKey.PAGE.is_key(league)))
            for key in LeagueKey:
                self._rename_values(connection, key, league, new)

    def _rename_values(
        self,
        connection: sa.Connection,
        key: LeagueKey,
        league: str,
        new: str,
    ) -> None:
        """Move a league's values under these keys; values that the new name has already go."""
        query = sa.select(VALUES).where(key.is_key(league))
        rows = connection.execute(query).all()
        new_rows = []
        for row in rows:
            rest = row.key.removeprefix(key.of(league))
            new_rows.append(row._asdict() | {"key": key.of(new) + rest})
        if new_rows:
            connection.execute(self.database.replacing(VALUES, new_rows[0]), new_rows)
            connection.execute(sa.delete(VALUES).where(key.is_key(league)))

    def sweep(self) -> int:
        """Remove what has expired; return the number of rows."""
        today = datetime.fromtimestamp(self.database.clock(), _JAPAN).date()
        swept = (self.values, self.events, self.chats, self.notices, self.records)
        count = sum(subject.sweep() for subject in swept)
        return count + self.results.sweep(today) + self.own_games.sweep(today)

    def close(self) -> None:
        self.database.close()


def mark_of(user: str) -> str:
    """A mark for a user who is to be forgotten. Nobody can compute the id from it."""
    return hashlib.sha256(user.encode()).hexdigest()[:32]


def _forgotten(user: str) -> str:
    """The key of the value that a user was forgotten a moment ago."""
    return f"forgotten:{mark_of(user)}"


def open_state(
    url: str,
    *,
    around: Around = UNGUARDED,
    clock: Clock | None = None,
) -> State:
    """The state at `sqlite:///FILE`, `postgres://…` or `postgresql://…`. Sends no request."""
    return State(Database(url, around=around, clock=clock))
