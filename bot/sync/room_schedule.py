"""When the background loop turns to each league: to ask its room, to fetch its records. No I/O; times are aware.

Of many leagues that are due only a few have their turn at once. Those first whose turn is late the most in proportion to
how often they have one: rooms where somebody plays (every 3 minutes) and idle ones (every 20) wait in the same measure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import nsmallest

SPREAD = timedelta(milliseconds=150)  # between the first turns of leagues that are met together


@dataclass(frozen=True, slots=True)
class RoomTurn:
    """When a league's next turn is, and how often it has one."""

    at: datetime
    every: timedelta


@dataclass
class RoomSchedule:
    """The turns of leagues with a room, and when their records and games are looked after."""

    _rooms: dict[str, RoomTurn] = field(default_factory=dict)
    _records: dict[str, datetime] = field(default_factory=dict)
    _resting: dict[str, datetime] = field(default_factory=dict)

    def follow(self, leagues: Collection[str], now: datetime, every: timedelta) -> None:
        """Have these leagues and no others. New ones have their first turn soon, one after the other."""
        for gone in [league for league in self._rooms if league not in leagues]:
            del self._rooms[gone]
            self._records.pop(gone, None)
            self._resting.pop(gone, None)
        fresh = [league for league in leagues if league not in self._rooms]
        for number, league in enumerate(fresh):
            self._rooms[league] = RoomTurn(now + number * SPREAD, every)

    def __len__(self) -> int:
        return len(self._rooms)

    def __contains__(self, league: object) -> bool:
        return league in self._rooms

    def due(self, now: datetime, most: int) -> list[str]:
        """Return the leagues whose turn it is, `most` at once."""
        late = [
            (-(now - turn.at) / turn.every, league) for league, turn in self._rooms.items() if turn.at <= now
        ]
        return [league for _, league in nsmallest(most, late)]

    def put(self, league: str, at: datetime, every: timedelta) -> None:
        """Set a league's next turn."""
        if league in self._rooms:
            self._rooms[league] = RoomTurn(at, every)

    def wake(self, leagues: Iterable[str], now: datetime) -> None:
        """Have these leagues' turns come now."""
        for league in leagues:
            turn = self._rooms.get(league)
            if turn is not None and turn.at > now:
                self._rooms[league] = RoomTurn(now, turn.every)

    def put_records(self, league: str, at: datetime | None) -> None:
        """Set when a league's next record is to be asked for, None for never."""
        if at is None or league not in self._rooms:
            self._records.pop(league, None)
        else:
            self._records[league] = at

    def records_due(self, now: datetime, most: int) -> list[str]:
        """Return the leagues with records to ask for, those first that have waited the longest."""
        found = nsmallest(most, ((at, league) for league, at in self._records.items() if at <= now))
        return [league for _, league in found]

    def rest(self, league: str, until: datetime) -> None:
        """Leave a league's games alone until then, because they could not be merged."""
        self._resting[league] = until

    def rests(self, league: str, now: datetime) -> bool:
        """Return whether the league's games are left alone."""
        until = self._resting.get(league)
        if until is not None and until <= now:
            del self._resting[league]
            return False
        return until is not None
