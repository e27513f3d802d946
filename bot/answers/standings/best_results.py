"""Finds the best results of a season, each with the members who hold it."""

from __future__ import annotations

from collections.abc import Mapping

from bot import texts
from bot.answers.common.figures import careers_of, name_of, written
from bot.answers.common.members import People
from bot.answers.common.ratings import Ratings
from bot.answers.common.scope import Scope
from bot.charts.canvas import style
from bot.charts.parts.facts import Fact
from rating.careers import FEWEST, Career
from rating.games import Game
from rating.standings import NOISE, PROVISIONAL_GAMES
from rating.statistics import STATISTICS

BEST = ("best", "worst", "firsts", "not_lasts", "day", "mean", "last", "games", "rise", "peak")
"""The figures of which a season's best is told; of 最低スコア it is the lowest."""
LABELS = {"mean": "平均着順トップ", "last": "ラス率最少", "games": "最多対局"}


def best_results_of(people: People, scope: Scope, ratings: Ratings | None) -> list[Fact]:
    """The best results of the scope, each with the members who hold it; those of ratings only with `ratings`."""
    own = careers_of(people, scope, ratings)
    found = [_best(people, scope, ratings, key, own) for key in BEST]
    return [fact for fact in found if fact is not None]


def _best(
    people: People, scope: Scope, ratings: Ratings | None, key: str, own: Mapping[str, Career]
) -> Fact | None:
    """The best of a figure with all who hold it, of a score or a day the earliest first; None where nobody has one.

    A rate is of members with enough games: where nobody has PROVISIONAL_GAMES, of those with FEWEST, marked 暫定.
    """
    statistic, mark = STATISTICS[key], ""
    if statistic.rate:
        enough = [career for career in own.values() if career.tally.games >= PROVISIONAL_GAMES]
        mark = "" if enough else "　暫定"
        fewest = PROVISIONAL_GAMES if enough else FEWEST
        own = {p: career for p, career in own.items() if career.tally.games >= fewest}
    elif statistic.unit in ("rating", "rise"):
        own = {p: career for p, career in own.items() if ratings and p in ratings.standings}
    known = {p: found for p, career in own.items() if (found := statistic.counted(career))}
    if not known:
        return None
    first = min if statistic.least or key == "worst" else max
    best = first(found.value for found in known.values())
    holders = [p for p in known if abs(known[p].value - best) < NOISE]
    holders.sort(key=lambda player: known[player].order)
    alone = len(holders) == 1
    details = []
    for player in holders if len(holders) <= people.NAMED else ():
        found = known[player]
        detail = texts.short_day(found.last.day, scope.years) if found.last else ""
        if statistic.unit == "run":
            detail = _days(scope, found.first, found.last) if alone else detail
        elif key == "day":
            detail += f"　{found.cases}戦" * alone
        elif statistic.rate:
            detail = f"{own[player].tally.games}戦{mark}"
        elif ratings and statistic.unit in ("rating", "rise"):
            detail = "　".join(filter(None, (detail, "暫定" * ratings.standings[player].provisional)))
        details.append(detail)
    shown = (written(key, best, ratings), "、".join(filter(None, dict.fromkeys(details))))
    label = LABELS.get(key) or name_of(key, scope.games)
    colour = people.colour(holders[0]) if alone else style.INK
    return Fact(label, people.named(holders), "　".join(filter(None, shown)), colour, people.joined(holders))


def _days(scope: Scope, first: Game | None, last: Game | None) -> str:
    """The days of two games: 9/1〜9/8 or 2020/9/1〜9/8; where the years are told and differ the months, 2019/12〜2020/1."""
    start, end = (game.day if game else None for game in (first, last))
    if start is None or end is None or start == end:
        return texts.short_day(start or end, scope.years)
    if scope.years and start.year != end.year:
        return f"{start.year}/{start.month}〜{end.year}/{end.month}"
    return f"{texts.short_day(start, scope.years)}〜{texts.short_day(end)}"
