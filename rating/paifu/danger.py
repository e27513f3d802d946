"""How dangerous a discard is against one opponent, from what can be seen.

A tile's danger adds up the waits it could deal into, each weighed by how often it is met: tanki 1, shanpon 2,
kanchan 3, penchan 3, ryanmen 10. Kinds are 0-33 as in `tiles`; every list here has 34 entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rating.paifu.tiles import KIND_NAMES, KINDS, PaifuError

TANKI, SHANPON, KANCHAN, PENCHAN, RYANMEN = 1, 2, 3, 3, 10

# One run a tile could complete: the two kinds the opponent must hold, its points, and the kind that makes the wait
# furiten when it is safe (the other end of a ryanmen; -1: no such kind).
Run = tuple[int, int, int, int]

# Per cent of dealing in, per point of danger: the slope through Tenhou's measured rates (11.56 % for a live 5 at 26
# points, 7.72 for a live 2 at 16, 2.02 for a suji 1 at 3).
DEAL_IN_PER_POINT = 0.0045
# What dealing into a riichi costs on average, in points; half as much again when the dealer wins.
MEAN_LOSS = 5600.0


def _runs(kind: int) -> tuple[Run, ...]:
    """The runs kind n can complete: n-2 n-1, n-1 n+1, n+1 n+2."""
    if kind >= 27:
        return ()
    n = kind % 9 + 1
    runs: list[Run] = []
    if n >= 3:
        runs.append((kind - 2, kind - 1, *((PENCHAN, -1) if n == 3 else (RYANMEN, kind - 3))))
    if 2 <= n <= 8:
        runs.append((kind - 1, kind + 1, KANCHAN, -1))
    if n <= 7:
        runs.append((kind + 1, kind + 2, *((PENCHAN, -1) if n == 7 else (RYANMEN, kind + 3))))
    return tuple(runs)


RUNS = tuple(_runs(kind) for kind in range(KINDS))


def danger(unseen: Sequence[int], safe: Sequence[bool] | Sequence[int]) -> list[int]:
    """The danger of all 34 kinds.

    `unseen[k]`: copies of kind k the viewer can't see; `safe[k]`: the opponent can't win on k.
    A run counts nothing when either kind it needs is all seen (a wall), and as a ryanmen nothing when the kind at its
    other end is safe (suji).
    """
    result = [0] * KINDS
    for kind in range(KINDS):
        if safe[kind]:
            continue
        left = unseen[kind]
        points = TANKI + SHANPON if left >= 2 else TANKI if left == 1 else 0
        for first, second, worth, furiten in RUNS[kind]:
            if unseen[first] and unseen[second] and (furiten < 0 or not safe[furiten]):
                points += worth
        result[kind] = points
    return result


class Threat(NamedTuple):
    """Danger of all 34 kinds against several opponents: the largest, and the sum of expected loss in points."""

    largest: tuple[int, ...]
    loss: tuple[float, ...]


def threat(dangers: Sequence[Sequence[int]], losses: Sequence[float] | None = None) -> Threat:
    """Adds up dangers against several opponents; `losses[i]` is what dealing into opponent i costs (points)."""
    costs = [MEAN_LOSS] * len(dangers) if losses is None else losses
    if not dangers:
        return Threat((0,) * KINDS, (0.0,) * KINDS)
    columns = list(zip(*dangers, strict=True))
    loss = (
        sum(points * DEAL_IN_PER_POINT * cost for points, cost in zip(column, costs, strict=True))
        for column in columns
    )
    return Threat(tuple(max(column) for column in columns), tuple(loss))


def folds(danger_of_tile: int, least: int, shanten: int, value: float) -> bool:
    """Whether the rule of push or fold keeps a tile back against a riichi.

    `least` is the least danger among the tiles that could be discarded, `shanten` the hand's number (0 tenpai),
    `value` what the hand can expect in points. With nothing nearly safe to discard (least >= 10) it never folds.
    """
    if least >= 10:
        return False
    more = danger_of_tile > least
    return (
        (shanten > 2 and more)
        or (shanten > 0 and value < 400 and more)
        or (shanten > 0 and value < 1200 and danger_of_tile >= 10)
    )


def tile_class(kind: int, unseen: Sequence[int], safe: Sequence[bool]) -> str:
    """The class a discard is counted under: honours by copies seen elsewhere, numbers by suji.

    `unseen` is the discarder's own, so it no longer counts the tile in his hand: a live honour has 3 unseen.
    """
    if kind >= 27:
        return ("z fresh", "z 1 seen", "z 2 seen", "z 3 seen")[3 - min(unseen[kind], 3)]
    n = kind % 9 + 1
    if 4 <= n <= 6:
        sides = int(bool(safe[kind - 3])) + int(bool(safe[kind + 3]))
        return ("456", "456 one suji", "456 both")[sides]
    low = min(n, 10 - n)
    other = kind + 3 if n < 4 else kind - 3
    return ("19", "28", "37")[low - 1] + (" suji" if safe[other] else "")


CLASSES = (
    "z fresh", "z 1 seen", "z 2 seen", "z 3 seen", "19", "19 suji", "28", "28 suji", "37", "37 suji",
    "456", "456 one suji", "456 both",
)  # fmt: skip


def check_state(unseen: object, safe: object) -> tuple[list[int], list[bool]]:
    """A state from outside (JSON): 34 counts of 0-4 and 34 yes or no; PaifuError says what is wrong."""
    if (
        not isinstance(unseen, list)
        or not isinstance(safe, list)
        or len(unseen) != KINDS
        or len(safe) != KINDS
    ):
        raise PaifuError("a state is an object with two lists of 34: unseen and safe")
    for kind, (left, known) in enumerate(zip(unseen, safe, strict=True)):
        if isinstance(left, bool) or not isinstance(left, int) or not 0 <= left <= 4:
            raise PaifuError(f"unseen[{kind}] ({KIND_NAMES[kind]}) must be 0 to 4")
        if known not in (0, 1) or not isinstance(known, int):
            raise PaifuError(f"safe[{kind}] ({KIND_NAMES[kind]}) must be 0 or 1")
    return list(unseen), [bool(known) for known in safe]


def answers(asked: object) -> list[dict[str, list[int]]]:
    """{"danger": [34]} for each state of a list (or for one state); PaifuError names the state that is wrong."""
    found = []
    for place, state in enumerate(asked if isinstance(asked, list) else [asked], 1):
        known = state if isinstance(state, dict) else {}
        try:
            found.append({"danger": danger(*check_state(known.get("unseen"), known.get("safe")))})
        except PaifuError as error:
            raise PaifuError(f"state {place}: {error}") from None
    return found
