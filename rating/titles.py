"""Titles that figures earn: each a figure with a bar to reach, held by the one player who is the best in it.

docs/titles.md lists them in words. Only players with enough games are compared.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from rating.careers import Career
from rating.standings import NOISE
from rating.statistics import STATISTICS


@dataclass(frozen=True)
class TitleRule:
    """A title for the best in a figure, by its key in STATISTICS; with `smallest` for the smallest value.

    `three` and `four` are the bar with so many seats, None where there is no such title; with `beyond` it is
    how much better than the mean of those compared the figure has to be. A title with `leads` needs the best
    figure of all these rules, whatever their bars. `needs`: the fewest cases, where not the figure's own."""

    name: str
    key: str
    three: float | None
    four: float | None
    smallest: bool = False
    beyond: bool = False
    leads: tuple[str, ...] = ()
    needs: int | None = None

    @property
    def least(self) -> bool:
        return self.smallest or STATISTICS[self.key].least

    def reached(self, value: float, values: Collection[float], seats: int) -> bool:
        """Whether a value is as good as the rule asks for; `values` are those of all who are compared."""
        bar = self.three if seats == 3 else self.four
        if bar is None:
            return False
        if self.beyond:
            value = abs(value - fmean(values)) if (value < fmean(values)) == self.least else -1.0
            return value >= bar - NOISE
        return value <= bar + NOISE if self.least else value >= bar - NOISE


RULES = (
    TitleRule("crown", "mean", 9, 9, leads=("placing", "mean", "firsts")),
    TitleRule("no_weakness", "hardest", 0.505, 0.505),
    TitleRule("lasts", "last", 0.30, 0.225),
    TitleRule("firsts", "first", 0.366, 0.275),
    TitleRule("first_run", "firsts", 5, 4, needs=0),
    TitleRule("safe_run", "not_lasts", 10, 13, needs=0),
    TitleRule("above_leader", "above_leader", 0.52, 0.52),
    TitleRule("mean", "mean_points", 2, 2),
    TitleRule("placing", "mean", 1.93, 2.4),
    TitleRule("upper", "upper", None, 0.54),
    TitleRule("best_score", "best", 60, 60),
    TitleRule("best_day", "day", 100, 100),
    TitleRule("recent", "recent", 100, 100),
    TitleRule("growth", "growth", 0.12, 0.16),
    TitleRule("first_mean", "first_mean", 2, 2, beyond=True, needs=10),
    TitleRule("last_mean", "last_mean", 2, 2, beyond=True, needs=10),
    TitleRule("after_last", "after_last", 0.38, 0.29),
    TitleRule("after_first", "after_first", 0.38, 0.29),
    TitleRule("opening", "opening", 0.4, 0.3),
    TitleRule("closing", "closing", 0.4, 0.3),
    TitleRule("chips", "chips", 0.3, 0.3, needs=20),
    TitleRule("seconds", "second", 0.366, 0.275),
    TitleRule("steady", "spread", 1.5, 1.5, smallest=True, beyond=True),
    TitleRule("bold", "spread", 1.5, 1.5, beyond=True),
    TitleRule("games", "games", 30, 30),
)


class EarnedTitle(NamedTuple):
    rule: TitleRule
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
    """Who is alone the best by a rule, with the value, the next best and all values; "" where nobody is."""
    figure = STATISTICS[rule.key]
    known = {p: v for p, career in found.items() if (v := figure.value(career, rule.needs)) is not None}
    order = sorted(known, key=lambda p: known[p] if rule.least else -known[p])
    if len(order) < 2 or abs(known[order[0]] - known[order[1]]) < NOISE:
        return "", EarnedTitle(rule, 0.0, 0.0), []
    return order[0], EarnedTitle(rule, known[order[0]], known[order[1]]), list(known.values())
