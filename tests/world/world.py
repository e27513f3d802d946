"""A world: the clock, the stores, LINE, Tenhou and the processes, with everything that is
watched.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from greenlet import getcurrent
from sqlalchemy import select

from storage.database import IN_MEMORY, Database
from storage.events import ALIVE
from storage.schema import EVENTS
from storage.state import State
from tests.world.clockwork import Clockwork, Killed, Process, Task
from tests.world.faults import FREEZES, NONE, SLOW, Faults
from tests.world.stores import FolderInMemory, ImagesInMemory

if TYPE_CHECKING:
    from bot.sync.run import SyncResult
    from tests.world.hands import LogBook

T = TypeVar("T")
FAR = {"logs": 4, "tenhou": 20}  # how many times as long as the database's a service's answers take
Failed = Callable[[str], Exception]  # makes an error of words
ROOMS = {"a": "C0001", "b": "C0002"}
"""The leagues' folders, and their rooms at Tenhou."""
PLAYERS = {
    "a": ("あおい", "あかね", "あすか", "あやめ"),
    "b": ("びわこ", "ぶどう", "べにお", "ぼたん"),
}
GROUPS = {league: f"C{league * 32}" for league in ROOMS}
USERS = {league: tuple(f"U{league}{number:031d}" for number in range(4)) for league in ROOMS}


@dataclass(frozen=True)
class Trouble:
    """A fault that hit a process at a call, from `at` to `until` (epoch seconds)."""

    at: float
    until: float
    process: Process
    call: str


@dataclass(frozen=True)
class Violation:
    """A promise that was not kept. `name` says which in one or two words."""

    name: str
    words: str

    def __str__(self) -> str:
        return f"{self.name}: {self.words}"


class World:
    """Everything outside the processes, and the calls from inside them.

    `calm_from` is when the last fault so far is over, in epoch seconds. `counts` counts what
    happened.
    """

    def __init__(self, seed: str, without: frozenset[str] = frozenset()) -> None:
        self.clock = Clockwork(seed)
        self.chance = self.clock.chance
        self.without = without
        self.faults: Faults = NONE
        self.calm_from = self.clock.now
        self.round_faults: Counter[str] = Counter()  # faults of this round, by kind
        self.troubles: list[Trouble] = []
        # Of each owner's signs of life the time that each says, and that from which it is there.
        self.signs: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
        self.counts: Counter[str] = Counter()
        self.violations: list[Violation] = []
        self.state = State(Database(IN_MEMORY, clock=lambda: self.clock.now))
        self.images = ImagesInMemory(lambda: self.clock.now)
        self.books: dict[str, LogBook] = {}
        self.hidden: set[str] = set()  # the chats in which names are hidden
        self.own_results: list[SyncResult] = []  # of the web processes' own syncs
        self.folders: dict[str, FolderInMemory] = {}

    def events(self, done: bool | None = None) -> list[Any]:
        """The events in the database; those that are done, or are not."""
        query = select(EVENTS)
        if done is not None:
            query = query.where(EVENTS.c.done == done)
        return list(self.state.database.rows(query))

    def kept(self, event: str) -> bool:
        """Whether an event is in the database."""
        query = select(EVENTS).where(EVENTS.c.id == event)
        return self.state.database.first(query) is not None

    def folder(self, league: str) -> FolderInMemory:
        if league not in self.folders:
            self.folders[league] = FolderInMemory()
        return self.folders[league]

    @property
    def process(self) -> Process:
        task = getcurrent()
        return task.process if isinstance(task, Task) else self.clock.outside

    def broken(self, name: str, words: str) -> None:
        """Note a promise that was not kept.

        Nothing is raised, because the code under test catches errors.
        """
        self.clock.say("VIOLATION", name, words)
        self.violations.append(Violation(name, words))

    def trouble(self, kind: str, until: float = 0.0, call: str = "") -> None:
        """Note a fault of the process whose task runs, until then (epoch seconds; 0: it is
        over).
        """
        self.counts[f"fault {kind}"] += 1
        self.round_faults[kind] += 1
        until = max(until, self.clock.now)
        self.calm_from = max(self.calm_from, until)
        self.troubles.append(Trouble(self.clock.now, until, self.process, call))

    def lapsed(self, process: Process, since: float) -> bool:
        """Whether a process's sign of life ran out since then, and a fault of the process explains
        it.
        """
        signs = pairwise([*self.signs[process.owner], (self.clock.now, self.clock.now)])
        gaps = [(says, new) for (says, _), (_, new) in signs if new - says > ALIVE and new > since]
        faults = [fault for fault in self.troubles if fault.process is process]
        return any(
            fault.until >= begin and fault.at <= end for fault in faults for begin, end in gaps
        )

    def call(
        self,
        service: str,
        what: str,
        effect: Callable[[], T],
        failed: Failed,
        write: bool = True,
    ) -> T:
        with self.around(service, what, failed, write):
            return effect()

    @contextmanager
    def around(
        self, service: str, what: object, failed: Failed, write: bool = True, lease: bool = False
    ) -> Iterator[None]:
        """Have a call of a process's task take its time and its effect, or fail. `failed` makes the
        error.

        A crash comes before the effect or after it. A failure too. What is known of a `lease` is
        worth little a while later, so that standing still then matters most.
        """
        process = self.process
        faults = self.faults
        chance = self.chance
        if process.dead:
            raise Killed
        self.clock.wait(self._latency() * FAR.get(service, 1))
        if faults.outages and faults.out(service, self.clock.now):
            end = max(end for name, _, end in faults.outages if name == service)
            self.trouble("outage", end, f"{service} {what}")
            self.clock.say(service, what, "-> out of reach")
            raise failed(f"{service} is out of reach")
        if self.clock.now >= faults.until:
            self.clock.say(service, what)
            yield
            return
        fate = chance.random()
        early = chance.random() < 0.5
        crash = faults.crash * (3 if write else 1)
        crashes = fate < crash and process is not self.clock.outside
        fails = crash <= fate < crash + faults.fails.get(service, 0.0)
        if not (early and (crashes or fails)):
            self.clock.say(service, what)
            yield
        if crashes:
            self.clock.say(service, what, "-> crash before it" if early else "-> crash after it")
            self.trouble("crash")
            self.clock.crash(process)
            raise Killed
        if fails:
            self.trouble(service, call=f"{service} {what}")
            self.clock.say(
                service, what, "-> fails before it" if early else "-> its answer is lost"
            )
            raise failed(f"{service} does not answer")
        freeze = faults.freeze * (60 if lease else 1)
        if fate > 1 - freeze and process is not self.clock.outside:
            span = chance.choice(FREEZES[-3:] if lease else FREEZES)
            process.frozen = self.clock.now + chance.uniform(*span)
            self.trouble("freeze", process.frozen + 1)
            self.clock.say("frozen until", f"{process.frozen:.3f}")
            self.clock.on_freeze(process)
            self.clock.wait(0)  # what the process goes on with comes after it

    def _latency(self) -> float:
        chance = self.chance
        if self.clock.now < self.faults.until and chance.random() < self.faults.slow:
            slow = chance.uniform(*SLOW)
            self.trouble("slow", self.clock.now + slow)
            return slow
        return 0.002 * 40 ** chance.random()  # 2 to 80 milliseconds
