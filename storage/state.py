"""All that a service keeps in its database, by subject."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from datetime import datetime, timedelta, timezone

from storage.chats import Chats
from storage.database import Around, Database
from storage.events import Events, Jobs
from storage.notices import Faults, Lease, Notices
from storage.results import OwnGames, Results
from storage.rooms import Accounts, Records, Rooms
from storage.values import Values


class State:
    """The subjects of a database. Threads, processes and forked workers may share it; for errors see
    Database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.values = Values(database)
        self.events = Events(database)
        self.jobs = Jobs(database)
        self.chats = Chats(database)
        self.accounts = Accounts(database)
        self.notices = Notices(database)
        self.faults = Faults(database)
        self.results = Results(database)
        self.own_games = OwnGames(database)
        self.rooms = Rooms(database)
        self.records = Records(database)

    def lease(self, name: str, life: float) -> Lease:
        """A lease of this process; `life` is in seconds."""
        return Lease(self.database, name, life)

    def sweep(self) -> int:
        """Remove what nobody needs any more, and return the number of rows."""
        today = datetime.fromtimestamp(self.database.clock(), timezone(timedelta(hours=9))).date()
        swept = (self.values, self.events, self.chats, self.notices, self.records)
        return sum(subject.sweep() for subject in swept) + self.results.sweep(today)

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        self.database.close()


def open_state(
    url: str, *, around: Around = lambda what, write: nullcontext(), clock: Callable[[], float] | None = None
) -> State:
    """The state in the database at `sqlite:///FILE`, `postgres://…` or `postgresql://…`. Opening sends no
    request.

    See Database. Raises ValueError when the address is none of these.
    """
    return State(Database(url, around=around, clock=clock))
