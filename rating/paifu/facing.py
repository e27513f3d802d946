"""Lists the discards made into a riichi: the seat, the tile, what the seat could see, and whether it dealt
in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rating.paifu.events import Discard
from rating.paifu.melds import Meld
from rating.paifu.record import Round
from rating.paifu.rons import Ron, rons
from rating.paifu.table import TableState


class Facing(NamedTuple):
    """One discard while at least one opponent is in riichi, with the table as it is just before the discard.

    Tiles are 0-135, kinds 0-33. `drawn` is True for the tile just drawn (tsumogiri). `turn` counts the seat's
    discards from 1. `in_riichi`: the seat itself declared riichi with an earlier discard. `hand` holds its
    concealed tiles with the discard. `indicators` are the dora indicators turned so far. `unseen` has 34
    counts. `safe[i]` (34 values) tells the kinds that `opponents[i]` can't win on, `opponents_held[i]` (34
    counts) its concealed tiles. `rons` are the wins on this discard, by players in riichi or not. `seats` is
    the number of players.
    """

    seats: int
    seat: int
    tile: int
    drawn: bool
    turn: int
    in_riichi: bool
    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    indicators: tuple[int, ...]
    unseen: tuple[int, ...]
    opponents: tuple[int, ...]
    safe: tuple[tuple[bool, ...], ...]
    opponents_held: tuple[tuple[int, ...], ...]
    rons: tuple[Ron, ...]

    @property
    def kind(self) -> int:
        return self.tile // 4


def facings(played: Round) -> Iterator[Facing]:
    """Yield the discards of the round into a riichi, in order of play."""
    table = TableState(played)
    waiting: Facing | None = None
    for event in played.events:
        if type(event) is Discard:
            if waiting is not None:
                yield waiting
            waiting = _facing(table, event)
        table.apply(event)
    if waiting is not None:
        yield waiting._replace(rons=_rons(played, waiting))


def _rons(played: Round, waiting: Facing) -> tuple[Ron, ...]:
    """The rons on `waiting`, the round's last discard into a riichi; none when a kan or kita was robbed
    instead."""
    thrown = (waiting.seat, waiting.tile)
    return tuple(ron for ron in rons(played) if not ron.robbed and (ron.giver, ron.tile) == thrown)


def _facing(table: TableState, event: Discard) -> Facing | None:
    seat = event.seat
    opponents = tuple(
        other for other, declared in enumerate(table.riichi) if declared is not None and other != seat
    )
    if not opponents:
        return None
    return Facing(
        seats=table.seats,
        seat=seat,
        tile=event.tile,
        drawn=event.drawn,
        turn=len(table.rivers[seat]) + 1,
        in_riichi=table.in_riichi(seat),
        hand=tuple(sorted(table.hands[seat])),
        melds=tuple(table.melds[seat]),
        indicators=tuple(table.indicators),
        unseen=tuple(table.unseen(seat)),
        opponents=opponents,
        safe=tuple(tuple(table.safe(other)) for other in opponents),
        opponents_held=tuple(tuple(table.held[other]) for other in opponents),
        rons=(),
    )
