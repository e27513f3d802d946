"""Plant a defect in the real code for a while, and look for it with the world."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from tests.world.defects import answered, evenings, kept, synced, tables, taken
from tests.world.defects.plant import DEFECTS, Plant
from tests.world.play import Ended, play

KINDS = (
    taken,
    answered,
    kept,
    synced,
    tables,
    evenings,
)  # which list their defects when they are imported
SEEDS = {
    evenings.__name__: "evening",
    synced.__name__: "sync",
}  # whose episodes find a kind soonest
OUTAGES = (
    "leaving not heard again",
    "circuit stays half open",
    "open day is not noted",
    "signs of life read first",
    "refusal counts as a failure",
    "days lines kept over newer ones",
    "picture taken for stored after waiting",
)
"""What is found soonest while a store is away."""
OWN = ("duty stops after an error",)
"""What is found soonest where only web processes sync."""
TRIES = 200  # episodes, after which a defect counts as not found


@contextmanager
def planted(name: str) -> Iterator[None]:
    with ExitStack() as stack:
        DEFECTS[name](Plant(stack))
        yield


def found(name: str, tries: int = TRIES) -> tuple[int, Ended | None]:
    """Plant a defect and play episodes until one is broken.

    Return the steps that took, and that episode.
    """
    steps = 0
    seed = SEEDS.get(DEFECTS[name].__module__, "defect")
    if name in OUTAGES:
        seed = "outage"
    if name in OWN:
        seed = "own"
    with planted(name):
        for number in range(tries):
            ended = play(f"{seed}-{number}")
            steps += ended.steps
            if ended.violation is not None:
                return steps, ended
    return steps, None
