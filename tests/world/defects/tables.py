"""Defects in the tables: what a statement asks, and what becomes of it when its answer is lost."""

from typing import Any

from sqlalchemy import not_, update

import storage.events as events_module
from bot.dispatch.pending import PendingEvents
from storage.chats import Chats
from storage.database import Database
from storage.events import QUEUE, Events, KeptEvent
from storage.schema import EVENTS
from tests.world.defects.plant import Plant, defect, instead


@instead(Events, "claim")
def claim_without_the_owner_before(
    self: Events, event: str, was: str, owner: str
) -> KeptEvent | None:
    """An event is claimed whoever owns it by now."""
    anyones = EVENTS.c.id == event, not_(EVENTS.c.done)
    change = update(EVENTS).where(*anyones).values(owner=owner)
    row = self._database.first(change.returning(*events_module._COLUMNS))
    return KeptEvent(*row) if row else None


@instead(Events, "take")
def event_that_comes_again_replaces_the_first(self: Events, event: KeptEvent) -> bool:
    """An event that was taken before is stored once more, as one that is not answered."""
    return self._database.put(EVENTS, {**event._asdict(), "done": False}) > 0


@defect
def queue_trusted(plant: Plant) -> None:
    """An event that waits in the queue is left to it for ever."""
    right = Events.lost
    plant.instead(
        Events, "lost", lambda self: [event for event in right(self) if event.owner != QUEUE]
    )


@instead(PendingEvents, "show_alive", right=True)
def claim_in_doubt_forgotten(right: Any, self: PendingEvents) -> None:
    """An event whose claim may have come through, as only the store's answer was lost, is nobody's
    work.
    """
    self._strays.clear()
    right(self)


@defect
def first_of_several_marked(plant: Plant) -> None:
    """Of the events that are marked as answered together only the first is."""
    right = Events.done
    plant.instead(
        Events,
        "done",
        lambda self, events: right(self, sorted(events)[:1]),
    )


@instead(PendingEvents, "_mark")
def marks_dropped_by_an_error(self: PendingEvents) -> None:
    """Answered events that could not be marked are not marked later."""
    answered = list(self._unmarked)
    self._unmarked.clear()
    self._events.done(answered)


@defect
def condition_of_an_upsert_forgotten(plant: Plant) -> None:
    """A row is put in the place of another whatever it says."""
    right = Database.put
    plant.instead(
        Database,
        "put",
        lambda self, table, *rows, where=None: right(self, table, *rows),
    )


@instead(Chats, "league_and_player", right=True)
def chat_not_compared(
    right: Any, self: Chats, chat: str, user: str, other: str | None = None
) -> Any:
    """The league of any chat is given for each."""
    return right(self, min(self.all()), user, other)


@defect
def looked_for_too_briefly(plant: Plant) -> None:
    """Nobody looks for an event that was taken more than ten seconds ago."""
    plant.instead(events_module, "RECENT", 10.0)


@defect
def life_shorter_than_the_interval(plant: Plant) -> None:
    """A sign of life holds for less than the time until the next one."""
    plant.instead(events_module, "ALIVE", 1.0)
