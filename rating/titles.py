"""Titles that figures earn: rules, each a figure with a bar to reach, held by the one player who is the best in it.

docs/titles.md lists them in words. Only players with enough games are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from rating.careers import SOME, Career
from rating.standings import NOISE
from rating.streaks import is_first, is_last, longest, not_last

Figure = Callable[[Career], float | None]


@dataclass(frozen=True)
class TitleRule:
    """A title for the best in a figure, the greatest or with `least` the smallest.

    `three` and `four` are the bar with so many seats, None where there is no such title; with `beyond` it is how much better
    than the mean of those compared the figure has to be. A title with `leads` needs the best figure of all these rules, whatever
    their bars.
    """

    name: str
    figure: Figure
    three: float | None
    four: float | None
    least: bool = False
    beyond: bool = False
    leads: tuple[str, ...] = ()

    def bar(self, seats: int) -> float | None:
        return self.three if seats == 3 else self.four

    def reached(self, value: float, values: Collection[float], seats: int) -> bool:
        """Whether a value is as good as the rule asks for; `values` are those of all who are compared."""
        bar = self.bar(seats)
        if bar is None:
            return False
        if self.beyond:
            value = abs(value - fmean(values)) if (value < fmean(values)) == self.least else -1.0
            return value >= bar - NOISE
        return value <= bar + NOISE if self.least else value >= bar - NOISE


def _second_rate(career: Career) -> float:
    return career.tally.placings[1] / career.tally.games


def _upper_rate(career: Career) -> float:
    return sum(career.tally.placings[:2]) / career.tally.games


def _chips(career: Career) -> float | None:
    tally = career.tally
    return tally.chips / tally.chip_games if tally.chip_games >= SOME else None


RULES = (
    TitleRule("crown", lambda c: c.tally.mean_placing, 9, 9, least=True, leads=("placing", "mean", "firsts")),
    TitleRule("no_weakness", lambda c: c.hardest, 0.505, 0.505),
    TitleRule("lasts", lambda c: c.tally.last_rate, 0.30, 0.225, least=True),
    TitleRule("firsts", lambda c: c.tally.first_rate, 0.366, 0.275),
    TitleRule("first_run", lambda c: float(longest(c.results, is_first).length), 5, 4),
    TitleRule("safe_run", lambda c: float(longest(c.results, not_last).length), 10, 13),
    TitleRule("above_leader", lambda c: c.above_leader, 0.52, 0.52),
    TitleRule("mean", lambda c: c.mean, 2, 2),
    TitleRule("placing", lambda c: c.tally.mean_placing, 1.93, 2.4, least=True),
    TitleRule("upper", _upper_rate, None, 0.54),
    TitleRule("best_score", lambda c: max(c.scores), 60, 60),
    TitleRule("best_day", lambda c: c.best_day, 100, 100),
    TitleRule("recent", lambda c: c.recent, 100, 100),
    TitleRule("growth", lambda c: c.growth, 0.12, 0.16),
    TitleRule("first_mean", lambda c: c.mean_of(is_first), 2, 2, beyond=True),
    TitleRule("last_mean", lambda c: c.mean_of(is_last), 2, 2, beyond=True),
    TitleRule("after_last", lambda c: c.firsts_after(is_last), 0.38, 0.29),
    TitleRule("after_first", lambda c: c.firsts_after(is_first), 0.38, 0.29),
    TitleRule("opening", lambda c: c.firsts_of_days(0), 0.4, 0.3),
    TitleRule("closing", lambda c: c.firsts_of_days(-1), 0.4, 0.3),
    TitleRule("chips", _chips, 0.3, 0.3),
    TitleRule("seconds", _second_rate, 0.366, 0.275),
    TitleRule("steady", lambda c: c.spread, 1.5, 1.5, least=True, beyond=True),
    TitleRule("bold", lambda c: c.spread, 1.5, 1.5, beyond=True),
    TitleRule("games", lambda c: float(c.tally.games), 30, 30),
)


class EarnedTitle(NamedTuple):
    """A title's rule, the figure of the one who holds it, and the next best."""

    rule: str
    value: float
    following: float


def titles(found: Mapping[str, Career], seats: int) -> dict[str, list[EarnedTitle]]:
    """The titles that players earned, in the order of RULES; a player without any is left out."""
    best = {rule.name: _best(rule, found) for rule in RULES}
    earned: dict[str, list[EarnedTitle]] = {}
    for rule in RULES:
        holder, title, values = best[rule.name]
        leads = all(best[name][0] == holder for name in rule.leads)
        if holder and leads and rule.reached(title.value, values, seats):
            earned.setdefault(holder, []).append(title)
    return earned


def _best(rule: TitleRule, found: Mapping[str, Career]) -> tuple[str, EarnedTitle, list[float]]:
    """Who is alone the best by a rule, with the value and the next best, and all values; "" where nobody is."""
    known = {p: value for p, career in found.items() if (value := rule.figure(career)) is not None}
    order = sorted(known, key=lambda p: known[p] if rule.least else -known[p])
    if len(order) < 2 or abs(known[order[0]] - known[order[1]]) < NOISE:
        return "", EarnedTitle(rule.name, 0.0, 0.0), []
    return order[0], EarnedTitle(rule.name, known[order[0]], known[order[1]]), list(known.values())
