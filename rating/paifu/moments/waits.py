"""Moments of hands that wait: where the copies of a wait were, and what was never drawn."""

from collections.abc import Iterator
from typing import NamedTuple

from rating.paifu.efficiency import Acceptance, acceptance
from rating.paifu.melds import MeldType
from rating.paifu.moments.moment import Replacement, Sighting
from rating.paifu.moments.places import after_discard, after_draw
from rating.paifu.opened import Copy, CopyPlace, OpenedWait, exhausted
from rating.paifu.record import Call, Draw, Event
from rating.paifu.story import Story, drawer_of
from rating.paifu.table import TableState, WallCount
from rating.paifu.tiles import NORTH, TERMINALS_AND_HONOURS
from rating.paifu.wall import RoundWall

MANY_LIVE = 4  # live copies of a riichi that nobody drew
LEAST_URA = 2


def _declared(story: Story, riichi: OpenedWait) -> int:
    return after_discard(story.played, riichi.seat, riichi.turn)


def dead_riichi(story: Story) -> Iterator[Sighting]:
    for riichi in story.riichi:
        if riichi.live == 0 and not riichi.won:
            yield Sighting(riichi.seat, riichi.waits, at=_declared(story, riichi))


def dead_riichi_won(story: Story) -> Iterator[Sighting]:
    for riichi in story.riichi:
        if riichi.live == 0 and riichi.won:
            yield Sighting(riichi.seat, riichi.waits)


def many_live(story: Story) -> Iterator[Sighting]:
    """The round ended for lack of tiles."""
    if not exhausted(story.played):
        return
    for riichi in story.riichi:
        if riichi.live is not None and riichi.live >= MANY_LIVE:
            yield Sighting(riichi.seat, riichi.waits, riichi.live)


def last_copy(story: Story) -> Iterator[Sighting]:
    for riichi in story.riichi:
        win = story.win_of(riichi.seat)
        live = [copy.tile for copy in riichi.copies if copy.place == CopyPlace.LIVE]
        if win is not None and win.tsumo and live == [win.tile]:
            yield Sighting(riichi.seat, (win.tile // 4,))


def held_by_one(story: Story) -> Iterator[Sighting]:
    """Every copy of the waits that is not in the own hand or shown is in one other hand."""
    for riichi in story.riichi:
        holders = [copy.seat for copy in riichi.copies if copy.place == CopyPlace.HELD]
        hidden = any(
            copy.place not in (CopyPlace.OWN, CopyPlace.SHOWN, CopyPlace.HELD)
            for copy in riichi.copies
        )
        if len(holders) >= 2 and len(set(holders)) == 1 and not hidden:
            yield Sighting(
                riichi.seat,
                riichi.waits,
                subject=len(holders),
                other=holders[0],
                at=_declared(story, riichi),
            )


def same_wait(story: Story) -> Iterator[Sighting]:
    for place, riichi in enumerate(story.riichi):
        for earlier in story.riichi[:place]:
            if riichi.waits and riichi.waits == earlier.waits:
                at = _declared(story, riichi)
                yield Sighting(riichi.seat, riichi.waits, other=earlier.seat, at=at)


def orphans(story: Story) -> Iterator[Sighting]:
    """Tenpai for thirteen orphans that did not win; the first of each seat."""
    seats: set[int] = set()
    for wait in story.opened:
        kinds = {tile // 4 for tile in wait.hand}
        nearly_orphans = len(kinds) >= 12 and kinds <= TERMINALS_AND_HONOURS
        if nearly_orphans and not wait.won and wait.seat not in seats:
            seats.add(wait.seat)
            yield Sighting(wait.seat, wait.waits, at=_declared(story, wait))


def next_draw(story: Story) -> Iterator[Sighting]:
    """The seat's own next draw would have won."""
    if story.end is None:
        return
    for tenpai in story.end.tenpai:
        if tenpai.own is not None and tenpai.own <= story.record.seats:
            yield Sighting(tenpai.seat, tenpai.waits)


def shifted(story: Story) -> Iterator[Sighting]:
    """The first copy of a riichi's waits was to be its own draw, and a call or kan gave it to
    another.
    """
    for riichi in story.riichi:
        live = (copy for copy in riichi.copies if copy.place == CopyPlace.LIVE)
        first = min(live, key=_draws, default=None)
        if first is None or first.seat != riichi.seat or riichi.won:
            continue
        drawer = drawer_of(story.played, first.tile)
        if drawer is not None and drawer != riichi.seat:
            yield Sighting(riichi.seat, (first.tile // 4,))


def _draws(copy: Copy) -> int:
    return copy.draws or 0


def ura_unturned(story: Story) -> Iterator[Sighting]:
    """Ura dora that a hand in riichi would have had."""
    if story.end is None:
        return
    for seat, hits in enumerate(story.end.ura_hits):
        if hits >= LEAST_URA:
            yield Sighting(seat, subject=hits)


def rinshan_asleep(story: Story) -> Iterator[Sighting]:
    """The next tile of the dead wall completes a hand in riichi that did not win."""
    if story.end is None or story.end.rinshan is None:
        return
    kind = story.end.rinshan // 4
    for tenpai in story.end.tenpai:
        if tenpai.riichi and kind in tenpai.waits:
            yield Sighting(tenpai.seat, (kind,))


def kan_passed(story: Story) -> Iterator[Sighting]:
    """A kan, or with three seats a kita, would have drawn the winning tile; the first of each
    seat.
    """
    if story.wall is None:
        return
    table = TableState(story.played)
    count = WallCount()
    seats: set[int] = set()
    next_events: list[Event | None] = [*story.played.events[1:], None]
    for event, next_event in zip(story.played.events, next_events, strict=True):
        table.apply(event)
        count.apply(event)
        if type(event) is not Draw or event.seat in seats or event.seat in table.away:
            continue
        called = type(next_event) is Call and next_event.meld.is_replaced
        won = next_event is None and story.win_of(event.seat) is not None
        if called or won:
            continue
        replacement = _winning_replacement(story.wall, table, count, event)
        if replacement is not None:
            seats.add(event.seat)
            yield Sighting(
                event.seat,
                kinds=(story.wall.rinshan[count.taken] // 4,),
                subject=replacement,
                at=after_draw(story.played, event.tile),
            )


def _winning_replacement(
    wall: RoundWall, table: TableState, count: WallCount, drawn: Draw
) -> Replacement | None:
    """What the seat that has just drawn could have done to win with the next tile of the dead wall.
    After riichi a kan must be of the tile drawn and leave the waits as they are
    (https://tenhou.net/man/#RULE)."""
    if count.taken >= len(wall.rinshan):
        return None
    if not wall.rest(count.drawn, count.taken):
        return None
    kind = drawn.tile // 4
    rinshan = wall.rinshan[count.taken] // 4
    waits_before: tuple[int, ...] | None = None
    if table.riichi[drawn.seat] is not None:
        waits_before = _acceptance_without(table, drawn.seat, kind, 1).kinds
    for way in _replacements(table, drawn.seat):
        accepted = _acceptance_without(table, drawn.seat, way.kind, way.tiles)
        allowed = waits_before is None or (way.kind == kind and accepted.kinds == waits_before)
        if accepted.shanten == 0 and allowed and rinshan in accepted.kinds:
            return way.replacement
    return None


class _ReplacementWay(NamedTuple):
    """A kan or kita that a seat can call: how many tiles of which kind leave the hand."""

    replacement: Replacement
    kind: int
    tiles: int


def _replacements(table: TableState, seat: int) -> Iterator[_ReplacementWay]:
    """The kans and kitas that the seat can call after its draw."""
    pons = {meld.called // 4 for meld in table.melds[seat] if meld.type == MeldType.PON}
    for kind, number in enumerate(table.held[seat]):
        if number == 4 or (number > 0 and kind in pons):
            yield _ReplacementWay(Replacement.KAN, kind, number)
        if number > 0 and kind == NORTH and table.seats == 3:
            yield _ReplacementWay(Replacement.KITA, kind, 1)


def _acceptance_without(table: TableState, seat: int, kind: int, number: int) -> Acceptance:
    """The acceptance of the seat's hand without so many tiles of the kind."""
    remaining = list(table.held[seat])
    remaining[kind] -= number
    return acceptance(remaining, table.seats)
