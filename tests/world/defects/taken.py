"""Defects in how events are taken, remembered, and shared between processes."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, not_, select

import storage.database as database_module
from bot.dispatch.dispatcher import Dispatcher
from bot.dispatch.pending import PendingEvent, PendingEvents
from storage.database import Database
from storage.events import _COLUMNS, LATER, QUEUE, Events, KeptEvent, living
from storage.ports import StorageError
from storage.schema import EVENTS
from tests.world.defects.plant import Plant, defect, instead


@instead(PendingEvents, "claim")
def claim_not_checked(self: PendingEvents, pending: Any, lost: bool = False) -> Any:
    """A claim counts although another process was faster."""
    with suppress(StorageError):
        self._events.claim(pending.event.id, pending.owner, self.owner)
    return replace(pending, owner=self.owner)


@instead(Dispatcher, "_answered", right=True)
def done_before_sent(right: Any, self: Dispatcher, mine: Any) -> Any:
    """An event is marked as answered before the answer is sent."""
    self.pending.done(mine)
    return right(self, mine)


@defect
def taken_without_remembering(plant: Plant) -> None:
    """A webhook is accepted before the event is in the store."""
    plant.instead(
        PendingEvents,
        "take",
        lambda self, event, command, base, queued=False: PendingEvent(
            event, command, base, self._events.now(), self.owner
        ),
    )


@instead(PendingEvents, "take", right=True)
def redelivery_not_recognised(right: Any, self: PendingEvents, event: Any, *rest: Any) -> Any:
    """An event that comes a second time is taken a second time."""
    self._seen.forget(event.id)
    with suppress(StorageError):
        self._events._database.write(delete(EVENTS).where(EVENTS.c.id == event.id))
    return right(self, event, *rest)


@instead(Events, "lost", right=True)
def events_of_the_living_recovered(right: Any, self: Events) -> list[Any]:
    """Recovery takes up events whose owner lives."""
    return [
        *right(self),
        *(event for event in _not_done(self) if event.owner not in (QUEUE, LATER)),
    ]


@defect
def sign_of_life_never_renewed(plant: Plant) -> None:
    """A process shows only once that it lives."""
    right = PendingEvents.show_alive
    plant.instead(PendingEvents, "show_alive", lambda self: None if self._shown else right(self))


@instead(Events, "lost", right=True)
def signs_of_life_read_first(right: Any, self: Events) -> list[Any]:
    """Recovery reads the signs of life before the events, so a process that has just begun looks
    dead.
    """
    alive = {row.name for row in self._database.rows(living(self._database))}
    late = [event for event in right(self) if event.owner == QUEUE]
    looks_dead = [event for event in _not_done(self) if event.owner not in alive | {QUEUE}]
    return [*late, *looks_dead]


def _not_done(events: Events) -> list[KeptEvent]:
    query = select(*_COLUMNS).where(not_(EVENTS.c.done))
    rows = events._database.rows(query)
    return [KeptEvent(*row) for row in rows]


@instead(PendingEvents, "done", right=True)
def doubtful_record_forgotten(
    right: Any, self: PendingEvents, pending: Any, may_wait: bool = False
) -> None:
    """An event whose record may be there, because only the store's answer was lost, is never
    marked.
    """
    if pending.recorded:
        right(self, pending, may_wait)


@defect
def own_clock_counts(plant: Plant) -> None:
    """Each process takes times from its own clock instead of the store's."""
    for name in ("clock", "now"):
        plant.instead(Database, name, lambda self: database_module.time.time())


@instead(PendingEvents, "take", right=True)
def tap_dropped_without_the_store(right: Any, self: PendingEvents, *event: Any) -> Any:
    """A tap that cannot be kept counts as one that came before."""
    pending = right(self, *event)
    return None if pending is None or pending.doubtful else pending
