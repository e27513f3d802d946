"""A simple player for duplicate games: it plays by tile efficiency and can fold by the rule of push or fold.

Two policies that differ only in `rule` show what folding by it is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rating.paifu.danger import NO_SUJI, RYANMEN, danger, folds, largest, suji_danger
from rating.paifu.efficiency import accepted, after_discards, shanten_of
from rating.paifu.tiles import NORTH, TERMINALS_AND_HONOURS
from rating.paifu.worth import Holding, expectation, points, yaku

CALL_AT_MOST = 4  # above this shanten only yakuhai are called


class Seen(NamedTuple):
    """What the player knows: its hand, the copies it can't see, and what is safe against each riichi (34
    values each).

    With three `seats` no copy of 2 to 8 of man is unseen.
    """

    holding: Holding
    unseen: Sequence[int]
    safe: Sequence[Sequence[bool]] = ()
    seats: int = 4


class FoldRule(NamedTuple):
    """The rule of push or fold by a measure of danger, in which a tile is dangerous from `dangerous` points
    on."""

    danger: Callable[[Sequence[int], Sequence[bool], int], list[int]]
    dangerous: int


BY_WAITS = FoldRule(danger, RYANMEN)  # a ryanmen is left
BY_SUJI = FoldRule(suji_danger, NO_SUJI)


class Policy(NamedTuple):
    """A player; `rule` says by what it folds, None that it never does."""

    rule: FoldRule | None

    def discard(self, seen: Seen, kinds: Sequence[int]) -> int:
        """Return which of `kinds` to discard."""
        held = list(seen.holding.held)
        numbers = after_discards(held, kinds, seen.seats)
        nearest = min(numbers.values())
        widths = self._widths(held, seen, numbers, nearest)
        if self.rule and seen.safe:
            kept = self._not_kept_back(self.rule, seen, kinds, nearest, max(widths.values()))
            if not kept.issuperset(widths):
                numbers = {kind: number for kind, number in numbers.items() if kind in kept}
                nearest = min(numbers.values())
                widths = self._widths(held, seen, numbers, nearest)
        return max(widths, key=lambda kind: (widths[kind], -_use(kind, seen)))

    def _widths(self, held: list[int], seen: Seen, numbers: dict[int, int], nearest: int) -> dict[int, int]:
        """{kind: number of tiles accepted after it} for the discards that give the shanten `nearest`."""
        widths = {}
        for kind, number in numbers.items():
            if number == nearest:
                held[kind] -= 1
                widths[kind] = accepted(held, seen.unseen, seen.seats)
                held[kind] += 1
        return widths

    def _not_kept_back(
        self, rule: FoldRule, seen: Seen, kinds: Sequence[int], number: int, width: int
    ) -> set[int]:
        """The kinds that the rule of push or fold allows; the least dangerous is always among them."""
        dangers = largest([rule.danger(seen.unseen, safe, seen.seats) for safe in seen.safe])
        least = min(dangers[kind] for kind in kinds)
        value = expectation(points(seen.holding), width, number)
        return {kind for kind in kinds if not folds(dangers[kind], least, number, value, rule.dangerous)}

    def calls(self, before: Seen, after: Holding) -> bool:
        """Whether to call a tile: the call lowers the shanten and a yaku is in sight.

        `before` is what is known before the call, `after` the hand after it and before its discard.
        """
        now = shanten_of(list(before.holding.held), before.seats)
        if now > CALL_AT_MOST and after.called[-1][0] not in after.yakuhai:
            return False
        then = shanten_of(list(after.held), before.seats)
        return then < now and yaku(after) >= (1.0 if then <= 0 else 0.5)

    def takes_north(self, seen: Seen) -> bool:
        """Whether to take out a north (kita): the hand without it is no farther from complete than after its
        best discard.

        >>> from rating.paifu.tiles import counts, parse
        >>> hand = Holding(counts(parse("19m19p19s1234567z5p")))
        >>> Policy(None).takes_north(Seen(hand, [2] * 34, seats=3))
        False
        """
        held = list(seen.holding.held)
        numbers = after_discards(held, [kind for kind, count in enumerate(held) if count], seen.seats)
        return numbers[NORTH] <= min(numbers.values())


def _use(kind: int, seen: Seen) -> float:
    """How useful a kind is where the accepted tiles are equal; the least useful is discarded."""
    if kind in seen.holding.dora:
        return 5.0
    if kind in seen.holding.yakuhai:
        return 0.6 if seen.unseen[kind] > 1 else 0.1
    if kind in TERMINALS_AND_HONOURS:
        return 0.3 if kind < 27 else 0.0
    return 1.0 + 0.2 * min(kind % 9, 8 - kind % 9)
