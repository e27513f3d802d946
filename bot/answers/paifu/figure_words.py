"""The figures of 牌譜成績 by page: their names as players say them, their units, and their values in words."""

from __future__ import annotations

from typing import NamedTuple

from bot import texts
from rating.paifu.play_figures import PlayFigure, play_figures
from rating.paifu.tally import DEAL_IN, WIN, PaifuTally
from rating.proportions import wilson

SHARE, POINTS, TURN, TILES, SHANTEN = "%", "点", "巡", "枚", "向聴"
FIGURES: dict[str, tuple[str, str]] = {
    "win": ("和了率", SHARE),
    "mean_win": ("平均和了", POINTS),
    "tsumo": ("ツモ率", SHARE),
    "dama": ("ダマ率", SHARE),
    "win_turn": ("和了巡数", TURN),
    "yakuman": ("役満率", SHARE),
    "deal_in": ("放銃率", SHARE),
    "mean_deal_in": ("平均放銃", POINTS),
    "mean_deal_in_to_riichi": ("対リーチ", POINTS),
    "mean_deal_in_to_open": ("対副露", POINTS),
    "mean_deal_in_to_dama": ("対ダマ", POINTS),
    "deal_in_in_riichi": ("放銃時リーチ率", SHARE),
    "deal_in_with_calls": ("放銃時副露率", SHARE),
    "dealer_tsumo_loss": ("痛い親かぶり率", SHARE),
    "mean_dealer_tsumo_loss": ("痛い親かぶり平均", POINTS),
    "bust": ("飛び率", SHARE),
    "riichi": ("リーチ率", SHARE),
    "riichi_win": ("リーチ和了率", SHARE),
    "riichi_deal_in": ("リーチ放銃率", SHARE),
    "riichi_draw": ("リーチ流局率", SHARE),
    "riichi_turn": ("リーチ巡目", TURN),
    "first_riichi": ("先制率", SHARE),
    "chasing_riichi": ("追っかけ率", SHARE),
    "chased_riichi": ("追っかけられ率", SHARE),
    "ippatsu": ("一発率", SHARE),
    "ura": ("裏ドラ率", SHARE),
    "good_wait": ("良形率", SHARE),
    "many_kinds": ("多面率", SHARE),
    "riichi_tiles": ("待ち枚数", TILES),
    "furiten_riichi": ("フリテン率", SHARE),
    "riichi_balance": ("リーチ収支", POINTS),
    "call": ("副露率", SHARE),
    "call_win": ("副露後和了率", SHARE),
    "call_deal_in": ("副露後放銃率", SHARE),
    "call_draw": ("副露後流局率", SHARE),
    "draw": ("流局率", SHARE),
    "tenpai_at_draw": ("流局聴牌率", SHARE),
    "deal_shanten": ("平均配牌向聴", SHANTEN),
}


class FigurePage(NamedTuple):
    """A page: `panels` are drawn with their intervals, `columns` and `details` stand in the table, each by its name in FIGURES."""

    name: str
    title: str
    words: tuple[str, ...]
    panels: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    details: tuple[str, ...] = ()

    @property
    def every(self) -> tuple[str, ...]:
        return (*self.panels, *self.columns, *self.details)


PAGES = {
    page.name: page
    for page in (
        FigurePage(
            "wins",
            "和了",
            ("和了", "あがり"),
            panels=("win", "tsumo", "dama"),
            columns=("mean_win", "win_turn", "yakuman"),
        ),
        FigurePage(
            "deal_ins",
            "放銃",
            ("放銃", "振り込み"),
            panels=("deal_in", "mean_deal_in", "bust"),
            columns=("mean_deal_in_to_riichi", "mean_deal_in_to_open", "mean_deal_in_to_dama"),
            details=(
                "deal_in_in_riichi",
                "deal_in_with_calls",
                "dealer_tsumo_loss",
                "mean_dealer_tsumo_loss",
            ),
        ),
        FigurePage(
            "riichi",
            "リーチ",
            ("リーチ", "立直"),
            panels=("riichi_win", "riichi_deal_in", "good_wait"),
            columns=("first_riichi", "ippatsu", "ura"),
            details=(
                "riichi",
                "riichi_balance",
                "chasing_riichi",
                "chased_riichi",
                "riichi_turn",
                "many_kinds",
                "riichi_tiles",
                "riichi_draw",
                "furiten_riichi",
            ),
        ),
        FigurePage(
            "calls",
            "副露・流局",
            ("副露", "鳴き", "流局"),
            panels=("call_win", "call_deal_in", "tenpai_at_draw"),
            columns=("call", "draw", "deal_shanten"),
            details=("call_draw",),
        ),
        FigurePage("yaku", "役", ("役",)),
        FigurePage("luck", "運・牌効率", ("運", "牌効率", "ツモ運")),
    )
}


def figures_of(tally: PaifuTally) -> dict[str, PlayFigure]:
    """All figures of a member by the names in FIGURES."""
    rates = {
        "win": tally.endings[WIN],
        "deal_in": tally.endings[DEAL_IN],
        "riichi": tally.riichis,
        "call": tally.called,
    }
    found = play_figures(tally.play)
    found |= {name: _rate(count, tally.rounds) for name, count in rates.items()}
    wins = tally.endings[WIN]
    return found | {"mean_win": PlayFigure(wins, None, tally.mean_win if wins else None, None, None)}


def _rate(count: int, of: int) -> PlayFigure:
    low, high = wilson(count, of)
    return PlayFigure(of, count, count / of if of else None, low, high)


def value_words(name: str, value: float | None) -> str:
    """A value with its unit: 24.1%, 5,200点, 11.9巡; － for none."""
    if value is None:
        return "－"
    unit = FIGURES[name][1]
    if unit == SHARE:
        return texts.percent(value)
    if unit == POINTS:
        return f"{value:+,.0f}点".replace("-", "−") if name == "riichi_balance" else f"{value:,.0f}点"
    return f"{value:.2f}" if unit == SHANTEN else f"{value:.1f}{unit}"


def cases_words(name: str, figure: PlayFigure) -> str:
    """How often of how many: 53/220, or 53回 for a mean."""
    return f"{figure.cases}回" if figure.counted is None else f"{figure.counted}/{figure.cases}"


def interval_words(name: str, figure: PlayFigure) -> str:
    """The interval: 95%区間 18.9〜30.1%; "" where there is none."""
    if figure.value is None or figure.low is None or figure.high is None:
        return ""
    low, high = value_words(name, figure.low), value_words(name, figure.high)
    unit = FIGURES[name][1]
    return f"95%区間 {low.removesuffix(unit)}〜{high}"
