"""The title on a member's card, in words: what was earned by figures, else what the number of games says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.answers.common.figures import WORDS, written
from bot.answers.common.members import People
from bot.answers.common.scope import Scope
from bot.answers.players.card_picture import Honour
from bot.chat.command import Question
from rating.careers import FEWEST, Career, careers
from rating.standings import PROVISIONAL_GAMES
from rating.titles import EarnedTitle, titles

BY_GAMES = ((500, "歴戦の雀士"), (100, "百戦錬磨"), (PROVISIONAL_GAMES, "レギュラー"), (0, "新人"))
"""The titles of those who hold no other, by games in all seasons."""


TITLES = {
    "crown": "絶対王者",
    "no_weakness": "苦手なし",
    "lasts": "ラス回避の鬼",
    "firsts": "トップ量産機",
    "first_run": "連勝街道",
    "safe_run": "鉄壁",
    "above_leader": "王者キラー",
    "mean": "稼ぎ頭",
    "placing": "着順の達人",
    "upper": "連対の名手",
    "best_score": "一撃必殺",
    "best_day": "一日の覇者",
    "recent": "絶好調",
    "growth": "伸び盛り",
    "first_mean": "豪腕",
    "last_mean": "しのぎの名人",
    "after_last": "切り替えの達人",
    "after_first": "波に乗る人",
    "opening": "開幕の一番",
    "closing": "締めの一番",
    "chips": "チップ長者",
    "seconds": "2着の職人",
    "steady": "安定感",
    "bold": "勝負師",
    "games": "卓の主",
}
"""What the rules' titles are called."""
CROWNED = "平均着順・1戦平均・トップ率がどれもリーグ1位"
END = {"steady": "が最小", "bold": "が最大"}  # what the figure's name does not say


@dataclass(frozen=True)
class Compared:
    """The members with enough games, and the titles that each of them earned."""

    careers: Mapping[str, Career]
    titles: Mapping[str, Sequence[EarnedTitle]]


def compared_in(question: Question, people: People, scope: Scope) -> Compared:
    """Those with 規定打数 games of a scope, and FEWEST at least; computed once for its games."""
    asked = question.snapshot.league.rules.qualifying
    least = PROVISIONAL_GAMES if asked is None else max(asked, FEWEST)

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
    name, key = earned.rule.name, earned.rule.key
    if earned.rule.leads:
        return Honour(TITLES[name], CROWNED)
    value, following = written(key, earned.value), written(key, earned.following)
    return Honour(TITLES[name], f"{WORDS[key].name}{END.get(name, '')} {value}（次点 {following}）")
