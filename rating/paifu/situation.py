"""Measures the danger of every kind, and its chance to deal in, in a situation that is given in players'
notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rating.paifu.deal_in_rate import SOURCE_RATES, DealInRate, threat
from rating.paifu.tiles import ABSENT_IN_THREE, KIND_NAMES, KINDS, PaifuError, counts, parse, present


class Situation(NamedTuple):
    """`hand` holds tiles (0-135), sorted. `opponents` is their number, `seats` that of all players.

    By kind (34): `danger` is the largest danger among the opponents, in danger points, `chance` the chance to
    deal into any of them, `unseen` the copies not seen.
    """

    hand: tuple[int, ...]
    opponents: int
    danger: tuple[int, ...]
    unseen: tuple[int, ...]
    seats: int
    chance: tuple[DealInRate, ...]


def situation(
    hand: str,
    rivers: Sequence[str],
    dora: str = "",
    seen: str = "",
    seats: int = 4,
    rates: Mapping[str, DealInRate] = SOURCE_RATES,
) -> Situation:
    """The danger of every kind against one or more opponents (at most all), all taken to be in riichi.

    All tiles are in notation (`123m406p789s11z`). `hand` is the player's own. Each of `rivers` holds what is
    safe against one opponent: its discards and what was discarded after its riichi. `dora` are the dora
    indicators, `seen` all other tiles in sight (calls, other rivers). `rates` are those of `class_rates`.
    Raises PaifuError, which names the fault, when an argument is wrong: with three seats 2m to 8m are no
    tiles.
    """
    own, indicators, others = parse(hand), parse(dora), parse(seen)
    discards = [parse(river) for river in rivers]
    if not own:
        raise PaifuError("the hand is missing (write 123m406p789s11z)")
    if len(own) > 14:
        raise PaifuError(f"a hand has 14 tiles at most, not {len(own)}")
    if not 1 <= len(discards) < seats:
        raise PaifuError(f"one to {seats - 1} rivers are needed, not {len(discards)}")
    shown = counts([*own, *indicators, *others, *(tile for river in discards for tile in river)])
    for kind, count in enumerate(shown):
        if count > 4:
            raise PaifuError(f"{count} copies of {KIND_NAMES[kind]} are named, there are only 4")
        if count and seats == 3 and kind in ABSENT_IN_THREE:
            raise PaifuError(f"there is no {KIND_NAMES[kind]} with three seats")
    unseen = present([4 - count for count in shown], seats)
    safes = [[kind in {tile // 4 for tile in river} for kind in range(KINDS)] for river in discards]
    against = threat(unseen, safes, seats, rates=rates)
    return Situation(tuple(sorted(own)), len(discards), against.largest, tuple(unseen), seats, against.chance)
