"""How a round ended, in words: who won what, and who paid; tiles, winds and yaku by name."""

from collections.abc import Sequence

from rating.paifu.record import (
    DORA,
    DOUBLE_RIICHI,
    RED,
    RIICHI,
    TSUMO,
    URA,
    NoWin,
    Round,
    Win,
    Yaku,
    yaku_name,
)
from rating.paifu.tiles import RED_FIVES

SUITS = "萬筒索"
HONOURS = "東南西北白發中"
LIMITS = {1: "満貫", 2: "跳満", 3: "倍満", 4: "三倍満", 5: "役満"}
DRAWN = {
    "": "流局",
    "nm": "流し満貫",
    "yao9": "九種九牌",
    "reach4": "四家立直",
    "ron3": "三家和",
    "kan4": "四開槓",
    "kaze4": "四風連打",
}
TSUMO_WORDS = "{winner} ツモ {value}"
RON_WORDS = "{winner} ロン {value}"
FROM_WORDS = "{giver}から"
LIABLE_WORDS = "{liable}の責任払い"
WON_WORDS = "{hands}（{paid}）"
WINDS = "東南西北"
TILE = "{number}{suit}"
RED_TILE = "赤{number}{suit}"
POINTS = "{points:,}点"
LIMIT_POINTS = "{limit} {points:,}点"
SHORT_YAKU: dict[Yaku, str] = {
    RIICHI: "リーチ",
    DOUBLE_RIICHI: "ダブルリーチ",
    TSUMO: "ツモ",
    DORA: "ドラ",
    URA: "裏",
    RED: "赤",
}
ALL_READY = "{ending}（全員テンパイ）"
NOBODY_READY = "{ending}（全員ノーテンパイ）"
READY = "{ending}（テンパイ {names}）"


def tile_name(tile: int) -> str:
    """The name of a tile (0-135)."""
    kind = tile // 4
    if kind >= 27:
        return HONOURS[kind - 27]
    template = TILE
    if tile in RED_FIVES:
        template = RED_TILE
    return template.format(number=kind % 9 + 1, suit=SUITS[kind // 9])


def wind(played: Round, seat: int) -> str:
    """The wind of a seat in a round: 東 for the dealer."""
    return WINDS[(seat - played.dealer) % played.seats]


def value_words(win: Win) -> str:
    """What a hand was worth: 7,700点, 満貫 8,000点."""
    if win.limit in LIMITS:
        return LIMIT_POINTS.format(limit=LIMITS[win.limit], points=win.value)
    return POINTS.format(points=win.value)


def yaku_words(win: Win) -> list[str]:
    """The yaku of a hand in short: リーチ, 發, 平和, ドラ2, 裏1, 赤1."""
    names = [yaku_name(number) for number in win.yakuman]
    for number, han in win.yaku:
        if not han:
            continue
        name = SHORT_YAKU.get(number) or yaku_name(number).rpartition(" ")[2]
        if number in (DORA, URA, RED):
            name += str(han)
        names.append(name)
    return names


def win_words(wins: Sequence[Win], names: Sequence[str]) -> str:
    """Who won a round what, and who paid for it: みどり ロン 役満 32,000点（白發中から、東風の責任払い）."""
    hands = []
    paid = []
    first = wins[0]
    if not first.tsumo:
        paid.append(FROM_WORDS.format(giver=names[first.giver]))
    for win in wins:
        template = RON_WORDS
        if win.tsumo:
            template = TSUMO_WORDS
        hands.append(template.format(winner=names[win.seat], value=value_words(win)))
        if win.liable is not None:
            paid.append(LIABLE_WORDS.format(liable=names[win.liable]))
    if not paid:
        return "、".join(hands)
    return WON_WORDS.format(hands="、".join(hands), paid="、".join(paid))


def result(played: Round, names: Sequence[str]) -> str:
    """How a round ended: みどり ロン 8,000点（白發中から）, 流局（テンパイ みどり）."""
    if played.wins:
        return win_words(played.wins, names)
    ending = next(ending for ending in played.endings if isinstance(ending, NoWin))
    words = DRAWN.get(ending.type, DRAWN[""])
    if ending.type:
        return words
    ready = [names[seat] for seat, hand in enumerate(ending.shown) if hand is not None]
    if not ready:
        return NOBODY_READY.format(ending=words)
    if len(ready) == played.seats:
        return ALL_READY.format(ending=words)
    return READY.format(ending=words, names="・".join(ready))
