"""Defects in how events are taken, remembered, and shared between processes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from bot.dispatch.dispatcher import Dispatcher
from bot.dispatch.pending import DONE, QUEUE, REMEMBERED, PendingEvents
from storage.ports import StorageError
from tests.world.defects.plant import Plant, defect
from tests.world.ports import StatePort


@defect
def claim_not_checked(plant: Plant) -> None:
    """A claim counts although another process was faster."""

    def claim(self: PendingEvents, pending: Any) -> Any:
        with suppress(StorageError):
            self._state.put(pending.key, replace(pending, owner=self.owner).value, REMEMBERED)
        return replace(pending, owner=self.owner)

    plant.instead(PendingEvents, "claim", claim)


@defect
def done_before_sent(plant: Plant) -> None:
    """An event is marked as answered before the answer is sent."""
    right = Dispatcher._answered

    def answered(self: Dispatcher, mine: Any) -> Any:
        self.pending.done(mine)
        return right(self, mine)

    plant.instead(Dispatcher, "_answered", answered)


@defect
def taken_without_remembering(plant: Plant) -> None:
    """A webhook is accepted before the event is in the store."""
    plant.instead(
        PendingEvents,
        "take",
        lambda self, event, command, raw, base, queued=False: self.read(
            "", f"{self.owner} {self._state.now():.3f} " + merge_json(raw, base)
        ),
    )


def merge_json(raw: Any, base: str) -> str:
    """An event's content as a record has it."""
    import json

    return json.dumps({"event": raw, "base": base})


@defect
def redelivery_not_recognised(plant: Plant) -> None:
    """An event that comes a second time is taken a second time."""
    right = PendingEvents.take

    def take(self: PendingEvents, event: Any, *rest: Any) -> Any:
        self._seen.clear()
        with suppress(StorageError):
            self._state.delete(f"event:{int(event.at):010d}:{event.id}")
        return right(self, event, *rest)

    plant.instead(PendingEvents, "take", take)


@defect
def events_of_the_living_recovered(plant: Plant) -> None:
    """Recovery takes up events whose owner lives."""

    def lost(self: PendingEvents) -> list[Any]:
        window = f"event:{int(self._state.now()):010d}"[:12]
        found = [self.read(key, value) for key, value in self._state.items(window, DONE).items()]
        return [pending for pending in found if pending.owner not in (self.owner, QUEUE)]

    plant.instead(PendingEvents, "lost", lost)


@defect
def sign_of_life_never_renewed(plant: Plant) -> None:
    """A process shows only once that it lives."""
    right = PendingEvents.show_alive
    plant.instead(PendingEvents, "show_alive", lambda self: None if self._shown else right(self))


@defect
def signs_of_life_read_first(plant: Plant) -> None:
    """Recovery reads the signs of life before the events, so a process that has just begun looks dead."""

    def lost(self: PendingEvents) -> list[Any]:
        alive = {key.removeprefix("alive:") for key in self._state.items("alive:")} | {self.owner}
        now, found = self._state.now(), []
        for key, value in self._state.items(f"event:{int(now):010d}"[:12], DONE).items():
            pending = self.read(key, value)
            if pending.owner not in alive and (pending.owner != QUEUE or now - pending.taken > 5):
                found.append(pending)
        return found

    plant.instead(PendingEvents, "lost", lost)


@defect
def doubtful_record_forgotten(plant: Plant) -> None:
    """An event whose record may be there, because only the store's answer was lost, is never marked."""
    right = PendingEvents.done

    def done(self: PendingEvents, pending: Any, may_wait: bool = False) -> None:
        right(self, replace(pending, doubtful=""), may_wait)

    plant.instead(PendingEvents, "done", done)


@defect
def own_clock_counts(plant: Plant) -> None:
    """Each process takes times from its own clock instead of the store's."""
    plant.instead(StatePort, "now", lambda self: self._world.clock.shown)
