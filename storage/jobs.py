"""The table `jobs`: the leagues' parts of a sync, which workers may do.

A row is a job: its work as text, the process that does it, and the outcome, "" until it is done. A job
or its outcome is stored for an hour.

What the table promises: one living process at a time has a job. The process that puts a job does itself
what no worker claims, and takes over the job of a worker that has died. tests/storage/test_jobs.py and
test_once.py check it.
"""

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from storage.database import Subject
from storage.events import living
from storage.schema import JOBS

HERE = "here"  # the owner of a job that is done by the process that put it
_RETENTION = 3600.0  # seconds


class KeptJob(NamedTuple):
    """A job's number, the living process that does it ("" for none), and the outcome, "" until it
    is done.
    """

    number: int
    owner: str
    outcome: str


class Jobs(Subject):
    """The leagues' parts of a sync, by number."""

    def put(self, works: Collection[str]) -> list[int]:
        """Put jobs; return their numbers in this order."""
        now = self._database.clock()
        insertion = JOBS.insert().returning(JOBS.c.number)
        with self._database.begin("put jobs") as connection:
            connection.execute(sa.delete(JOBS).where(JOBS.c.put < now - _RETENTION))
            numbers = []
            for work in works:
                result = connection.execute(insertion.values(work=work, put=now))
                numbers.append(result.scalar_one())
        return numbers

    def claim(self, number: int, owner: str) -> str | None:
        """Give a job to `owner` and return its work.

        Return None for a job that is done, or that another living process has.
        """
        owner_is_dead = sa.and_(
            JOBS.c.owner != HERE,
            JOBS.c.owner.not_in(living(self._database)),
        )
        is_free = (
            JOBS.c.number == number,
            JOBS.c.outcome == "",
            sa.or_(JOBS.c.owner == owner, owner_is_dead),
        )
        claim = sa.update(JOBS).where(*is_free).values(owner=owner)
        row = self._database.first(claim.returning(JOBS.c.work))
        if row is None:
            return None
        return str(row.work)

    def done(self, number: int, outcome: str) -> None:
        self._change(JOBS, JOBS.c.number == number, outcome=outcome)

    def look(self, numbers: Collection[int]) -> list[KeptJob]:
        """The jobs with these numbers, as far as they are stored."""
        owner_lives = JOBS.c.owner.in_(living(self._database))
        living_owner = sa.case((owner_lives, JOBS.c.owner), else_="")
        columns = JOBS.c.number, living_owner, JOBS.c.outcome
        is_wanted = JOBS.c.number.in_(sorted(numbers))
        query = sa.select(*columns).where(is_wanted)
        return [KeptJob(*row) for row in self._database.rows(query)]
