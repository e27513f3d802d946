"""What the wall shows: where each copy of a wait was, and which tiles were not drawn or turned when
the round ended.

With the wall it is known which copies would be drawn, and after how many draws. Without it those in
no hand, river, call or indicator are hidden.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from rating.paifu.efficiency import acceptance
from rating.paifu.record import Call, Discard, Draw, NoWin, Record, Riichi, Round
from rating.paifu.table import TableState, WallCount
from rating.paifu.tiles import copies_of, dora_of
from rating.paifu.wall import RoundWall


class CopyPlace(StrEnum):
    """Where a copy of a wait is."""

    LIVE = "live"  # still to be drawn
    DEAD_WALL = "dead wall"  # or beyond the last draw
    OWN = "own"  # in the hand that waits
    HELD = "held"  # in the hand of another seat
    SHOWN = "shown"  # in a river, a call or as indicator
    HIDDEN = "hidden"  # live or in the dead wall, where the wall is unknown


MOST_DRAWS = {4: 70, 3: 55}


class Copy(NamedTuple):
    """One copy (tile 0-135) of a wait and its `place`. `seat` has it in the hand, or would draw it
    if nobody called; else None. `draws` counts the draws until it comes, 1 for the very next."""

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
    last two where none is live. `expected` copies would be live on average if all tiles in no hand,
    river, call or indicator were shuffled again. `furiten`: a wait is in the own river. `won`: the
    seat won the round."""

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
        if self.live is None:
            return None
        return self.live - self.expected


def opened_waits(
    record: Record,
    walls: tuple[RoundWall, ...] | None,
) -> tuple[OpenedWait, ...]:
    """The riichi and other tenpai hands of a record, in order of play; `walls` are those of
    `open_walls`.
    """
    opened: list[OpenedWait] = []
    for number, played in enumerate(record.rounds):
        wall = None
        if walls:
            wall = walls[number]
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
        waits: tuple[int, ...] = ()
        if accepted.shanten == 0:
            waits = accepted.kinds
        has_new_waits = waits not in ((), waits_before[seat])
        waits_before[seat] = waits
        if declared or has_new_waits:
            yield _opened(
                number,
                played,
                seat=seat,
                waits=waits,
                table=table,
                count=count,
                wall=wall,
            )


def _opened(
    number: int,
    played: Round,
    *,
    seat: int,
    waits: tuple[int, ...],
    table: TableState,
    count: WallCount,
    wall: RoundWall | None,
) -> OpenedWait:
    """The seat's tenpai hand in the round at the index `number`. `table` and `count` are those just
    after its discard.
    """
    undrawn = None
    if wall is not None:
        undrawn = wall.rest(count.drawn, count.taken)
    copies = tuple(_copies(table, seat, waits, undrawn))
    live = None
    if wall is not None:
        live = sum(copy.place == CopyPlace.LIVE for copy in copies)
    next_draw, next_seat = _next_draw(copies)
    river = table.rivers[seat]
    return OpenedWait(
        round=number,
        seat=seat,
        turn=len(river),
        declared=river[-1].riichi,
        hand=tuple(sorted(table.hands[seat])),
        waits=waits,
        copies=copies,
        live=live,
        next=next_draw,
        next_seat=next_seat,
        expected=_expected_copies(table, count, waits),
        furiten=any(thrown.tile // 4 in waits for thrown in river),
        won=any(win.seat == seat for win in played.wins),
    )


class _NextDraw(NamedTuple):
    draws: int | None = None
    seat: int | None = None


def _next_draw(copies: Iterable[Copy]) -> _NextDraw:
    """The draw of the first live copy, and who would make it; None twice if none is live."""
    by_draws = {copy.draws: copy.seat for copy in copies if copy.draws is not None}
    if not by_draws:
        return _NextDraw()
    draws = min(by_draws)
    return _NextDraw(draws, by_draws[draws])


def _expected_copies(table: TableState, count: WallCount, waits: Iterable[int]) -> float:
    """The mean number of copies still to be drawn, if all hidden tiles were shuffled again."""
    hidden = table.left()
    drawable = MOST_DRAWS[table.seats] - count.drawn - count.taken
    return sum(hidden[kind] for kind in waits) * drawable / sum(hidden)


def _drawer(table: TableState, seat: int, draws: int) -> int:
    """Who makes the draw of this number after the seat's discard, if nobody calls."""
    return (seat + draws) % table.seats


def _copies(
    table: TableState,
    seat: int,
    waits: tuple[int, ...],
    undrawn: tuple[int, ...] | None,
) -> Iterator[Copy]:
    """Yield every copy of the waits; `undrawn` are the tiles still to be drawn, in order."""
    draws_until = {tile: draws for draws, tile in enumerate(undrawn or (), 1)}
    visible = _visible_tiles(table)
    for tile in chain.from_iterable(map(copies_of, waits)):
        holder = _holder(table, tile)
        if holder == seat:
            yield Copy(tile, CopyPlace.OWN, holder)
        elif holder is not None:
            yield Copy(tile, CopyPlace.HELD, holder)
        elif tile in visible:
            yield Copy(tile, CopyPlace.SHOWN)
        elif undrawn is None:
            yield Copy(tile, CopyPlace.HIDDEN)
        elif tile in draws_until:
            draws = draws_until[tile]
            yield Copy(tile, CopyPlace.LIVE, _drawer(table, seat, draws), draws)
        else:
            yield Copy(tile, CopyPlace.DEAD_WALL)


def _visible_tiles(table: TableState) -> set[int]:
    """The tiles in rivers, calls and indicators."""
    visible = set(table.indicators)
    for river in table.rivers:
        visible.update(thrown.tile for thrown in river)
    for melds in table.melds:
        for meld in melds:
            visible.update(meld.tiles)
    return visible


def _holder(table: TableState, tile: int) -> int | None:
    """The seat with the tile in its concealed hand."""
    for seat, hand in enumerate(table.hands):
        if tile in hand:
            return seat
    return None


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

    `coming` are the draws that did not come: () where the round ended for lack of tiles. `ura`
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
    for event in played.events:
        table.apply(event)
        count.apply(event)
        if isinstance(event, Draw | Discard | Call):
            last = event.seat
    undrawn = wall.rest(count.drawn, count.taken)
    coming = [
        ComingDraw((last + draws) % played.seats, tile) for draws, tile in enumerate(undrawn, 1)
    ]
    riichi = {event.seat for event in played.events if isinstance(event, Riichi)}
    ura = _unturned_ura(played, wall, count)
    rinshan = None
    if count.taken < len(wall.rinshan):
        rinshan = wall.rinshan[count.taken]
    return RoundEnd(
        coming=tuple(coming),
        tenpai=tuple(_tenpai_hands(played, table, riichi, coming)),
        ura=ura,
        ura_hits=_ura_hits_by_seat(table, riichi, ura),
        rinshan=rinshan,
    )


def _unturned_ura(played: Round, wall: RoundWall, count: WallCount) -> tuple[int, ...]:
    """The ura dora indicators that a riichi would have turned; none where a win turned them."""
    if any(win.ura for win in played.wins):
        return ()
    return wall.ura[: count.turned]


def _ura_hits_by_seat(
    table: TableState, riichi: Collection[int], indicators: tuple[int, ...]
) -> tuple[int, ...]:
    """The ura dora of each seat in riichi; 0 of the others."""
    hits = [0] * table.seats
    for seat in riichi:
        hits[seat] = _ura_hits(table, seat, indicators)
    return tuple(hits)


def _tenpai_hands(
    played: Round,
    table: TableState,
    riichi: Collection[int],
    coming: Sequence[ComingDraw],
) -> Iterator[Tenpai]:
    """Yield the tenpai hands that did not win. `riichi` are the seats in riichi."""
    winners = {win.seat for win in played.wins}
    for seat, held in enumerate(table.held):
        # A hand of another size is about to discard: its draw has been shown.
        if seat not in winners and sum(held) % 3 == 1:
            shanten, waits = acceptance(held, table.seats)
            if shanten == 0:
                yield _tenpai(seat, seat in riichi, waits, coming)


def _ura_hits(table: TableState, seat: int, indicators: tuple[int, ...]) -> int:
    """How many ura dora the seat's hand and calls have by these indicators."""
    kinds = [tile // 4 for tile in table.hands[seat]]
    for meld in table.melds[seat]:
        kinds.extend(meld.kinds)
    return sum(kinds.count(dora_of(tile, table.seats)) for tile in indicators)


def _tenpai(
    seat: int,
    riichi: bool,
    waits: tuple[int, ...],
    coming: Iterable[ComingDraw],
) -> Tenpai:
    """The hand with its waits among the draws that did not come."""
    until_own: int | None = None
    until_first: int | None = None
    for draws, (drawer, tile) in enumerate(coming, 1):
        if tile // 4 not in waits:
            continue
        if until_first is None:
            until_first = draws
        if until_own is None and drawer == seat:
            until_own = draws
    return Tenpai(seat, riichi, waits, own=until_own, first=until_first)


EXHAUSTED = ("", "nm")  # `NoWin.type` of an empty wall, without and with nagashi mangan


def exhausted(played: Round) -> bool:
    """Whether the round ended for lack of tiles (流局), nagashi mangan included; no abortive
    draw.
    """
    endings = played.endings
    return all(isinstance(ending, NoWin) and ending.type in EXHAUSTED for ending in endings)
