"""The leagues' parts of a sync that workers may do, each by one process. Whoever put a job does itself what no worker claims."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import and_, case, delete, or_, select, update

from storage.database import Database
from storage.events import living
from storage.schema import JOBS

HERE = "here"  # the owner of a job that is done by whoever put it
_KEPT = 3600.0  # seconds a job or its outcome is kept


class KeptJob(NamedTuple):
    """A job's number, the living process that does it ("" for none), and the outcome, "" until it is done."""

    number: int
    owner: str
    outcome: str


class Jobs:
    """Jobs by number. For errors see Database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, works: Collection[str]) -> list[int]:
        """Put jobs, and return their numbers in this order."""
        now, new = self._database.clock(), JOBS.insert().returning(JOBS.c.number)
        with self._database.begin("put jobs") as connection:
            connection.execute(delete(JOBS).where(JOBS.c.put < now - _KEPT))
            return [connection.execute(new.values(work=work, put=now)).scalar_one() for work in works]

    def claim(self, number: int, owner: str) -> str | None:
        """Make a job the owner's own, and return its work; None where a process that lives has it, or it is done."""
        dead = and_(JOBS.c.owner != HERE, JOBS.c.owner.not_in(living(self._database)))
        free = JOBS.c.number == number, JOBS.c.outcome == "", or_(JOBS.c.owner == owner, dead)
        rows = self._database.returned(update(JOBS).where(*free).values(owner=owner).returning(JOBS.c.work))
        return str(rows[0].work) if rows else None

    def done(self, number: int, outcome: str) -> None:
        """Keep the outcome of a job."""
        self._database.write(update(JOBS).where(JOBS.c.number == number).values(outcome=outcome))

    def look(self, numbers: Collection[int]) -> list[KeptJob]:
        """The jobs as they are."""
        owner = case((JOBS.c.owner.in_(living(self._database)), JOBS.c.owner), else_="")
        query = select(JOBS.c.number, owner, JOBS.c.outcome).where(JOBS.c.number.in_(sorted(numbers)))
        return [KeptJob(*row) for row in self._database.rows(query)]
