"""Luck of draws (ツモ運), of the deal (配牌運) and of ura dora (裏運), each 0 on average.

Chances are reckoned with `left`: the copies that nobody holds or has shown. What a seat cannot see
is no fair measure, since its opponents keep the useful tiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from math import sqrt
from operator import add
from typing import NamedTuple

from rating.paifu.efficiency import acceptance, shanten_of
from rating.paifu.record import Draw, Record, Round
from rating.paifu.table import TableState, replay
from rating.paifu.tiles import counts, dora_of, indicator_of

# Mean and standard deviation of the shanten of 13 random tiles, by number of seats: `python -m
# tests.tools.bench.deal` prints them.
DEAL_SHANTEN = {4: (3.581, 0.883), 3: (3.393, 0.874)}


# Standard deviations beyond which chance alone brings a game's luck less than once in twenty times.
# Of 2,700 seats of 900 real games, draws, deals and ura were beyond it in 2.2, 2.1 and 3.9 of 100,
# and beyond 1.96 in 5.4, 5.3 and 6.1: `python -m tests.tools.bench.luck_tails` counts them.
RARE_Z = 2.3


class DrawLuck(NamedTuple):
    """One draw: the chance `chance` (0-1) that it lowers the shanten (at tenpai: wins), and whether
    it did. `shanten` is that of the hand before the draw, `tile` the tile drawn."""

    round: int
    seat: int
    tile: int
    shanten: int
    chance: float
    hit: bool


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of one player in a game, or with `+` in many. `draws` is the number of useful draws
    above those expected, `variance` its variance. `dealt` is the sum over `rounds` of how many
    standard deviations nearer to tenpai each deal was than a random one. `ura` is the number of ura
    dora above those expected, `ura_variance` its variance."""

    draws: float = 0.0
    variance: float = 0.0
    dealt: float = 0.0
    rounds: int = 0
    ura: float = 0.0
    ura_variance: float = 0.0

    @property
    def z(self) -> float | None:
        """The luck of the draws in standard deviations; None where no draw could help."""
        return self.draws / sqrt(self.variance) if self.variance > 0 else None

    @property
    def deal(self) -> float:
        """The luck of the deals in standard deviations; 0.0 without rounds."""
        return self.dealt / sqrt(self.rounds) if self.rounds else 0.0

    @property
    def ura_z(self) -> float | None:
        """The luck of the ura in standard deviations; None where none was turned."""
        return self.ura / sqrt(self.ura_variance) if self.ura_variance > 0 else None

    def __add__(self, other: Luck) -> Luck:
        return Luck(*map(add, astuple(self), astuple(other)))


def draw_luck(record: Record) -> Iterator[DrawLuck]:
    """Yield every draw with its chance, in order of play; those after kans and kita and in riichi
    too.
    """
    for number, played in enumerate(record.rounds):
        table = TableState(played)
        for event in played.events:
            if type(event) is Draw:
                shanten, kinds = acceptance(table.held[event.seat], table.seats)
                hidden = table.left()
                chance = sum(hidden[kind] for kind in kinds) / sum(hidden)
                yield DrawLuck(
                    number, event.seat, event.tile, shanten, chance, event.tile // 4 in kinds
                )
            table.apply(event)


def deal_luck(played: Round) -> tuple[float, ...]:
    """How many standard deviations nearer to tenpai each dealt hand is than a random one, by
    seat.
    """
    mean, deviation = DEAL_SHANTEN[played.seats]
    return tuple(
        (mean - shanten_of(counts(hand), played.seats)) / deviation for hand in played.hands
    )


def ura_luck(played: Round) -> tuple[float, ...]:
    """The ura dora above those expected of each seat, 0.0 for those that turned none."""
    return tuple(luck for luck, _ in _uras(played))


def _uras(played: Round) -> tuple[tuple[float, float], ...]:
    """(ura dora above those expected, variance) of each seat; 0.0 for those that turned none.
    Indicators are drawn without putting back. A north taken out (kita) counts where west is turned,
    as Tenhou counts it."""
    found = [(0.0, 0.0)] * played.seats
    if not (wins := [win for win in played.wins if win.ura]):
        return tuple(found)
    *_, (_, table) = replay(played)
    left = table.left()
    seats = played.seats
    total = sum(left)
    for win in wins:
        kinds = [tile // 4 for tile in win.hand]
        kinds += [tile // 4 for meld in win.melds for tile in meld.tiles]
        hits = sum(kinds.count(dora_of(tile, seats)) for tile in win.ura)
        worth = []
        for kind in set(kinds):
            copies = left[indicator_of(kind, seats)]
            worth.append((copies, kinds.count(kind)))
        mean = sum(copies * count for copies, count in worth) / total
        square = sum(copies * count * count for copies, count in worth) / total
        variance_of_one = square - mean * mean
        number = len(win.ura)
        variance = number * variance_of_one * (total - number) / max(1, total - 1)
        found[win.seat] = (hits - number * mean, variance)
    return tuple(found)


def luck_of(record: Record) -> tuple[Luck, ...]:
    """The luck of each seat in a record, in seat order."""
    draws = [0.0] * record.seats
    variance = [0.0] * record.seats
    for drawn in draw_luck(record):
        draws[drawn.seat] += int(drawn.hit) - drawn.chance
        variance[drawn.seat] += drawn.chance * (1 - drawn.chance)
    deals = [deal_luck(played) for played in record.rounds]
    uras = [_uras(played) for played in record.rounds]
    return tuple(
        Luck(
            draws[seat],
            variance[seat],
            dealt=sum(deal[seat] for deal in deals),
            rounds=len(record.rounds),
            ura=sum(ura[seat][0] for ura in uras),
            ura_variance=sum(ura[seat][1] for ura in uras),
        )
        for seat in range(record.seats)
    )


def luck_row(luck: Luck) -> dict[str, float | None]:
    """Luck by name, for JSON: `draws` and `ura` in tiles, `z` and `deal` in standard deviations."""
    return {name: getattr(luck, name) for name in ("draws", "variance", "z", "deal", "ura")}
