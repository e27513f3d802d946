"""How likely a tile is to deal into a riichi: the rate measured for its class, with an interval where counts
are few.

The rates are those of 171,650 games of four on Tenhou in 2019: koba::blog 「牌の危険度計算アルゴリズム」
(https://blog.kobalab.net/entry/2021/01/22/204805). Its classes tell tiles apart by number, suji and copies
seen. It has no table for three seats: there a class takes the rate of records with three seats once they hold
ENOUGH discards of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rating.paifu.danger import CLASSES, RUNS, danger, largest, tile_class
from rating.paifu.deal_in import DealIns
from rating.paifu.tiles import present
from rating.proportions import wilson

SOURCE_GAMES = 171_650
# Deal-ins for each discard into a riichi that is not safe, in per cent.
SOURCE_PERCENT = {
    "z fresh": 4.29, "z 1 seen": 2.11, "z 2 seen": 0.28, "z 3 seen": 0.01, "19": 6.65, "19 suji": 2.02,
    "28": 7.72, "28 suji": 3.5, "37": 8.42, "37 suji": 4.62, "456": 11.56, "456 one suji": 7.1,
    "456 both": 2.81,
}  # fmt: skip
SOURCE_GROUP_PERCENT = {"z": 1.76, "19": 6.09, "28": 7.20, "37": 7.94, "456": 9.56}
ENOUGH = 200
"""Discards of a class from which on records of three seats give its rate. At 6 % the interval is then 3.5 to
10.2 %."""

# Mean cost of dealing into a riichi, in points; it is half as much again when the dealer wins.
MEAN_LOSS = 5600.0


class DealInRate(NamedTuple):
    """A chance to deal in (0-1) with its 95 % interval. `own`: measured in the records given, not in the
    source's games.

    The source counts so many discards that its interval is the rate itself.
    """

    rate: float
    low: float
    high: float
    own: bool = False


SAFE = DealInRate(0.0, 0.0, 0.0)


def class_rates(seats: int = 4, counted: DealIns | None = None) -> dict[str, DealInRate]:
    """{class: its rate} with `seats` seats. `counted` are deal-ins of records with three seats."""
    found = {}
    for name in CLASSES:
        discards = counted.discards[name] if counted and seats == 3 else 0
        if counted and discards >= ENOUGH:
            deal_ins = counted.deal_ins[name]
            found[name] = DealInRate(deal_ins / discards, *wilson(deal_ins, discards), own=True)
        else:
            rate = SOURCE_PERCENT[name] / 100
            found[name] = DealInRate(rate, rate, rate)
    return found


SOURCE_RATES = class_rates()


def rate_class(kind: int, unseen: Sequence[int], safe: Sequence[bool], seats: int = 4) -> str:
    """The class whose rate a tile has. A ryanmen that a wall closes is none, as one that suji closes.

    So it differs from `tile_class` only where all copies of a neighbour are seen.
    """
    plain = tile_class(kind, unseen, safe, seats)
    if plain.startswith("z"):
        return plain
    left = present(unseen, seats)
    live = sum(
        bool(left[first] and left[second] and not safe[end])
        for first, second, _, end in RUNS[kind]
        if end >= 0
    )
    if plain.startswith("456"):
        return ("456 both", "456 one suji", "456")[live]
    return plain[:2] + ("" if live else " suji")


def _chances(
    points: Sequence[int],
    unseen: Sequence[int],
    safe: Sequence[bool],
    seats: int,
    rates: Mapping[str, DealInRate],
) -> list[DealInRate]:
    """The chance to deal into one opponent by kind (34); SAFE where its danger, `points`, is 0."""
    return [
        rates[rate_class(kind, unseen, safe, seats)] if danger_of_kind else SAFE
        for kind, danger_of_kind in enumerate(points)
    ]


def together(against: Sequence[DealInRate]) -> DealInRate:
    """The chance to deal into any of several opponents, taken as independent."""
    if len(against) == 1:
        return against[0]
    low, rate, high = (
        1 - math.prod(1 - bound for bound in bounds)
        for bounds in zip(*((each.low, each.rate, each.high) for each in against), strict=True)
    )
    return DealInRate(rate, low, high, any(each.own for each in against))


class Threat(NamedTuple):
    """Several opponents at once, by kind (34): the largest danger (points), the chance to deal in, the
    expected loss (points)."""

    largest: tuple[int, ...]
    chance: tuple[DealInRate, ...]
    loss: tuple[float, ...]


def threat(
    unseen: Sequence[int],
    safes: Sequence[Sequence[bool]],
    seats: int = 4,
    costs: Sequence[float] | None = None,
    rates: Mapping[str, DealInRate] = SOURCE_RATES,
) -> Threat:
    """The threat of one or more opponents; `safes[i]` are the kinds that opponent i can't win on.

    `unseen` and `safes[i]` are those of `danger`. `costs[i]` is the cost of dealing into that opponent in
    points, MEAN_LOSS where None.
    """
    costs = [MEAN_LOSS] * len(safes) if costs is None else costs
    dangers = [danger(unseen, safe, seats) for safe in safes]
    found = [
        _chances(points, unseen, safe, seats, rates) for points, safe in zip(dangers, safes, strict=True)
    ]
    columns = list(zip(*found, strict=True))
    loss = (sum(each.rate * cost for each, cost in zip(column, costs, strict=True)) for column in columns)
    return Threat(tuple(largest(dangers)), tuple(map(together, columns)), tuple(loss))
