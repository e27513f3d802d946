"""Messages to workers, which a queue loses, doubles, delays and gives out again; a sync's jobs so
sent.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from bot.sync.jobs import Job, Outcome
from tests.world.clockwork import Process
from tests.world.world import World

AT_ONCE = 4  # messages a worker works on
AGAIN = 3.0  # seconds after which the message of a dead worker comes back
PATIENCE = 40.0  # seconds a sync waits for a worker before it does a job itself
Message = Callable[[Any], None]
"""What a worker is to do."""


class Queue:
    """The queue between the processes. `workers` gives the worker processes that live."""

    def __init__(self, world: World, workers: Callable[[], list[Any]]) -> None:
        self.world = world
        self._workers = workers
        self._waiting: deque[tuple[int, str, Message]] = deque()
        self._number = 0
        self._held: dict[Process, int] = {}

    def put(self, name: str, message: Message) -> None:
        """Take a message. Faults lose it, double it or delay it."""
        chance = self.world.chance
        clock = self.world.clock
        faults = self.world.faults
        wild = clock.now < faults.until
        if wild and chance.random() < faults.lost_message:
            self.world.trouble("queue")
            clock.say("the queue loses", name)
            return
        self._number += 1
        copies = 2 if wild and chance.random() < faults.doubled_message else 1
        for _ in range(copies):
            late = wild and chance.random() < faults.late_message
            delay = chance.uniform(1, 9) if late else chance.uniform(0.001, 0.03)
            given = self._number, name, message
            clock.begin(clock.outside, f"message {name}", self._offer, *given, after=delay)

    @property
    def idle(self) -> bool:
        return not self._waiting

    def _offer(self, number: int, name: str, message: Message) -> None:
        self._waiting.append((number, name, message))
        self.serve()

    def serve(self) -> None:
        while self._waiting:
            workers = self._workers()
            free = [worker for worker in workers if self._held.get(worker, 0) < AT_ONCE]
            if not free:
                return
            worker = self.world.chance.choice(free)
            number, name, message = self._waiting.popleft()
            self._held[worker] = self._held.get(worker, 0) + 1
            worker.holds[number] = (name, message)
            self.world.clock.begin(worker, name, self._work, worker, number, message)

    def _work(self, worker: Any, number: int, message: Message) -> None:
        message(worker)
        self._held[worker] -= 1
        worker.holds.pop(number, None)
        self.serve()

    def lost(self, worker: Any) -> None:
        """Give the messages of a worker that died out again."""
        for number, (name, message) in worker.holds.items():
            clock = self.world.clock
            clock.begin(
                clock.outside, f"again {name}", self._offer, number, name, message, after=AGAIN
            )


class QueuePort:
    def __init__(self, queue: Queue) -> None:
        self._queue = queue

    def send(self, task: str, word: Any, time_limit: float | None = None) -> bool:
        world = self._queue.world
        put = partial(self._queue.put, word, lambda worker: worker.answer(word))
        try:
            world.call("queue", f"send {word}", put, ConnectionError)
        except ConnectionError:
            return False
        return True


class Runner:
    """Does a sync's jobs: tasks of its own process, or messages to workers, lost or done twice."""

    def __init__(self, world: World, process: Any, queue: Queue | None) -> None:
        self._world = world
        self._process = process
        self._queue = queue

    def do(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Outcome]]:
        clock = self._world.clock
        box: list[tuple[Job, Outcome]] = []
        left = set(jobs)
        since = clock.now
        for job in jobs:
            self._begin(job, box)
        while left:
            clock.wait(0.1)
            while box:
                job, outcome = box.pop(0)
                if job in left:  # else it is done twice
                    left.remove(job)
                    yield job, outcome
            if clock.now - since > PATIENCE:
                since = float("inf")
                for job in jobs:
                    if job in left:
                        clock.begin(
                            self._process, f"{job.stage} {job.league}", self._here, job, box
                        )

    def _begin(self, job: Job, box: list[tuple[Job, Outcome]]) -> None:
        if self._queue is not None and self._world.chance.random() < 0.8:
            self._queue.put(
                f"{job.stage} {job.league}", lambda worker: self._there(worker, job, box)
            )
        else:
            clock = self._world.clock
            clock.begin(self._process, f"{job.stage} {job.league}", self._here, job, box)

    def _here(self, job: Job, box: list[tuple[Job, Outcome]]) -> None:
        box.append((job, self._process.service.league_work(job)))

    def _there(
        self,
        worker: Any,
        job: Job,
        box: list[tuple[Job, Outcome]],
    ) -> None:
        outcome = worker.service.league_work(Job.from_text(job.to_text()))
        try:
            what = f"outcome of {job.stage} {job.league}"
            self._world.call("queue", what, lambda: box.append((job, outcome)), OSError)
        except OSError:
            self._world.clock.say("the outcome is lost")
