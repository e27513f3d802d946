"""The title on a member's card, in words: what was earned by figures, else what the number of games says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot import texts
from bot.answers.common.members import People
from bot.answers.common.scope import Scope
from bot.charts.player import Honour
from bot.chat.command import Question
from rating.careers import FEW, Career, careers
from rating.standings import PROVISIONAL_GAMES
from rating.titles import EarnedTitle, titles

NEXT = "次点"
BY_GAMES = ((500, "歴戦の雀士"), (100, "百戦錬磨"), (PROVISIONAL_GAMES, "レギュラー"), (0, "新人"))
"""The titles of those who hold no other, by games in all seasons."""


@dataclass(frozen=True)
class TitleWords:
    """A title, and how the figure that earns it is called and written. Without `words` the figure's name says all."""

    title: str
    figure: str
    words: Callable[[float], str] | None = texts.percent


def _games(value: float) -> str:
    return f"{value:.0f}戦"


def _plain(value: float) -> str:
    return f"{value:.1f}"


TITLE_WORDS = {
    "crown": TitleWords("絶対王者", "平均着順・1戦平均・トップ率がどれもリーグ1位", None),
    "no_weakness": TitleWords("苦手なし", "いちばん苦手な相手にも先着率"),
    "lasts": TitleWords("ラス回避の鬼", "ラス率"),
    "firsts": TitleWords("トップ量産機", "トップ率"),
    "first_run": TitleWords("連勝街道", "連続トップ", texts.in_a_row),
    "safe_run": TitleWords("鉄壁", "連続ラス回避", texts.in_a_row),
    "above_leader": TitleWords("王者キラー", "平均着順1位の人への先着率"),
    "mean": TitleWords("稼ぎ頭", "1戦平均", texts.points),
    "placing": TitleWords("着順の達人", "平均着順", texts.decimals),
    "upper": TitleWords("連対の名手", "連対率"),
    "best_score": TitleWords("一撃必殺", "最高スコア", texts.points),
    "best_day": TitleWords("一日の覇者", "最高の1日", texts.points),
    "recent": TitleWords("絶好調", "直近20戦の点数", texts.points),
    "growth": TitleWords("伸び盛り", "後半に平均着順がよくなった幅", texts.decimals),
    "first_mean": TitleWords("豪腕", "トップの時の平均点", texts.points),
    "last_mean": TitleWords("しのぎの名人", "ラスの時の平均点", texts.points),
    "after_last": TitleWords("切り替えの達人", "ラスの次の対局のトップ率"),
    "after_first": TitleWords("波に乗る人", "トップの次の対局のトップ率"),
    "opening": TitleWords("開幕の一番", "その日の最初の対局のトップ率"),
    "closing": TitleWords("締めの一番", "その日の最後の対局のトップ率"),
    "chips": TitleWords("チップ長者", "チップ平均", texts.chips_a_game),
    "seconds": TitleWords("2着の職人", "2着率"),
    "steady": TitleWords("安定感", "点数のばらつきが最小", _plain),
    "bold": TitleWords("勝負師", "点数のばらつきが最大", _plain),
    "games": TitleWords("卓の主", "対局数", _games),
}


@dataclass(frozen=True)
class Compared:
    """The members with enough games, and the titles that each of them earned."""

    careers: Mapping[str, Career]
    titles: Mapping[str, Sequence[EarnedTitle]]


def compared_in(question: Question, people: People, scope: Scope) -> Compared:
    """The members compared in a scope, computed once for its games: those with 規定打数 games, and FEW at least."""
    asked = question.snapshot.league.rules.qualifying
    least = PROVISIONAL_GAMES if asked is None else max(asked, FEW)

    def compare() -> Compared:
        found = careers(scope.games, frozenset(people.order), least)
        return Compared(found, titles(found, scope.seats))

    return question.ratings.computed(("titles", scope.games, people.order, least), compare)


def honour_of(question: Question, compared: Compared, player: str) -> Honour:
    """The first title a member holds, else one by all games that the member has ever played."""
    held = compared.titles.get(player)
    if held:
        return in_words(held[0])
    played = sum(player in game.players for game in question.snapshot.all_games())
    title = next(title for least, title in BY_GAMES if played >= least)
    return Honour(title, f"通算{played}戦")


def in_words(earned: EarnedTitle) -> Honour:
    """A title with its figure and that of the next best."""
    found = TITLE_WORDS[earned.rule]
    if found.words is None:
        return Honour(found.title, found.figure)
    value, following = found.words(earned.value), found.words(earned.following)
    return Honour(found.title, f"{found.figure} {value}（{NEXT} {following}）")
