"""The record of taps: what was taken and is not answered yet outlives the process that took it.

The StateStore holds `event:TIME:ID` -> `OWNER TAKEN JSON` until the answer is sent, then `done`. The owner is a process,
which shows by `alive:OWNER` that it lives, or nobody: QUEUE (a worker will take it) or LATER (LINE was out of reach).
Whatever nobody is at work on is taken up again by any process. That is safe: a reply token works once.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from bot.line.webhook import TOKEN_LIFE, Event, read_event
from storage.ports import StateStore, StorageError

Json = dict[str, Any]
REMEMBERED = 24 * 3600.0  # seconds an event is remembered; LINE redelivers within minutes
SEEN = 10_000  # events this process remembers by itself
ALIVE = 5.0  # seconds a sign of life holds
QUEUED = 5.0  # seconds a tap may wait in the queue before threads take it
QUEUE, LATER, DONE = "queue", "later", "done"
_WINDOW = 7  # digits of a time in seconds (of ten): looks back 1,000 to 2,000 seconds
_WIDE = 6  # at the start: up to five hours


@dataclass(frozen=True)
class Tap:
    """An event taken. `key` is empty where the store could not keep it; `messages` the answer, where it is made already."""

    raw: Json
    base: str
    taken: float
    owner: str
    key: str = ""
    messages: tuple[Json, ...] = ()
    again: bool = False  # somebody may have answered it before

    @property
    def value(self) -> str:
        """As the store holds it."""
        content: Json = {"event": self.raw, "base": self.base}
        if self.messages:
            content["messages"] = self.messages
        return f"{self.owner} {self.taken:.3f} {json.dumps(content)}"

    @property
    def event(self) -> Event:
        found = read_event(self.raw)
        if found is None:
            raise ValueError("no event to answer")
        return found

    @property
    def until(self) -> float:
        """When its reply token is past, in epoch seconds."""
        return self.taken + TOKEN_LIFE


def read_tap(key: str, value: str) -> Tap:
    """A Tap of what the store holds; ValueError."""
    owner, taken, content = value.split(" ", 2)
    data = json.loads(content)
    return Tap(
        data["event"], data["base"], float(taken), owner, key, tuple(data.get("messages", ())), again=True
    )


class Taps:
    """The record, as one process sees it. Safe in threads and after a fork."""

    def __init__(self, state: Callable[[], StateStore], clock: Callable[[], float] = time.time) -> None:
        self._state = state
        self._clock = clock
        self._owner, self._process = "", 0
        self._shown = 0  # the process that has shown that it lives
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()
        self._looked = False
        self._unmarked: deque[str] = deque(maxlen=SEEN)  # answered while the store was away

    @property
    def owner(self) -> str:
        """This process's own name."""
        with self._lock:
            if self._process != os.getpid():
                self._owner, self._process = secrets.token_hex(6), os.getpid()
            return self._owner

    def take(self, event: Event, raw: Json, base: str, queued: bool = False) -> Tap | None:
        """Remember an event before it is acknowledged; None for one that was taken before."""
        tap = Tap(raw, base, round(self._clock(), 3), QUEUE if queued else self.owner)
        if not event.id:
            return tap
        if not self._first_seen(event.id):
            return None
        kept = replace(tap, key=f"event:{int(min(event.at, 9_999_999_999)):010d}:{event.id}")
        try:
            if not queued:
                self._appear()
            return kept if self._state().add(kept.key, kept.value, REMEMBERED) else None
        except StorageError:
            return tap

    def _first_seen(self, event_id: str) -> bool:
        with self._lock:
            new = event_id not in self._seen
            self._seen[event_id] = None
            while len(self._seen) > SEEN:
                self._seen.popitem(last=False)
        return new

    def claim(self, tap: Tap) -> Tap | None:
        """Make a tap this process's own; None where another has it."""
        if not tap.key or tap.owner == self.owner:
            return tap
        mine = replace(tap, owner=self.owner, again=tap.again and tap.owner != QUEUE)
        try:
            self._appear()
            return mine if self._state().replace(tap.key, tap.value, mine.value, REMEMBERED) else None
        except StorageError:
            return replace(mine, key="")

    def done(self, tap: Tap) -> None:
        """The tap is answered, or never will be."""
        if tap.key:
            try:
                self._state().put(tap.key, DONE, REMEMBERED)
            except StorageError:
                self._unmarked.append(tap.key)  # with the next sign of life

    def give_up(self, tap: Tap) -> bool:
        """Its token is past; True for the one process that says so."""
        return self._state().replace(tap.key, tap.value, DONE, REMEMBERED)

    def put_off(self, tap: Tap, messages: list[Json]) -> bool:
        """LINE is out of reach: the answer is kept, and sent by whoever looks next. False where it can't be kept."""
        later = replace(tap, owner=LATER, messages=tuple(messages))
        try:
            return bool(tap.key) and self._state().replace(tap.key, tap.value, later.value, REMEMBERED)
        except StorageError:
            return False

    def _appear(self) -> None:
        """Before its first tap is seen to be this process's, so that nobody takes it for lost; the keeper goes on."""
        if self._shown != os.getpid():
            self.beat()

    def beat(self) -> None:
        """Show that this process lives."""
        self._state().put(f"alive:{self.owner}", "", ALIVE)
        self._shown = os.getpid()
        while self._unmarked:
            self._state().put(self._unmarked[0], DONE, REMEMBERED)
            self._unmarked.popleft()

    def leave(self) -> None:
        """This process ends: what it leaves undone is taken up at once."""
        try:
            self._state().delete(f"alive:{self.owner}")
        except StorageError:
            return

    def lost(self) -> list[Tap]:
        """Taps nobody is at work on, oldest first."""
        alive = {key.removeprefix("alive:") for key in self._state().items("alive:")} | {self.owner}
        now = self._clock()
        digits = _WINDOW if self._looked else _WIDE
        found: list[Tap] = []
        for moment in (now - 10 ** (10 - digits), now):
            window = f"event:{f'{int(moment):010d}'[:digits]}"
            for key, value in self._state().items(window, DONE).items():
                try:
                    tap = read_tap(key, value)
                except ValueError:
                    continue  # no record of ours
                if tap.owner not in alive and (tap.owner != QUEUE or now - tap.taken > QUEUED):
                    found.append(tap)
        self._looked = True
        return found
