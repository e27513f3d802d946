"""Play the episode of a seed, and watch for errors meanwhile."""

import logging
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.world.clockwork import TraceLine
from tests.world.episode import BusyDays, Episode, Outages, OwnSyncs
from tests.world.evenings import Evenings
from tests.world.line import WELL, Line
from tests.world.processes import connected
from tests.world.world import Violation, World

ROUNDS = 5
KINDS = {"evening": Evenings, "sync": BusyDays, "outage": Outages, "own": OwnSyncs}


@dataclass(frozen=True)
class Ended:
    """What an episode did: its steps, the violation that ended it, what was counted, and its
    trace.
    """

    seed: str
    steps: int
    violation: Violation | None
    counts: Counter[str]
    trace: list[TraceLine]


def play(
    seed: str,
    without: frozenset[str] = frozenset(),
    rounds: int = ROUNDS,
) -> Ended:
    """Play the episode of a seed. `without` are kinds of faults to leave out (see faults.KINDS).
    What a seed begins with can say of which kind its rounds are."""
    world = World(seed, without)
    line = Line(world)
    with connected(world, line) as settings, _errors_watched(world):
        kind = KINDS.get(re.split(r"\W", seed)[0], Episode)
        episode = kind(world, line, settings)
        episode.play(rounds)
        violation = next(iter(world.violations), None)
        world.clock.close()
    return Ended(seed, world.clock.steps, violation, world.counts, world.clock.trace)


class _FaultLines(logging.Handler):
    """Takes the log lines that tell of an error nobody expected (`json_log.log_fault`)."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.ERROR)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        words = record.getMessage()
        store = re.match(r"what follows a sync failed: (StorageError|Unavailable) ", words)
        if (not store and re.search(r": \w+ at [\w<>]+\.py:\d+$", words)) or "a task died" in words:
            self._world.broken("raised", words)
        if "answering in figures" in words and self._world.calm_from + WELL < self._world.clock.now:
            self._world.broken("needless apology", words)


@contextmanager
def _errors_watched(world: World) -> Iterator[None]:
    log = logging.getLogger("bot")
    handler = _FaultLines(world)
    level = log.level
    passed = log.propagate
    log.addHandler(handler)
    log.setLevel(logging.ERROR)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
        log.propagate = passed
