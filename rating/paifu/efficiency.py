"""Tile efficiency (牌効率): the shanten of a hand, the kinds that lower it, and each discard weighed by them.

A hand is a list of 34 counts of concealed tiles, its calls left out. The package `xiangting` computes shanten
and accepted kinds in 2 to 3 microseconds: seven pairs and thirteen orphans need 13 or 14 concealed tiles, and
a kind of which all four are concealed is never accepted. No yaku is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress
from typing import NamedTuple

from xiangting import PlayerCount, calculate_necessary_tiles, calculate_replacement_number, to_array

from rating.paifu.tiles import KINDS
from rating.paifu.worth import Holding, expectation, points

_KINDS = range(KINDS)
_PLAYERS = {3: PlayerCount.THREE, 4: PlayerCount.FOUR}


class DiscardChoice(NamedTuple):
    """A discard of a hand: its kind, the shanten after it, and what then lowers the shanten.

    `kinds` are all accepted kinds, ascending, those with no copy left too; `tiles` is the number of their
    copies left.
    """

    kind: int
    shanten: int
    tiles: int
    kinds: tuple[int, ...]


def shanten_of(held: list[int], seats: int = 4) -> int:
    """The shanten (0 tenpai, -1 complete) of 1 to 14 concealed tiles; their number is no multiple of
    three."""
    return calculate_replacement_number(held, _PLAYERS[seats]) - 1


def acceptance(held: list[int], seats: int = 4) -> tuple[int, tuple[int, ...]]:
    """(shanten, the kinds that lower it) of 13 concealed tiles less 3 a call.

    >>> acceptance([3, 1, 1, 1, 1, 1, 1, 1, 3] + [0] * 25)[0]
    0
    """
    number, bits = calculate_necessary_tiles(held, _PLAYERS[seats])
    return number - 1, tuple(compress(_KINDS, to_array(bits)))


def accepted(held: list[int], left: Sequence[int], seats: int = 4) -> int:
    """The number of tiles `left` (34 counts) that lower the shanten of 13 concealed tiles less 3 a call."""
    return sum(left[kind] for kind in acceptance(held, seats)[1])


def after_discards(held: list[int], kinds: Iterable[int], seats: int = 4) -> dict[int, int]:
    """{kind: shanten after discarding it} for each of `kinds`, all of which are in the hand."""
    numbers = {}
    for kind in kinds:
        held[kind] -= 1
        numbers[kind] = shanten_of(held, seats)
        held[kind] += 1
    return numbers


def choices(held: list[int], left: Sequence[int], seats: int = 4) -> list[DiscardChoice]:
    """Every discard of a hand of 14 tiles less 3 a call: the least shanten first, then the most tiles of
    those `left`."""
    found = []
    for kind in range(len(held)):
        if held[kind]:
            held[kind] -= 1
            number, kinds = acceptance(held, seats)
            held[kind] += 1
            found.append(DiscardChoice(kind, number, sum([left[other] for other in kinds]), kinds))
    return sorted(found, key=lambda choice: (choice.shanten, -choice.tiles))


def outlook(holding: Holding, unseen: Sequence[int], seats: int = 4) -> tuple[int, float]:
    """(shanten, expected value in points) of a hand about to discard, both after its best discard."""
    best = choices(list(holding.held), unseen, seats)[0]
    return best.shanten, expectation(points(holding), best.tiles, best.shanten)
