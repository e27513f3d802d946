"""Moments of winning hands, and of those who dealt in."""

from collections.abc import Iterator

from rating.paifu.moments.moment import Find, Sighting, Subject
from rating.paifu.moments.places import after_discard_of
from rating.paifu.record import (
    DORA,
    IPPATSU,
    LAST_DISCARD,
    LAST_DRAW,
    RED,
    URA,
    Win,
)
from rating.paifu.story import Story

LARGE_LIMITS = (3, 4, 5)  # `Win.limit` from baiman on
QUICK_TURN = 4
LEAST_URA = 3
LEAST_DORA = 7
LEAST_SAFE_TILES = 3


def _of(win: Win, subject: Subject = None) -> Sighting:
    return Sighting(win.seat, (win.tile // 4,), subject)


def with_yaku(number: int) -> Find:
    """The rule of wins with this yaku."""

    def find(story: Story) -> Iterator[Sighting]:
        for win in story.played.wins:
            if number in dict(win.yaku):
                yield _of(win)

    return find


def yakuman(story: Story) -> Iterator[Sighting]:
    for win in story.played.wins:
        if win.yakuman:
            yield _of(win, win)


def large(story: Story) -> Iterator[Sighting]:
    """A win from baiman on that is no yakuman by its yaku."""
    for win in story.played.wins:
        if win.limit in LARGE_LIMITS and not win.yakuman:
            yield _of(win, win)


def ura(story: Story) -> Iterator[Sighting]:
    for win in story.played.wins:
        han = _han(win, URA)
        if han >= LEAST_URA:
            yield Sighting(win.seat, subject=han)


def dora(story: Story) -> Iterator[Sighting]:
    """A win with many dora of all sorts."""
    for win in story.played.wins:
        han = _han(win, DORA, URA, RED)
        if han >= LEAST_DORA:
            yield Sighting(win.seat, subject=han)


def _han(win: Win, *numbers: int) -> int:
    """The han of the yaku with these numbers."""
    return sum(han for number, han in win.yaku if number in numbers)


def ippatsu_tsumo(story: Story) -> Iterator[Sighting]:
    for win in story.played.wins:
        if win.tsumo and IPPATSU in dict(win.yaku):
            yield _of(win)


def last_tile(story: Story) -> Iterator[Sighting]:
    """A win on the last draw or the last discard."""
    for win in story.played.wins:
        yaku = dict(win.yaku)
        if LAST_DRAW in yaku or LAST_DISCARD in yaku:
            yield _of(win, win)


def quick(story: Story) -> Iterator[Sighting]:
    for win in story.played.wins:
        turn = story.played.win_turn(win)
        if turn <= QUICK_TURN:
            yield _of(win, turn)


def double_ron(story: Story) -> Iterator[Sighting]:
    """The seat that dealt in to two hands."""
    wins = story.played.wins
    if len(wins) > 1 and wins[0].giver not in story.played.away_at_end:
        yield Sighting(wins[0].giver, (wins[0].tile // 4,))


def ippatsu_to_chaser(story: Story) -> Iterator[Sighting]:
    """A player in riichi deals in at once to one who declared later."""
    away = story.played.away_at_end
    order = [riichi.seat for riichi in story.riichi if riichi.seat not in away]
    for win in story.played.wins:
        if win.tsumo or win.giver not in order or win.seat not in order:
            continue
        declared_later = order.index(win.giver) < order.index(win.seat)
        if declared_later and IPPATSU in dict(win.yaku):
            yield Sighting(win.giver, (win.tile // 4,))


def safe_tiles(story: Story) -> Iterator[Sighting]:
    """A deal-in to a riichi with three or more tiles in hand that were safe against every
    riichi.
    """
    for push in story.pushes:
        facing = push.facing
        safe = [tile for tile in facing.hand if all(kinds[tile // 4] for kinds in facing.safe)]
        to_riichi = push.deal_ins.to_riichi and not facing.in_riichi
        if to_riichi and len(safe) >= LEAST_SAFE_TILES:
            at = after_discard_of(story.played, facing.tile)
            yield Sighting(facing.seat, (facing.kind,), len(safe), at=at)
