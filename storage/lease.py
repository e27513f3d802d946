"""The table `leases`: work that one of several processes does at a time.

A row is a lease: its name, who has it, and until when.

What the table promises: at most one process has a lease, by the database's clock, as long as it renews
it in time. A process that was killed loses it after its `life`. A process that was suspended for longer
learns from `take` or `renew` that it has lost the lease. This does not fence what the process writes
meanwhile: those writes check a revision or a version themselves. tests/storage/test_lease.py and
tests/tenhou/test_throttle.py check it.
"""

import secrets

import sqlalchemy as sa

from storage.database import Database
from storage.schema import LEASES


class Lease:
    """A lease of `life` seconds, for use in one thread. For errors see Database."""

    def __init__(self, database: Database, name: str, life: float) -> None:
        self._database = database
        self._name = name
        self._life = life
        self._holder = secrets.token_hex(8)
        self._may_be_ours = False  # whether there is something to release

    def take(self) -> bool:
        """Take the lease, or renew it; return whether it is ours.

        It is not ours while another process has it, and if it has expired while the call lasted.
        """
        now = self._database.clock()
        row = {"name": self._name, "holder": self._holder, "until": now + self._life}
        # Clocks of processes differ slightly, so a lease that was just taken may seem to last a little
        # longer than its life. More than two lives means that the clock was set back.
        remaining = LEASES.c.until - now
        may_be_taken = sa.or_(
            LEASES.c.holder == self._holder,
            remaining <= 0,
            remaining > 2 * self._life,
        )
        # Set before the write: the write may take effect though it fails here, without an answer.
        self._may_be_ours = True
        self._may_be_ours = self._database.put(LEASES, row, where=may_be_taken) > 0
        return self._may_be_ours and self._database.now() < now + self._life

    def renew(self) -> bool:
        """Prolong the lease to `life` seconds from now; return whether it is still ours."""
        until = self._database.clock() + self._life
        renewal = sa.update(LEASES).where(*self._is_ours).values(until=until)
        count = self._database.write(renewal)
        return count > 0 and self._database.now() < until

    def release(self) -> None:
        """Leave the lease to others. Sends no request where it was never taken."""
        if self._may_be_ours:
            self._database.write(sa.delete(LEASES).where(*self._is_ours))

    @property
    def _is_ours(self) -> tuple[sa.ColumnElement[bool], ...]:
        return (
            LEASES.c.name == self._name,
            LEASES.c.holder == self._holder,
        )
