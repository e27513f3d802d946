"""Tile efficiency (牌効率): the shanten after each discard, and how many tiles would lower it.

A hand is a list of 34 counts of concealed tiles. The shanten function is that of the package `mahjong` by default; the
duplicate games give the faster one of their engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rating.paifu.tiles import KINDS
from rating.paifu.worth import Holding, expectation, points

Shanten = Callable[[list[int]], int]


def shanten_of(held: list[int]) -> int:
    """The shanten (0 tenpai, -1 complete) of 1 to 14 concealed tiles, by the package `mahjong`."""
    from mahjong.shanten import Shanten as Reference

    number: int = Reference.calculate_shanten(held)
    return number


# For each kind, the kinds that can form a group with it: itself and, in a suit, up to two numbers to each side.
_NEIGHBOURS = tuple(
    frozenset(other for other in range(kind - 2, kind + 3) if other // 9 == kind // 9 and 0 <= other < 27)
    if kind < 27
    else frozenset((kind,))
    for kind in range(KINDS)
)


def accepted(held: list[int], unseen: Sequence[int], now: int, shanten: Shanten = shanten_of) -> int:
    """The number of unseen tiles that lower the shanten of the hand (13 tiles less 3 a call, its shanten `now`).

    Below shanten 5 only kinds near the hand are tried: those that only thirteen orphans need are not counted.
    """
    near = {other for kind, count in enumerate(held) if count for other in _NEIGHBOURS[kind]}
    total = 0
    for kind in near if now < 5 else range(KINDS):
        if unseen[kind] and held[kind] < 4:
            held[kind] += 1
            if shanten(held) < now:
                total += unseen[kind]
            held[kind] -= 1
    return total


def after_discards(held: list[int], kinds: Iterable[int], shanten: Shanten = shanten_of) -> dict[int, int]:
    """{kind: shanten after discarding it} for each of `kinds`, all of which are in the hand."""
    numbers = {}
    for kind in kinds:
        held[kind] -= 1
        numbers[kind] = shanten(held)
        held[kind] += 1
    return numbers


def best_discards(
    held: list[int], unseen: Sequence[int], kinds: Iterable[int], shanten: Shanten = shanten_of
) -> tuple[int, dict[int, int]]:
    """(least shanten after a discard, {kind: number of tiles accepted after it} for the kinds that reach it)."""
    numbers = after_discards(held, kinds, shanten)
    least = min(numbers.values())
    widths = {}
    for kind, number in numbers.items():
        if number == least:
            held[kind] -= 1
            widths[kind] = accepted(held, unseen, least, shanten)
            held[kind] += 1
    return least, widths


def outlook(holding: Holding, unseen: Sequence[int], shanten: Shanten = shanten_of) -> tuple[int, float]:
    """(shanten, expected value in points) of a hand about to discard, both after its best discard."""
    held = list(holding.held)
    kinds = [kind for kind, count in enumerate(held) if count]
    number, widths = best_discards(held, unseen, kinds, shanten)
    return number, expectation(points(holding), max(widths.values()), number)
