"""Shanten and accepted kinds by brute force, from what a complete hand is, without any code of
rating/.

The shanten of a hand is one less than the fewest tiles that must be exchanged for a complete hand,
of which no kind has more than four copies. Every set of groups and a pair that a suit can hold is
tried; the suits are then put together.
"""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

ORPHANS = (0, 8, 9, 17, 18, 26, *range(27, 34))
SIZES = [(groups, pairs) for groups in range(5) for pairs in range(2)]
FAR = 99
Costs = tuple[int, ...]  # the fewest tiles lacking for each of SIZES


@cache
def targets(
    length: int,
    runs: bool,
    usable: tuple[int, ...],
) -> dict[tuple[int, int], np.ndarray]:
    """{size: every set of so many groups and pairs of a suit}; `usable` are the numbers that
    exist.
    """
    rows = np.eye(length, dtype=int)
    groups = [3 * rows[kind] for kind in usable]
    if runs:
        runs_of_three = [[first, first + 1, first + 2] for first in range(length - 2)]
        usable_runs = [run for run in runs_of_three if set(run) <= set(usable)]
        groups += [rows[run].sum(axis=0) for run in usable_runs]
    pairs = [
        [np.zeros(length, dtype=int)],
        [2 * rows[kind] for kind in usable],
    ]
    hands = {}
    for number, pair in SIZES:
        chosen = combinations_with_replacement(groups, number)
        sets = np.array([sum(blocks, start=eyes) for blocks in chosen for eyes in pairs[pair]])
        sets = sets[sets.max(axis=1) <= 4]
        if len(sets):
            hands[number, pair] = np.unique(sets, axis=0)
    return hands


@cache
def lacking(
    counts: tuple[int, ...],
    runs: bool,
    usable: tuple[int, ...],
) -> Costs:
    hands = targets(len(counts), runs, usable)
    held = np.array(counts)
    fewest = {}
    for size, sets in hands.items():
        missing = np.maximum(sets - held, 0).sum(axis=1)
        fewest[size] = int(missing.min())
    return tuple(fewest.get(size, FAR) for size in SIZES)


def suit_costs(hand: list[int], suit: int, seats: int) -> Costs:
    if suit == 3:
        return lacking(tuple(hand[27:]), False, tuple(range(7)))
    usable = (0, 8) if suit == 0 and seats == 3 else tuple(range(9))
    return lacking(tuple(hand[9 * suit : 9 * suit + 9]), True, usable)


def together(first: Costs, second: Costs) -> Costs:
    """The costs of two suits as of one."""
    best = dict.fromkeys(SIZES, FAR)
    for (groups, pairs), cost in zip(SIZES, first, strict=True):
        for (more, also), missing in zip(SIZES, second, strict=True):
            size = (groups + more, pairs + also)
            if size in best:
                best[size] = min(best[size], cost + missing)
    return tuple(best.values())


def shanten(hand: list[int], seats: int) -> int:
    """The shanten of concealed tiles, 13 or 14 less 3 a call."""
    costs = (0, *[FAR] * 9)
    for suit in range(4):
        costs = together(costs, suit_costs(hand, suit, seats))
    standard = costs[SIZES.index((sum(hand) // 3, 1))]
    return min(standard, _special(hand, seats)) - 1


def _special(hand: list[int], seats: int) -> int:
    if sum(hand) < 13:
        return FAR
    usable = [kind for kind in range(34) if seats == 4 or not 1 <= kind <= 7]
    missing = sorted(2 - min(hand[kind], 2) for kind in usable)
    pairs = sum(missing[:7])
    held = [hand[kind] for kind in ORPHANS if hand[kind]]
    orphans = 13 - len(held)
    if max(held, default=0) < 2:
        orphans += 1  # the pair is missing too
    return min(pairs, orphans)


def accepted(hand: list[int], seats: int) -> list[int]:
    """The kinds that lower the shanten of 13 tiles less 3 a call."""
    now = shanten(hand, seats)
    groups = sum(hand) // 3
    every = [suit_costs(hand, suit, seats) for suit in range(4)]
    kinds_accepted = []
    for suit in range(4):
        others = (0, *[FAR] * 9)
        for other in set(range(4)) - {suit}:
            others = together(others, every[other])
        for kind in range(9 * suit, min(9 * suit + 9, 34)):
            if hand[kind] < 4 and (seats == 4 or not 1 <= kind <= 7):
                more = plus(hand, kind, 1)
                costs = suit_costs(more, suit, seats)
                joined = min(
                    cost + others[SIZES.index((groups - g, 1 - p))]
                    for (g, p), cost in zip(SIZES, costs, strict=True)
                    if g <= groups
                )
                if min(joined, _special(more, seats)) - 1 < now:
                    kinds_accepted.append(kind)
    return kinds_accepted


def plus(hand: list[int], kind: int, more: int) -> list[int]:
    changed = list(hand)
    changed[kind] += more
    return changed
