"""Moments of play: deals, draws, tiles thrown or passed, and how games and rounds ended."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rating.paifu.efficiency import shanten_of
from rating.paifu.moment import Found, MomentRule
from rating.paifu.record import NoWin
from rating.paifu.story import Story, passed_waits
from rating.paifu.tiles import TERMINALS_AND_HONOURS, counts

SAFE_TILES = 3
USELESS, USEFUL = 15, 5
WIDE = 6
HONBA = 4
ABORTED = {
    "reach4": "四家立直で流局",
    "ron3": "三家和で流局",
    "kan4": "四開槓で流局",
    "kaze4": "四風連打で流局",
}


def _dealt_tenpai(story: Story) -> Iterator[Found]:
    for seat, shanten in enumerate(_dealt(story)):
        if shanten <= 0:
            yield Found(seat, "配牌テンパイ")


def _dealt_iishanten(story: Story) -> Iterator[Found]:
    for seat, shanten in enumerate(_dealt(story)):
        if shanten == 1:
            yield Found(seat, "配牌イーシャンテン")


def _dealt(story: Story) -> list[int]:
    return [shanten_of(counts(hand), story.record.seats) for hand in story.played.hands]


def _safe_tiles(story: Story) -> Iterator[Found]:
    """A deal-in to a riichi with three or more tiles in hand that were safe against every riichi."""
    for push in story.pushes:
        facing = push.facing
        safe = [tile for tile in facing.hand if all(one[tile // 4] for one in facing.safe)]
        if not facing.in_riichi and push.deal_ins.to_riichi and len(safe) >= SAFE_TILES:
            yield Found(facing.seat, f"安牌{len(safe)}枚あって放銃", (facing.kind,))


def _furiten_passed(story: Story) -> Iterator[Found]:
    for thrown in passed_waits(story):
        for seat, furiten in thrown.waiting:
            if furiten:
                yield Found(seat, "フリテンで見逃し", (thrown.tile // 4,))


def _passed(story: Story) -> Iterator[Found]:
    for thrown in passed_waits(story):
        for seat, furiten in thrown.waiting:
            if not furiten:
                yield Found(seat, "リーチ後に当たり牌を見逃し", (thrown.tile // 4,))


def _useless(story: Story) -> Iterator[Found]:
    for seat in range(story.record.seats):
        run = _longest(story, seat, hit=False)
        if run >= USELESS:
            yield Found(seat, f"{run}連続ムダヅモ")


def _useful(story: Story) -> Iterator[Found]:
    for seat in range(story.record.seats):
        run = _longest(story, seat, hit=True)
        if run >= USEFUL:
            yield Found(seat, f"{run}連続有効牌")


def _longest(story: Story, seat: int, hit: bool) -> int:
    runs = groupby(story.own_draws(seat), key=lambda draw: draw.hit)
    return max((len(list(run)) for kind, run in runs if kind == hit), default=0)


def _tenpai_refused(story: Story) -> Iterator[Found]:
    for choice in story.choices:
        if choice.best.shanten == 0 < choice.taken.shanten and choice.best.tiles >= WIDE:
            yield Found(choice.seat, f"{choice.best.tiles}枚待ちのテンパイ取らず", choice.best.kinds)


def _orphans(story: Story) -> Iterator[Found]:
    """Tenpai for thirteen orphans that did not win; the first of each seat."""
    told: set[int] = set()
    for one in story.opened:
        kinds = {tile // 4 for tile in one.hand}
        if len(kinds) >= 12 and kinds <= TERMINALS_AND_HONOURS and not one.won and one.seat not in told:
            told.add(one.seat)
            yield Found(one.seat, "国士無双テンパイ", one.waits)


def _same_wait(story: Story) -> Iterator[Found]:
    riichi = story.riichi
    for place, one in enumerate(riichi):
        for other in riichi[:place]:
            if one.waits and one.waits == other.waits:
                yield Found(one.seat, "{}と同じ待ちのリーチ", one.waits, other.seat)


def _all_tenpai(story: Story) -> Iterator[Found]:
    for ending in story.played.endings:
        if isinstance(ending, NoWin) and ending.type == "" and all(ending.shown):
            yield Found(story.played.dealer, "全員テンパイで流局")


def _nagashi(story: Story) -> Iterator[Found]:
    for ending in story.played.endings:
        if isinstance(ending, NoWin) and ending.type == "nm":
            seat = max(range(story.record.seats), key=lambda seat: ending.change[seat])
            yield Found(seat, "流し満貫")


def _aborted(story: Story) -> Iterator[Found]:
    for ending in story.played.endings:
        if isinstance(ending, NoWin) and ending.type in ABORTED:
            yield Found(story.played.dealer, ABORTED[ending.type])


def _honba(story: Story) -> Iterator[Found]:
    played = story.played
    if played.honba >= HONBA:
        yield Found(played.dealer, f"{played.honba}本場")


def _from_last_to_first(story: Story) -> Iterator[Found]:
    if not story.last:
        return
    start = story.played.start
    placings = story.record.placings()
    for seat, placing in enumerate(placings):
        if placing == 0 and start[seat] == min(start) and start.count(start[seat]) == 1:
            yield Found(seat, "最終局でラスから逆転トップ")


def _narrow(story: Story) -> Iterator[Found]:
    points = sorted(story.record.points(), reverse=True)
    if story.last and points[0] - points[1] <= 1000:
        seat = story.record.placings().index(0)
        yield Found(seat, f"{points[0] - points[1]:,}点差のトップ" if points[0] > points[1] else "同点トップ")


def _bust(story: Story) -> Iterator[Found]:
    if story.last:
        for seat, points in enumerate(story.record.points()):
            if points < 0:
                yield Found(seat, "飛び")


PLAY_RULES = (
    MomentRule("dealt tenpai", 5, _dealt_tenpai),
    MomentRule("dealt iishanten", 2, _dealt_iishanten),
    MomentRule("safe tiles", 2, _safe_tiles),
    MomentRule("furiten passed", 5, _furiten_passed),
    MomentRule("passed", 5, _passed),
    MomentRule("useless", 3, _useless),
    MomentRule("useful", 3, _useful),
    MomentRule("tenpai refused", 2, _tenpai_refused),
    MomentRule("orphans", 5, _orphans),
    MomentRule("same wait", 5, _same_wait),
    MomentRule("all tenpai", 5, _all_tenpai),
    MomentRule("nagashi", 5, _nagashi),
    MomentRule("aborted", 5, _aborted),
    MomentRule("honba", 4, _honba),
    MomentRule("last to first", 5, _from_last_to_first),
    MomentRule("narrow", 4, _narrow),
    MomentRule("bust", 2, _bust),
)
