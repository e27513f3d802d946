"""A plain player: goes straight for the hand by tile efficiency, and, if it folds, keeps back what the rule keeps back.

Two of these that differ in `folds` alone show what folding is worth. Everything a decision needs comes in as values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rating.paifu.danger import danger, folds, threat
from rating.paifu.efficiency import Shanten, accepted, after_discards
from rating.paifu.tiles import TERMINALS_AND_HONOURS
from rating.paifu.worth import Holding, expectation, points, yaku

CALL_AT_MOST = 4  # farther from tenpai than this only a yakuhai is called


class Seen(NamedTuple):
    """What the player knows when it acts: its hand, the copies unseen, and what is safe against each riichi (34 each)."""

    holding: Holding
    unseen: Sequence[int]
    safe: Sequence[Sequence[bool]] = ()


class Policy(NamedTuple):
    folds: bool
    shanten: Shanten

    def discard(self, seen: Seen, kinds: Sequence[int]) -> int:
        """The kind to discard, of those allowed."""
        held = list(seen.holding.held)
        numbers = after_discards(held, kinds, self.shanten)
        nearest = min(numbers.values())
        widths = self._widths(held, seen, numbers, nearest)
        if self.folds and seen.safe:
            kept = self._not_kept_back(seen, kinds, nearest, max(widths.values()))
            if not kept.issuperset(widths):
                numbers = {kind: number for kind, number in numbers.items() if kind in kept}
                nearest = min(numbers.values())
                widths = self._widths(held, seen, numbers, nearest)
        return max(widths, key=lambda kind: (widths[kind], -_use(kind, seen)))

    def _widths(self, held: list[int], seen: Seen, numbers: dict[int, int], nearest: int) -> dict[int, int]:
        """Kind -> tiles accepted after it, of the discards that leave the hand nearest."""
        widths = {}
        for kind, number in numbers.items():
            if number == nearest:
                held[kind] -= 1
                widths[kind] = accepted(held, seen.unseen, nearest, self.shanten)
                held[kind] += 1
        return widths

    def _not_kept_back(self, seen: Seen, kinds: Sequence[int], number: int, width: int) -> set[int]:
        """The kinds the rule of push or fold leaves; the least dangerous is always among them."""
        largest = threat([danger(seen.unseen, safe) for safe in seen.safe]).largest
        least = min(largest[kind] for kind in kinds)
        value = expectation(points(seen.holding), width, number)
        return {kind for kind in kinds if not folds(largest[kind], least, number, value)}

    def calls(self, before: Seen, after: Holding) -> bool:
        """Whether to call a tile: the call brings the hand nearer and a yaku is in sight.

        `before` is the hand without the called tile, `after` the hand when it is called (one tile to discard).
        """
        now = self.shanten(list(before.holding.held))
        if now > CALL_AT_MOST and after.called[-1][0] not in after.yakuhai:
            return False
        then = self.shanten(list(after.held))
        return then < now and yaku(after) >= (1.0 if then <= 0 else 0.5)


def _use(kind: int, seen: Seen) -> float:
    """What a tile is worth keeping for among equals: dora, then yakuhai, then the middle tiles."""
    if kind in seen.holding.dora:
        return 5.0
    if kind in seen.holding.yakuhai:
        return 0.6 if seen.unseen[kind] > 1 else 0.1
    if kind in TERMINALS_AND_HONOURS:
        return 0.3 if kind < 27 else 0.0
    return 1.0 + 0.2 * min(kind % 9, 8 - kind % 9)
