"""One thread in which processes take turns: greenlets, a clock that jumps from one wake-up to the
next, and crashes.

A task is a greenlet of a process (or of the world outside). It runs until it waits. The clockwork
then lets the task run whose time comes first. A step is such a turn of a task of a process. All
chance comes from the seed, so the same seed gives the same steps.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from typing import Any

from greenlet import getcurrent, greenlet

BEGIN = 1_790_000_000.0  # epoch seconds: 2026-09-21 in the evening in Japan


class Killed(BaseException):
    pass


class Process:
    """A process: its tasks share its memory and die with it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.born = 0.0
        self.dead = False
        self.frozen = 0.0  # until then none of its tasks runs
        self.ahead = 0.0  # seconds its own clock is ahead
        self.owner = ""  # the name under which it takes events


class Task(greenlet):  # type: ignore[misc]
    def __init__(self, clock: Clockwork, process: Process, name: str, loop: bool) -> None:
        super().__init__(clock.live, clock.hub)
        self.process = process
        self.name = name
        self.loop = loop


Work = Callable[..., Any]
Turn = tuple[Task, Work | None, tuple[Any, ...]]
TraceLine = tuple[int, float, str, str, tuple[object, ...]]
"""A line of the trace: the turn, the second, the process, the task, and words that become text when
they are printed."""


class Clockwork:
    """The clock, the tasks and the trace. `now` is in epoch seconds."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)
        self.now = BEGIN
        self.steps = self.turns = 0
        self.hub = getcurrent()
        self.outside = Process("outside")
        self.tasks: dict[Task, None] = {}
        self.at_work = 0  # tasks under way or about to begin that are no loops
        self.trace: list[TraceLine] = []
        self.faults: list[BaseException] = []
        self.on_crash = self.on_freeze = lambda process: None
        self._due: list[tuple[float, int, Turn]] = []
        self._number = 0

    def begin(
        self,
        process: Process,
        name: str,
        work: Work,
        *args: Any,
        after: float = 0.0,
        loop: bool = False,
    ) -> Task:
        """Have the work done as a task of the process, `after` so many seconds.

        A `loop` never ends.
        """
        task = Task(self, process, name, loop)
        self.tasks[task] = None
        if not loop:
            self.at_work += 1
        self._at(self.now + after, (task, work, args))
        return task

    def live(
        self,
        work: Callable[..., Any],
        args: tuple[Any, ...],
    ) -> None:
        task = getcurrent()
        try:
            if not task.process.dead:
                work(*args)
        except Killed:
            pass
        except BaseException as error:
            self.faults.append(error)
        finally:
            self._gone(task)
            vars(
                task
            ).clear()  # greenlet holds on to some that have ended, and a process holds its world

    def _gone(self, task: Task) -> None:
        if task in self.tasks:
            del self.tasks[task]
            if not task.loop:
                self.at_work -= 1

    def wait(self, seconds: float) -> None:
        """Let others run for so many seconds.

        Raises Killed when the process has crashed meanwhile.
        """
        task = getcurrent()
        self._at(self.now + seconds, (task, None, ()))
        if task is self.hub:
            raise RuntimeError("only tasks wait")
        if task.process.dead:
            raise Killed
        self.hub.switch()
        if task.process.dead:
            raise Killed

    def _at(self, when: float, turn: Turn) -> None:
        self._number += 1
        heapq.heappush(self._due, (when, self._number, turn))

    def say(self, *words: object) -> None:
        """Add a line to the trace, from the task that runs."""
        task = getcurrent()
        here = task if isinstance(task, Task) else None
        process, name = (here.process.name, here.name) if here else ("world", "")
        self.trace.append((self.turns, self.now, process, name, words))

    def step(self) -> bool:
        """Let the task run whose turn it is. Return False when there is none."""
        while self._due:
            when, number, turn = heapq.heappop(self._due)
            task, work, args = turn
            if task.dead or task not in self.tasks or (task.process.dead and not task):
                self._gone(task)
                continue
            if task.process.frozen > when:
                heapq.heappush(self._due, (task.process.frozen, number, turn))
                continue
            self.now = max(self.now, when)
            self.turns += 1
            if task.process is not self.outside:
                self.steps += 1
            if work is None:
                task.switch()
            else:
                task.switch(work, args)
            return True
        return False

    @property
    def shown(self) -> float:
        """What the clock of the process shows whose task runs, in epoch seconds."""
        task = getcurrent()
        return self.now + (task.process.ahead if isinstance(task, Task) else 0.0)

    def crash(self, process: Process) -> None:
        """End a process at once. What its tasks still try to do outside has no effect."""
        process.dead = True
        self.on_crash(process)
        self.begin(self.outside, "bury", self._bury, process)

    def _bury(self, process: Process) -> None:
        for task in [task for task in self.tasks if task.process is process]:
            self._unwind(task)

    def _unwind(self, task: Task) -> None:
        self._gone(task)
        if task:  # it has begun
            task.parent = getcurrent()
            task.throw(Killed())

    def close(self) -> None:
        for task in list(self.tasks):
            task.process.dead = True
        for task in list(self.tasks):
            self._unwind(task)

    def leap(self, seconds: float) -> None:
        """Let the clock jump while nobody is at work; every loop goes on as if nothing had been."""
        self.now += seconds
        self._due = [(when + seconds, number, turn) for when, number, turn in self._due]
        heapq.heapify(self._due)


class Gate:
    """A lock, as `threading.Lock` is one, whose waiters take turns with all others."""

    def __init__(self, clock: Clockwork) -> None:
        self._clock = clock
        self._held = False

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        if not self._held:
            self._held = True
            return True
        if not blocking:
            return False
        give_up = self._clock.now + timeout if timeout >= 0 else float("inf")
        while self._held:
            if self._clock.now >= give_up:
                return False
            self._clock.wait(0.01)
        self._held = True
        return True

    def release(self) -> None:
        if not self._held:
            raise RuntimeError("release of a lock that nobody holds")
        self._held = False

    def locked(self) -> bool:
        return self._held

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()
