"""Faults that last, and those that are over."""

from dataclasses import asdict, dataclass
from operator import attrgetter

from sqlalchemy import ColumnElement, delete, select, update

from storage.database import Subject
from storage.schema import FAULTS

_PAST = 30 * 86400.0  # seconds in which somebody may ask what is over


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a league ("" for the root or the host): its kind, and from when to when it lasts
    or lasted, in epoch seconds. `about` tells two of a kind apart, `said` is said of it, `told` is
    when admins were."""

    kind: str
    about: str
    said: str
    since: float
    told: float | None
    ended: float | None = None


_COLUMNS = (
    FAULTS.c.kind,
    FAULTS.c.about,
    FAULTS.c.said,
    FAULTS.c.since,
    FAULTS.c.told,
    FAULTS.c.ended,
)


class Faults(Subject):
    """Which faults last, since when, and which are over: one record for all processes."""

    def lasts(self, league: str, kind: str, about: str, said: str) -> Fault:
        """Note that a fault is there, and return it; one about something else than before begins
        anew.
        """
        new = Fault(kind, about, said, self._database.clock(), None)
        with self._database.begin(f"fault {kind} {league}", alone=f"fault/{league}") as connection:
            lasting = _lasting(league, kind)
            known = connection.execute(select(*_COLUMNS).where(*lasting)).first()
            if known is not None and known.about == about:
                return Fault(*known)
            connection.execute(delete(FAULTS).where(*lasting))
            connection.execute(FAULTS.insert().values(league=league, **asdict(new)))
        return new

    def lasting(self, league: str) -> list[Fault]:
        query = select(*_COLUMNS).where(
            FAULTS.c.league == league,
            FAULTS.c.ended.is_(None),
        )
        rows = self._database.rows(query.order_by(FAULTS.c.since))
        return [Fault(*row) for row in rows]

    def told(self, league: str, kind: str) -> None:
        """Note that the admins have been told."""
        self._change(FAULTS, *_lasting(league, kind), told=self._database.clock())

    def over(self, league: str, kind: str) -> None:
        """Note that a fault is not there. One that was told of is kept until somebody takes it."""
        now = self._database.clock()
        lasting = _lasting(league, kind)
        with self._database.begin(f"over {kind} {league}") as connection:
            connection.execute(delete(FAULTS).where(*lasting, FAULTS.c.told.is_(None)))
            connection.execute(update(FAULTS).where(*lasting).values(ended=now))

    def past(self, league: str, kind: str, since: float) -> None:
        """Note a fault that was told of and is over now."""
        fault = Fault(kind, "", "", since, since, self._database.clock())
        self._database.write(FAULTS.insert().values(league=league, **asdict(fault)))

    def take_past(self, league: str) -> list[Fault]:
        """A league's faults that are over and were told of, the latest of each kind, once, for a
        month.
        """
        old = self._database.clock() - _PAST
        removal = delete(FAULTS).where(
            FAULTS.c.league == league,
            FAULTS.c.ended.is_not(None),
        )
        rows = self._database.rows(removal.returning(*_COLUMNS))
        faults = sorted((Fault(*row) for row in rows), key=_end_of)
        latest = {fault.kind: fault for fault in faults}
        recent = [fault for fault in latest.values() if _end_of(fault) > old]
        return sorted(recent, key=attrgetter("since"))


def _end_of(fault: Fault) -> float:
    return fault.ended or 0


def _lasting(league: str, kind: str) -> tuple[ColumnElement[bool], ...]:
    return (
        FAULTS.c.league == league,
        FAULTS.c.kind == kind,
        FAULTS.c.ended.is_(None),
    )
