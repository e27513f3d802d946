"""What goes wrong, decided by the seed: which calls fail, when processes crash, what is lost or
doubled.
"""

import random
from dataclasses import dataclass, field, replace

SERVICES = ("state", "logs", "images", "line", "tenhou", "queue")
SLOW = (1.0, 6.0)  # seconds of a slow call
FREEZES = (
    *[(2.0, 15.0)] * 5,
    (61.0, 75.0),
    *[(181.0, 210.0)] * 2,
)
"""Seconds a process stands still: mostly little, at times longer than its leases last (60 and 180).
"""
KINDS = (
    "crash",
    "state",
    "logs",
    "images",
    "line",
    "tenhou",
    "queue",
    "webhook",
    "slow",
    "freeze",
    "outage",
    "hands",
)


@dataclass
class Faults:
    """The chances of one round, each for one call. `until` is when they end, in epoch seconds.

    `fails` has the chance by service. A failing call fails before it has an effect or after it,
    when only its answer is lost. `outages` are (service, begin, end).
    """

    until: float = 0.0
    crash: float = 0.0  # at a read; three times that at a write
    fails: dict[str, float] = field(default_factory=dict)
    slow: float = 0.0
    freeze: float = 0.0
    lost_message: float = 0.0
    doubled_message: float = 0.0
    late_message: float = 0.0
    lost_webhook: float = 0.0
    doubled_webhook: float = 0.0
    garbled: float = 0.0  # Tenhou's answers
    outages: tuple[tuple[str, float, float], ...] = ()

    def out(self, service: str, now: float) -> bool:
        return any(name == service and begin <= now < end for name, begin, end in self.outages)


NONE = Faults()


def drawn(
    chance: random.Random,
    now: float,
    without: frozenset[str] = frozenset(),
) -> Faults:
    """Draw the faults of a round: mostly a few kinds, at times none or all. Leave `without` out."""
    share = chance.choice((0.0, 0.15, 0.3, 0.3, 0.6, 1.0))
    kinds = {kind for kind in KINDS if chance.random() < share} - without
    until = now + chance.uniform(4, 14)
    faults = Faults(until=until)
    if "crash" in kinds:
        faults.crash = chance.choice((0.001, 0.004, 0.012))
    failing = [name for name in SERVICES if name in kinds]
    faults.fails = {name: chance.choice((0.01, 0.05, 0.2)) for name in failing}
    if "slow" in kinds:
        faults.slow = 0.02
    if "freeze" in kinds:
        faults.freeze = 0.002
    if "queue" in kinds:
        faults.lost_message = 0.1
        faults.doubled_message = 0.2
        faults.late_message = 0.2
    if "webhook" in kinds:
        faults.lost_webhook = 0.15
        faults.doubled_webhook = 0.3
    if "tenhou" in kinds:
        faults.garbled = 0.25
    if "outage" in kinds:
        faults = replace(faults, outages=_outages(chance, now, until))
    return faults


def _outages(
    chance: random.Random, now: float, until: float
) -> tuple[tuple[str, float, float], ...]:
    # mostly short, at times longer than a reply token lives, or until all is quiet for long
    lasts = chance.choice(
        (
            *[(1, 12)] * 5,
            (55, 80),
            (130, 150),
            (130, 150),
        )
    )
    found = []
    for service in chance.sample(SERVICES, chance.randrange(1, 3)):
        begin = chance.uniform(now, until)
        found.append((service, begin, begin + chance.uniform(*lasts)))
    return tuple(found)
