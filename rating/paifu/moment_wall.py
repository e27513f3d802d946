"""Moments that the wall tells: waits that were all gone, the tile that would have come next, ura that nobody turned."""

from __future__ import annotations

from collections.abc import Iterator

from rating.paifu.moment import Found, MomentRule
from rating.paifu.opened import HELD, LIVE, OWN, SHOWN
from rating.paifu.round_end import exhausted
from rating.paifu.story import Story, drawer_of

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
            name = story.record.players[holders[0] or 0]
            yield Found(one.seat, f"残りの当たり牌{len(holders)}枚は全部{name}の手の中", one.waits)


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


WALL_RULES = (
    MomentRule("dead riichi", 1, _dead_riichi),
    MomentRule("dead riichi won", 3, _dead_riichi_won),
    MomentRule("last copy", 2, _last_copy),
    MomentRule("held by one", 4, _held_by_one),
    MomentRule("many live", 3, _many_live),
    MomentRule("next draw", 2, _next_draw),
    MomentRule("shifted", 4, _shifted),
    MomentRule("ura unturned", 3, _ura_unturned),
)
