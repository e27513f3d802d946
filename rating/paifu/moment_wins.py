"""Moments of wins: yakuman, ura, the last tile, a win on the third turn."""

from __future__ import annotations

from collections.abc import Iterator

from rating.paifu.events import Discard
from rating.paifu.moment import Found, MomentRule
from rating.paifu.story import Story
from rating.paifu.yaku import (
    DORA,
    DOUBLE_RIICHI,
    IPPATSU,
    LAST_DISCARD,
    LAST_DRAW,
    RED,
    RINSHAN,
    ROBBED_KAN,
    URA,
    yaku_name,
)  # fmt: skip

LIMITS = {3: "倍満", 4: "三倍満", 5: "数え役満"}
MANY_DORA = 7
QUICK = 4


def _yakuman(story: Story) -> Iterator[Found]:
    for win in story.played.wins:
        if win.yakuman:
            yield Found(win.seat, f"役満　{'・'.join(map(yaku_name, win.yakuman))}", (win.tile // 4,))


def _large(story: Story) -> Iterator[Found]:
    for win in story.played.wins:
        if win.limit in LIMITS and not win.yakuman:
            yield Found(win.seat, f"{LIMITS[win.limit]}　{win.value:,}点", (win.tile // 4,))


def _ura(story: Story) -> Iterator[Found]:
    for win in story.played.wins:
        hits = sum(han for number, han in win.yaku if number == URA)
        if hits >= 3:
            yield Found(win.seat, f"裏{hits}枚乗った", ())


def _dora(story: Story) -> Iterator[Found]:
    for win in story.played.wins:
        dora = sum(han for number, han in win.yaku if number in (DORA, URA, RED))
        if dora >= MANY_DORA:
            yield Found(win.seat, f"ドラ{dora}の和了", ())


def _ippatsu_tsumo(story: Story) -> Iterator[Found]:
    for win in story.played.wins:
        if win.tsumo and _has(win.yaku, IPPATSU):
            yield Found(win.seat, "一発ツモ", (win.tile // 4,))


def _double_riichi(story: Story) -> Iterator[Found]:
    for win in story.played.wins:
        if _has(win.yaku, DOUBLE_RIICHI):
            yield Found(win.seat, "ダブルリーチで和了", (win.tile // 4,))


def _rinshan(story: Story) -> Iterator[Found]:
    for win in story.played.wins:
        if _has(win.yaku, RINSHAN):
            yield Found(win.seat, "嶺上開花", (win.tile // 4,))


def _robbed(story: Story) -> Iterator[Found]:
    for win in story.played.wins:
        if _has(win.yaku, ROBBED_KAN):
            yield Found(win.seat, "槍槓", (win.tile // 4,))


def _last_tile(story: Story) -> Iterator[Found]:
    for win in story.played.wins:
        for number, words in ((LAST_DRAW, "海底ツモ"), (LAST_DISCARD, "河底ロン")):
            if _has(win.yaku, number):
                yield Found(win.seat, words, (win.tile // 4,))


def _quick(story: Story) -> Iterator[Found]:
    for win in story.played.wins:
        turn = 1 + sum(isinstance(event, Discard) and event.seat == win.seat for event in story.played.events)
        if turn <= QUICK:
            yield Found(win.seat, f"{turn}巡目の和了", (win.tile // 4,))


def _double_ron(story: Story) -> Iterator[Found]:
    if len(story.played.wins) >= 2:
        giver = story.played.wins[0].giver
        yield Found(giver, "ダブロンに放銃", (story.played.wins[0].tile // 4,))


def _ippatsu_to_chaser(story: Story) -> Iterator[Found]:
    """A player in riichi deals in at once to one who declared later."""
    order = [one.seat for one in story.riichi]
    for win in story.played.wins:
        both = not win.tsumo and win.giver in order and win.seat in order
        if both and _has(win.yaku, IPPATSU) and order.index(win.giver) < order.index(win.seat):
            yield Found(win.giver, "追っかけリーチに一発で放銃", (win.tile // 4,))


def _has(yaku: tuple[tuple[int, int], ...], number: int) -> bool:
    return any(one == number for one, _ in yaku)


WIN_RULES = (
    MomentRule("yakuman", 5, _yakuman),
    MomentRule("large", 3, _large),
    MomentRule("ura", 4, _ura),
    MomentRule("dora", 4, _dora),
    MomentRule("ippatsu tsumo", 1, _ippatsu_tsumo),
    MomentRule("double riichi", 4, _double_riichi),
    MomentRule("rinshan", 4, _rinshan),
    MomentRule("robbed kan", 5, _robbed),
    MomentRule("last tile", 4, _last_tile),
    MomentRule("quick", 3, _quick),
    MomentRule("double ron", 4, _double_ron),
    MomentRule("ippatsu to chaser", 4, _ippatsu_to_chaser),
)
