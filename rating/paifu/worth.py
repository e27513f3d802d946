"""What a hand that is not finished can expect: a quick guess of its value, and of its chance to get there.

The exact value of a finished hand is `mahjong`'s business; here the hand is one to four steps away and the tiles still to
come are unknown, so han are guessed from what is already there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rating.paifu.tiles import EAST, GREEN, KINDS, RED, TERMINALS_AND_HONOURS, WHITE

# Points by han at 30 fu, for a child; between whole han in a straight line.
POINTS_BY_HAN = (0, 1200, 2300, 4600, 7700, 8000, 12000, 12000, 16000)
# Riichi, with the usual share of ippatsu, tsumo and ura dora.
RIICHI_HAN = 1.6
DEALER = 1.5


class Holding(NamedTuple):
    """A hand as its owner sees it. `held` are 34 counts of concealed tiles, `called` the kinds of each call.

    `open`: another's tile was called. `red` red fives in all; `dora` the dora kinds, each as often as indicated;
    `yakuhai` the kinds a triplet of which is a yaku, a double wind twice.
    """

    held: Sequence[int]
    called: tuple[tuple[int, ...], ...] = ()
    open: bool = False
    red: int = 0
    dora: tuple[int, ...] = ()
    yakuhai: tuple[int, ...] = (WHITE, GREEN, RED)
    dealer: bool = False


def yakuhai_of(seat: int, dealer: int, number: int, seats: int) -> tuple[int, ...]:
    """The yakuhai kinds of a seat in round `number` (4 a wind)."""
    return (WHITE, GREEN, RED, EAST + number // 4 % 4, EAST + (seat - dealer) % seats)


def points(holding: Holding) -> float:
    """What the hand would win by, guessed, in points; 0 for an open hand with no yaku in sight."""
    every, han = _all(holding), yaku(holding)
    if holding.open and han < 0.5:
        return 0.0
    han += holding.red + sum(every[kind] for kind in holding.dora)
    if not holding.open:
        han += RIICHI_HAN
    return _by_han(han) * (DEALER if holding.dealer else 1.0)


def yaku(holding: Holding) -> float:
    """Han of the yaku in sight, riichi apart: yakuhai, tanyao and a half-flush, in part where they are in part there."""
    every = _all(holding)
    return _yakuhai(every, holding.yakuhai) + _tanyao(every, holding.called) + _flush(every, holding.open)


def _all(holding: Holding) -> list[int]:
    """The concealed and the called tiles together, by kind."""
    every = list(holding.held)
    for call in holding.called:
        for kind in call:
            every[kind] += 1
    return every


def _yakuhai(every: Sequence[int], yakuhai: Iterable[int]) -> float:
    return sum(1.0 if every[kind] >= 3 else 0.5 if every[kind] == 2 else 0.0 for kind in yakuhai)


def _tanyao(every: Sequence[int], called: Iterable[tuple[int, ...]]) -> float:
    """1 when there is no terminal or honour, half when at most two tiles stand in the way; 0 when one is called."""
    if any(kind in TERMINALS_AND_HONOURS for call in called for kind in call):
        return 0.0
    in_the_way = sum(every[kind] for kind in TERMINALS_AND_HONOURS)
    return 1.0 if in_the_way == 0 else 0.5 if in_the_way <= 2 else 0.0


def _flush(every: Sequence[int], is_open: bool) -> float:
    """Half-flush: 3 han closed, 2 open, when at most one tile stands in the way; half of it up to three."""
    honours = sum(every[27:KINDS])
    suit = max(sum(every[start : start + 9]) for start in (0, 9, 18))
    in_the_way = sum(every) - suit - honours
    han = 2.0 if is_open else 3.0
    return han if in_the_way <= 1 else han / 2 if in_the_way <= 3 else 0.0


def _by_han(han: float) -> float:
    whole = min(int(han), len(POINTS_BY_HAN) - 1)
    above = min(whole + 1, len(POINTS_BY_HAN) - 1)
    return POINTS_BY_HAN[whole] + (han - whole) * (POINTS_BY_HAN[above] - POINTS_BY_HAN[whole])


def expectation(value: float, accepted: int, shanten: int) -> float:
    """The expected value of a hand in points: its value, less for each step away.

    `accepted` counts the unseen tiles that bring it nearer. Twelve such tiles at tenpai stand for a certain win; every
    step further away needs six times as many.
    """
    return value * min(1.0, accepted / (12 * 6.0 ** max(shanten, 0)))
