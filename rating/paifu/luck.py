"""Luck of draws (ツモ運), of the deal (配牌運) and of ura dora (裏運), each 0 on average.

Chances are computed from `left`: the copies that are in no hand, river, call or indicator. The
copies that a seat cannot see are no fair measure, since its opponents keep the useful tiles.

Luck of draws: of each draw x is `hit` (0 or 1) and q `chance`; `draws` is the sum of x - q,
`variance` that of q (1 - q), and z is draws / sqrt(variance).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from math import sqrt
from operator import add
from typing import NamedTuple

from rating.paifu.efficiency import acceptance, shanten_of
from rating.paifu.record import Draw, Record, Round, Win
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
        return _in_deviations(self.draws, self.variance)

    @property
    def deal(self) -> float:
        """The luck of the deals in standard deviations; 0.0 without rounds."""
        if not self.rounds:
            return 0.0
        return self.dealt / sqrt(self.rounds)

    @property
    def ura_z(self) -> float | None:
        """The luck of the ura in standard deviations; None where none was turned."""
        return _in_deviations(self.ura, self.ura_variance)

    def __add__(self, other: Luck) -> Luck:
        return Luck(*map(add, astuple(self), astuple(other)))


def _in_deviations(excess: float, variance: float) -> float | None:
    """A number above the expected one in standard deviations; None where nothing could vary."""
    if variance <= 0:
        return None
    return excess / sqrt(variance)


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
                yield DrawLuck(
                    round=number,
                    seat=event.seat,
                    tile=event.tile,
                    shanten=shanten,
                    chance=sum(hidden[kind] for kind in kinds) / sum(hidden),
                    hit=event.tile // 4 in kinds,
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
    return tuple(luck.excess for luck in _ura_luck_of_seats(played))


class UraLuck(NamedTuple):
    """The ura dora of a seat in a round above those expected (`excess`), and their variance."""

    excess: float = 0.0
    variance: float = 0.0


def _ura_luck_of_seats(played: Round) -> list[UraLuck]:
    """The luck of ura of each seat; 0.0 for those that turned none."""
    by_seat = [UraLuck()] * played.seats
    wins = [win for win in played.wins if win.ura]
    if wins:
        *_, (_, table) = replay(played)
        left = table.left()
        for win in wins:
            by_seat[win.seat] = _ura_luck_of_win(win, left, played.seats)
    return by_seat


def _ura_luck_of_win(win: Win, left: Sequence[int], seats: int) -> UraLuck:
    """The ura dora of a win above those expected. `left` (34 counts) are the copies from which the
    indicators were drawn, without putting back. A north taken out (kita) counts where west is
    turned, as Tenhou counts it.

    One indicator gives a kind's count in the hand with the chance left[its indicator] / sum(left).
    For m indicators the mean is m times that of one; the variance is too, times (n - m) / (n - 1)
    with n = sum(left), the correction for drawing without putting back."""
    kinds = [tile // 4 for tile in win.hand]
    for meld in win.melds:
        kinds.extend(meld.kinds)
    hits = sum(kinds.count(dora_of(tile, seats)) for tile in win.ura)
    total = sum(left)
    hits_of_all = 0
    squares_of_all = 0
    for kind, count in Counter(kinds).items():
        copies = left[indicator_of(kind, seats)]
        hits_of_all += copies * count
        squares_of_all += copies * count * count
    mean = hits_of_all / total
    variance = squares_of_all / total - mean * mean
    number = len(win.ura)
    return UraLuck(
        excess=hits - number * mean,
        variance=number * variance * (total - number) / max(1, total - 1),
    )


def luck_of(record: Record) -> tuple[Luck, ...]:
    """The luck of each seat in a record, in seat order."""
    draws = [0.0] * record.seats
    variance = [0.0] * record.seats
    for draw in draw_luck(record):
        draws[draw.seat] += int(draw.hit) - draw.chance
        variance[draw.seat] += draw.chance * (1 - draw.chance)
    deals = [deal_luck(played) for played in record.rounds]
    uras = [_ura_luck_of_seats(played) for played in record.rounds]
    by_seat = []
    for seat in range(record.seats):
        seat_uras = [ura[seat] for ura in uras]
        luck = Luck(
            draws=draws[seat],
            variance=variance[seat],
            dealt=sum(deal[seat] for deal in deals),
            rounds=len(record.rounds),
            ura=sum(ura.excess for ura in seat_uras),
            ura_variance=sum(ura.variance for ura in seat_uras),
        )
        by_seat.append(luck)
    return tuple(by_seat)


def luck_row(luck: Luck) -> dict[str, float | None]:
    """Luck by name, for JSON: `draws` and `ura` in tiles, `z` and `deal` in standard deviations."""
    return {name: getattr(luck, name) for name in ("draws", "variance", "z", "deal", "ura")}
