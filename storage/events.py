"""The events that are taken and not answered yet, the jobs that workers may do, and the processes
that live.

The owner of an event is a process, which shows that it lives, or nobody: QUEUE (a worker will take
it) or LATER (its answer could not be sent yet). Any process may take over what nobody is at work
on, because a reply token works once (https://developers.line.biz/en/reference/messaging-api/, reply
messages).
"""

from collections.abc import Collection
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, case, delete, func, not_, or_, select, update

from storage.database import Database, Subject
from storage.schema import EVENTS, JOBS, PROCESSES

REMEMBERED = 24 * 3600.0  # seconds an event is remembered; LINE redelivers within minutes
RECENT = 20_000.0  # seconds after which nobody looks for an event that is not answered
ALIVE = 5.0  # seconds a sign of life holds
QUEUED = 5.0  # seconds an event may wait in the queue before threads take it
QUEUE = "queue"
LATER = "later"
HERE = "here"  # the owner of a job that is done by whoever put it
_KEPT = 3600.0  # seconds a job or its outcome is kept


class KeptEvent(NamedTuple):
    """An event as it is kept. `taken` is in epoch seconds, `base` the address LINE called. `raw` is
    the event as JSON, as it was read. `messages` is the answer as JSON, "" where it is not made
    yet."""

    id: str
    taken: float
    owner: str
    raw: str
    base: str
    messages: str = ""


_COLUMNS = (
    EVENTS.c.id,
    EVENTS.c.taken,
    EVENTS.c.owner,
    EVENTS.c.raw,
    EVENTS.c.base,
    EVENTS.c.messages,
)
# Made once, as every tap has them run: to make them costs as much as to run them.
_OWNED = (
    EVENTS.c.id == bindparam("event"),
    EVENTS.c.owner == bindparam("was"),
    not_(EVENTS.c.done),
)
_HELD = select(EVENTS.c.id).where(*_OWNED)
_CHANGE = update(EVENTS).where(*_OWNED)
_PUT_OFF = _CHANGE.values(owner=LATER, messages=bindparam("answer"))
_CLAIM = _CHANGE.values(owner=bindparam("to")).returning(*_COLUMNS)
_NAMED = EVENTS.c.id.in_(bindparam("events", expanding=True))
_DONE = update(EVENTS).where(_NAMED).values(done=True)


class Events(Subject):
    """Takes events once, gives each to one process at a time."""

    def take(self, event: KeptEvent) -> bool:
        """Remember an event. Return False where it was taken before."""
        return self._database.write(self._take, values=event._asdict()) > 0

    @cached_property
    def _take(self) -> Any:
        return self._database.insert(EVENTS).on_conflict_do_nothing()

    def claim(self, event: str, was: str, owner: str) -> KeptEvent | None:
        """Give an event of the owner `was` to another, and return it; None where it is another's or
        done.
        """
        row = self._database.first(_CLAIM, values={"event": event, "was": was, "to": owner})
        return KeptEvent(*row) if row else None

    def holds(self, event: str, owner: str) -> bool:
        """Whether an event that is not done is the owner's."""
        return self._database.first(_HELD, values={"event": event, "was": owner}) is not None

    def put_off(self, event: str, was: str, messages: str) -> bool:
        """Leave an event to whoever looks next, with its answer.

        Return False where it is not the owner's.
        """
        values = {"event": event, "was": was, "answer": messages}
        return self._database.write(_PUT_OFF, values=values) > 0

    def done(self, events: Collection[str]) -> None:
        """Mark events as answered, also those of which it is not sure that they are kept."""
        if not events:
            return
        ids = sorted(events)
        if self._database.write(_DONE, values={"events": ids}) < len(events):
            now = self._database.clock()
            insert = self._database.insert(EVENTS)
            rows = [{"id": event, "taken": now, "done": True} for event in ids]
            marked = insert.on_conflict_do_update(index_elements=[EVENTS.c.id], set_={"done": True})
            self._database.write(marked.values(rows))

    def erase(self, word: str) -> None:
        """Empty the events, answered ones too, in whose JSON an id stands: nobody answers them any
        more.
        """
        stands = EVENTS.c.raw.contains(f'"{word}"', autoescape=True)
        self._change(EVENTS, stands, done=True, raw="", messages="")

    def lost(self) -> list[KeptEvent]:
        """The events that nobody is at work on, oldest first."""
        now = self._database.clock()
        waits_long = and_(EVENTS.c.owner == QUEUE, EVENTS.c.taken < now - QUEUED)
        dead = and_(
            EVENTS.c.owner != QUEUE,
            EVENTS.c.owner.not_in(living(self._database)),
        )
        recent = not_(EVENTS.c.done), EVENTS.c.taken > now - RECENT
        query = select(*_COLUMNS).where(*recent, or_(waits_long, dead))
        rows = self._database.rows(query.order_by(EVENTS.c.taken, EVENTS.c.id))
        return [KeptEvent(*row) for row in rows]

    def queued(self) -> int:
        waits = EVENTS.c.owner == QUEUE
        recent = EVENTS.c.taken > self._database.clock() - RECENT
        count = self._value(func.count(EVENTS.c.id), not_(EVENTS.c.done), waits, recent)
        return int(count or 0)

    def show_alive(self, process: str, worker: bool = False) -> None:
        row = {"name": process, "worker": worker, "seen": self._database.clock()}
        self._database.put(PROCESSES, row)

    def workers(self) -> int:
        query = living(self._database).where(PROCESSES.c.worker)
        return len(self._database.rows(query))

    def leave(self, process: str) -> None:
        """Note that a process ends, so that others take over its events at once."""
        self._remove(PROCESSES, PROCESSES.c.name == process)

    def now(self) -> float:
        """The present time by the clock that all processes share; it asks nobody."""
        return self._database.now()

    def sweep(self) -> int:
        """Remove events that LINE delivers no more, and dead processes; return the number of
        events.
        """
        old = self._database.clock() - REMEMBERED
        self._remove(PROCESSES, PROCESSES.c.seen < old)
        return self._remove(EVENTS, EVENTS.c.taken < old)


class KeptJob(NamedTuple):
    """A job's number, the living process that does it ("" for none), and the outcome, "" until it
    is done.
    """

    number: int
    owner: str
    outcome: str


class Jobs(Subject):
    """The leagues' parts of a sync, by number.

    Whoever put a job does itself what no worker claims.
    """

    def put(self, works: Collection[str]) -> list[int]:
        """Put jobs; return their numbers in this order."""
        now = self._database.clock()
        new = JOBS.insert().returning(JOBS.c.number)
        with self._database.begin("put jobs") as connection:
            connection.execute(delete(JOBS).where(JOBS.c.put < now - _KEPT))
            numbers = []
            for work in works:
                row = connection.execute(new.values(work=work, put=now))
                numbers.append(row.scalar_one())
        return numbers

    def claim(self, number: int, owner: str) -> str | None:
        """Make a job the owner's own, and return its work; None where it is a living process's, or
        done.
        """
        dead = and_(
            JOBS.c.owner != HERE,
            JOBS.c.owner.not_in(living(self._database)),
        )
        free = (
            JOBS.c.number == number,
            JOBS.c.outcome == "",
            or_(JOBS.c.owner == owner, dead),
        )
        claim = update(JOBS).where(*free).values(owner=owner)
        rows = self._database.rows(claim.returning(JOBS.c.work))
        return str(rows[0].work) if rows else None

    def done(self, number: int, outcome: str) -> None:
        self._change(JOBS, JOBS.c.number == number, outcome=outcome)

    def look(self, numbers: Collection[int]) -> list[KeptJob]:
        lives = JOBS.c.owner.in_(living(self._database))
        owner = case((lives, JOBS.c.owner), else_="")
        jobs = select(JOBS.c.number, owner, JOBS.c.outcome)
        query = jobs.where(JOBS.c.number.in_(sorted(numbers)))
        return [KeptJob(*row) for row in self._database.rows(query)]


def living(database: Database) -> Any:
    """The query for the names of the processes that live."""
    return select(PROCESSES.c.name).where(PROCESSES.c.seen > database.clock() - ALIVE)
