"""The words of a paifu's report, in its pictures and its table: chances, verdicts, and deal-ins by who
won."""

from __future__ import annotations

from collections.abc import Sequence

from rating.paifu.deal_in import SOURCE_GAMES, DealInCount, DealInRate, Ron
from rating.paifu.record import (
    DORA,
    DOUBLE_RIICHI,
    RED,
    RIICHI,
    TSUMO,
    URA,
    NoWin,
    Record,
    Round,
    Win,
    yaku_name,
)
from rating.paifu.review import Push

NOT_RIICHI = "リーチ以外"
SOURCE = f"天鳳の四人打ち{SOURCE_GAMES:,}戦"
WINDS = "東南西北"
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
SOME, MUCH = 0.5, 1.5  # of luck, in standard deviations or ura dora


def subtitle(record: Record) -> str:
    """The rule and the number of rounds: 四鳳南喰赤・12局."""
    return f"{record.rules.name.replace('－', '')}・{len(record.rounds)}局"


def wind(played: Round, seat: int) -> str:
    """The wind of a seat in a round: 東 for the dealer."""
    return WINDS[(seat - played.dealer) % played.seats]


def points_words(change: int) -> str:
    """Points gained or lost: +8,000, −1,000, ±0."""
    return f"{change:+,}".replace("-", "−") if change else "±0"


def shanten_words(shanten: int) -> str:
    """アガリ, テンパイ, イーシャンテン, or the number: 3シャンテン."""
    return {-1: "アガリ", 0: "テンパイ", 1: "イーシャンテン"}.get(shanten, f"{shanten}シャンテン")


def value_words(win: Win) -> str:
    """What a hand was worth: 7,700点, 満貫 8,000点."""
    return " ".join(filter(None, (LIMITS.get(win.limit, ""), f"{win.value:,}点")))


def yaku_words(win: Win) -> list[str]:
    """The yaku of a hand in short: リーチ, 發, 平和, ドラ2, 裏1, 赤1."""
    short = {
        RIICHI: "リーチ",
        DOUBLE_RIICHI: "ダブルリーチ",
        TSUMO: "ツモ",
        DORA: "ドラ",
        URA: "裏",
        RED: "赤",
    }
    told = [yaku_name(number) for number in win.yakuman]
    for number, han in win.yaku:
        name = short.get(number) or yaku_name(number).rpartition(" ")[2]
        told += [f"{name}{han}" if number in (DORA, URA, RED) else name] * bool(han)
    return told


def result(played: Round, names: Sequence[str]) -> str:
    """How a round ended: みどり ロン 8,000点（白發中から）, みどり ツモ 満貫 8,000点, 流局（テンパイ
    みどり）."""
    wins = played.wins
    if not wins:
        return _without_win(played, names)
    if wins[0].tsumo:
        return f"{names[wins[0].seat]} ツモ {value_words(wins[0])}"
    hands = "、".join(f"{names[win.seat]} ロン {value_words(win)}" for win in wins)
    return f"{hands}（{names[wins[0].giver]}から）"


def _without_win(played: Round, names: Sequence[str]) -> str:
    ending = next(ending for ending in played.endings if isinstance(ending, NoWin))
    words = DRAWN.get(ending.type, "流局")
    if ending.type:
        return words
    waiting = [names[seat] for seat, hand in enumerate(ending.shown) if hand is not None]
    if len(waiting) in (0, played.seats):
        return f"{words}（{'全員' if waiting else '全員ノー'}テンパイ）"
    return f"{words}（テンパイ {'・'.join(waiting)}）"


def luck_words(value: float | None) -> str:
    """Luck in a word: 幸運, 不運, とても幸運, とても不運, ふつう. `value` is in standard deviations, or in
    ura dora."""
    if value is None:
        return "－"
    if abs(value) < SOME:
        return "ふつう"
    return "とても" * (abs(value) >= MUCH) + ("幸運" if value > 0 else "不運")


def percent(chance: DealInRate) -> str:
    """A chance to deal in as 7.7%, with its interval where it was measured on few records:
    9.8%（6.1〜15.3%）."""
    words = f"{100 * chance.rate:.1f}%" if chance.high else "0%"
    return f"{words}（{100 * chance.low:.1f}〜{100 * chance.high:.1f}%）" if chance.own else words


def whole_percent(chance: DealInRate) -> str:
    """A chance to deal in as a whole number of per cent, for a picture: 8; <1 where it rounds to 0, 0 for a
    safe tile."""
    if not chance.high:
        return "0"
    return f"{100 * chance.rate:.0f}" if chance.rate >= 0.005 else "<1"


def deal_ins(dealt: DealInCount) -> str:
    """Deal-ins by who won: リーチに2・リーチ以外に1, and 0 as なし."""
    parts = [f"リーチに{dealt.to_riichi}"] * bool(dealt.to_riichi)
    parts += [f"{NOT_RIICHI}に{dealt.to_others}"] * bool(dealt.to_others)
    return "・".join(parts) or "なし"


def verdict(push: Push) -> str:
    """What became of a discard into a riichi, or else what the rule of push or fold says of it."""
    steps = "テンパイ" if push.shanten == 0 else f"{push.shanten}シャンテン"
    judged = "放銃" if push.deal_ins.to_riichi else "押しすぎ" if push.kept_back else "押し有利"
    return f"{steps}・{judged}" + f"（{NOT_RIICHI}に放銃）" * bool(push.deal_ins.to_others)


def strip_words(pushes: Sequence[Push], robbed: Sequence[Ron]) -> str:
    """What became of one seat's discards into a riichi in a round; `robbed` are the rons on its kans or
    kita."""
    riichi = sum(push.deal_ins.to_riichi for push in pushes)
    others = sum(push.deal_ins.to_others for push in pushes)
    kept_back = sum(push.kept_back for push in pushes)
    parts = [f"放銃×{riichi}" if riichi > 1 else "放銃"] * bool(riichi)
    parts += [f"槍槓で放銃×{len(robbed)}" if len(robbed) > 1 else "槍槓で放銃"] * bool(robbed)
    parts += [f"{NOT_RIICHI}に{'も' if parts else '放銃'}"] * bool(others)
    return "・".join(parts) or (f"押しすぎ{kept_back}" if kept_back else "")
