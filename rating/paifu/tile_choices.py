"""The discards of a game weighed by tile efficiency (牌効率), while nobody is in riichi.

Each is compared with the discard that leaves the hand nearest to complete, and then accepts the most tiles
that the seat cannot see. It speaks of speed alone, not of the hand's value; against a riichi `review` judges.
The ban on swap-calling (喰い替え) is ignored.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rating.paifu.efficiency import DiscardChoice, choices
from rating.paifu.events import Discard
from rating.paifu.record import Record
from rating.paifu.table import TableState

# The mean loss up to which 10, 30, 60 and 85 % of players stand (`python -m tests.tools.bench.wall`);
# docs/paifu.md tells of what.
GRADE_BOUNDS = (0.030, 0.054, 0.082, 0.113)
GRADES = "SABCD"


class TileChoice(NamedTuple):
    """One discard (tile 0-135) while nobody is in riichi, and what it could have been.

    `turn` counts the seat's discards from 1. `hand` holds the concealed tiles before it. `best` is the best
    discard (of equal ones the one made, else the lowest kind), `taken` the one made. `loss` is 0 for the best
    and those equal to it, 1 where the shanten is higher than after the best, else the share of the best's
    accepted tiles that was given up.
    """

    round: int
    seat: int
    turn: int
    tile: int
    hand: tuple[int, ...]
    taken: DiscardChoice
    best: DiscardChoice
    loss: float


@dataclass(frozen=True, slots=True)
class EfficiencyRating:
    """A player's tile efficiency in a game, or with `+` in many: `best` of `decisions` without loss, and the
    sum of `losses`."""

    decisions: int = 0
    best: int = 0
    losses: float = 0.0

    @property
    def share(self) -> float | None:
        """The share (0-1) of decisions without loss; None without decisions."""
        return self.best / self.decisions if self.decisions else None

    @property
    def mean_loss(self) -> float | None:
        """The mean loss of a decision (0-1); None without decisions."""
        return self.losses / self.decisions if self.decisions else None

    @property
    def grade(self) -> str | None:
        """S, A, B, C or D by the mean loss; None without decisions."""
        loss = self.mean_loss
        return None if loss is None else GRADES[bisect_left(GRADE_BOUNDS, loss)]

    def __add__(self, other: EfficiencyRating) -> EfficiencyRating:
        return EfficiencyRating(
            self.decisions + other.decisions, self.best + other.best, self.losses + other.losses
        )


def tile_choices(record: Record) -> Iterator[TileChoice]:
    """Yield the discards of the record that tile efficiency judges, in order of play."""
    for number, played in enumerate(record.rounds):
        table = TableState(played)
        for event in played.events:
            if type(event) is Discard:
                if table.anybody_in_riichi():
                    break
                yield _choice(number, table, event)
            table.apply(event)


def _choice(number: int, table: TableState, event: Discard) -> TileChoice:
    seat = event.seat
    found = choices(table.held[seat], table.unseen(seat), table.seats)
    taken = next(choice for choice in found if choice.kind == event.tile // 4)
    loss = loss_of(taken, found[0])
    return TileChoice(
        round=number,
        seat=seat,
        turn=len(table.rivers[seat]) + 1,
        tile=event.tile,
        hand=tuple(sorted(table.hands[seat])),
        taken=taken,
        best=found[0] if loss else taken,
        loss=loss,
    )


def loss_of(taken: DiscardChoice, best: DiscardChoice) -> float:
    """What a discard gives up beside the best one: 0 to 1."""
    if taken.shanten > best.shanten:
        return 1.0
    return 1 - taken.tiles / best.tiles if best.tiles else 0.0


def efficiency_of(record: Record) -> tuple[EfficiencyRating, ...]:
    """The tile efficiency of each seat in a record, in seat order."""
    found = [EfficiencyRating()] * record.seats
    for choice in tile_choices(record):
        found[choice.seat] += EfficiencyRating(1, int(choice.loss == 0), choice.loss)
    return tuple(found)


def efficiency_row(rating: EfficiencyRating) -> dict[str, float | str | None]:
    """Tile efficiency by name, for JSON: `best` is a share, `mean_loss` 0 to 1; null without decisions."""
    return {
        "decisions": rating.decisions,
        "best": rating.share,
        "mean_loss": rating.mean_loss,
        "grade": rating.grade,
    }
