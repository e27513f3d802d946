"""The table `rooms`: leagues' own rooms at Tenhou, what was read there, and when to read them next.

A row is a league's room: its name, its management id (encrypted by the bot), a memory of the room as
text that bot/tenhou/room.py writes and reads, when the room is due, and when a member last requested
something of the league. A league that is the root folder's has the name "". Times are in seconds since
1970.

What the table promises: a league that is due stays due until its time is changed with `postpone`, so
that a process that ends while it reads a room leaves the room to another.
"""

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from storage.database import Subject
from storage.schema import ROOMS


class RoomKey(NamedTuple):
    """A room's name (`C1017`), and its management id, encrypted.

    `id` is "" where the id is stored elsewhere, as in the variable TENHOU_ROOM_ID.
    """

    room: str
    id: str


class Rooms(Subject):
    """The rooms by league."""

    def all(self) -> dict[str, RoomKey]:
        rows = self._rows(ROOMS, ROOMS.c.room != "")
        return {row.league: RoomKey(row.room, row.id) for row in rows}

    def key(self, league: str) -> RoomKey | None:
        row = self._first(ROOMS, ROOMS.c.league == league, ROOMS.c.room != "")
        if row is None:
            return None
        return RoomKey(row.room, row.id)

    def set(self, league: str, key: RoomKey) -> None:
        """Give a league a room, which is due at once."""
        row = {"league": league, "room": key.room, "id": key.id, "due": 0.0}
        self._database.put(ROOMS, row)

    def remove(self, league: str) -> None:
        self._remove(ROOMS, ROOMS.c.league == league)

    def memory(self, league: str) -> str:
        """The memory of a league's room, "" for none."""
        return self._value(ROOMS.c.memory, ROOMS.c.league == league) or ""

    def remember(self, league: str, room: str, memory: str) -> None:
        self._database.put(ROOMS, {"league": league, "room": room, "memory": memory})

    def due(self, now: float, limit: int) -> list[str]:
        """The leagues whose rooms are due, longest waiting first."""
        query = (
            sa.select(ROOMS.c.league)
            .where(ROOMS.c.room != "", ROOMS.c.due <= now)
            .order_by(ROOMS.c.due)
            .limit(limit)
        )
        return [row.league for row in self._database.rows(query)]

    def postpone(self, league: str, until: float) -> None:
        """Make a league's room due at `until`."""
        self._change(ROOMS, ROOMS.c.league == league, due=until)

    def mark_used(self, leagues: Collection[str], now: float) -> None:
        """Note that members use these leagues at present, which makes their rooms due."""
        if leagues:
            is_later = ROOMS.c.due > now
            due_by_now = sa.case((is_later, now), else_=ROOMS.c.due)
            is_used = ROOMS.c.league.in_(sorted(leagues))
            self._change(ROOMS, is_used, used=now, due=due_by_now)

    def last_used(self, league: str) -> float | None:
        return self._value(ROOMS.c.used, ROOMS.c.league == league)
