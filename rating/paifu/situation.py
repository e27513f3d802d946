"""Measures the danger of every kind in a situation that is given in players' notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rating.paifu.danger import danger, threat
from rating.paifu.tiles import KIND_NAMES, KINDS, PaifuError, counts, parse


class Situation(NamedTuple):
    """`hand` holds tiles (0-135), sorted. `opponents` is their number.

    `danger` is by kind (34) the largest danger among the opponents, in danger points; `unseen` the copies not seen.
    """

    hand: tuple[int, ...]
    opponents: int
    danger: tuple[int, ...]
    unseen: tuple[int, ...]


MOST_RIVERS = 3


def situation(hand: str, rivers: Sequence[str], dora: str = "", seen: str = "") -> Situation:
    """The danger of every kind against one to three opponents, all taken to be in riichi.

    All arguments are in notation (`123m406p789s11z`). `hand` is the player's own. Each of `rivers` holds what is safe
    against one opponent: its discards and what was discarded after its riichi. `dora` are the dora indicators, `seen` all
    other tiles in sight (calls, other rivers). Raises PaifuError, which names the fault, when an argument is wrong.
    """
    own, indicators, others = parse(hand), parse(dora), parse(seen)
    discards = [parse(river) for river in rivers]
    if not own:
        raise PaifuError("the hand is missing (write 123m406p789s11z)")
    if len(own) > 14:
        raise PaifuError(f"a hand has 14 tiles at most, not {len(own)}")
    if not 1 <= len(discards) <= MOST_RIVERS:
        raise PaifuError(f"one to {MOST_RIVERS} rivers are needed, not {len(discards)}")
    shown = counts([*own, *indicators, *others, *(tile for river in discards for tile in river)])
    for kind, count in enumerate(shown):
        if count > 4:
            raise PaifuError(f"{count} copies of {KIND_NAMES[kind]} are named, there are only 4")
    unseen = [4 - count for count in shown]
    safes = [[kind in {tile // 4 for tile in river} for kind in range(KINDS)] for river in discards]
    largest = threat([danger(unseen, safe) for safe in safes]).largest
    return Situation(tuple(sorted(own)), len(discards), largest, tuple(unseen))
