"""Deal-in tables: how often discards into a riichi dealt in, by class of tile and by shape of wait.

One observation is a discard and one opponent in riichi, unless the tile is safe against that opponent.
Discards of a player who is in riichi too count as well: having no choice makes the tile no safer. A discard
on which two players in riichi win is two observations and two deal-ins. A robbed kan is a deal-in without a
discard and stands apart.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from rating.paifu.danger import CLASSES, tile_class
from rating.paifu.facing import Facing
from rating.paifu.waits import SHAPES, main_shape, waits
from rating.proportions import wilson

GROUPS = ("z", "19", "28", "37", "456")


@dataclass(slots=True)
class DealIns:
    """Counts of observations and deal-ins by class of tile and by shape of the opponent's wait.

    `class_shape` counts deal-ins by (class, shape of the wait on the discarded tile). `robbed` counts the
    rons by players in riichi on the tile of a kan or kita.
    """

    discards: Counter[str] = field(default_factory=Counter)
    deal_ins: Counter[str] = field(default_factory=Counter)
    shape_discards: Counter[str] = field(default_factory=Counter)
    shape_deal_ins: Counter[str] = field(default_factory=Counter)
    class_shape: Counter[tuple[str, str]] = field(default_factory=Counter)
    robbed: int = 0

    def count(self, facing: Facing, known: dict[tuple[int, ...], dict[int, str]]) -> None:
        """Add one discard; `known` caches the waits of hands."""
        winners = {ron.winner for ron in facing.rons if ron.to_riichi}
        for opponent, safe, held in zip(facing.opponents, facing.safe, facing.opponents_held, strict=True):
            if safe[facing.kind]:
                continue
            found = known.get(held)
            if found is None:
                found = known[held] = waits(held)
            name = tile_class(facing.kind, facing.unseen, safe, facing.seats)
            shape = main_shape(found)
            self.discards[name] += 1
            self.shape_discards[shape] += 1
            if opponent in winners:
                self.deal_ins[name] += 1
                self.shape_deal_ins[shape] += 1
                hit = found.get(facing.kind, shape)
                self.class_shape[name, hit] += 1

    def __iadd__(self, other: DealIns) -> DealIns:
        for mine, theirs in (
            (self.discards, other.discards),
            (self.deal_ins, other.deal_ins),
            (self.shape_discards, other.shape_discards),
            (self.shape_deal_ins, other.shape_deal_ins),
        ):
            mine.update(theirs)
        self.class_shape.update(other.class_shape)
        self.robbed += other.robbed
        return self

    def by_class(self) -> dict[str, dict[str, float]]:
        """{class: {"discards", "deal_ins", "rate" (0-1), "low", "high", and deal-ins by shape of wait}} for
        every class.

        `low` and `high` are the 95 % interval of the rate.
        """
        return {name: self._together([name]) for name in CLASSES}

    def by_shape(self) -> dict[str, dict[str, float]]:
        """{shape: {"discards", "deal_ins", "rate" (0-1), "low", "high"}} for the shapes of `main_shape`."""
        return {shape: _row(self.shape_discards[shape], self.shape_deal_ins[shape]) for shape in SHAPES}

    def by_group(self) -> dict[str, dict[str, float]]:
        """The same in five groups: honours, and 19, 28, 37, 456, each with and without suji together."""
        return {group: self._together([n for n in CLASSES if n.startswith(group)]) for group in GROUPS}

    def _together(self, names: list[str]) -> dict[str, float]:
        discards, deal_ins = (sum(count[n] for n in names) for count in (self.discards, self.deal_ins))
        shapes = {shape: sum(self.class_shape[n, shape] for n in names) for shape in SHAPES}
        return _row(discards, deal_ins) | shapes


def _row(discards: int, deal_ins: int) -> dict[str, float]:
    low, high = wilson(deal_ins, discards)
    rate = deal_ins / discards if discards else 0.0
    return {"discards": discards, "deal_ins": deal_ins, "rate": rate, "low": low, "high": high}
