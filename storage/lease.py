"""Leases: work that one process of all does at a time."""

import secrets

from sqlalchemy import delete, or_, update

from storage.database import Database
from storage.schema import LEASES


class Lease:
    """A lease by the database's clock.

    It guarantees that one process of all has it, as long as it renews it, and that a process that
    was killed loses it after `life` seconds. A process that stood still past its lease learns it
    from `take` and `renew`, which it calls before anything that must not happen twice. Shown by
    tests/storage/test_lease.py and tests/tenhou/test_throttle.py. For use in one thread; for errors
    see Database."""

    def __init__(self, database: Database, name: str, life: float) -> None:
        self._database = database
        self._name = name
        self._life = life
        self._holder = secrets.token_hex(8)
        self._mine = False  # perhaps: whether there is something to release

    def take(self) -> bool:
        """Take the lease, or renew it; False while another's lasts, or when this one has run out by
        now: the process stood still, and another may have it."""
        now = self._database.clock()
        row = {"name": self._name, "holder": self._holder, "until": now + self._life}
        # Another may have read the clock a moment later; more than two lives remain where it was
        # set back.
        remaining = LEASES.c.until - now
        free = or_(
            LEASES.c.holder == self._holder,
            remaining <= 0,
            remaining > 2 * self._life,
        )
        self._mine = True  # where no answer comes, too
        self._mine = self._database.put(LEASES, row, where=free) > 0
        return self._mine and self._database.now() < now + self._life

    def renew(self) -> bool:
        """Make the lease last from now on; False when another has taken it over, or it was never
        ours.
        """
        mine = update(LEASES).where(
            LEASES.c.name == self._name,
            LEASES.c.holder == self._holder,
        )
        until = self._database.clock() + self._life
        renewed = self._database.write(mine.values(until=until))
        return renewed > 0 and self._database.now() < until

    def release(self) -> None:
        """Leave the lease to whoever wants it next; nothing is asked where it was never taken."""
        mine = LEASES.c.name == self._name, LEASES.c.holder == self._holder
        if self._mine:
            self._database.write(delete(LEASES).where(*mine))
