"""The events that were received and are not answered yet, as one process sees the record of them
(storage/events.py).

What the record guarantees (tests/dispatch/test_pending.py):

- Of all processes that receive the same event from LINE, one takes it
  (test_an_event_is_taken_once_by_all_processes).
- An event has one owner at a time. Another process may claim it once its owner shows no sign of
  life, and not before (test_only_events_of_dead_processes_are_lost); after an outage of the database
  all get time to show one (test_all_get_time_to_show_life_after_an_outage).
- A killed process loses no event and no member gets two answers: another process takes the event
  over, and where the first one had answered, LINE refuses the second answer, because a reply token
  works once (https://developers.line.biz/en/reference/messaging-api/, reply messages;
  tests/dispatch/test_answered_once.py).

Under load several events are marked as done at once; one that changes something is marked before the
next. All times are by the database's clock, so that processes whose clocks differ agree.
"""

import json
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace

from bot.chat.command import Command, Term
from bot.line.webhook import TOKEN_LIFE, Event, Json, read_event
from bot.runtime.cache import Lru
from storage.events import ALIVE, QUEUE, Events, KeptEvent
from storage.ports import StorageError

SEEN = 10_000  # events in this process's memory
TOGETHER = 16  # answered events that are marked as done at once, while others are under way
LOOK = 1.0  # seconds for which a look for workers is valid
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PendingEvent:
    """An event that was received, and its command. `base` is the address LINE called.

    `taken` is the time of that, in epoch seconds by the database's clock; of an event that LINE
    sends again it is LINE's own time. `recorded` is False where the store reported an error; the
    event may be recorded all the same, where only the store's answer was lost. `messages` is the
    answer, if it is made already. `again`: another process may have answered."""

    event: Event
    command: Command
    base: str
    taken: float
    owner: str
    recorded: bool = False
    messages: tuple[Json, ...] = ()
    again: bool = False


def _columns(part: Event | Command | Term) -> Json:
    """What `asdict` returns, without its copies of everything, which cost a tap as much as a
    statement.
    """
    return {column.name: getattr(part, column.name) for column in fields(part)}


def _read_command(columns: Json) -> Command:
    """The command of its JSON; that of version 0.2 has no terms. Raises LookupError, TypeError."""
    terms = []
    for term in columns.get("terms", ()):
        options = tuple((name, value) for name, value in term["options"])
        terms.append(Term(**term | {"options": options}))
    return Command(**columns | {"rest": tuple(columns["rest"]), "terms": tuple(terms)})


class PendingEvents:
    """The record as one process sees it. Safe in threads and after a fork. Methods raise
    StorageError when the state store cannot be reached, unless their docstring names another
    result.

    The lock guarantees that every answered event is marked: none that a thread adds is missed while
    another one writes the marks (test_answered_events_are_marked_after_an_outage)."""

    def __init__(
        self, events: Events, command_of: Callable[[Event], Command | None], worker: bool = False
    ) -> None:
        """`command_of` reads an event in the form of 0.2.0.

        `worker`: this process takes events from the queue.
        """
        self._events = events
        self._command_of = command_of
        self._is_worker = worker
        self._owner = ""
        self._process = 0
        self._shown = 0  # the id of the process that has shown that it lives
        self._shown_at = 0.0  # when it last did; monotonic, as the next
        self._trusts_from = 0.0  # from when others' signs count
        self._workers = False
        self._workers_known = float("-inf")
        self._seen: Lru[str, bool] = Lru(SEEN)
        self._unread: Lru[str, bool] = Lru(100)  # records in a form this version does not read
        self._lock = threading.Lock()
        self._unmarked: set[str] = set()  # answered, and not marked as done yet
        self._under_way: set[str] = set()  # events this process has and has not answered
        # events it may own and does not work on: the store's answer was lost
        self._strays: set[str] = set()

    @property
    def owner(self) -> str:
        with self._lock:
            if self._process != os.getpid():
                self._owner = secrets.token_hex(6)
                self._process = os.getpid()
            return self._owner

    def take(
        self, event: Event, command: Command, base: str, queued: bool = False
    ) -> PendingEvent | None:
        """Record an event before it is acknowledged. Return None for one that was taken before. It
        is not recorded if it has no id or the store cannot be reached."""
        time_taken = self._events.now()
        if event.again:
            time_taken = min(time_taken, event.at)
        owner = QUEUE
        if not queued:
            owner = self.owner
        pending = PendingEvent(event, command, base, round(time_taken, 3), owner)
        if not event.id:
            return pending
        if not self._seen.put(event.id, True):
            return None
        try:
            if not queued:
                self._appear()
            read = json.dumps([event, command], default=_columns)
            is_new = self._events.take(
                KeptEvent(event.id, pending.taken, pending.owner, read, base)
            )
        except StorageError:
            return pending
        if not is_new:
            return None
        if not queued:
            self._under_way.add(event.id)
        return replace(pending, recorded=True)

    def seconds_left(self, pending: PendingEvent) -> float:
        """The seconds its reply token still lives; negative where it is past."""
        return pending.taken + TOKEN_LIFE - self._events.now()

    def worker_lives(self) -> bool:
        """Whether a worker has lately shown that it lives. False without the state store."""
        now = time.monotonic()
        if now - self._workers_known > LOOK:
            self._workers_known = now  # first, so that others do not look too
            try:
                self._workers = self._events.workers() > 0
            except StorageError:
                self._workers = False
        return self._workers

    def claim_queued(self, event: str) -> PendingEvent | None:
        """Take an event from the queue.

        Return None where another process has it, or it can't be read.
        """
        self._appear()
        try:
            record = self._events.claim(event, QUEUE, self.owner)
        except StorageError:
            self._strays.add(event)
            raise
        if record is None:
            # a stray, perhaps: it may be this process's since the claim whose answer was lost
            return None
        self._strays.discard(event)
        self._under_way.add(event)
        return self._read(record)

    def claim(self, pending: PendingEvent, lost: bool = False) -> PendingEvent | None:
        """Make this process the owner of an event; None if another process has it. When the store
        cannot be reached it is returned as not recorded; one that was `lost` waits for the next look,
        because others may claim it too."""
        if not pending.recorded or pending.owner == self.owner:
            return pending
        mine = replace(pending, owner=self.owner)
        try:
            self._appear()
            record = self._events.claim(pending.event.id, pending.owner, self.owner)
        except StorageError:
            if lost:
                self._strays.add(pending.event.id)
                return None
            return replace(mine, recorded=False)
        if record is None:
            return None
        self._under_way.add(pending.event.id)
        return mine

    def still_owns(self, pending: PendingEvent) -> bool:
        """Whether no other process has taken the event over; True without the store."""
        try:
            is_own = not pending.recorded or self._events.holds(pending.event.id, pending.owner)
        except StorageError:
            return True
        if not is_own:
            self._under_way.discard(pending.event.id)
        return is_own

    def done(self, pending: PendingEvent, may_wait: bool = False) -> None:
        """Mark that the event is answered, or never will be. `may_wait`: a second run of its
        command changes nothing, so it may be marked with others under way. An event that can't be
        marked now is marked with the next sign of life."""
        if not pending.event.id:
            return
        with self._lock:
            self._under_way.discard(pending.event.id)
            self._strays.discard(pending.event.id)
            if len(self._unmarked) < SEEN:  # one statement marks them all when the store is back
                self._unmarked.add(pending.event.id)
            if may_wait and self._under_way and len(self._unmarked) < TOGETHER:
                return
        with suppress(StorageError):
            self._mark()

    def _mark(self) -> None:
        with self._lock:
            answered = self._unmarked
            self._unmarked = set()
        try:
            self._events.done(answered)
        except StorageError:
            with self._lock:
                self._unmarked |= answered
            raise

    def put_off(self, pending: PendingEvent, messages: Sequence[Json] = ()) -> bool:
        """Leave the event, with its answer, to the next process that looks.

        Return False when it can't be recorded.
        """
        self._under_way.discard(pending.event.id)
        made = ""
        if messages:
            made = json.dumps(messages)
        try:
            return pending.recorded and self._events.put_off(pending.event.id, pending.owner, made)
        except StorageError:
            self._strays.add(pending.event.id)
            return False

    def _appear(self) -> None:
        """Show that this process lives before it owns its first event, which others would take for
        lost.
        """
        if self._shown != os.getpid():
            self.show_alive()

    def show_alive(self) -> None:
        """Show that this process lives, mark answered events as done, and leave strays to
        others.
        """
        for _ in range(2):  # a process that stood still while it wrote has written an old sign
            now = time.monotonic()
            self._events.show_alive(self.owner, self._is_worker)
            if time.monotonic() - now < LOOK:
                break
        if self._shown == os.getpid() and now - self._shown_at > ALIVE:
            # The store was away, or this process stood still: others may be late too, and get
            # time.
            self._trusts_from = now + ALIVE
        self._shown = os.getpid()
        self._shown_at = now
        self._mark()
        for event in list(self._strays):
            self._events.put_off(event, self.owner, "")
            self._strays.discard(event)

    def leave(self) -> None:
        with suppress(StorageError):
            self._mark()
        with suppress(StorageError):
            self._events.leave(self.owner)

    def lost(self) -> list[PendingEvent]:
        """The events that no process works on, oldest first; none when the store has only just
        come back.
        """
        if time.monotonic() < self._trusts_from:
            return []
        others = [record for record in self._events.lost() if record.owner != self.owner]
        events = map(self._read, others)
        return [pending for pending in events if pending is not None]

    def _read(self, record: KeptEvent) -> PendingEvent | None:
        """The event of a record; None, logged once, where this version does not read it."""
        event: Event | None = None
        command: Command | None = None
        with suppress(ValueError, LookupError, TypeError, AttributeError):
            messages = tuple(json.loads(record.messages or "[]"))
            data = json.loads(record.raw)
            if isinstance(data, dict):  # LINE's JSON, the form of 0.2.0
                event = read_event(data)
                if event is not None:
                    command = self._command_of(event)
            else:
                event_columns, command_columns = data
                event = Event(**event_columns | {"users": tuple(event_columns["users"])})
                command = _read_command(command_columns)
        if event is None or command is None:
            if self._unread.put(record.id, True):
                log.warning(
                    "a pending event is in a form this version does not read: %s", record.id
                )
            return None
        return PendingEvent(
            event,
            command,
            record.base,
            record.taken,
            record.owner,
            recorded=True,
            messages=messages,
            again=record.owner not in (QUEUE, self.owner),
        )
