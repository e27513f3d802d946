"""The words of a paifu's report, in its pictures and its table: chances, verdicts, and deal-ins by who won."""

from __future__ import annotations

from collections.abc import Sequence

from rating.paifu.deal_in_rate import SOURCE_GAMES, DealInRate
from rating.paifu.review import Push
from rating.paifu.rons import DealInCount, Ron

NOT_RIICHI = "リーチ以外"
SOURCE = f"天鳳の四人打ち{SOURCE_GAMES:,}戦"


def percent(chance: DealInRate) -> str:
    """A chance to deal in as 7.7%, with its interval where it was measured on few records: 9.8%（6.1〜15.3%）."""
    words = f"{100 * chance.rate:.1f}%" if chance.high else "0%"
    return f"{words}（{100 * chance.low:.1f}〜{100 * chance.high:.1f}%）" if chance.own else words


def whole_percent(chance: DealInRate) -> str:
    """A chance to deal in as a whole number of per cent, for a picture: 8; <1 where it rounds to 0, 0 for a safe tile."""
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
    """What became of one seat's discards into a riichi in a round; `robbed` are the rons on its kans or kita."""
    riichi = sum(push.deal_ins.to_riichi for push in pushes)
    others = sum(push.deal_ins.to_others for push in pushes)
    kept_back = sum(push.kept_back for push in pushes)
    parts = [f"放銃×{riichi}" if riichi > 1 else "放銃"] * bool(riichi)
    parts += [f"槍槓で放銃×{len(robbed)}" if len(robbed) > 1 else "槍槓で放銃"] * bool(robbed)
    parts += [f"{NOT_RIICHI}に{'も' if parts else '放銃'}"] * bool(others)
    return "・".join(parts) or (f"押しすぎ{kept_back}" if kept_back else "")
