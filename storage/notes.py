"""What a service notes: small values under keys, messages sent once, faults that last, and leases."""

import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import ColumnElement, delete, func, or_, select, update

from storage.database import Database, Subject
from storage.schema import FAULTS, LEASES, NOTICES, VALUES

_PAST = 30 * 86400.0  # seconds in which somebody may ask what is over


class Values(Subject):
    """Text under keys. Each method is atomic between processes; an expired value counts as none. Text with
    NUL (which Postgres does not keep) or lone surrogates raises ValueError."""

    def get(self, key: str) -> str | None:
        """The value; None when there is none or it has expired."""
        query = select(VALUES.c.value).where(VALUES.c.key == kept_text(key), self._living)
        return self._database.value(query)

    def put(self, key: str, value: str, ttl: float | None = None) -> None:
        """Set the value; it expires after `ttl` seconds (None: never)."""
        self._database.put(VALUES, self._row(key, value, ttl))

    def add(self, key: str, value: str, ttl: float | None = None) -> bool:
        """Set the value if there is none; return whether it was set."""
        expired = VALUES.c.expires <= self._database.clock()
        return self._database.put(VALUES, self._row(key, value, ttl), where=expired) > 0

    def replace(self, key: str, old: str, new: str, ttl: float | None = None) -> bool:
        """Set `new` if the value is `old`; return whether it was set."""
        found = update(VALUES).where(VALUES.c.key == kept_text(key), VALUES.c.value == old, self._living)
        return self._database.write(found.values(self._row(key, new, ttl))) > 0

    def change(self, key: str, new: Callable[[str | None], str], ttl: float | None = None) -> str:
        """Set what `new` makes of the value, also where others change it at once, and return it."""
        while True:
            value = self.get(key)
            made = new(value)
            if self.add(key, made, ttl) if value is None else self.replace(key, value, made, ttl):
                return made

    def delete(self, key: str) -> None:
        self._database.write(delete(VALUES).where(VALUES.c.key == kept_text(key)))

    def erase(self, *words: str, by_value: bool = False) -> None:
        """Remove the values in whose key (or value) all these words stand."""
        text = VALUES.c.value if by_value else VALUES.c.key
        self._database.write(delete(VALUES).where(*(text.contains(word, autoescape=True) for word in words)))

    def items(self, prefix: str) -> dict[str, str]:
        """The living values whose keys begin with `prefix`, in the order of keys."""
        begins = func.substr(VALUES.c.key, 1, len(prefix)) == kept_text(prefix)
        rows = self._database.rows(select(VALUES).where(begins, self._living).order_by(VALUES.c.key))
        return {row.key: row.value for row in rows}

    def sweep(self) -> int:
        return self._database.write(delete(VALUES).where(VALUES.c.expires <= self._database.clock()))

    @property
    def _living(self) -> ColumnElement[bool]:
        return or_(VALUES.c.expires.is_(None), VALUES.c.expires > self._database.clock())

    def _row(self, key: str, value: str, ttl: float | None) -> dict[str, Any]:
        expires = None if ttl is None else self._database.clock() + ttl
        return {"key": kept_text(key), "value": kept_text(value), "expires": expires}


def kept_text(text: str) -> str:
    """Return the text. Raises ValueError for one that no database keeps."""
    try:
        if "\0" not in text and (text.isascii() or text.encode()):
            return text
    except UnicodeEncodeError:
        pass
    raise ValueError(f"the database keeps no text like {text[:80]!r}")


class Notices(Subject):
    """Messages that were sent, by key: nobody gets one twice."""

    def was_sent(self, key: str) -> bool:
        lasts = or_(NOTICES.c.until.is_(None), NOTICES.c.until > self._database.clock())
        return self._database.first(select(NOTICES.c.key).where(NOTICES.c.key == key, lasts)) is not None

    def sent(self, key: str, ttl: float | None = None) -> None:
        """Note that it was sent; for `ttl` seconds, None: for ever."""
        until = None if ttl is None else self._database.clock() + ttl
        self._database.put(NOTICES, {"key": key, "until": until})

    def sweep(self) -> int:
        return self._database.write(delete(NOTICES).where(NOTICES.c.until <= self._database.clock()))


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a league ("" for the root or the host): its kind, and from when to when it lasts or lasted.
    `about` tells two faults of a kind apart, `said` is what is said of it. Times are in epoch seconds; `told`
    is when the admins were told."""

    kind: str
    about: str
    said: str
    since: float
    told: float | None
    ended: float | None = None


_COLUMNS = (FAULTS.c.kind, FAULTS.c.about, FAULTS.c.said, FAULTS.c.since, FAULTS.c.told, FAULTS.c.ended)


class Faults(Subject):
    """Which faults last, since when, and which are over: one record for all processes."""

    def lasts(self, league: str, kind: str, about: str, said: str) -> Fault:
        """Note that a fault is there, and return it; one about something else than before begins anew."""
        new = Fault(kind, about, said, self._database.clock(), None)
        with self._database.begin(f"fault {kind} {league}", alone=f"fault/{league}") as connection:
            known = connection.execute(select(*_COLUMNS).where(*_lasting(league, kind))).first()
            if known is not None and known.about == about:
                return Fault(*known)
            connection.execute(delete(FAULTS).where(*_lasting(league, kind)))
            connection.execute(FAULTS.insert().values(league=league, **asdict(new)))
        return new

    def lasting(self, league: str) -> list[Fault]:
        query = select(*_COLUMNS).where(FAULTS.c.league == league, FAULTS.c.ended.is_(None))
        return [Fault(*row) for row in self._database.rows(query.order_by(FAULTS.c.since))]

    def told(self, league: str, kind: str) -> None:
        """Note that the admins have been told."""
        now = self._database.clock()
        self._database.write(update(FAULTS).where(*_lasting(league, kind)).values(told=now))

    def over(self, league: str, kind: str) -> None:
        """Note that a fault is not there. One that was told of is kept until somebody takes it."""
        now = self._database.clock()
        with self._database.begin(f"over {kind} {league}") as connection:
            connection.execute(delete(FAULTS).where(*_lasting(league, kind), FAULTS.c.told.is_(None)))
            connection.execute(update(FAULTS).where(*_lasting(league, kind)).values(ended=now))

    def past(self, league: str, kind: str, since: float) -> None:
        """Note a fault that was told of and is over now."""
        fault = Fault(kind, "", "", since, since, self._database.clock())
        self._database.write(FAULTS.insert().values(league=league, **asdict(fault)))

    def take_past(self, league: str) -> list[Fault]:
        """The faults of a league that are over and were told of, the latest of each kind, each to one caller
        alone, for a month."""
        old = self._database.clock() - _PAST
        gone = delete(FAULTS).where(FAULTS.c.league == league, FAULTS.c.ended.is_not(None))
        found = [Fault(*row) for row in self._database.rows(gone.returning(*_COLUMNS))]
        latest = {fault.kind: fault for fault in sorted(found, key=lambda fault: fault.ended or 0)}
        return sorted((one for one in latest.values() if (one.ended or 0) > old), key=lambda one: one.since)


def _lasting(league: str, kind: str) -> tuple[ColumnElement[bool], ...]:
    return FAULTS.c.league == league, FAULTS.c.kind == kind, FAULTS.c.ended.is_(None)


class Lease:
    """A lease by the database's clock: one process of all has it, as long as it renews it; one that was
    killed loses it after `life` seconds. For use in one thread; for errors see Database."""

    def __init__(self, database: Database, name: str, life: float) -> None:
        self._database, self._name, self._life = database, name, life
        self._holder = secrets.token_hex(8)

    def take(self) -> bool:
        """Take the lease, or renew it; False while another's lasts, or when this one has run out by now: the
        process stood still, and another may have it."""
        now = self._database.clock()
        row = {"name": self._name, "holder": self._holder, "until": now + self._life}
        # Another may have read the clock a moment later. More than two lives are left only where it was set
        # back.
        left = LEASES.c.until - now
        free = or_(LEASES.c.holder == self._holder, left <= 0, left > 2 * self._life)
        return self._database.put(LEASES, row, where=free) > 0 and self._database.now() < now + self._life

    def renew(self) -> bool:
        """Make the lease last from now on; False when another has taken it over, or it was never ours."""
        mine = update(LEASES).where(LEASES.c.name == self._name, LEASES.c.holder == self._holder)
        until = self._database.clock() + self._life
        return self._database.write(mine.values(until=until)) > 0 and self._database.now() < until

    def release(self) -> None:
        """Leave the lease to whoever wants it next."""
        mine = LEASES.c.name == self._name, LEASES.c.holder == self._holder
        self._database.write(delete(LEASES).where(*mine))
