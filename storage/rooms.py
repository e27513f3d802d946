"""What leagues have of their own: Dropbox accounts, and rooms at Tenhou with the game records these name."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import case, delete, func, select, update

from storage.database import Subject
from storage.schema import ACCOUNTS, RECORDS, ROOMS

_KNOWN = 60 * 86400.0  # seconds a record that is done with stays known: longer than a room tells of a game


class Account(NamedTuple):
    """A league's folder in its own Dropbox account, and the account's refresh token, encrypted."""

    folder: str
    token: str


class Accounts(Subject):
    """The accounts by league."""

    def get(self, league: str) -> Account | None:
        """A league's account; None where it has none."""
        query = select(ACCOUNTS.c.folder, ACCOUNTS.c.token).where(ACCOUNTS.c.league == league)
        row = self._database.first(query)
        return Account(*row) if row else None

    def set(self, league: str, account: Account) -> None:
        """Give a league an account."""
        self._database.put(ACCOUNTS, {"league": league, **account._asdict()})

    def remove(self, league: str) -> None:
        """Forget a league's account."""
        self._database.write(delete(ACCOUNTS).where(ACCOUNTS.c.league == league))


class RoomKey(NamedTuple):
    """A room's name (`C1017`), and its management id, encrypted; "" where it is known from elsewhere."""

    room: str
    id: str


class Rooms(Subject):
    """The rooms by league ("" for the root folder's). Times are in epoch seconds."""

    def all(self) -> dict[str, RoomKey]:
        """Every league's room."""
        rows = self._database.rows(select(ROOMS.c.league, ROOMS.c.room, ROOMS.c.id).where(ROOMS.c.room != ""))
        return {row.league: RoomKey(row.room, row.id) for row in rows}

    def any(self) -> bool:
        """Whether any league has a room."""
        return self._database.value(select(ROOMS.c.league).where(ROOMS.c.room != "").limit(1)) is not None

    def key(self, league: str) -> RoomKey | None:
        """A league's room; None where it has none."""
        here = ROOMS.c.league == league, ROOMS.c.room != ""
        row = self._database.first(select(ROOMS.c.room, ROOMS.c.id).where(*here))
        return RoomKey(*row) if row else None

    def set(self, league: str, key: RoomKey) -> None:
        """Give a league a room, which is due at once; `id` "" leaves the id to another place."""
        self._database.put(ROOMS, {"league": league, "room": key.room, "id": key.id, "due": 0.0})

    def remove(self, league: str) -> None:
        """Forget a league's room."""
        self._database.write(delete(ROOMS).where(ROOMS.c.league == league))

    def memory(self, league: str) -> str:
        """What is remembered of a league's room, "" for nothing."""
        return self._database.value(select(ROOMS.c.memory).where(ROOMS.c.league == league)) or ""

    def remember(self, league: str, room: str, memory: str) -> None:
        """Keep what is to be remembered of a league's room."""
        self._database.put(ROOMS, {"league": league, "room": room, "memory": memory})

    def due(self, now: float, most: int) -> list[str]:
        """The leagues whose room's turn it is, those first that have waited the longest."""
        query = select(ROOMS.c.league).where(ROOMS.c.room != "", ROOMS.c.due <= now)
        return [row.league for row in self._database.rows(query.order_by(ROOMS.c.due).limit(most))]

    def wait(self, league: str, until: float) -> None:
        """Set a room's next turn."""
        self._database.write(update(ROOMS).where(ROOMS.c.league == league).values(due=until))

    def used(self, leagues: Collection[str], now: float) -> None:
        """Note that members have asked about these leagues: it is their rooms' turn."""
        if leagues:
            due = case((ROOMS.c.due > now, now), else_=ROOMS.c.due)
            here = ROOMS.c.league.in_(sorted(leagues))
            self._database.write(update(ROOMS).where(here).values(used=now, due=due))

    def last_used(self, league: str) -> float | None:
        """When members last asked about a league; None for never."""
        return self._database.value(select(ROOMS.c.used).where(ROOMS.c.league == league))


@dataclass(frozen=True, slots=True)
class DueRecord:
    """A record that is to be asked for, and how often it was not there."""

    league: str
    id: str
    tries: int


class Records(Subject):
    """The game records that leagues wait for. Times are in epoch seconds."""

    def put(self, league: str, ids: Collection[str], now: float) -> None:
        """Wait for these records, except those that were waited for before."""
        rows = [{"league": league, "id": id_, "due": now, "noted": now} for id_ in sorted(set(ids))]
        if rows:
            self._database.write(self._database.insert(RECORDS).values(rows).on_conflict_do_nothing())

    def due(self, leagues: Collection[str] | None, now: float, most: int) -> list[DueRecord]:
        """The records to ask for now, of these leagues (None: of all), the oldest first."""
        query = select(RECORDS.c.league, RECORDS.c.id, RECORDS.c.tries).where(RECORDS.c.due <= now)
        if leagues is not None:
            query = query.where(RECORDS.c.league.in_(sorted(leagues)))
        rows = self._database.rows(query.order_by(RECORDS.c.due, RECORDS.c.id).limit(most))
        return [DueRecord(*row) for row in rows]

    def next(self, league: str) -> float | None:
        """When the next record of a league is to be asked for; None where none is waited for."""
        return self._database.value(select(func.min(RECORDS.c.due)).where(RECORDS.c.league == league))

    def done(self, league: str, id_: str) -> None:
        """Note that a record was fetched. Those given up before it are no news any more."""
        with self._database.begin(f"record {id_} of {league} is there") as connection:
            connection.execute(update(RECORDS).where(RECORDS.c.league == league).values(refused=False))
            connection.execute(_record(league, id_).values(due=None))

    def wait(self, league: str, id_: str, until: float, tries: int | None = None) -> None:
        """Ask for a record then; `tries` is how often it was not there by now."""
        new = {"due": until} | ({} if tries is None else {"tries": tries})
        self._database.write(_record(league, id_).where(RECORDS.c.due.is_not(None)).values(new))

    def give_up(self, league: str, id_: str) -> None:
        """Wait for a record no more, and never again."""
        self._database.write(_record(league, id_).values(due=None, refused=True))

    def refused(self, league: str) -> list[str]:
        """The records that were given up since the last one that was fetched, the latest last."""
        query = select(RECORDS.c.id).where(RECORDS.c.league == league, RECORDS.c.refused)
        return [row.id for row in self._database.rows(query.order_by(RECORDS.c.noted))]

    def sweep(self) -> int:
        """Forget the records that were done with long ago, and return their number."""
        old = RECORDS.c.due.is_(None), RECORDS.c.noted < self._database.clock() - _KNOWN
        return self._database.write(delete(RECORDS).where(*old))


def _record(league: str, id_: str) -> Any:
    return update(RECORDS).where(RECORDS.c.league == league, RECORDS.c.id == id_)
