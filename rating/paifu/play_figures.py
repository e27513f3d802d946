"""The figures of a player's play beyond wins and deal-ins, each with its cases and a 95 % interval.

The shares are defined as 雀魂牌譜屋, the statistics site of the largest mahjong game, words them
(https://github.com/SAPikachu/amae-koromo, src/locales/ja.json); each is quoted above its figure.
"局" counts rounds dealt (配牌回数). The site's words do not define 和了巡数, 立直巡目, 平均和了 and
平均放銃, and its values differ from ours: those definitions are our own, above their figures.
"""

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

from rating.paifu.play_counts import PlayCount, PlayNumber, yaku_counts
from rating.paifu.record import YAKU, Yaku, yaku_name
from rating.proportions import t_quantile, wilson

FEWEST = 3  # cases; a mean of fewer has no interval


class ShareOf(NamedTuple):
    """A share: what is counted, of which cases."""

    counted: PlayCount | PlayNumber
    cases: PlayCount


# The comment quotes the site's definition.
SHARES: dict[str, ShareOf] = {
    # ツモ率: ツモ回数 / 和了回数
    "tsumo": ShareOf(PlayCount.TSUMO, PlayCount.WINS),
    # ダマ率: 門前ダマ和了回数 / 和了回数
    "dama": ShareOf(PlayCount.DAMA, PlayCount.WINS),
    # 流局率: 流局回数 / 配牌回数 (those for lack of tiles)
    "draw": ShareOf(PlayCount.DRAWS, PlayCount.ROUNDS),
    # 流局聴牌率: 流局聴牌回数 / 流局回数
    "tenpai_at_draw": ShareOf(PlayCount.TENPAI_DRAWS, PlayCount.DRAWS),
    # 立直和了: 立直和了回数 / 立直回数
    "riichi_win": ShareOf(PlayCount.RIICHI_WINS, PlayCount.RIICHI),
    # 立直放銃A: 立直放銃回数（立直瞬間を含む） / 立直回数
    "riichi_deal_in": ShareOf(PlayCount.RIICHI_DEAL_INS, PlayCount.RIICHI),
    # 立直流局: 立直流局回数 / 立直回数
    "riichi_draw": ShareOf(PlayCount.RIICHI_DRAWS, PlayCount.RIICHI),
    # 副露後和了率: 副露和了回数 / 副露回数
    "call_win": ShareOf(PlayCount.CALL_WINS, PlayCount.CALLS),
    # 副露後放銃率: 副露放銃回数 / 副露回数
    "call_deal_in": ShareOf(PlayCount.CALL_DEAL_INS, PlayCount.CALLS),
    # 副露後流局率: 副露流局回数 / 副露回数
    "call_draw": ShareOf(PlayCount.CALL_DRAWS, PlayCount.CALLS),
    # 先制率: 最初に立直した回数 / 立直回数
    "first_riichi": ShareOf(PlayCount.FIRST_RIICHI, PlayCount.RIICHI),
    # 追っかけ率: 追っかけ立直した回数 / 立直回数
    "chasing_riichi": ShareOf(PlayCount.CHASING_RIICHI, PlayCount.RIICHI),
    # 追っかけられ率: 立直を追っかけられた回数 / 立直回数
    "chased_riichi": ShareOf(PlayCount.CHASED_RIICHI, PlayCount.RIICHI),
    # 一発率: 一発回数 / 立直和了回数
    "ippatsu": ShareOf(PlayCount.IPPATSU, PlayCount.RIICHI_WINS),
    # 裏ドラ率: 裏ドラある和了回数 / 立直和了回数
    "ura": ShareOf(PlayCount.URA, PlayCount.RIICHI_WINS),
    # 立直良形: 立直の時に自分の視点で残り枚数が６以上 / 立直回数
    "good_wait": ShareOf(PlayCount.GOOD_WAIT, PlayCount.RIICHI),
    # 立直多面: 二面以上待ち（シャンポン待ちを含む） / 立直回数
    "many_kinds": ShareOf(PlayCount.MANY_KINDS, PlayCount.RIICHI),
    # 振聴率: 振聴立直回数（見逃しを除く） / 立直回数
    "furiten_riichi": ShareOf(PlayCount.FURITEN_RIICHI, PlayCount.RIICHI),
    # 放銃時立直率: 立直放銃回数 / 放銃回数
    "deal_in_in_riichi": ShareOf(PlayCount.RIICHI_DEAL_INS, PlayCount.DEAL_INS),
    # 放銃時副露率: 副露放銃回数 / 放銃回数
    "deal_in_with_calls": ShareOf(PlayCount.CALL_DEAL_INS, PlayCount.DEAL_INS),
    # 痛い親かぶり率: 満貫以上の親かぶり回数 / ツモされた回数
    "dealer_tsumo_loss": ShareOf(PlayNumber.DEALER_LOSS, PlayCount.TSUMO_AGAINST),
    # 役満: 役満和了回数
    "yakuman": ShareOf(PlayCount.YAKUMAN, PlayCount.WINS),
    # 飛び率: 0点未満で終わった戦の割合
    "bust": ShareOf(PlayCount.BUSTS, PlayCount.GAMES),
}
# The number whose mean each is; points are those of the winning hand, without honba and sticks.
MEANS: dict[str, PlayNumber] = {
    # 平均和了: the value of a win, counted by `PaifuTally`
    "mean_win": PlayNumber.WIN_VALUE,
    # 和了巡数: `Round.win_turn`
    "win_turn": PlayNumber.WIN_TURN,
    # 立直巡目: the number of the discard declared with
    "riichi_turn": PlayNumber.RIICHI_TURN,
    # 平均放銃
    "mean_deal_in": PlayNumber.DEAL_IN,
    "mean_deal_in_to_riichi": PlayNumber.DEAL_IN_TO_RIICHI,
    "mean_deal_in_to_open": PlayNumber.DEAL_IN_TO_OPEN,
    "mean_deal_in_to_dama": PlayNumber.DEAL_IN_TO_DAMA,
    # copies of the waits that the seat cannot see, at its riichi
    "riichi_tiles": PlayNumber.RIICHI_TILES,
    # 立直収支: 立直時の収支（供託を含む） / 立直回数
    "riichi_balance": PlayNumber.RIICHI_BALANCE,
    # 痛い親かぶり平均: 満貫以上の親かぶり点数 / 回数 (as paid, with honba)
    "mean_dealer_tsumo_loss": PlayNumber.DEALER_LOSS,
    # 平均配牌向聴
    "deal_shanten": PlayNumber.DEAL_SHANTEN,
}


class PlayFigure(NamedTuple):
    """A share (0-1) or a mean of `cases` cases, with its 95 % interval. `value` is None without
    cases; `low` and `high` are None where a mean has fewer than FEWEST. `counted`: a share's count,
    None for a mean."""

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
        name: share(counts.get(of.counted, 0), counts.get(of.cases, 0))
        for name, of in SHARES.items()
    }
    return shares | {name: _mean(counts, number) for name, number in MEANS.items()}


def yaku_shares(counts: Mapping[str, int]) -> dict[str, PlayFigure]:
    """{yaku: share of the wins that had it}, the most frequent first; dora count as one a win."""
    wins = counts.get(PlayCount.WINS, 0)
    ordered = sorted(yaku_counts(counts).items(), key=_by_frequency)
    return {yaku_name(number): share(count, wins) for number, count in ordered if count}


def _by_frequency(counted: tuple[Yaku, int]) -> tuple[int, int, str]:
    """The most frequent first; of equals those with a number, in its order."""
    yaku, count = counted
    if isinstance(yaku, int):
        return -count, yaku, ""
    return -count, len(YAKU), yaku


def share(count: int, of: int, dispersion: float = 1.0) -> PlayFigure:
    """The share `count` of `of` cases, whose variance between games is `dispersion` times that of
    chance.
    """
    low, high = wilson(count / dispersion, of / dispersion)
    value: float | None = None
    if of:
        value = count / of
    return PlayFigure(cases=of, counted=count, value=value, low=low, high=high)


def _mean(counts: Mapping[str, int], number: PlayNumber) -> PlayFigure:
    """The mean of a number, and the interval of its standard error by Student's t."""
    cases = counts.get(number, 0)
    if not cases:
        return PlayFigure(0, counted=None, value=None, low=None, high=None)
    total = counts.get(number.sum_key, 0)
    squares = counts.get(number.squares_key, 0)
    mean = total / cases
    if cases < FEWEST:
        return PlayFigure(cases, counted=None, value=mean, low=None, high=None)
    variance = max(0.0, (squares - total * total / cases) / (cases - 1))
    half = t_quantile(cases - 1) * sqrt(variance / cases)
    return PlayFigure(cases, counted=None, value=mean, low=mean - half, high=mean + half)
