"""What the wall tells of a round's end: the draws that did not come, the ura that were not turned, the
rinshan tile not taken."""

from __future__ import annotations

from typing import NamedTuple

from rating.paifu.draws import WallCount
from rating.paifu.efficiency import acceptance
from rating.paifu.events import Call, Discard, Draw, Riichi
from rating.paifu.record import NoWin, Round
from rating.paifu.table import TableState
from rating.paifu.tiles import dora_of
from rating.paifu.wall import RoundWall


class Tenpai(NamedTuple):
    """A hand that was tenpai at the end of a round and did not win: what it waited for, and when it would
    have come.

    `own` counts the draws until the seat itself would have drawn a wait (tsumo), `first` those until anybody
    would; 1 is the very next draw, None means never.
    """

    seat: int
    riichi: bool
    waits: tuple[int, ...]
    own: int | None
    first: int | None


class RoundEnd(NamedTuple):
    """The end of a round, opened; tiles are 0-135.

    `coming` holds (seat, tile) of the draws that did not come, if nobody had called: () where the round ended
    for lack of tiles. `ura` are the indicators under those turned that the record does not show, `ura_hits`
    the ura dora by seat which each seat in riichi would have had (0 for the others). `rinshan` is the next
    tile of the dead wall, None where it is used up.
    """

    coming: tuple[tuple[int, int], ...]
    tenpai: tuple[Tenpai, ...]
    ura: tuple[int, ...]
    ura_hits: tuple[int, ...]
    rinshan: int | None


def round_end(played: Round, wall: RoundWall) -> RoundEnd:
    """The end of a round whose wall is known (`wall_check.open_walls`)."""
    table, count, last = TableState(played), WallCount(), played.dealer - 1
    riichi: set[int] = set()
    for event in played.events:
        table.apply(event)
        count.apply(event)
        if isinstance(event, Draw | Discard | Call):
            last = event.seat
        elif isinstance(event, Riichi):
            riichi.add(event.seat)
    rest = wall.rest(count.drawn, count.taken)
    coming = tuple(((last + place) % played.seats, tile) for place, tile in enumerate(rest, 1))
    winners = {win.seat for win in played.wins}
    shown = any(win.ura for win in played.wins)
    ura = () if shown else wall.ura[: count.turned]
    return RoundEnd(
        coming=coming,
        tenpai=tuple(
            tenpai
            for seat in range(played.seats)
            if seat not in winners and (tenpai := _tenpai(table, seat, seat in riichi, coming))
        ),
        ura=ura,
        ura_hits=tuple(_hits(table, seat, ura) if seat in riichi else 0 for seat in range(played.seats)),
        rinshan=wall.rinshan[count.taken] if count.taken < len(wall.rinshan) else None,
    )


def _tenpai(table: TableState, seat: int, riichi: bool, coming: tuple[tuple[int, int], ...]) -> Tenpai | None:
    held = table.held[seat]
    if sum(held) % 3 != 1:  # the hand that was about to discard: its draw has been shown
        return None
    shanten, waits = acceptance(held, table.seats)
    if shanten != 0:
        return None
    found = [(place, drawer) for place, (drawer, tile) in enumerate(coming, 1) if tile // 4 in waits]
    own = next((place for place, drawer in found if drawer == seat), None)
    return Tenpai(seat, riichi, waits, own, found[0][0] if found else None)


def _hits(table: TableState, seat: int, ura: tuple[int, ...]) -> int:
    kinds = [tile // 4 for tile in table.hands[seat]]
    kinds += [tile // 4 for meld in table.melds[seat] for tile in meld.tiles]
    return sum(kinds.count(dora_of(tile, table.seats)) for tile in ura)


def exhausted(played: Round) -> bool:
    """Whether the round ended because the wall was empty (流局), nagashi mangan included; no abortive
    draw."""
    return all(isinstance(ending, NoWin) and ending.type in ("", "nm") for ending in played.endings)
