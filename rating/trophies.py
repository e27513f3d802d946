"""Trophies of a week or a month, and titles that figures earn, each from the games alone.

A trophy (the best score, the closest win, the longest run) is given where its data are there and
its winner is clear: at most two share one. Only 皆勤賞 has as many holders as there are. A title
(docs/titles.md lists them in words) is a figure with a bar to reach, held by the one who is the
best in it of those with enough games.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from statistics import fmean
from typing import NamedTuple

from rating.games import Game
from rating.night import comebacks, gap
from rating.standings import NOISE
from rating.statistics import STATISTICS, Counted
from rating.tallies import Career, careers, meetings


@dataclass(frozen=True)
class TitleRule:
    """A title for the best in a figure, by its key in STATISTICS; with `smallest` for the smallest
    value.

    `three` and `four` are the bar with so many seats, None where there is no such title; with
    `beyond` it is how much better than the mean of those compared the figure has to be. A title
    with `leads` needs the best figure of all these rules, whatever their bars. `needs`: the fewest
    cases, where not the figure's own."""

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
        """Whether a value is as good as the rule asks for; `values` are those of all who are
        compared.
        """
        bar = self.three if seats == 3 else self.four
        if bar is None:
            return False
        if self.beyond:
            mean = fmean(values)
            distance = -1.0
            if (value < mean) == self.least:
                distance = abs(value - mean)
            return distance >= bar - NOISE
        if self.least:
            return value <= bar + NOISE
        return value >= bar - NOISE


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


def titles(
    found: Mapping[str, Career],
    seats: int,
) -> dict[str, list[EarnedTitle]]:
    """The titles that players earned, in the order of RULES; a player without any is left out."""
    best = {rule.name: _best(rule, found) for rule in RULES}
    earned: dict[str, list[EarnedTitle]] = {}
    for rule in RULES:
        holder, title, values = best[rule.name]
        leads = all(best[name][0] == holder for name in rule.leads)
        if holder and leads and rule.reached(title.value, values, seats):
            earned.setdefault(holder, []).append(title)
    return earned


def _best(
    rule: TitleRule,
    found: Mapping[str, Career],
) -> tuple[str, EarnedTitle, list[float]]:
    """Who is alone the best by a rule, with the value, the next best and all values; "" where
    nobody is.
    """
    figure = STATISTICS[rule.key]
    known: dict[str, float] = {}
    for player, career in found.items():
        value = figure.value(career, rule.needs)
        if value is not None:
            known[player] = value
    order = sorted(
        known,
        key=lambda p: known[p] if rule.least else -known[p],
    )
    if len(order) >= 2:
        holder, runner_up = order[:2]
        title = EarnedTitle(rule, known[holder], known[runner_up])
        if abs(title.value - title.following) >= NOISE:
            return holder, title, list(known.values())
    return "", EarnedTitle(rule, 0.0, 0.0), []


SHARED = 2  # most players who share a trophy
MEETINGS = 5  # fewest games against somebody
GAMES = 5  # fewest games for the greatest rise
DAYS = 3  # fewest days of play for 皆勤賞
UNLUCKY = -1.0  # standard deviations below what can be expected
RECORDS = 3  # fewest records of games that tell of luck


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a trophy, and by what: a game, an opponent, or points from `low` to `high` on a
    day.
    """

    player: str
    game: Game | None = None
    other: str = ""
    won: int = 0
    lost: int = 0
    low: float = 0.0
    high: float = 0.0
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Trophy:
    """`name` is one of TROPHIES; `value` is what was best: points, games, days or standard
    deviations.
    """

    name: str
    value: float
    holders: tuple[Holder, ...]


@dataclass(frozen=True)
class PeriodGames:
    """The games of a period with one number of seats, and who can win a trophy. `rises`: how far
    each rating moved. `luck`: the standard deviations above expectation, and the records that tell
    them."""

    games: Sequence[Game]
    players: Collection[str]
    rises: Mapping[str, float] = field(default_factory=dict)
    luck: Mapping[str, tuple[float, int]] = field(default_factory=dict)


Candidates = list[tuple[float, Holder]]
"""What each could win the trophy with; the greatest wins."""


def _figure(
    key: str,
    beyond: float,
    games: int = 1,
) -> Callable[[PeriodGames], Candidates]:
    """Those whose figure of STATISTICS is greater than `beyond`, where there are so many games."""

    def candidates(played: PeriodGames) -> Candidates:
        if len(played.games) < games:
            return []
        own = careers(played.games, played.players)
        found: list[tuple[str, Counted]] = []
        for player in played.players:
            if player not in own:
                continue
            counted = STATISTICS[key].counted(own[player])
            if counted is not None and counted.value > beyond:
                found.append((player, counted))
        found.sort(key=lambda each: each[1].order)
        return [(counted.value, Holder(player, counted.last)) for player, counted in found]

    return candidates


def _close_wins(played: PeriodGames) -> Candidates:
    if len(played.games) < 2:
        return []
    games = [game for game in played.games if game.players[1] in played.players]
    return [(-gap(game), Holder(game.players[0], game)) for game in games]


def _comebacks(played: PeriodGames) -> Candidates:
    found = comebacks(played.games, played.players)
    return [
        (
            each.climb,
            Holder(
                each.player,
                low=each.low,
                high=each.final,
                day=each.day,
            ),
        )
        for each in found
    ]


def _pairs(played: PeriodGames) -> Candidates:
    """By how many games a player finished ahead of an opponent more often than behind."""
    found = []
    for (player, other), meeting in meetings(played.games).items():
        behind = meeting.games - meeting.ahead
        if meeting.games >= MEETINGS and other in played.players and meeting.ahead > behind:
            holder = Holder(player, other=other, won=meeting.ahead, lost=behind)
            found.append((float(meeting.ahead - behind), holder))
    return found


def _rises(played: PeriodGames) -> Candidates:
    often = careers(played.games, played.rises, GAMES)
    return [
        (rise, Holder(player))
        for player, rise in played.rises.items()
        if rise > 0 and player in often
    ]


def _unlucky(played: PeriodGames) -> Candidates:
    return [
        (-luck, Holder(player))
        for player, (luck, records) in played.luck.items()
        if records >= RECORDS and luck <= UNLUCKY
    ]


def _always_there(played: PeriodGames) -> Candidates:
    """Those who played on every day of play; none where these are few or everybody did."""
    days = {game.day for game in played.games}
    own_days = {player: _days_played(played.games, player) for player in played.players}
    always = [player for player, dates in own_days.items() if dates == days]
    some_absent = any(dates and dates != days for dates in own_days.values())
    if len(days) < DAYS or not some_absent:
        return []
    return [(float(len(days)), Holder(player)) for player in always]


def _days_played(games: Sequence[Game], player: str) -> set[date | None]:
    return {game.day for game in games if player in game.players}


TROPHIES: Mapping[str, Callable[[PeriodGames], Candidates]] = {
    "score": _figure("best", beyond=0, games=2),
    "closest": _close_wins,
    "comeback": _comebacks,
    "firsts": _figure("firsts", beyond=2),
    "not_lasts": _figure("not_lasts", beyond=4),
    "pair": _pairs,
    "rise": _rises,
    "unlucky": _unlucky,
    "attendance": _always_there,
}


def trophies(played: PeriodGames) -> list[Trophy]:
    """The trophies won, in the order of TROPHIES; a player holds each once, by the first of
    equals.
    """
    found = []
    for name, candidates in TROPHIES.items():
        own = [
            (value, holder)
            for value, holder in candidates(played)
            if holder.player in played.players
        ]
        best = max((value for value, _ in own), default=0.0)
        holders: dict[str, Holder] = {}
        for value, holder in own:
            if best - value < NOISE:
                holders.setdefault(holder.player, holder)
        if holders and (len(holders) <= SHARED or name == "attendance"):
            found.append(Trophy(name, best, tuple(holders.values())))
    return found
