"""Lists the rons of a round, and counts each seat's deal-ins: to a player in riichi, and to another.

All counts of deal-ins come from here. A deal-in is a win by ron, so a discard on which two players win is two
deal-ins, each counted by whether its winner is in riichi. A robbed kan (or kita) is a deal-in too, but no
discard. A ron by a player who is not in riichi is no fault of push or fold, so it is counted apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rating.paifu.events import Call, Discard, Draw, Riichi
from rating.paifu.record import Record, Round


class Ron(NamedTuple):
    """One win by ron. `to_riichi`: the winner is in riichi. `robbed`: the tile (0-135) is that of a kan or
    kita."""

    winner: int
    giver: int
    tile: int
    to_riichi: bool
    robbed: bool


class DealInCount(NamedTuple):
    """How many rons somebody's tiles gave to players in riichi, and to others."""

    to_riichi: int = 0
    to_others: int = 0

    @property
    def total(self) -> int:
        return self.to_riichi + self.to_others


def rons(played: Round) -> tuple[Ron, ...]:
    """The rons of the round, in the order of its endings; () after a tsumo or a draw."""
    wins = [win for win in played.wins if not win.tsumo]
    if not wins:
        return ()
    riichi = {event.seat for event in played.events if isinstance(event, Riichi)}
    last = next(
        (event for event in reversed(played.events) if isinstance(event, Discard | Call | Draw)), None
    )
    thrown = (last.seat, last.tile) if isinstance(last, Discard) else None
    return tuple(
        Ron(win.seat, win.giver, win.tile, win.seat in riichi, (win.giver, win.tile) != thrown)
        for win in wins
    )


def count(found: Iterable[Ron]) -> DealInCount:
    """The deal-ins that these rons are."""
    kinds = [ron.to_riichi for ron in found]
    return DealInCount(sum(kinds), len(kinds) - sum(kinds))


def of_seat(found: Iterable[Ron], seat: int) -> DealInCount:
    """The deal-ins of one seat."""
    return count(ron for ron in found if ron.giver == seat)


def of_record(record: Record) -> tuple[DealInCount, ...]:
    """The deal-ins of each seat in the whole game, in seat order."""
    every = [ron for played in record.rounds for ron in rons(played)]
    return tuple(of_seat(every, seat) for seat in range(record.seats))
