"""Moments that the wall tells: waits that were all gone, the tile that would have come next, ura that nobody
turned."""

from __future__ import annotations

from collections.abc import Iterator

from rating.paifu.draws import REPLACED, WallCount
from rating.paifu.efficiency import acceptance
from rating.paifu.events import Call, Draw
from rating.paifu.melds import PON
from rating.paifu.moment import Found, MomentRule
from rating.paifu.opened import HELD, LIVE, OWN, SHOWN
from rating.paifu.round_end import exhausted
from rating.paifu.story import Story, drawer_of
from rating.paifu.table import TableState
from rating.paifu.tiles import NORTH
from rating.paifu.wall import RoundWall

MANY_LIVE = 4
MANY_URA = 2
MANY_HELD = 2


def _dead_riichi(story: Story) -> Iterator[Found]:
    for one in story.riichi:
        if one.live == 0 and not one.won:
            yield Found(one.seat, "山に0枚のリーチ", one.waits)


def _dead_riichi_won(story: Story) -> Iterator[Found]:
    for one in story.riichi:
        if one.live == 0 and one.won:
            yield Found(one.seat, "山に0枚の待ちでロン", one.waits)


def _last_copy(story: Story) -> Iterator[Found]:
    for one in story.riichi:
        win = story.win_of(one.seat)
        if one.live == 1 and win is not None and win.tsumo:
            yield Found(one.seat, "山に最後の1枚をツモ", (win.tile // 4,))


def _held_by_one(story: Story) -> Iterator[Found]:
    """Every copy of the waits that is not in the own hand or shown is in one other hand."""
    for one in story.riichi:
        holders = [copy.seat for copy in one.copies if copy.place == HELD]
        hidden = any(copy.place not in (OWN, SHOWN, HELD) for copy in one.copies)
        if len(holders) >= MANY_HELD and len(set(holders)) == 1 and not hidden:
            words = f"残りの当たり牌{len(holders)}枚は全部{{}}の手の中"
            yield Found(one.seat, words, one.waits, holders[0])


def _many_live(story: Story) -> Iterator[Found]:
    if exhausted(story.played):
        for one in story.riichi:
            if (one.live or 0) >= MANY_LIVE:
                yield Found(one.seat, f"山に{one.live}枚あったのに流局", one.waits)


def _next_draw(story: Story) -> Iterator[Found]:
    for hand in story.end.tenpai if story.end else ():
        if hand.own is not None and hand.own <= story.record.seats:
            yield Found(hand.seat, "次巡ツモだった", hand.waits)


def _shifted(story: Story) -> Iterator[Found]:
    """The first copy of a riichi's waits was to be its own draw, and a call or kan gave it to another."""
    for one in story.riichi:
        first = min(
            (copy for copy in one.copies if copy.place == LIVE),
            key=lambda copy: copy.draws or 0,
            default=None,
        )
        drawer = None if first is None else drawer_of(story.played, first.tile)
        if first and first.seat == one.seat and drawer not in (None, one.seat) and not one.won:
            yield Found(one.seat, "鳴きがなければツモだった", (first.tile // 4,))


def _ura_unturned(story: Story) -> Iterator[Found]:
    for seat, hits in enumerate(story.end.ura_hits if story.end else ()):
        if hits >= MANY_URA:
            yield Found(seat, f"裏{hits}枚は乗っていた", ())


def _rinshan_asleep(story: Story) -> Iterator[Found]:
    """The next tile of the dead wall completes a hand in riichi that did not win."""
    for hand in story.end.tenpai if story.end else ():
        tile = story.end.rinshan if story.end else None
        if tile is not None and hand.riichi and tile // 4 in hand.waits:
            yield Found(hand.seat, "嶺上に当たり牌が眠っていた", (tile // 4,))


def _kan_passed(story: Story) -> Iterator[Found]:
    """A kan, or with three seats a north taken out, would have drawn the winning tile; the first of each
    seat."""
    if story.wall is None:
        return
    table, count, told = TableState(story.played), WallCount(), set[int]()
    events = story.played.events
    for event, after in zip(events, (*events[1:], None), strict=True):
        table.apply(event)
        count.apply(event)
        if type(event) is not Draw or event.seat in told:
            continue
        called = type(after) is Call and after.meld.type in REPLACED
        won = after is None and story.win_of(event.seat) is not None
        if not called and not won and (words := _would_win(story.wall, table, count, event)):
            told.add(event.seat)
            yield Found(event.seat, words, (story.wall.rinshan[count.taken] // 4,))


def _would_win(wall: RoundWall, table: TableState, count: WallCount, drawn: Draw) -> str:
    """What the seat that has just drawn could have called to win with the next tile of the dead wall; "" for
    nothing.

    After riichi a kan must be of the tile drawn and leave the waits as they are
    (https://tenhou.net/man/#RULE).
    """
    if count.taken >= len(wall.rinshan) or not wall.rest(count.drawn, count.taken):
        return ""
    held, kind = table.held[drawn.seat], drawn.tile // 4
    before: tuple[int, ...] | None = None
    if table.riichi[drawn.seat] is not None:
        before = acceptance(_less(held, kind, 1), table.seats)[1]
    pons = {meld.called // 4 for meld in table.melds[drawn.seat] if meld.type == PON}
    for other, number in enumerate(held):
        parts = [(number, "カンしていれば嶺上開花")] * (number == 4 or (number > 0 and other in pons))
        parts += [(1, "北を抜いていれば嶺上開花")] * (number > 0 and other == NORTH and table.seats == 3)
        for taken, words in parts:
            shanten, waits = acceptance(_less(held, other, taken), table.seats)
            allowed = before is None or (other == kind and waits == before)
            if shanten == 0 and allowed and wall.rinshan[count.taken] // 4 in waits:
                return words
    return ""


def _less(held: list[int], kind: int, number: int) -> list[int]:
    return [count - number * (place == kind) for place, count in enumerate(held)]


WALL_RULES = (
    MomentRule("dead riichi", 1, _dead_riichi),
    MomentRule("dead riichi won", 3, _dead_riichi_won),
    MomentRule("last copy", 2, _last_copy),
    MomentRule("held by one", 4, _held_by_one),
    MomentRule("many live", 3, _many_live),
    MomentRule("next draw", 2, _next_draw),
    MomentRule("shifted", 4, _shifted),
    MomentRule("ura unturned", 3, _ura_unturned),
    MomentRule("rinshan asleep", 3, _rinshan_asleep),
    MomentRule("kan passed", 5, _kan_passed),
)
