"""Measure what the wall, luck and tile efficiency tell of records, beside what is known.

python -m tests.tools.bench.wall [HANDS]

The records are those of tests/data. HANDS (10,000) hands of each number of seats are compared with
brute force. Simulated games: tests/tools/bench/simulated_luck.py.
"""

import multiprocessing
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from statistics import fmean, stdev

from bot.league.paifu_log import entry_of
from rating.paifu.checked_walls import open_walls
from rating.paifu.efficiency import acceptance
from rating.paifu.formats import parse
from rating.paifu.luck import draw_luck, luck_of
from rating.paifu.moments import RULES, all_moments
from rating.paifu.opened import opened_waits
from rating.paifu.record import Draw, Record
from rating.paifu.review import review
from rating.paifu.situation import efficiency_answers
from rating.paifu.statistics import conduct_of, of_record
from rating.paifu.table import TableState
from tests.rating.paifu import brute
from tests.rating.paifu.test_efficiency import hands
from tests.real import RECORDS


def mean_and_sd(values: list[float]) -> str:
    deviation = stdev(values)
    error = deviation / sqrt(len(values))
    return f"mean {fmean(values):+.3f} (error {error:.3f}), sd {deviation:.3f}, of {len(values)}"


def print_walls(every: list[Record]) -> None:
    known: Counter[tuple[int, str]] = Counter()
    for record in every:
        found = open_walls(record)
        seats = record.seats
        known[seats, "records"] += 1
        known[seats, "with a seed"] += 1 if record.seed else 0
        known[seats, "problems"] += 1 if found.problem else 0
        if found.rounds:
            known[seats, "with a wall"] += 1
            known[seats, "rounds"] += len(found.rounds)
            known[seats, "draws checked"] += found.draws
    for seats in (4, 3):
        counts = [f"{n} {what}" for (of, what), n in known.items() if of == seats]
        print(f"walls, {seats} seats: {', '.join(counts)}")


def unseen_z(record: Record) -> list[float]:
    """The luck of draws by what each seat can see, which is no fair measure."""
    sums = [[0.0, 0.0] for _ in range(record.seats)]
    chances = iter(draw_luck(record))
    for played in record.rounds:
        table = TableState(played)
        for event in played.events:
            if isinstance(event, Draw):
                drawn = next(chances)
                unseen = table.unseen(event.seat)
                kinds = acceptance(table.held[event.seat], table.seats)[1]
                chance = sum(unseen[kind] for kind in kinds) / sum(unseen)
                sums[event.seat][0] += drawn.hit - chance
                sums[event.seat][1] += chance * (1 - chance)
            table.apply(event)
    return [total / sqrt(variance) for total, variance in sums if variance]


def print_luck(every: list[Record]) -> None:
    luck = [one for record in every for one in luck_of(record)]
    print(f"luck of {sum(1 for record in every for _ in draw_luck(record))} draws")
    draws = sum(one.draws for one in luck)
    variance = sum(one.variance for one in luck)
    print(
        f"  all draws together: {draws:+.1f} useful ones above those expected (error {sqrt(variance):.1f})"
    )
    print("  z by left:   ", mean_and_sd([one.z for one in luck if one.z is not None]))
    unseen = mean_and_sd([z for record in every for z in unseen_z(record)])
    print("  z by unseen: ", unseen, "(not 0: a caution)")
    print("  deal:        ", mean_and_sd([one.deal for one in luck]))
    print("  ura:         ", mean_and_sd([one.ura for one in luck]))
    opened = [
        one.luck for record in every for one in opened_waits(record, open_walls(record).rounds)
    ]
    print("  waits live less expected:", mean_and_sd([luck for luck in opened if luck is not None]))


def print_moments(every: list[Record]) -> None:
    found = [
        {moment.rule for moment in all_moments(record, open_walls(record).rounds)}
        for record in every
    ]
    games = Counter(rule for rules in found for rule in rules)
    told = ", ".join(f"{rule.kind} {games[rule.kind]} (grade {rule.grade})" for rule in RULES)
    print(f"moments: of {len(every)} games have {told}")


def print_times(every: list[Record]) -> None:
    parts = {
        "wall": open_walls,
        "riichi and tenpai opened": lambda record: opened_waits(record, open_walls(record).rounds),
        "luck and efficiency": conduct_of,
        "all statistics": of_record,
        "a line of the record log, with hands and moments": entry_of,
        "push or fold": review,
        "moments": lambda record: list(all_moments(record, open_walls(record).rounds)),
    }
    for name, work in parts.items():
        start = time.process_time()
        for record in every:
            work(record)
        print(f"{name}: {(time.process_time() - start) / len(every) * 1000:.1f} ms a record")


def agrees(seats: int, asked: tuple[list[int], int]) -> bool:
    """Whether `flask efficiency` says of a hand of 14 tiles less 3 a call what brute force does."""
    hand, calls = asked
    unseen = [min(2, 4 - count) for count in hand]
    (answer,) = efficiency_answers({"hand": hand, "calls": calls, "unseen": unseen, "seats": seats})
    same = answer["shanten"] == brute.shanten(hand, seats)
    for row in answer["discards"]:
        rest = brute.plus(hand, row["kind"], -1)
        same &= row["shanten"] == brute.shanten(rest, seats) and row["kinds"] == brute.accepted(
            rest, seats
        )
    return bool(same)


def print_brute(number: int) -> None:
    for seats in (4, 3):
        wrong = 0
        with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
            every = list(hands(seats, seats, number))
            results = pool.map(partial(agrees, seats), every, chunksize=20)
            for place, same in enumerate(results, 1):
                if not same:
                    wrong += 1
                if place % 100 == 0 and sys.stderr.isatty():
                    print(f"\r{place}/{number}", end="", file=sys.stderr)
        print(f"flask efficiency, {seats} seats: {wrong} of {number} hands differ from brute force")


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    every = [parse(path.read_bytes()) for path in RECORDS]
    print_walls(every)
    print_luck(every)
    print_moments(every)
    print_times(every)
    if number:
        print_brute(number)


if __name__ == "__main__":
    main()
