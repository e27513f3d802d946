"""Skill and luck in words: how much of the points is skill, when half of them are, who is better and how
surely."""

from __future__ import annotations

from typing import NamedTuple

from bot.answers.common.members import People
from bot.answers.common.outlooks import FEWEST, past_of_scope, percent_of
from bot.answers.common.scope import Scope
from bot.chat.command import Question
from rating.forecast.past import Past
from rating.forecast.seasons import SEASONS
from rating.forecast.skill import (
    Opponents,
    SkillTest,
    better,
    games_until_half,
    skill_shares,
    skill_test,
    uneven_opponents,
)
from rating.forecast.strengths import skills_of

MOST_AHEAD = 5000  # games: further ahead nobody is told when half is skill
SURE = ((0.99, "ほぼ確実"), (0.95, "かなり確か"), (0.8, "有力"), (0.6, "やや有力"))
EVEN = "互角"
SEEN = "実力の差は、はっきり出ています"
SOME = "実力の差がありそうです"
UNSEEN = "実力の差は、まだ偶然と見分けがつきません"
TESTED = "（各対局の中で名前を入れ替えた{}通りのうち、実際以上に差がついたのは{}通り）。"


class ShareOfSkill(NamedTuple):
    """A member's share of skill after so many games, and how many more there are until it is one half (0 or
    less: it is)."""

    share: float
    games: int
    left: float


def shares(question: Question, past: Past) -> dict[str, ShareOfSkill]:
    """Everybody's share of skill, reckoned once of these games."""

    def reckon() -> dict[str, ShareOfSkill]:
        half = games_until_half(skills_of(past))
        return {
            player: ShareOfSkill(one.share, one.games, half - one.games)
            for player, one in skill_shares(past).items()
        }

    return question.ratings.computed(("skill", past.digest()), reckon)


def share_words(share: ShareOfSkill) -> str:
    """How much of a member's points is skill: 約40%."""
    return f"約{percent_of(share.share)}" if 0.005 <= share.share < 0.995 else percent_of(share.share)


def half_words(share: ShareOfSkill) -> str:
    """How many games are left until half of a member's points is skill, in short: あと約300戦."""
    if share.share >= 0.5:
        return "半々以上"
    if share.left > MOST_AHEAD:
        return "まだ先"
    return f"あと約{about(share.left)}戦" if share.left >= 1 else "ほぼ半々"


def share_of(question: Question, scope: Scope, player: str) -> ShareOfSkill | None:
    """A member's share of skill in the scope; None with too few games or members."""
    past = past_of_scope(question, scope)
    if past is None or past.members < 2 or past.played < FEWEST:
        return None
    return shares(question, past).get(player)


def about(games: float) -> int:
    """A number of games as one says it: two digits that count, from 20 on."""
    whole = max(1, round(games))
    if whole < 20:
        return whole
    step = 5 if whole < 100 else 10 ** (len(str(whole)) - 2)
    return round(whole / step) * step


def sentence_of(name: str, share: ShareOfSkill) -> str:
    """A member's skill and luck in a sentence."""
    told = f"{name}のいまの差のうち、実力は{share_words(share)}。"
    if share.share >= 0.5:
        return told + "運より実力のほうが大きくなっています。"
    if share.left > MOST_AHEAD:
        return told + "半々になるのは、まだずっと先です。"
    return told + (
        f"半々になるまであと約{about(share.left)}戦です。" if share.left >= 1 else "ほぼ半々です。"
    )


def better_chance(question: Question, past: Past, one: str, other: str) -> float | None:
    """The chance that the first of two players is stronger, never quite 0 or 1; None where one of them is not
    known."""
    if one not in past.names or other not in past.names:
        return None
    key = ("better", past.digest(), one, other)
    chance = question.ratings.computed(key, lambda: better(past, one, other))
    return min(max(chance, 1 / SEASONS), 1 - 1 / SEASONS)


def sure(chance: float) -> str:
    """How sure it is that one of two is stronger, from the chance of the likelier one."""
    return next((words for least, words in SURE if max(chance, 1 - chance) >= least), EVEN)


def better_words(left: str, right: str, chance: float) -> str:
    """Who of two is stronger, and how surely: みどりのほうが強い見込み 78%（有力）."""
    if sure(chance) == EVEN:
        return f"実力は{EVEN}で、{left}のほうが強い見込みは{percent_of(chance)}です。"
    name = left if chance >= 0.5 else right
    return f"{name}のほうが強い見込みは{percent_of(max(chance, 1 - chance))}（{sure(chance)}）です。"


def skill_test_words(question: Question, past: Past) -> str:
    """Whether there is any skill to see yet, from names shuffled within games."""
    found: SkillTest = question.ratings.computed(("skill test", past.digest()), lambda: skill_test(past))
    verdict = SEEN if found.p < 0.01 else SOME if found.p < 0.05 else UNSEEN
    shuffles = "1万" if found.shuffles == 10_000 else f"{found.shuffles}"
    return verdict + TESTED.format(shuffles, found.at_least)


def fairness_words(question: Question, past: Past, people: People) -> str:
    """Whose opponents were surely stronger or weaker than others', one sentence each of two at most; "" for
    nobody."""
    found: tuple[Opponents, ...] = question.ratings.computed(
        ("opponents", past.digest()), lambda: uneven_opponents(past)
    )
    return "".join(
        f"{people.shown(one.player)}は、ほかの人より{'弱い' if one.points > 0 else '強い'}相手と"
        f"当たっています（1戦あたり約{max(1, round(10 * abs(one.points)))}00点分）。"
        for one in found[:2]
        if one.player in people.order
    )
