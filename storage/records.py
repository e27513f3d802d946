"""The table `records`: the game records (paifu) that leagues wait for.

A row is a record that a league's room has named: when it is due, and how often it was not there yet. A
record that was fetched or given up has no `due` any more, but stays known for RETENTION, longer than a
room lists a game. Times are in seconds since 1970.

What the table promises: a record is waited for once, however often its room names it, and stays due
until it was fetched or given up. tests/storage/test_once.py checks it.
"""

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from storage.database import Subject
from storage.schema import RECORDS

RETENTION = 60 * 86400.0  # seconds


class DueRecord(NamedTuple):
    """A record to fetch now, and how often it was not there."""

    league: str
    id: str
    tries: int


class Records(Subject):
    """The game records that leagues wait for."""

    def put(self, league: str, ids: Collection[str], now: float) -> None:
        """Wait for these records, except those that are known already."""
        rows = [
            {
                "league": league,
                "id": id_,
                "due": now,
                "noted": now,
            }
            for id_ in sorted(set(ids))
        ]
        if rows:
            insert = self._database.insert(RECORDS).values(rows)
            self._database.write(insert.on_conflict_do_nothing())

    def due(
        self,
        leagues: Collection[str] | None,
        now: float,
        limit: int,
    ) -> list[DueRecord]:
        """The records to fetch now, of these leagues (None: of all), the oldest first."""
        columns = RECORDS.c.league, RECORDS.c.id, RECORDS.c.tries
        query = sa.select(*columns).where(RECORDS.c.due <= now)
        if leagues is not None:
            query = query.where(RECORDS.c.league.in_(sorted(leagues)))
        query = query.order_by(RECORDS.c.due, RECORDS.c.id).limit(limit)
        return [DueRecord(*row) for row in self._database.rows(query)]

    def mark_fetched(self, league: str, id_: str) -> None:
        """Record that a record was fetched.

        The league's records given up so far are no longer reported (see `given_up`).
        """
        is_given_up = RECORDS.c.league == league, RECORDS.c.refused
        forget_given_up = sa.update(RECORDS).where(*is_given_up).values(refused=False)
        of_record = sa.update(RECORDS).where(*_is_record(league, id_))
        stop_waiting = of_record.values(due=None)
        with self._database.begin(f"record {id_} of {league} is there") as connection:
            connection.execute(forget_given_up)
            connection.execute(stop_waiting)

    def postpone(
        self,
        league: str,
        id_: str,
        until: float,
        tries: int | None = None,
    ) -> None:
        """Fetch a record at `until`; `tries` is how often it was not there by now."""
        is_waiting = *_is_record(league, id_), RECORDS.c.due.is_not(None)
        if tries is None:
            self._change(RECORDS, *is_waiting, due=until)
        else:
            self._change(RECORDS, *is_waiting, due=until, tries=tries)

    def give_up(self, league: str, id_: str) -> None:
        """Never wait for a record again."""
        self._change(RECORDS, *_is_record(league, id_), due=None, refused=True)

    def given_up(self, league: str) -> list[str]:
        """The records that were given up since the last one that was fetched, the latest last."""
        query = (
            sa.select(RECORDS.c.id)
            .where(RECORDS.c.league == league, RECORDS.c.refused)
            .order_by(RECORDS.c.noted)
        )
        return [row.id for row in self._database.rows(query)]

    def sweep(self) -> int:
        """Forget records that were fetched or given up long ago; return their number."""
        is_old = RECORDS.c.noted < self._database.clock() - RETENTION
        return self._remove(RECORDS, RECORDS.c.due.is_(None), is_old)


def _is_record(league: str, id_: str) -> tuple[sa.ColumnElement[bool], ...]:
    return RECORDS.c.league == league, RECORDS.c.id == id_
