"""The table `faults`: ongoing faults, and past ones that were reported to the admins.

A row is a fault of a league: its kind, what exactly is wrong, since when, when the admins were told, and
when it ended. Times are in seconds since 1970.

What the table promises: processes that see a fault at the same time record it once, so that `since` is
when the first of them saw it. A fault that is over is returned once by `take_past`, and only if the admins
know of it. tests/storage/test_faults.py and test_once.py check it.
"""

from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import sqlalchemy as sa

from storage.database import Subject
from storage.schema import FAULTS

_PAST = 30 * 86400.0  # seconds for which a fault that is over can be taken


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a league ("" for the root or the host).

    `about` distinguishes faults of one kind, `message` is for the admins, `reported` is when they
    got it.
    """

    kind: str
    about: str
    message: str
    since: float
    reported: float | None
    ended: float | None = None


class Faults(Subject):
    """Which faults are ongoing, since when, and which are over: one record for all processes."""

    def record(self, league: str, kind: str, about: str, message: str) -> Fault:
        """Record an ongoing fault and return it. A fault about another thing replaces it."""
        new = Fault(kind, about, message, since=self._database.clock(), reported=None)
        is_ongoing = _is_ongoing(league, kind)
        with self._database.begin(f"fault {kind} {league}", alone=f"fault/{league}") as connection:
            row = connection.execute(sa.select(FAULTS).where(*is_ongoing)).first()
            if row is not None and row.about == about:
                return _fault(row)
            connection.execute(sa.delete(FAULTS).where(*is_ongoing))
            connection.execute(_insertion(league, new))
        return new

    def ongoing(self, league: str) -> list[Fault]:
        """A league's ongoing faults, oldest first."""
        query = (
            sa.select(FAULTS)
            .where(FAULTS.c.league == league, FAULTS.c.ended.is_(None))
            .order_by(FAULTS.c.since)
        )
        return [_fault(row) for row in self._database.rows(query)]

    def mark_reported(self, league: str, kind: str) -> None:
        """Note that the admins know of an ongoing fault."""
        self._change(FAULTS, *_is_ongoing(league, kind), told=self._database.clock())

    def mark_over(self, league: str, kind: str) -> None:
        """Note that there is no such fault (any more). One that was reported becomes a past one."""
        now = self._database.clock()
        is_ongoing = _is_ongoing(league, kind)
        not_reported = sa.delete(FAULTS).where(*is_ongoing, FAULTS.c.told.is_(None))
        reported = sa.update(FAULTS).where(*is_ongoing)
        with self._database.begin(f"over {kind} {league}") as connection:
            connection.execute(not_reported)
            connection.execute(reported.values(ended=now))

    def record_past(self, league: str, kind: str, since: float) -> None:
        """Record a fault that was reported and is over by now."""
        now = self._database.clock()
        fault = Fault(kind, "", "", since, reported=since, ended=now)
        self._database.write(_insertion(league, fault))

    def take_past(self, league: str) -> list[Fault]:
        """Remove a league's past faults and return the latest of each kind, oldest first.

        Those that ended more than a month ago are removed only.
        """
        removal = sa.delete(FAULTS).where(
            FAULTS.c.league == league,
            FAULTS.c.ended.is_not(None),
        )
        rows = self._database.rows(removal.returning(FAULTS))
        oldest = self._database.clock() - _PAST
        latest: dict[str, Fault] = {}
        for fault in sorted((_fault(row) for row in rows), key=_end_of):
            latest[fault.kind] = fault
        recent = [fault for fault in latest.values() if _end_of(fault) > oldest]
        return sorted(recent, key=attrgetter("since"))


def _fault(row: Any) -> Fault:
    return Fault(
        kind=row.kind,
        about=row.about,
        message=row.said,
        since=row.since,
        reported=row.told,
        ended=row.ended,
    )


def _end_of(fault: Fault) -> float:
    return fault.ended or 0


def _is_ongoing(league: str, kind: str) -> tuple[sa.ColumnElement[bool], ...]:
    return (
        FAULTS.c.league == league,
        FAULTS.c.kind == kind,
        FAULTS.c.ended.is_(None),
    )


def _insertion(league: str, fault: Fault) -> sa.Insert:
    return FAULTS.insert().values(
        league=league,
        kind=fault.kind,
        about=fault.about,
        said=fault.message,
        since=fault.since,
        told=fault.reported,
        ended=fault.ended,
    )
