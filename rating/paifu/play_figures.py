"""The figures of a player's play beyond wins and deal-ins, each with its cases and a 95 % interval.

Definitions are those of 雀魂牌譜屋, the statistics site of the largest mahjong game
(https://github.com/SAPikachu/amae-koromo, src/locales/ja.json); each is quoted beside its figure. "局" counts
rounds dealt (配牌回数).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

from rating.paifu.yaku import yaku_name
from rating.proportions import Z95, wilson

# {name: (counted, of which)}; the comment quotes the site's definition.
SHARES: dict[str, tuple[str, str]] = {
    "tsumo": ("tsumo", "wins"),  # ツモ率: ツモ回数 / 和了回数
    "dama": ("dama", "wins"),  # ダマ率: 門前ダマ和了回数 / 和了回数
    "draw": ("draws", "rounds"),  # 流局率: 流局回数 / 配牌回数 (those for lack of tiles)
    "tenpai_at_draw": ("tenpai draws", "draws"),  # 流局聴牌率: 流局聴牌回数 / 流局回数
    "riichi_win": ("riichi wins", "riichi"),  # 立直和了: 立直和了回数 / 立直回数
    "riichi_deal_in": ("riichi deal ins", "riichi"),  # 立直放銃A: 立直放銃回数（立直瞬間を含む） / 立直回数
    "riichi_draw": ("riichi draws", "riichi"),  # 立直流局: 立直流局回数 / 立直回数
    "call_win": ("call wins", "calls"),  # 副露後和了率: 副露和了回数 / 副露回数
    "call_deal_in": ("call deal ins", "calls"),  # 副露後放銃率: 副露放銃回数 / 副露回数
    "call_draw": ("call draws", "calls"),  # 副露後流局率: 副露流局回数 / 副露回数
    "first_riichi": ("first riichi", "riichi"),  # 先制率: 最初に立直した回数 / 立直回数
    "chasing_riichi": ("chasing riichi", "riichi"),  # 追っかけ率: 追っかけ立直した回数 / 立直回数
    "chased_riichi": ("chased riichi", "riichi"),  # 追っかけられ率: 立直を追っかけられた回数 / 立直回数
    "ippatsu": ("ippatsu", "riichi wins"),  # 一発率: 一発回数 / 立直和了回数
    "ura": ("ura", "riichi wins"),  # 裏ドラ率: 裏ドラある和了回数 / 立直和了回数
    "good_wait": ("good wait", "riichi"),  # 立直良形: 立直の時に自分の視点で残り枚数が６以上 / 立直回数
    "many_kinds": ("many kinds", "riichi"),  # 立直多面: 二面以上待ち（シャンポン待ちを含む） / 立直回数
    "furiten_riichi": ("furiten riichi", "riichi"),  # 振聴率: 振聴立直回数（見逃しを除く） / 立直回数
    "deal_in_in_riichi": ("riichi deal ins", "deal ins"),  # 放銃時立直率: 立直放銃回数 / 放銃回数
    "deal_in_with_calls": ("call deal ins", "deal ins"),  # 放銃時副露率: 副露放銃回数 / 放銃回数
    # 痛い親かぶり率: 満貫以上の親かぶり回数 / ツモされた回数
    "dealer_tsumo_loss": ("dealer loss", "tsumo against"),
    "yakuman": ("yakuman", "wins"),  # 役満: 役満和了回数
    "bust": ("busts", "games"),  # 飛び率: 0点未満で終わった戦の割合
}
# {name: the number whose mean it is}; points are those of the winning hand, without honba and sticks.
MEANS: dict[str, str] = {
    "win_turn": "win turn",  # 和了巡数: the winner's discards before the win, and one
    "riichi_turn": "riichi turn",  # 立直巡目: the number of the discard declared with
    "mean_deal_in": "deal-in",  # 平均放銃
    "mean_deal_in_to_riichi": "deal-in to riichi",
    "mean_deal_in_to_open": "deal-in to open",
    "mean_deal_in_to_dama": "deal-in to dama",
    "riichi_tiles": "riichi tiles",  # copies of the waits that the seat cannot see, at its riichi
    "riichi_balance": "riichi balance",  # 立直収支: 立直時の収支（供託を含む） / 立直回数
    # 痛い親かぶり平均: 満貫以上の親かぶり点数 / 回数 (as paid, with honba).
    "mean_dealer_tsumo_loss": ("dealer loss"),
    "deal_shanten": "deal shanten",  # 平均配牌向聴
}


class PlayFigure(NamedTuple):
    """A share (0-1) or a mean of `cases` cases, with its 95 % interval.

    `value` is None without cases; `low` and `high` are None where a mean has fewer than two. `counted` is how
    often what a share tells happened, None for a mean.
    """

    cases: int
    counted: int | None
    value: float | None
    low: float | None
    high: float | None


def play_figures(counts: Mapping[str, int]) -> dict[str, PlayFigure]:
    """The figures of counts that `play_counts` made, by the names in SHARES and MEANS.

    >>> play_figures({"wins": 4, "tsumo": 1})["tsumo"].value
    0.25
    """
    shares = {
        name: _share(counts.get(counted, 0), counts.get(of, 0)) for name, (counted, of) in SHARES.items()
    }
    return shares | {name: _mean(counts, number) for name, number in MEANS.items()}


def yaku_shares(counts: Mapping[str, int]) -> dict[str, PlayFigure]:
    """{name of the yaku: the share of the wins that had it}, the most frequent first; dora count as one a
    win."""
    wins = counts.get("wins", 0)
    found = {word[5:]: count for word, count in counts.items() if word.startswith("yaku ") and count}
    ordered = sorted(found.items(), key=lambda item: (-item[1], int(item[0])))
    return {yaku_name(int(number)): _share(count, wins) for number, count in ordered}


def _share(count: int, of: int) -> PlayFigure:
    low, high = wilson(count, of)
    return PlayFigure(of, count, count / of if of else None, low, high)


def _mean(counts: Mapping[str, int], number: str) -> PlayFigure:
    """The mean of a number, and the normal interval of its standard error."""
    cases, total, squares = (counts.get(number + part, 0) for part in ("", ".sum", ".squares"))
    if cases < 2:
        return PlayFigure(cases, None, total / cases if cases else None, None, None)
    mean = total / cases
    variance = max(0.0, (squares - total * total / cases) / (cases - 1))
    half = Z95 * sqrt(variance / cases)
    return PlayFigure(cases, None, mean, mean - half, mean + half)
