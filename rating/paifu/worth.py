"""Estimates the value of an unfinished hand, and what can be expected of it, in points.

The tiles still to come are unknown, so the han are estimated from the tiles already there. The exact
value of a finished hand stands in its record; nothing here computes one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rating.paifu.tiles import EAST, GREEN, RED, TERMINALS_AND_HONOURS, WHITE

# Rough points of a child's win by han, 0 to 8; parts of a han are interpolated.
POINTS_BY_HAN = (0, 1200, 2300, 4600, 7700, 8000, 12000, 12000, 16000)
# Han of a riichi, with the usual share of ippatsu, tsumo and ura dora.
RIICHI_HAN = 1.6
DEALER = 1.5  # the dealer wins half as much again


class Holding(NamedTuple):
    """A hand as its owner sees it. Kinds are 0-33.

    `held` has 34 counts of concealed tiles, `called` the kinds of each call. `open`: a tile of another seat
    was called. `red` is the number of red fives in the hand and its calls. `dora` lists the dora kinds, once
    per indicator. `yakuhai` lists the kinds whose triplet is a yaku, a double wind twice.
    """

    held: Sequence[int]
    called: tuple[tuple[int, ...], ...] = ()
    open: bool = False
    red: int = 0
    dora: tuple[int, ...] = ()
    yakuhai: tuple[int, ...] = (WHITE, GREEN, RED)
    dealer: bool = False


def yakuhai_of(seat: int, dealer: int, number: int, seats: int) -> tuple[int, ...]:
    """The yakuhai of a seat in round `number` (0 is east 1, four a wind); a double wind twice."""
    return (WHITE, GREEN, RED, EAST + number // 4 % 4, EAST + (seat - dealer) % seats)


def points(holding: Holding) -> float:
    """The estimated points of the finished hand; 0 for an open hand with no yaku in sight."""
    every, han = _all(holding), yaku(holding)
    if holding.open and han < 0.5:
        return 0.0
    han += holding.red + sum(every[kind] for kind in holding.dora)
    if not holding.open:
        han += RIICHI_HAN
    whole = min(int(han), len(POINTS_BY_HAN) - 1)
    above = min(whole + 1, len(POINTS_BY_HAN) - 1)
    worth = POINTS_BY_HAN[whole] + (han - whole) * (POINTS_BY_HAN[above] - POINTS_BY_HAN[whole])
    return worth * (DEALER if holding.dealer else 1.0)


def yaku(holding: Holding) -> float:
    """The estimated han of yakuhai, tanyao and half-flush, without riichi; unfinished ones count half."""
    every = _all(holding)
    han = sum(1.0 if every[kind] >= 3 else 0.5 if every[kind] == 2 else 0.0 for kind in holding.yakuhai)
    # Tanyao: 1 han without a terminal or honour, half with at most two of them; none when one is called.
    if not any(kind in TERMINALS_AND_HONOURS for call in holding.called for kind in call):
        in_the_way = sum(every[kind] for kind in TERMINALS_AND_HONOURS)
        han += 1.0 if in_the_way == 0 else 0.5 if in_the_way <= 2 else 0.0
    # Half-flush: 3 han closed, 2 open, with at most one tile of other suits; half as much with two or three.
    suit = max(sum(every[start : start + 9]) for start in (0, 9, 18))
    in_the_way = sum(every[:27]) - suit
    flush = 2.0 if holding.open else 3.0
    return han + (flush if in_the_way <= 1 else flush / 2 if in_the_way <= 3 else 0.0)


def _all(holding: Holding) -> list[int]:
    """Counts of the concealed and the called tiles together, by kind."""
    every = list(holding.held)
    for call in holding.called:
        for kind in call:
            every[kind] += 1
    return every


def expectation(value: float, accepted: int, shanten: int) -> float:
    """The expected value of a hand in points: `value` times a rough chance to win.

    `accepted` is the number of unseen tiles that lower the shanten. The chance is 1 with twelve such tiles at
    tenpai; each shanten more needs six times as many for the same chance.
    """
    return value * min(1.0, accepted / (12 * 6.0 ** max(shanten, 0)))
