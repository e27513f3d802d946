"""Defects in the tables: what a statement asks, and what becomes of it when its answer is lost."""

from datetime import date
from typing import Any

from sqlalchemy import bindparam, delete, not_, update

import storage.events as events_module
from bot.dispatch.pending import PendingEvents
from storage.chats import Chats
from storage.database import Database
from storage.events import QUEUE, Events, KeptEvent
from storage.schema import EVENTS, RESULTS
from storage.tenhou import DayLines, Results
from tests.world.defects.plant import Plant, defect


@defect
def claim_without_the_owner_before(plant: Plant) -> None:
    """An event is claimed whoever owns it by now."""
    anyones = EVENTS.c.id == bindparam("event"), bindparam("was") != "", not_(EVENTS.c.done)
    claim = update(EVENTS).where(*anyones).values(owner=bindparam("to")).returning(*events_module._COLUMNS)
    plant.instead(events_module, "_CLAIM", claim)


@defect
def event_that_comes_again_replaces_the_first(plant: Plant) -> None:
    """An event that was taken before is stored once more, as one that is not answered."""

    def take(self: Events, event: KeptEvent) -> bool:
        return self._database.put(EVENTS, {**event._asdict(), "done": False}) > 0

    plant.instead(Events, "take", take)


@defect
def queue_trusted(plant: Plant) -> None:
    """An event that waits in the queue is left to it for ever."""
    right = Events.lost
    plant.instead(Events, "lost", lambda self: [event for event in right(self) if event.owner != QUEUE])


@defect
def claim_in_doubt_forgotten(plant: Plant) -> None:
    """An event whose claim may have come through, because only the store's answer was lost, is nobody's
    work."""
    right = PendingEvents.show_alive

    def show_alive(self: PendingEvents) -> None:
        self._strays.clear()
        right(self)

    plant.instead(PendingEvents, "show_alive", show_alive)


@defect
def first_of_several_marked(plant: Plant) -> None:
    """Of the events that are marked as answered together only the first is."""
    right = Events.done
    plant.instead(Events, "done", lambda self, events: right(self, sorted(events)[:1]))


@defect
def marks_dropped_by_an_error(plant: Plant) -> None:
    """Answered events that could not be marked are not marked later."""

    def mark(self: PendingEvents) -> None:
        answered = list(self._unmarked)
        self._unmarked.clear()
        self._events.done(answered)

    plant.instead(PendingEvents, "_mark", mark)


@defect
def condition_of_an_upsert_forgotten(plant: Plant) -> None:
    """A row is put in the place of another whatever it says."""
    right = Database.put
    plant.instead(Database, "put", lambda self, table, *rows, where=None: right(self, table, *rows))


@defect
def chat_not_compared(plant: Plant) -> None:
    """The league of any chat is given for each."""
    right = Chats.league_and_player

    def league_and_player(self: Chats, chat: str, user: str, other: str | None = None) -> Any:
        return right(self, min(self.all()), user, other)

    plant.instead(Chats, "league_and_player", league_and_player)


@defect
def looked_for_too_briefly(plant: Plant) -> None:
    """Nobody looks for an event that was taken more than ten seconds ago."""
    plant.instead(events_module, "RECENT", 10.0)


@defect
def grown_file_does_not_wait(plant: Plant) -> None:
    """The new lines of a day's file that has grown are kept, and not noted as lines to merge."""
    right = Results.put

    def put(self: Results, league: str, day: date, *rest: Any) -> bool:
        before = self.get(league, day)
        found = right(self, league, day, *rest)
        if before is not None and before.merged:
            here = RESULTS.c.league == league, RESULTS.c.day == day.isoformat()
            self._database.write(update(RESULTS).where(*here).values(waiting=False))
        return found

    plant.instead(Results, "put", put)


@defect
def merged_lines_swept(plant: Plant) -> None:
    """What is in the logs is swept from the results, so that a hand's removal is not known any more."""
    right = Results.sweep

    def sweep(self: Results, today: date) -> int:
        self._database.write(delete(RESULTS).where(not_(RESULTS.c.waiting)))
        return right(self, today)

    plant.instead(Results, "sweep", sweep)


@defect
def lines_of_all_leagues_merged(plant: Plant) -> None:
    """A day's lines count as merged for every league once one has them in its log."""

    def done(self: Results, league: str, lines: DayLines) -> None:
        here = RESULTS.c.day == lines.day.isoformat(), RESULTS.c.version == lines.version
        self._database.write(update(RESULTS).where(*here).values(merged=RESULTS.c.lines, waiting=False))

    plant.instead(Results, "done", done)


@defect
def life_shorter_than_the_interval(plant: Plant) -> None:
    """A sign of life holds for less than the time until the next one."""
    plant.instead(events_module, "ALIVE", 1.0)
