"""Measures the danger of a discard against one opponent, in danger points, from what can be seen.

The danger of a tile is the sum of the weights of the waits it could deal into: tanki 1, shanpon 2,
kanchan 3, penchan 3, ryanmen 10. The weights and the rule of push or fold are those of koba::blog
「牌の危険度計算アルゴリズム」 (https://blog.kobalab.net/entry/2021/10/28/232300 is its second
part). Kinds are 0-33; lists by kind have 34 entries.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rating.paifu.tiles import FIRST_HONOUR, KINDS, present

TANKI = 1
SHANPON = 2
KANCHAN = 3
PENCHAN = 3
RYANMEN = 10


class RunWait(NamedTuple):
    """A run that a tile could complete, with the kinds `low` and `high` in the opponent's hand.

    `weight`: the danger points of this wait. `other_end`: of a ryanmen the other kind that
    completes it, else None; the wait is furiten when that kind is safe.
    """

    low: int
    high: int
    weight: int
    other_end: int | None = None


def _runs(kind: int) -> tuple[RunWait, ...]:
    """The runs that number n of a suit can complete, with n-2 n-1, n-1 n+1 or n+1 n+2; none for
    honours.
    """
    if kind >= FIRST_HONOUR:
        return ()
    n = kind % 9 + 1
    runs: list[RunWait] = []
    if n == 3:
        runs.append(RunWait(kind - 2, kind - 1, PENCHAN))
    elif n > 3:
        runs.append(RunWait(kind - 2, kind - 1, RYANMEN, other_end=kind - 3))
    if 2 <= n <= 8:
        runs.append(RunWait(kind - 1, kind + 1, KANCHAN))
    if n == 7:
        runs.append(RunWait(kind + 1, kind + 2, PENCHAN))
    elif n < 7:
        runs.append(RunWait(kind + 1, kind + 2, RYANMEN, other_end=kind + 3))
    return tuple(runs)


RUNS = tuple(_runs(kind) for kind in range(KINDS))


def danger(
    unseen: Sequence[int], safe: Sequence[bool] | Sequence[int], seats: int = 4
) -> list[int]:
    """The danger of all 34 kinds, in danger points. `unseen[k]`: copies of kind k the viewer can't
    see; `safe[k]`: the opponent can't win on k. A run does not count when no copy is left of a kind
    it needs (a wall). A ryanmen does not count when its other end is safe (suji). With three seats
    no copy of 2 to 8 of man is there, whatever `unseen` is: their danger is 0, and 1 and 9 of man
    are as honours."""
    unseen = present(unseen, seats)
    result = [0] * KINDS
    for kind in range(KINDS):
        if safe[kind]:
            continue
        points = 0
        if unseen[kind] >= 1:
            points += TANKI
        if unseen[kind] >= 2:
            points += SHANPON
        for low, high, weight, other_end in RUNS[kind]:
            is_furiten = other_end is not None and safe[other_end]
            if unseen[low] and unseen[high] and not is_furiten:
                points += weight
        result[kind] = points
    return result


def largest(dangers: Sequence[Sequence[int]]) -> list[int]:
    """The largest danger among several opponents by kind (34); 0 without an opponent."""
    if not dangers:
        return [0] * KINDS
    return [max(column) for column in zip(*dangers, strict=True)]


def suji_danger(
    unseen: Sequence[int],
    safe: Sequence[bool],
    seats: int = 4,
) -> list[int]:
    """The danger of all 34 kinds by suji alone, without walls: what koba::blog's program used
    before `danger`. Its points (「ベタオリのアルゴリズム」, after 『科学する麻雀』) tell an order
    only: at NO_SUJI and above a tile is dangerous."""
    unseen = present(unseen, seats)
    result = [0] * KINDS
    for kind in range(KINDS):
        if safe[kind]:
            continue
        name = tile_class(kind, unseen, safe, seats)
        if name.startswith("z"):
            result[kind] = min(unseen[kind], 3)
        else:
            result[kind] = SUJI_POINTS[name]
    return result


SUJI_POINTS = {
    "19": 6,
    "19 suji": 3,
    "28": 8,
    "28 suji": 4,
    "37": 8,
    "37 suji": 5,
    "456": 12,
    "456 one suji": 8,
    "456 both": 4,
}
NO_SUJI = 6


def folds(
    danger_of_tile: int, least: int, shanten: int, value: float, dangerous: int = RYANMEN
) -> bool:
    """Whether the rule of push or fold forbids to discard a tile against a riichi. `least` is the least
    danger among the tiles that could be discarded, `shanten` that of the hand (0 tenpai), `value`
    the hand's expected value in points. Without a nearly safe tile (`least` at `dangerous` or
    above) every tile may be discarded."""
    if least >= dangerous:
        return False
    more = danger_of_tile > least
    return (
        (shanten > 2 and more)
        or (shanten > 0 and value < 400 and more)
        or (shanten > 0 and value < 1200 and danger_of_tile >= dangerous)
    )


def tile_class(
    kind: int,
    unseen: Sequence[int],
    safe: Sequence[bool],
    seats: int = 4,
) -> str:
    """The class a discard is counted under, one of CLASSES: honours by copies seen, numbers by
    suji. `unseen` is that of the discarding seat, which sees the tile in its own hand: a live
    honour has 3 unseen. With three seats 1 and 9 of man, which are in no run, are counted as
    honours."""
    if kind >= FIRST_HONOUR or (seats == 3 and kind < 9):
        return ("z fresh", "z 1 seen", "z 2 seen", "z 3 seen")[3 - min(unseen[kind], 3)]
    n = kind % 9 + 1
    if 4 <= n <= 6:
        safe_ends = 0
        if safe[kind - 3]:
            safe_ends += 1
        if safe[kind + 3]:
            safe_ends += 1
        return ("456", "456 one suji", "456 both")[safe_ends]
    low = min(n, 10 - n)
    name = ("19", "28", "37")[low - 1]
    other_end = kind + 3 if n < 4 else kind - 3
    if safe[other_end]:
        return f"{name} suji"
    return name


CLASSES = (
    "z fresh",
    "z 1 seen",
    "z 2 seen",
    "z 3 seen",
    "19",
    "19 suji",
    "28",
    "28 suji",
    "37",
    "37 suji",
    "456",
    "456 one suji",
    "456 both",
)
