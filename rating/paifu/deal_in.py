"""Deal-ins (放銃): rons, the discards into a riichi, how often they dealt in, and how likely it is.

All counts of deal-ins come from here. A deal-in is a win by ron, so a discard on which two players
win is two deal-ins, each counted by whether its winner is in riichi: push or fold can't prevent a
ron by another. A robbed kan (or kita) is a deal-in too, but no discard.

In the tables one observation is a discard and one opponent in riichi, unless the tile is safe
against that opponent. Discards of a player who is in riichi too count as well: having no choice
makes the tile no safer.

The rates are those of 171,650 games of four on Tenhou in 2019: koba::blog
「牌の危険度計算アルゴリズム」 (https://blog.kobalab.net/entry/2021/01/22/204805). Its classes
distinguish tiles by number, suji and copies seen. With three seats a class takes the rate counted on
Tenhou's top table (`reference`), and that of the records given once they hold ENOUGH discards of
it. Deal-ins become more likely with the turns.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from itertools import compress
from typing import NamedTuple, Self

from rating.paifu.danger import CLASSES, RUNS, danger, largest, tile_class
from rating.paifu.melds import Meld
from rating.paifu.record import Call, Discard, Draw, Riichi, Round
from rating.paifu.reference import DEAL_IN_PERCENT, turn_factor
from rating.paifu.table import TableState
from rating.paifu.tiles import FIRST_HONOUR, KINDS, TERMINALS_AND_HONOURS, present
from rating.proportions import wilson

TANKI = "tanki"
SHANPON = "shanpon"
PENCHAN = "penchan"
KANCHAN = "kanchan"
RYANMEN = "ryanmen"
# A wait of several shapes counts as the last of them.
SHAPES = (TANKI, SHANPON, KANCHAN, PENCHAN, RYANMEN)

# A group of a complete hand: (its lowest kind, PAIR, TRIPLET or RUN).
PAIR = 2
TRIPLET = 3
RUN = 0
Group = tuple[int, int]


def waits(held: Sequence[int]) -> dict[int, str]:
    """{kind: shape} of the kinds that complete the concealed tiles (34 counts, 13 tiles less 3 a
    call); {} if none. Waits of seven pairs and thirteen orphans are tanki. A kind with all four
    copies in the hand is no wait."""
    shape_of: dict[int, str] = {}
    counts = list(held)
    nearly_orphans = sum(counts[kind] > 0 for kind in TERMINALS_AND_HONOURS) >= 12
    for kind in range(KINDS):
        low = kind - kind % 9
        around = counts[max(low, kind - 2) : min(low + 9, kind + 3)]
        has_neighbour = kind < FIRST_HONOUR and any(around)
        may_be_orphan = nearly_orphans and kind in TERMINALS_AND_HONOURS
        if counts[kind] < 4 and (counts[kind] or has_neighbour or may_be_orphan):
            counts[kind] += 1
            shapes = _shapes_of_wait(counts, kind)
            counts[kind] -= 1
            if shapes:
                shape_of[kind] = max(shapes, key=SHAPES.index)
    return shape_of


def _shapes_of_wait(counts: list[int], kind: int) -> set[str]:
    """All shapes of the wait for `kind`, with which the hand is complete; empty if it is not."""
    shapes: set[str] = set()
    for groups in _complete(counts):
        shapes.update(_shapes(groups, kind))
    kinds = {place for place, count in enumerate(counts) if count}
    is_orphans = kinds == TERMINALS_AND_HONOURS and sum(counts) == 14
    is_seven_pairs = counts.count(2) == 7
    if is_seven_pairs or is_orphans:
        shapes.add(TANKI)
    return shapes


def main_shape(shape_of: dict[int, str]) -> str:
    """The shape a hand is counted under: of its waits' shapes the last in SHAPES; "" without a
    wait.
    """
    return max(shape_of.values(), key=SHAPES.index, default="")


def _complete(counts: list[int]) -> Iterator[list[Group]]:
    """Yield every split of the tiles into one pair and groups of three. The pair is in the suit (or
    the honours) whose number of tiles is a multiple of three plus two."""
    suits = (counts[:9], counts[9:18], counts[18:27], counts[27:])
    remainders = [sum(suit) % 3 for suit in suits]
    if sorted(remainders) != [0, 0, 0, 2]:
        return
    start = remainders.index(2) * 9
    for pair in range(start, min(start + 9, KINDS)):
        if counts[pair] >= 2:
            counts[pair] -= 2
            for groups in _threes(counts, 0):
                yield [(pair, PAIR), *groups]
            counts[pair] += 2


def _threes(counts: list[int], start: int) -> Iterator[list[Group]]:
    kind = next((kind for kind in range(start, KINDS) if counts[kind]), -1)
    if kind < 0:
        yield []
        return
    if counts[kind] >= 3:
        counts[kind] -= 3
        for groups in _threes(counts, kind):
            yield [(kind, TRIPLET), *groups]
        counts[kind] += 3
    if kind < FIRST_HONOUR and kind % 9 <= 6 and counts[kind + 1] and counts[kind + 2]:
        for step in range(3):
            counts[kind + step] -= 1
        for groups in _threes(counts, kind):
            yield [(kind, RUN), *groups]
        for step in range(3):
            counts[kind + step] += 1


def _shapes(groups: Sequence[Group], kind: int) -> Iterator[str]:
    """Yield the shape of the wait for each group that the winning kind can have completed."""
    for lowest, form in groups:
        if form == RUN and lowest <= kind <= lowest + 2:
            completes_789 = kind == lowest and lowest % 9 == 6
            completes_123 = kind == lowest + 2 and lowest % 9 == 0
            if kind == lowest + 1:
                yield KANCHAN
            elif completes_789 or completes_123:
                yield PENCHAN
            else:
                yield RYANMEN
        elif form == PAIR and kind == lowest:
            yield TANKI
        elif form == TRIPLET and kind == lowest:
            yield SHANPON


class Ron(NamedTuple):
    """One win by ron.

    `to_riichi`: the winner is in riichi. `robbed`: the tile is a kan's or kita's.
    """

    winner: int
    giver: int
    tile: int
    to_riichi: bool
    robbed: bool


class DealInCount(NamedTuple):
    """How many rons somebody's tiles gave to players in riichi, and to others."""

    to_riichi: int = 0
    to_others: int = 0

    @property
    def total(self) -> int:
        return self.to_riichi + self.to_others


def rons(played: Round) -> tuple[Ron, ...]:
    """The rons of the round, in the order of its endings; () after a tsumo or a draw, and on the
    tile of an absent player, who did not choose it."""
    away = played.away_at_end
    wins = [win for win in played.wins if not win.tsumo and win.giver not in away]
    if not wins:
        return ()
    riichi = {event.seat for event in played.events if isinstance(event, Riichi)}
    moves = [event for event in played.events if isinstance(event, Discard | Call | Draw)]
    last_discard = None
    if moves and isinstance(moves[-1], Discard):
        last_discard = (moves[-1].seat, moves[-1].tile)
    return tuple(
        Ron(
            winner=win.seat,
            giver=win.giver,
            tile=win.tile,
            to_riichi=win.seat in riichi,
            robbed=(win.giver, win.tile) != last_discard,
        )
        for win in wins
    )


def count(counted: Iterable[Ron], seat: int | None = None) -> DealInCount:
    """The deal-ins that these rons are; with `seat` that one's alone."""
    kinds = [ron.to_riichi for ron in counted if seat in (None, ron.giver)]
    return DealInCount(sum(kinds), len(kinds) - sum(kinds))


class Facing(NamedTuple):
    """One discard while at least one opponent is in riichi, with the table as it is just before the
    discard.

    Tiles are 0-135, kinds 0-33. `drawn` is True for the tile just drawn (tsumogiri). `turn` counts
    the seat's discards from 1. `in_riichi`: the seat itself declared riichi with an earlier
    discard. `hand` are its concealed tiles with the discard. `indicators` are the dora indicators
    turned so far. `unseen` has 34 counts. `safe[i]` (34 values) are the kinds that `opponents[i]`
    can't win on, `opponents_held[i]` (34 counts) its concealed tiles. `rons` are the wins on this
    discard, by players in riichi or not. `seats`: how many play."""

    seats: int
    seat: int
    tile: int
    drawn: bool
    turn: int
    in_riichi: bool
    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    indicators: tuple[int, ...]
    unseen: tuple[int, ...]
    opponents: tuple[int, ...]
    safe: tuple[tuple[bool, ...], ...]
    opponents_held: tuple[tuple[int, ...], ...]
    rons: tuple[Ron, ...]

    @property
    def kind(self) -> int:
        return self.tile // 4


def facings(played: Round) -> Iterator[Facing]:
    """Yield the discards of the round into a riichi, in order of play: none of an absent player."""
    table = TableState(played)
    waiting: Facing | None = None
    for event in played.events:
        if type(event) is Discard:
            if waiting is not None:
                yield waiting
            waiting = _facing(table, event)
        table.apply(event)
    # The round's last discard into a riichi; a robbed kan's ron is not on it.
    if waiting is not None:
        rons_on_it = tuple(
            ron
            for ron in rons(played)
            if ron.giver == waiting.seat and ron.tile == waiting.tile and not ron.robbed
        )
        yield waiting._replace(rons=rons_on_it)


def _facing(table: TableState, discard: Discard) -> Facing | None:
    """The discard about to be made at the table; None where no opponent is in riichi, or the
    player is absent."""
    seat = discard.seat
    opponents = tuple(
        opponent
        for opponent, place in enumerate(table.riichi)
        if place is not None and opponent != seat
    )
    if not opponents or seat in table.away:
        return None
    return Facing(
        seats=table.seats,
        seat=seat,
        tile=discard.tile,
        drawn=discard.drawn,
        turn=len(table.rivers[seat]) + 1,
        in_riichi=table.in_riichi(seat),
        hand=tuple(sorted(table.hands[seat])),
        melds=tuple(table.melds[seat]),
        indicators=tuple(table.indicators),
        unseen=tuple(table.unseen(seat)),
        opponents=opponents,
        safe=tuple(tuple(table.safe(opponent)) for opponent in opponents),
        opponents_held=tuple(tuple(table.held[opponent]) for opponent in opponents),
        rons=(),
    )


@dataclass(slots=True)
class CountSums:
    """Counts that add up field by field: numbers, counters, and dictionaries of such counts."""

    def __iadd__(self, other: Self) -> Self:
        for sum_field in fields(self):
            value = getattr(self, sum_field.name)
            addition = getattr(other, sum_field.name)
            if isinstance(value, Counter):
                value.update(addition)
            elif isinstance(value, dict):
                for key, number in addition.items():
                    value[key] += number
            else:
                setattr(self, sum_field.name, value + addition)
        return self

    def __add__(self, other: Self) -> Self:
        total = type(self)()
        total += self
        total += other
        return total


GROUPS = ("z", "19", "28", "37", "456")


_held_waits = lru_cache(1024)(waits)  # a hand in riichi is the same at every discard


@dataclass(slots=True)
class DealIns(CountSums):
    """Counts of observations and deal-ins by class of tile and by shape of the opponent's wait.
    `class_shape` counts deal-ins by (class, shape of the wait on the discarded tile). `robbed`
    counts the rons by players in riichi on the tile of a kan or kita."""

    discards: Counter[str] = field(default_factory=Counter)
    deal_ins: Counter[str] = field(default_factory=Counter)
    shape_discards: Counter[str] = field(default_factory=Counter)
    shape_deal_ins: Counter[str] = field(default_factory=Counter)
    class_shape: Counter[tuple[str, str]] = field(default_factory=Counter)
    robbed: int = 0

    def count(self, facing: Facing) -> None:
        """Add one discard."""
        winners = {ron.winner for ron in facing.rons if ron.to_riichi}
        for opponent, safe, held in zip(
            facing.opponents, facing.safe, facing.opponents_held, strict=True
        ):
            if safe[facing.kind]:
                continue
            shape_of = _held_waits(held)
            name = tile_class(facing.kind, facing.unseen, safe, facing.seats)
            shape = main_shape(shape_of)
            self.discards[name] += 1
            self.shape_discards[shape] += 1
            if opponent in winners:
                self.deal_ins[name] += 1
                self.shape_deal_ins[shape] += 1
                self.class_shape[name, shape_of.get(facing.kind, shape)] += 1

    def by_class(self) -> dict[str, dict[str, float]]:
        """{class: {"discards", "deal_ins", "rate" (0-1), "low", "high", and deal-ins by shape of
        wait}} for every class; `low` and `high` are the 95 % interval of the rate."""
        return {name: self._of_classes(name) for name in CLASSES}

    def tables(self) -> dict[str, dict[str, dict[str, float]]]:
        """`by_class` as "classes"; the same in five "groups": honours, and 19, 28, 37, 456, each
        with and without suji together; and the rates by shape of the riichi's wait as
        "wait_shapes"."""
        groups: dict[str, dict[str, float]] = {}
        for group in GROUPS:
            names = [name for name in CLASSES if name.startswith(group)]
            groups[group] = self._of_classes(*names)
        wait_shapes: dict[str, dict[str, float]] = {}
        for shape in SHAPES:
            wait_shapes[shape] = _rate(self.shape_discards[shape], self.shape_deal_ins[shape])
        return {"classes": self.by_class(), "groups": groups, "wait_shapes": wait_shapes}

    def _of_classes(self, *names: str) -> dict[str, float]:
        """The rate of these classes together, and their deal-ins by shape of wait."""
        discards = sum(self.discards[name] for name in names)
        deal_ins = sum(self.deal_ins[name] for name in names)
        row = _rate(discards, deal_ins)
        for shape in SHAPES:
            row[shape] = sum(self.class_shape[name, shape] for name in names)
        return row


def _rate(discards: int, deal_ins: int) -> dict[str, float]:
    low, high = wilson(deal_ins, discards)
    rate = 0.0
    if discards:
        rate = deal_ins / discards
    return {"discards": discards, "deal_ins": deal_ins, "rate": rate, "low": low, "high": high}


SOURCE_GAMES = 171_650
# Deal-ins for each discard into a riichi that is not safe, in per cent.
SOURCE_PERCENT = {
    "z fresh": 4.29,
    "z 1 seen": 2.11,
    "z 2 seen": 0.28,
    "z 3 seen": 0.01,
    "19": 6.65,
    "19 suji": 2.02,
    "28": 7.72,
    "28 suji": 3.5,
    "37": 8.42,
    "37 suji": 4.62,
    "456": 11.56,
    "456 one suji": 7.1,
    "456 both": 2.81,
}
SOURCE_GROUP_PERCENT = {"z": 1.76, "19": 6.09, "28": 7.20, "37": 7.94, "456": 9.56}
# Discards of a class from which on records of three seats give its rate. At 6 % the interval is
# then 3.5 to 10.2 %.
ENOUGH = 200

# Mean cost of dealing into a riichi by number of seats, in points; half as much again when the
# dealer wins. Three seats: 1,535 deal-ins into riichi of others than the dealer, in the games of
# `reference`.
MEAN_LOSS = {3: 8150.0, 4: 5600.0}


class DealInRate(NamedTuple):
    """A chance to deal in (0-1) with its 95 % interval. `own`: measured in the records given, not
    in the source's games. The source counts so many discards that its interval is the rate itself.
    """

    rate: float
    low: float
    high: float
    own: bool = False

    def times(self, factor: float) -> DealInRate:
        return DealInRate(
            rate=min(1.0, factor * self.rate),
            low=min(1.0, factor * self.low),
            high=min(1.0, factor * self.high),
            own=self.own,
        )


SAFE = DealInRate(0.0, 0.0, 0.0)


def source_percent(seats: int, name: str) -> float:
    """The rate of a class at any turn, in per cent."""
    if seats == 4:
        return SOURCE_PERCENT[name]
    return DEAL_IN_PERCENT[name][0]


def class_rates(seats: int = 4, counted: DealIns | None = None) -> dict[str, DealInRate]:
    """{class: its rate} with `seats` seats. `counted` are deal-ins of records with three seats."""
    rates = {}
    for name in CLASSES:
        if counted and seats == 3 and counted.discards[name] >= ENOUGH:
            discards = counted.discards[name]
            deal_ins = counted.deal_ins[name]
            rates[name] = DealInRate(deal_ins / discards, *wilson(deal_ins, discards), own=True)
        else:
            rate = source_percent(seats, name) / 100
            rates[name] = DealInRate(rate, rate, rate)
    return rates


SOURCE_RATES = class_rates()


def rate_class(
    kind: int,
    unseen: Sequence[int],
    safe: Sequence[bool],
    seats: int = 4,
) -> str:
    """The class whose rate a tile has. A ryanmen that a wall closes is none, as one that suji
    closes. So it differs from `tile_class` only where all copies of a neighbour are seen."""
    plain = tile_class(kind, unseen, safe, seats)
    if plain.startswith("z"):
        return plain
    left = present(unseen, seats)
    live = 0  # ryanmen that may wait for the tile
    for low, high, _, other_end in RUNS[kind]:
        if other_end is not None and left[low] and left[high] and not safe[other_end]:
            live += 1
    if plain.startswith("456"):
        return ("456 both", "456 one suji", "456")[live]
    if live:
        return plain[:2]
    return f"{plain[:2]} suji"


def together(against: Sequence[DealInRate]) -> DealInRate:
    """The chance to deal into any of several opponents, taken as independent."""
    if len(against) == 1:
        return against[0]
    return DealInRate(
        rate=_any_of(chance.rate for chance in against),
        low=_any_of(chance.low for chance in against),
        high=_any_of(chance.high for chance in against),
        own=any(chance.own for chance in against),
    )


def _any_of(chances: Iterable[float]) -> float:
    """The chance of at least one of several independent events."""
    return 1 - math.prod(1 - chance for chance in chances)


class Threat(NamedTuple):
    """Several opponents at once, by kind (34): largest danger, chance to deal in, expected loss
    (points).
    """

    largest: tuple[int, ...]
    chance: tuple[DealInRate, ...]
    loss: tuple[float, ...]


def threat(
    unseen: Sequence[int],
    safes: Sequence[Sequence[bool]],
    seats: int = 4,
    costs: Sequence[float] | None = None,
    rates: Mapping[str, DealInRate] = SOURCE_RATES,
    turn: int = 0,
) -> Threat:
    """The threat of one or more opponents; `safes[i]` are the kinds that opponent i can't win on.
    `unseen` and `safes[i]` are those of `danger`. `costs[i]` is the cost of dealing into that
    opponent in points, MEAN_LOSS where None. `turn` is the number of the discard to come, from 1;
    0: unknown."""
    if costs is None:
        costs = [MEAN_LOSS[seats]] * len(safes)
    dangers = [danger(unseen, safe, seats) for safe in safes]
    chances: list[list[DealInRate]] = []  # a row an opponent, by kind
    for points, safe in zip(dangers, safes, strict=True):
        row = [SAFE] * KINDS
        for kind in compress(range(KINDS), points):
            name = rate_class(kind, unseen, safe, seats)
            row[kind] = rates[name].times(turn_factor(seats, name, turn))
        chances.append(row)
    by_kind = list(zip(*chances, strict=True))
    return Threat(
        largest=tuple(largest(dangers)),
        chance=tuple(map(together, by_kind)),
        loss=tuple(_expected_loss(column, costs) for column in by_kind),
    )


def _expected_loss(chances: Iterable[DealInRate], costs: Iterable[float]) -> float:
    """The expected loss of a discard by the chance and cost of dealing into each opponent."""
    return sum(chance.rate * cost for chance, cost in zip(chances, costs, strict=True))
