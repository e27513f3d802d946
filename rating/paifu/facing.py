"""The discards made into a riichi: who, which tile, what he could see, and whether it dealt in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rating.paifu.events import Discard
from rating.paifu.melds import Meld
from rating.paifu.record import Round, Win
from rating.paifu.table import TableState


class Facing(NamedTuple):
    """One discard while at least one opponent is in riichi, seen before it is made.

    `turn` counts the discarder's discards from 1; `hand` are his concealed tiles, the discard among them; `unseen` has
    34 counts; `safe[i]` and `waits_held[i]` (34 each) belong to `opponents[i]`: what can't deal in, and the
    opponent's concealed tiles. `wins` are the wins on this discard. `indicators` are the dora indicators then.
    """

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
    wins: tuple[Win, ...]

    @property
    def kind(self) -> int:
        return self.tile // 4


def facings(played: Round) -> Iterator[Facing]:
    """The round's discards into a riichi, in order."""
    table = TableState(played)
    waiting: Facing | None = None
    for event in played.events:
        if type(event) is Discard:
            if waiting is not None:
                yield waiting
            waiting = _facing(table, event)
        table.apply(event)
    if waiting is not None:
        yield waiting._replace(wins=_wins(played, table, waiting))


def _wins(played: Round, table: TableState, waiting: Facing) -> tuple[Win, ...]:
    """The rons on the round's last discard, if `waiting` is that (a robbed kan or kita is no discard)."""
    last = table.last
    if type(last) is not Discard or (last.seat, last.tile) != (waiting.seat, waiting.tile):
        return ()
    return tuple(win for win in played.wins if win.giver == waiting.seat and win.tile == waiting.tile)


def _facing(table: TableState, event: Discard) -> Facing | None:
    seat = event.seat
    opponents = tuple(
        other for other, declared in enumerate(table.riichi) if declared is not None and other != seat
    )
    if not opponents:
        return None
    return Facing(
        seat=seat,
        tile=event.tile,
        drawn=event.drawn,
        turn=len(table.rivers[seat]) + 1,
        in_riichi=table.riichi[seat] is not None and len(table.rivers[seat]) > (table.riichi[seat] or 0),
        hand=tuple(sorted(table.hands[seat])),
        melds=tuple(table.melds[seat]),
        indicators=tuple(table.indicators),
        unseen=tuple(table.unseen(seat)),
        opponents=opponents,
        safe=tuple(tuple(table.safe(other)) for other in opponents),
        opponents_held=tuple(tuple(table.held[other]) for other in opponents),
        wins=(),
    )
