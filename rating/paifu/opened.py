"""What the wall tells: where each copy of a wait lay, and what a round's end left undrawn and
unturned.

The wall tells which copies lie in the part that would be drawn, and after how many draws. Without
it those that nobody holds or has shown are hidden.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from rating.paifu.efficiency import acceptance
from rating.paifu.record import Call, Discard, Draw, NoWin, Record, Riichi, Round
from rating.paifu.table import TableState, WallCount
from rating.paifu.tiles import dora_of
from rating.paifu.wall import RoundWall


class CopyPlace(StrEnum):
    """Where a copy of a wait is."""

    LIVE = "live"  # still to be drawn
    DEAD_WALL = "dead wall"  # or beyond the last draw
    OWN = "own"  # in the own hand
    HELD = "held"  # in another's hand
    SHOWN = "shown"  # in a river, a call or as indicator
    HIDDEN = "hidden"  # live or in the dead wall, where the wall is unknown


MOST_DRAWS = {4: 70, 3: 55}


class Copy(NamedTuple):
    """One copy (tile 0-135) of a wait and its `place`. `seat` holds it, or
    would draw it if nobody called; else None. `draws` counts the draws until it comes, 1 for the
    very next."""

    tile: int
    place: CopyPlace
    seat: int | None = None
    draws: int | None = None


class OpenedWait(NamedTuple):
    """A tenpai hand just after the discard that made it: a riichi (`declared`), or a hand that got
    tenpai or other waits without.

    `round` is the index of the round in the record, `turn` the number of the seat's discard, from
    1, `hand` its concealed tiles after it. `waits` are all completing kinds, ascending, and
    `copies` all their copies. `live` of them are still to be drawn, `next` is the number of draws
    until the first (1 is the very next), which `next_seat` would make; None without a wall, and the
    last two where none is live. `expected` copies would be live if what nobody holds or has shown
    were shuffled anew. `furiten`: a wait lies in the own river. `won`: the seat won the round."""

    round: int
    seat: int
    turn: int
    declared: bool
    hand: tuple[int, ...]
    waits: tuple[int, ...]
    copies: tuple[Copy, ...]
    live: int | None
    next: int | None
    next_seat: int | None
    expected: float
    furiten: bool
    won: bool

    @property
    def luck(self) -> float | None:
        """How many more copies were live than expected; None without a wall."""
        return None if self.live is None else self.live - self.expected


def opened_waits(
    record: Record,
    walls: tuple[RoundWall, ...] | None,
) -> tuple[OpenedWait, ...]:
    """The riichi and other tenpai hands of a record, in order of play; `walls` are those of
    `open_walls`.
    """
    opened: list[OpenedWait] = []
    for number, played in enumerate(record.rounds):
        wall = walls[number] if walls else None
        opened += _opened_in_round(number, played, wall)
    return tuple(opened)


def _opened_in_round(number: int, played: Round, wall: RoundWall | None) -> Iterator[OpenedWait]:
    table = TableState(played)
    count = WallCount()
    waits_before: list[tuple[int, ...]] = [()] * played.seats
    for event in played.events:
        table.apply(event)
        count.apply(event)
        if type(event) is not Discard:
            continue
        seat = event.seat
        declared = table.rivers[seat][-1].riichi
        if table.riichi[seat] is not None and not declared:
            continue
        accepted = acceptance(table.held[seat], played.seats)
        waits = accepted.kinds if accepted.shanten == 0 else ()
        has_new_waits = waits not in ((), waits_before[seat])
        waits_before[seat] = waits
        if declared or has_new_waits:
            has_won = any(win.seat == seat for win in played.wins)
            yield _opened(number, table, count, seat, waits, wall, declared, has_won)


def _opened(
    number: int,
    table: TableState,
    count: WallCount,
    seat: int,
    waits: tuple[int, ...],
    wall: RoundWall | None,
    declared: bool,
    has_won: bool,
) -> OpenedWait:
    """The seat's hand as it is on the table, in the round at the index `number`."""
    river = table.rivers[seat]
    rest = wall.rest(count.drawn, count.taken) if wall else None
    copies = tuple(_copies(table, seat, waits, rest))
    live = sorted(copy.draws for copy in copies if copy.draws is not None)
    next_draws = live[0] if live else None
    hidden = table.left()
    drawable = MOST_DRAWS[table.seats] - count.drawn - count.taken
    return OpenedWait(
        round=number,
        seat=seat,
        turn=len(river),
        declared=declared,
        hand=tuple(sorted(table.hands[seat])),
        waits=waits,
        copies=copies,
        live=len(live) if wall else None,
        next=next_draws,
        next_seat=None if next_draws is None else _drawer(table, seat, next_draws),
        expected=sum(hidden[kind] for kind in waits) * drawable / sum(hidden),
        furiten=any(thrown.tile // 4 in waits for thrown in river),
        won=has_won,
    )


def _drawer(table: TableState, seat: int, draws: int) -> int:
    """Who makes the draw of this number after the seat's discard, if nobody calls."""
    return (seat + draws) % table.seats


def _copies(
    table: TableState,
    seat: int,
    waits: tuple[int, ...],
    rest: tuple[int, ...] | None,
) -> Iterator[Copy]:
    shown = {thrown.tile for river in table.rivers for thrown in river} | set(table.indicators)
    shown.update(tile for melds in table.melds for meld in melds for tile in meld.tiles)
    draws = {tile: place for place, tile in enumerate(rest or (), 1)}
    tiles = [tile for kind in waits for tile in range(4 * kind, 4 * kind + 4)]
    for tile in tiles:
        holder = next((other for other, hand in enumerate(table.hands) if tile in hand), None)
        if holder is not None:
            place = CopyPlace.OWN if holder == seat else CopyPlace.HELD
            yield Copy(tile, place, holder)
        elif tile in shown:
            yield Copy(tile, CopyPlace.SHOWN)
        elif tile in draws:
            yield Copy(tile, CopyPlace.LIVE, _drawer(table, seat, draws[tile]), draws[tile])
        else:
            place = CopyPlace.HIDDEN if rest is None else CopyPlace.DEAD_WALL
            yield Copy(tile, place)


class ComingDraw(NamedTuple):
    """A draw that did not come: the seat that would have drawn the tile if nobody had called."""

    seat: int
    tile: int


class Tenpai(NamedTuple):
    """A hand that was tenpai at the end of a round and did not win: what it waited for, and when it
    would have come. `own` counts the draws until the seat itself would have drawn a wait (tsumo),
    `first` those until anybody would; 1 is the very next draw, None means never."""

    seat: int
    riichi: bool
    waits: tuple[int, ...]
    own: int | None
    first: int | None


class RoundEnd(NamedTuple):
    """The end of a round, opened; tiles are 0-135.

    `coming` holds the draws that did not come: () where the round ended for lack of tiles. `ura`
    are the indicators under those turned that the record does not show, `ura_hits` the ura dora by
    seat which each seat in riichi would have had (0 for the others). `rinshan` is the next tile of
    the dead wall, None where it is used up."""

    coming: tuple[ComingDraw, ...]
    tenpai: tuple[Tenpai, ...]
    ura: tuple[int, ...]
    ura_hits: tuple[int, ...]
    rinshan: int | None


def round_end(played: Round, wall: RoundWall) -> RoundEnd:
    """The end of a round whose wall is known (`wall.open_walls`)."""
    table = TableState(played)
    count = WallCount()
    last = played.dealer - 1
    riichi: set[int] = set()
    for event in played.events:
        table.apply(event)
        count.apply(event)
        if isinstance(event, Draw | Discard | Call):
            last = event.seat
        elif isinstance(event, Riichi):
            riichi.add(event.seat)
    rest = wall.rest(count.drawn, count.taken)
    draws = enumerate(rest, 1)
    coming = tuple(ComingDraw((last + place) % played.seats, tile) for place, tile in draws)
    winners = {win.seat for win in played.wins}
    ura: tuple[int, ...] = ()
    if not any(win.ura for win in played.wins):
        ura = wall.ura[: count.turned]
    tenpai = []
    ura_hits = []
    for seat, held in enumerate(table.held):
        # A hand of another size is about to discard: its draw has been shown.
        if seat not in winners and sum(held) % 3 == 1:
            shanten, waits = acceptance(held, table.seats)
            if shanten == 0:
                tenpai.append(_tenpai(seat, seat in riichi, waits, coming))
        ura_hits.append(_ura_hits(table, seat, ura) if seat in riichi else 0)
    return RoundEnd(
        coming=coming,
        tenpai=tuple(tenpai),
        ura=ura,
        ura_hits=tuple(ura_hits),
        rinshan=wall.rinshan[count.taken] if count.taken < len(wall.rinshan) else None,
    )


def _ura_hits(table: TableState, seat: int, indicators: tuple[int, ...]) -> int:
    """How many ura dora the seat's hand and calls have by these indicators."""
    kinds = [tile // 4 for tile in table.hands[seat]]
    kinds += [tile // 4 for meld in table.melds[seat] for tile in meld.tiles]
    return sum(kinds.count(dora_of(tile, table.seats)) for tile in indicators)


def _tenpai(
    seat: int,
    riichi: bool,
    waits: tuple[int, ...],
    coming: tuple[ComingDraw, ...],
) -> Tenpai:
    """The hand with its waits among the draws that did not come."""
    own: int | None = None
    first: int | None = None
    for number, (drawer, tile) in enumerate(coming, 1):
        if tile // 4 not in waits:
            continue
        if first is None:
            first = number
        if own is None and drawer == seat:
            own = number
    return Tenpai(seat, riichi, waits, own, first)


EXHAUSTED = ("", "nm")  # `NoWin.type` of an empty wall, without and with nagashi mangan


def exhausted(played: Round) -> bool:
    """Whether the round ended for lack of tiles (流局), nagashi mangan included; no abortive
    draw.
    """
    endings = played.endings
    return all(isinstance(ending, NoWin) and ending.type in EXHAUSTED for ending in endings)
