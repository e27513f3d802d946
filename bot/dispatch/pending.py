"""The record of events that are taken and not answered yet. It outlives the process that took them.

The state store holds `event:TIME:ID` -> `OWNER TAKEN JSON` until the reply is sent, then `done`. The owner is a
process, which shows by `alive:OWNER` that it lives, or nobody: QUEUE (a worker will take it) or LATER (LINE was out of
reach). Any process takes up an event that nobody is at work on. That is safe, because a reply token works once
(https://developers.line.biz/en/reference/messaging-api/, reply messages). All times are by the state store's clock, so that
processes whose clocks differ agree.

Under load `done` is written for several events at once. When a process is killed between reply and `done`, another one
asks the question again and LINE refuses the second answer; an event that changes something is marked before the next.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from bot.chat.command import Command
from bot.line.webhook import TOKEN_LIFE, Event, read_event
from storage.ports import StateStore, StorageError

Json = dict[str, Any]
REMEMBERED = 24 * 3600.0  # seconds an event is remembered; LINE redelivers within minutes
SEEN = 10_000  # events this process remembers in memory
TOGETHER = 16  # answered events that are marked as done at once, while others are under way
ALIVE = 5.0  # seconds a sign of life holds
WORKER = "worker"  # a worker's sign of life; other processes' is empty
LOOK = 1.0  # seconds for which it is known whether a worker lives
LAGS = 20  # events by which it is told how far LINE's clock and the store's are apart
QUEUED = 5.0  # seconds an event may wait in the queue before threads take it
QUEUE, LATER, DONE = "queue", "later", "done"
_WINDOW = 7  # first digits of a time of ten digits (seconds): a look back over 1,000 to 2,000 seconds
_WIDE = 6  # the same for a process's first look: 10,000 to 20,000 seconds
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PendingEvent:
    """An event that was taken, and what it asks. `raw` is LINE's JSON, `base` the address LINE called.

    `taken` is the event's own time in epoch seconds, by the store's clock. `key` is empty if the store could not keep the event; `doubtful` is then the key it may
    be kept under all the same, because only the store's answer was lost. `messages` is the answer, if it is made
    already. `again` says that somebody may have answered the event before.
    """

    event: Event
    command: Command
    raw: Json
    base: str
    taken: float
    owner: str
    key: str = ""
    messages: tuple[Json, ...] = ()
    again: bool = False
    doubtful: str = ""

    @property
    def value(self) -> str:
        """The event as the store holds it."""
        content: Json = {"event": self.raw, "base": self.base}
        if self.messages:
            content["messages"] = self.messages
        return f"{self.owner} {self.taken:.3f} {json.dumps(content)}"

    @property
    def until(self) -> float:
        """The end of its reply token's life, in epoch seconds."""
        return self.taken + TOKEN_LIFE


class PendingEvents:
    """The record as one process sees it. Safe in threads and after a fork."""

    def __init__(
        self,
        state: StateStore,
        command_of: Callable[[Event], Command | None],
        worker: bool = False,
    ) -> None:
        """`command_of` reads what an event of another process asks. `worker`: this process takes events from the queue."""
        self._state = state
        self._command_of = command_of
        self._sign = WORKER if worker else ""
        self._owner = ""
        self._process = 0
        self._shown = 0  # the id of the process that has shown that it lives
        self._shown_at = 0.0  # when it last did; monotonic, as the next
        self._trusts_from = 0.0  # from when others' signs count
        self._workers, self._workers_known = False, float("-inf")
        self._lags: deque[float] = deque(maxlen=LAGS)
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()
        self._looked = False
        self._unmarked: OrderedDict[str, None] = OrderedDict()  # answered, and not marked as done yet
        self._under_way: set[str] = set()  # the keys of events this process has and has not answered
        self._unread: deque[str] = deque(maxlen=100)  # records in a form this version does not read

    @property
    def owner(self) -> str:
        """This process's own name."""
        with self._lock:
            if self._process != os.getpid():
                self._owner = secrets.token_hex(6)
                self._process = os.getpid()
            return self._owner

    def take(
        self, event: Event, command: Command, raw: Json, base: str, queued: bool = False
    ) -> PendingEvent | None:
        """Remember an event before it is acknowledged. Return None for one that was taken before.

        The event's key stays empty if it has no id or the store cannot be reached.
        """
        owner = QUEUE if queued else self.owner
        pending = PendingEvent(event, command, raw, base, taken=round(self._moment(event), 3), owner=owner)
        if not event.id:
            return pending
        if not self._first_seen(event.id):
            return None
        kept = replace(pending, key=f"event:{int(min(event.at, 9_999_999_999)):010d}:{event.id}")
        try:
            if not queued:
                self._appear()
            new = self._state.add(kept.key, kept.value, REMEMBERED)
        except StorageError:
            return replace(pending, doubtful=kept.key)
        if new and not queued:
            self._under_way.add(kept.key)
        return kept if new else None

    def _moment(self, event: Event) -> float:
        """The event's own time by the store's clock. LINE's clock need not agree: the newest events tell how far it is off."""
        now = self._state.now()
        with self._lock:
            if not event.again:
                self._lags.append(now - event.at)
            return min(now, event.at + min(self._lags, default=0.0))

    def left(self, pending: PendingEvent) -> float:
        """The seconds its reply token still lives; negative where it is past."""
        return pending.until - self._state.now()

    def worker_lives(self) -> bool:
        """Whether a worker has lately shown that it lives. False when the state store cannot be reached."""
        now = time.monotonic()
        if now - self._workers_known > LOOK:
            self._workers_known = now  # first, so that others do not look too
            try:
                self._workers = WORKER in self._state.items("alive:").values()
            except StorageError:
                self._workers = False
        return self._workers

    def _first_seen(self, event_id: str) -> bool:
        with self._lock:
            new = event_id not in self._seen
            self._seen[event_id] = None
            while len(self._seen) > SEEN:
                self._seen.popitem(last=False)
        return new

    def read(self, key: str, value: str) -> PendingEvent:
        """Return the event that the store holds under `key`. Raises ValueError when `value` is no pending event."""
        try:
            owner, taken, content = value.split(" ", 2)
            data = json.loads(content)
            event = read_event(data["event"])
            command = self._command_of(event) if event is not None else None
            if event is None or command is None:
                raise ValueError("the event asks nothing")
            return PendingEvent(
                event,
                command,
                raw=data["event"],
                base=str(data["base"]),
                taken=float(taken),
                owner=owner,
                key=key,
                messages=tuple(data.get("messages", ())),
                again=True,
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"no pending event: {type(error).__name__}") from None

    def claim(self, pending: PendingEvent) -> PendingEvent | None:
        """Make an event this process's own. Return None if another process has it.

        When the store cannot be reached, the event is returned without its key.
        """
        if not pending.key or pending.owner == self.owner:
            return pending
        mine = replace(pending, owner=self.owner, again=pending.again and pending.owner != QUEUE)
        try:
            self._appear()
            got = self._state.replace(pending.key, pending.value, mine.value, REMEMBERED)
        except StorageError:
            return replace(mine, key="", doubtful=pending.key)
        if got:
            self._under_way.add(mine.key)
        return mine if got else None

    def holds(self, pending: PendingEvent) -> bool:
        """Whether an event is still this process's own: another one takes it up where this one seemed dead.

        When the store cannot be reached, it counts as its own.
        """
        try:
            held = not pending.key or self._state.get(pending.key) == pending.value
        except StorageError:
            return True
        if not held:
            self._under_way.discard(pending.key)
        return held

    def done(self, pending: PendingEvent, may_wait: bool = False) -> None:
        """Note that the event is answered, or never will be.

        `may_wait`: it changes nothing to ask it again, so while other events are under way it may be marked with them. What
        cannot be marked now is marked with the next sign of life.
        """
        key = pending.key or pending.doubtful
        if not key:
            return
        with self._lock:
            self._under_way.discard(key)
            self._unmarked[key] = None
            while len(self._unmarked) > SEEN:
                self._unmarked.popitem(last=False)
            if may_wait and self._under_way and len(self._unmarked) < TOGETHER:
                return
        with suppress(StorageError):
            self._mark()

    def _mark(self) -> None:
        """Mark the answered events as done. Raises StorageError when the state store cannot be reached."""
        with self._lock:
            keys, self._unmarked = self._unmarked, OrderedDict()
        try:
            self._state.put_all(dict.fromkeys(keys, DONE), REMEMBERED)
        except StorageError:
            with self._lock:
                self._unmarked = OrderedDict({**keys, **self._unmarked})
            raise

    def give_up(self, pending: PendingEvent) -> bool:
        """Mark an event whose token is past as done. Return True in the one process that marked it.

        Raises StorageError when the state store cannot be reached.
        """
        return self._state.replace(pending.key, pending.value, DONE, REMEMBERED)

    def put_off(self, pending: PendingEvent, messages: list[Json]) -> bool:
        """Leave the event, with its answer if there is one, to the process that looks next.

        Return False when the store cannot keep it.
        """
        later = replace(pending, owner=LATER, messages=tuple(messages))
        self._under_way.discard(pending.key)
        try:
            return bool(pending.key) and self._state.replace(
                pending.key, pending.value, later.value, REMEMBERED
            )
        except StorageError:
            return False

    def _appear(self) -> None:
        """Show that this process lives before it owns its first event, so that no other takes the event for lost."""
        if self._shown != os.getpid():
            self.show_alive()

    def show_alive(self) -> None:
        """Show that this process lives, and mark answered events as done. A chore of the background loop.

        Raises StorageError when the state store cannot be reached.
        """
        self._state.put(f"alive:{self.owner}", self._sign, ALIVE)
        now = time.monotonic()
        if self._shown == os.getpid() and now - self._shown_at > ALIVE:
            # The store was away, or this process stood still. The others may be late too, and are given time to show themselves.
            self._trusts_from = now + ALIVE
        self._shown, self._shown_at = os.getpid(), now
        self._mark()

    def leave(self) -> None:
        """Note that this process ends, so that others take up its events at once."""
        with suppress(StorageError):
            self._mark()
        with suppress(StorageError):
            self._state.delete(f"alive:{self.owner}")

    def living(self) -> set[str]:
        """Return the owners that live. Raises StorageError when the state store cannot be reached."""
        return {key.removeprefix("alive:") for key in self._state.items("alive:")} | {self.owner}

    def lost(self) -> list[PendingEvent]:
        """Return the events that nobody is at work on, oldest first; none while the store has only just come back.

        Raises StorageError when the state store cannot be reached.
        """
        if time.monotonic() < self._trusts_from:
            return []
        now = self._state.now()
        digits = _WINDOW if self._looked else _WIDE
        values: dict[str, str] = {}
        for moment in (now - 10 ** (10 - digits), now):
            values |= self._state.items(f"event:{f'{int(moment):010d}'[:digits]}", DONE)
        self._looked = True
        if not values:
            return []
        # Signs of life are read after the events: an owner shows that it lives before it owns an event. In the other
        # order the event of a process that has begun in between would look lost.
        alive = self.living()
        found: list[PendingEvent] = []
        for key, value in values.items():
            if _in_hand(value, alive, now):
                continue  # most are; they need not be read
            try:
                found.append(self.read(key, value))
            except ValueError:
                self._tell_unread(key)
        return found

    def _tell_unread(self, key: str) -> None:
        """Log once for each record that it cannot be read. The record stays until it expires."""
        if key not in self._unread:
            self._unread.append(key)
            log.warning("a pending event is in a form this version does not read: %s", key)


def _in_hand(value: str, alive: Collection[str], now: float) -> bool:
    """Whether a process that lives is at work on the event that the store holds so, or a worker may still take it."""
    owner, _, rest = value.partition(" ")
    if owner != QUEUE:
        return owner in alive
    try:
        return now - float(rest.partition(" ")[0]) <= QUEUED
    except ValueError:
        return False
