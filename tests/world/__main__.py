"""Play worlds. `python -m tests.world [SEED] [--steps N] [--jobs J] [--trace] [--without KINDS]
[--rounds N]`

With --steps, play the episodes SEED-0, SEED-1 and so on until these are so many steps together, on
all processors. Without, play the one episode SEED. The same seed always gives the same episode. A
promise that is not kept ends it: then the same is looked for with fewer faults, and the trace of
the shortest episode is printed.
"""

import argparse
import itertools
import os
import resource
import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait

from tests.world.clockwork import BEGIN
from tests.world.faults import KINDS
from tests.world.play import ROUNDS, Ended, play

SHOWN = 40  # lines of a trace that are printed without --trace


def _arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tests.world", description=__doc__, usage=argparse.SUPPRESS
    )
    parser.add_argument(
        "seed", nargs="?", default="", help="which episode; a new one where it is missing"
    )
    parser.add_argument(
        "--steps", type=int, default=0, help="play many episodes, for so many steps together"
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes for --steps"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of an episode")
    parser.add_argument(
        "--without", default="", metavar="KINDS", help=f"leave out: {','.join(KINDS)}"
    )
    parser.add_argument("--trace", action="store_true", help="print the whole trace")
    given = parser.parse_args(words)
    given.without = frozenset(filter(None, given.without.split(",")))
    if odd := sorted(given.without - set(KINDS)):
        parser.error(f"no kind of fault: {', '.join(odd)} (there are {', '.join(KINDS)})")
    if given.jobs < 1 or given.rounds < 0 or given.steps < 0:
        parser.error("--jobs, --rounds and --steps are numbers from 1 on")
    given.seed = given.seed or secrets.token_hex(4)
    return given


def many(seed: str, steps: int, jobs: int) -> Iterator[Ended]:
    """Play the episodes of a seed on several processes until these are so many steps, or one is
    broken.
    """
    numbers = itertools.count()
    done = 0
    with ProcessPoolExecutor(jobs) as pool:
        under_way = {pool.submit(short, f"{seed}-{next(numbers)}") for _ in range(2 * jobs)}
        while done < steps:
            ended, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in ended:
                under_way.add(pool.submit(short, f"{seed}-{next(numbers)}"))
                episode = future.result()
                done += episode.steps
                yield episode
                if episode.violation is not None:
                    done = steps
        for future in under_way:
            future.cancel()


def short(seed: str) -> Ended:
    ended = play(seed)
    ended.trace.clear()
    return ended


def shrunk(
    ended: Ended,
    without: frozenset[str],
    rounds: int,
) -> tuple[Ended, frozenset[str], int]:
    """Look for the same violation with fewer kinds of faults and fewer rounds; the shortest
    episode.
    """
    best = ended, without, rounds
    tries = [(best[1] | {kind}, rounds) for kind in KINDS] + [
        (best[1], few) for few in range(1, rounds)
    ]
    for left_out, few in tries:
        other = play(ended.seed, left_out | best[1], min(few, best[2]))
        same = other.violation and ended.violation and other.violation.name == ended.violation.name
        if same and other.steps <= best[0].steps:
            best = other, left_out | best[1], min(few, best[2])
    return best


def show(ended: Ended, without: frozenset[str], rounds: int, whole: bool) -> None:
    """Print what was not kept, how to play it again, and the trace: step, second, process, task,
    words.
    """
    lines = [line for line in ended.trace if whole or line[3] != "background"]
    for step, now, process, task, words in lines if whole else lines[-SHOWN:]:
        said = " ".join(map(str, words))
        print(f"{step:6} {now - BEGIN:10.3f} {process:9} {task:18} {said if whole else said[:200]}")
    if ended.violation is not None:
        options = f" --without {','.join(sorted(without))}" if without else ""
        options += f" --rounds {rounds}" if rounds != ROUNDS else ""
        print(f"\n{ended.violation}\nagain: python -m tests.world {ended.seed}{options} --trace")


def main(words: list[str]) -> int:
    given = _arguments(words)
    began = time.perf_counter()
    steps = 0
    counts = Counter[str]()
    broken: Ended | None = None
    if not given.steps:
        ended = play(given.seed, given.without, given.rounds)
        if ended.violation is None or given.trace or given.without:
            show(ended, given.without, given.rounds, given.trace)
            print(
                f"seed {given.seed}: {ended.steps:,} steps, {'broken' if ended.violation else 'all kept'}"
            )
            return 1 if ended.violation else 0
        show(*shrunk(ended, given.without, given.rounds), whole=False)
        return 1
    for episode in many(given.seed, given.steps, given.jobs):
        steps += episode.steps
        counts += episode.counts
        counts["episodes"] += 1
        broken = episode if episode.violation is not None else broken
        if sys.stderr.isatty():
            print(f"\r{steps:,} of {given.steps:,} steps", end="", file=sys.stderr, flush=True)
    seconds = time.perf_counter() - began
    print(", ".join(f"{what} {count:,}" for what, count in sorted(counts.items())))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = used.ru_utime + used.ru_stime
    print(
        f"seed {given.seed}: {steps:,} steps in {seconds:.0f} s, {steps / seconds:,.0f} a second; "
        f"{busy:.0f} processor seconds, {steps / busy:,.0f} steps in each"
    )
    if broken is None:
        print("all kept")
        return 0
    show(*shrunk(play(broken.seed), frozenset(), ROUNDS), whole=given.trace)
    return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
