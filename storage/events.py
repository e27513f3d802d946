"""The tables `events` and `processes`: LINE's events, from when they come until they are answered.

A row of `events` is an event with its owner: a process, or QUEUE (a worker will take it) or LATER (its
answer could not be sent yet). A row of `processes` is a process and when it last showed that it lives.

What the tables promise:

- Once: an event is taken once, however often LINE delivers it, and at most one process at a time has
  it. `claim` and `put_off` change an event only for its present owner, so a process that has lost an
  event to another learns of it.
- Never lost: an event that is not done stays, and `lost` returns it once nobody is at work on it. Any
  process may then take it over, because a reply token works once
  (https://developers.line.biz/en/reference/messaging-api/, reply messages).

tests/storage/test_events.py, test_once.py and tests/dispatch/test_pending.py check it.
"""

from collections.abc import Collection
from functools import cached_property
from typing import Any, NamedTuple

import sqlalchemy as sa

from storage.database import Database, Subject
from storage.schema import EVENTS, PROCESSES

REMEMBERED = 24 * 3600.0  # seconds an event is remembered; LINE redelivers within minutes
RECENT = 20_000.0  # seconds after which nobody looks for an event that is not answered
ALIVE = 5.0  # seconds for which a sign of life is valid
QUEUED = 5.0  # seconds an event may wait in the queue before threads take it
QUEUE = "queue"
LATER = "later"


class KeptEvent(NamedTuple):
    """A stored event.

    `taken` is in seconds since 1970, `raw` is LINE's JSON, `base` the address that LINE called.
    `messages` is the answer as JSON, "" until it is made.
    """

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
)  # in the order of KeptEvent's fields
# These statements are made once for all taps, since making them costs as much time as running them.
_IS_OWNED = (
    EVENTS.c.id == sa.bindparam("event"),
    EVENTS.c.owner == sa.bindparam("present_owner"),
    sa.not_(EVENTS.c.done),
)
_HOLDS = sa.select(EVENTS.c.id).where(*_IS_OWNED)
_CHANGE = sa.update(EVENTS).where(*_IS_OWNED)
_PUT_OFF = _CHANGE.values(owner=LATER, messages=sa.bindparam("answer"))
_CLAIM = _CHANGE.values(owner=sa.bindparam("new_owner")).returning(*_COLUMNS)
_IS_LISTED = EVENTS.c.id.in_(sa.bindparam("events", expanding=True))
_DONE = sa.update(EVENTS).where(_IS_LISTED).values(done=True)


class Events(Subject):
    """The events, of which each has one owner at a time, and the processes that live."""

    def take(self, event: KeptEvent) -> bool:
        """Store an event. Return False where it was taken before."""
        return self._database.write(self._take, values=event._asdict()) > 0

    @cached_property
    def _take(self) -> Any:
        return self._database.insert(EVENTS).on_conflict_do_nothing()

    def claim(self, event: str, owner: str, new_owner: str) -> KeptEvent | None:
        """Give an event from its present owner to a new one, and return it.

        Return None where it is another's by now, or done.
        """
        values = {"event": event, "present_owner": owner, "new_owner": new_owner}
        row = self._database.first(_CLAIM, values=values)
        if row is None:
            return None
        return KeptEvent(*row)

    def holds(self, event: str, owner: str) -> bool:
        """Whether an event is the owner's and not done."""
        values = {"event": event, "present_owner": owner}
        return self._database.first(_HOLDS, values=values) is not None

    def put_off(self, event: str, owner: str, messages: str) -> bool:
        """Leave an event, with its answer, to the process that looks next.

        Return False where it is not the owner's.
        """
        values = {"event": event, "present_owner": owner, "answer": messages}
        return self._database.write(_PUT_OFF, values=values) > 0

    def done(self, events: Collection[str]) -> None:
        """Mark events as answered, including those that may not have been stored."""
        if not events:
            return
        ids = sorted(events)
        if self._database.write(_DONE, values={"events": ids}) < len(events):
            now = self._database.clock()
            rows = [{"id": event, "taken": now, "done": True} for event in ids]
            insertion = self._database.insert(EVENTS).on_conflict_do_update(
                index_elements=[EVENTS.c.id],
                set_={"done": True},
            )
            self._database.write(insertion.values(rows))

    def erase(self, word: str) -> None:
        """Empty the events whose JSON names this id, also answered ones; nobody answers them now."""
        names_it = EVENTS.c.raw.contains(f'"{word}"', autoescape=True)
        self._change(EVENTS, names_it, done=True, raw="", messages="")

    def lost(self) -> list[KeptEvent]:
        """The events that nobody is at work on, oldest first."""
        now = self._database.clock()
        waits_long = sa.and_(EVENTS.c.owner == QUEUE, EVENTS.c.taken < now - QUEUED)
        owner_is_dead = sa.and_(
            EVENTS.c.owner != QUEUE,
            EVENTS.c.owner.not_in(living(self._database)),
        )
        query = (
            sa.select(*_COLUMNS)
            .where(
                sa.not_(EVENTS.c.done),
                EVENTS.c.taken > now - RECENT,
                sa.or_(waits_long, owner_is_dead),
            )
            .order_by(EVENTS.c.taken, EVENTS.c.id)
        )
        return [KeptEvent(*row) for row in self._database.rows(query)]

    def queued(self) -> int:
        """How many events wait for a worker."""
        query = sa.select(sa.func.count(EVENTS.c.id)).where(
            sa.not_(EVENTS.c.done),
            EVENTS.c.owner == QUEUE,
            EVENTS.c.taken > self._database.clock() - RECENT,
        )
        return int(self._database.value(query) or 0)

    def show_alive(self, process: str, worker: bool = False) -> None:
        row = {"name": process, "worker": worker, "seen": self._database.clock()}
        self._database.put(PROCESSES, row)

    def workers(self) -> int:
        """How many workers live."""
        query = living(self._database).where(PROCESSES.c.worker)
        return len(self._database.rows(query))

    def leave(self, process: str) -> None:
        """Note that a process ends, so that others take over its events at once."""
        self._remove(PROCESSES, PROCESSES.c.name == process)

    def now(self) -> float:
        """The time by the clock that all processes share. Sends no request."""
        return self._database.now()

    def sweep(self) -> int:
        """Remove old events and dead processes; return the number of events."""
        oldest = self._database.clock() - REMEMBERED
        self._remove(PROCESSES, PROCESSES.c.seen < oldest)
        return self._remove(EVENTS, EVENTS.c.taken < oldest)


def living(database: Database) -> Any:
    """The query for the names of the processes that live."""
    oldest = database.clock() - ALIVE
    return sa.select(PROCESSES.c.name).where(PROCESSES.c.seen > oldest)
