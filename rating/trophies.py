"""Trophies of a week or a month, and titles for figures, each from the games alone.

A trophy (the best score, the closest win, the longest run) is given where its winner is clear: at
most two players share one. Only 皆勤賞 can have more holders. A title (docs/titles.md describes
them) is given to the player who is the best by a figure of those with enough games, where the
figure reaches the title's bar.
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

    `three` and `four`: the bar with so many seats, None where there is no such title. With `beyond`
    the bar is by how much the figure must be better than the mean of all compared. `leads`: the
    rules in which the holder must be the best, whatever their bars. `needs`: the fewest cases,
    where not the figure's own.
    """

    name: str
    key: str
    three: float | None
    four: float | None
    smallest: bool = False
    beyond: bool = False
    leads: tuple[str, ...] = ()
    needs: int | None = None

    @property
    def lower_is_better(self) -> bool:
        return self.smallest or STATISTICS[self.key].lower_is_better

    def reached(self, value: float, values: Collection[float], seats: int) -> bool:
        """Whether a value reaches the bar; `values` are those of all compared."""
        bar = self.three if seats == 3 else self.four
        if bar is None:
            return False
        if self.beyond:
            mean = fmean(values)
            is_better = (value < mean) == self.lower_is_better
            return is_better and abs(value - mean) >= bar - NOISE
        if self.lower_is_better:
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
    """A title with the holder's value and the next best one (`following`)."""

    rule: TitleRule
    value: float
    following: float


def titles(
    careers: Mapping[str, Career],
    seats: int,
) -> dict[str, list[EarnedTitle]]:
    """The titles of each player with any, in the order of RULES."""
    best = {rule.name: _best(rule, careers) for rule in RULES}
    earned: dict[str, list[EarnedTitle]] = {}
    for rule in RULES:
        leader = best[rule.name]
        if leader is None or not rule.reached(leader.title.value, leader.values, seats):
            continue
        others = [best[name] for name in rule.leads]
        if all(other is not None and other.player == leader.player for other in others):
            earned.setdefault(leader.player, []).append(leader.title)
    return earned


class _Leader(NamedTuple):
    """The best player by a rule, the title, and the values of all players."""

    player: str
    title: EarnedTitle
    values: list[float]


def _best(rule: TitleRule, careers: Mapping[str, Career]) -> _Leader | None:
    """The best player by a rule; None where there are fewer than two players or the best ones are
    equal."""
    values: dict[str, float] = {}
    for player, career in careers.items():
        value = STATISTICS[rule.key].value(career, rule.needs)
        if value is not None:
            values[player] = value
    if len(values) < 2:
        return None
    sign = 1 if rule.lower_is_better else -1
    holder, runner_up, *_ = sorted(values, key=lambda player: sign * values[player])
    title = EarnedTitle(rule, values[holder], values[runner_up])
    if abs(title.value - title.following) < NOISE:
        return None
    return _Leader(holder, title, list(values.values()))


SHARED = 2  # most players who share a trophy
MEETINGS = 5  # fewest games against somebody
GAMES = 5  # fewest games for the greatest rise
DAYS = 3  # fewest days of play for 皆勤賞
UNLUCKY = -1.0  # standard deviations below what can be expected
RECORDS = 3  # fewest records of games for a figure of luck


@dataclass(frozen=True, slots=True)
class Holder:
    """A player who holds a trophy, and what for: a game, an opponent, or points from `low` to
    `high` on a day."""

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
    """`name` is a key of TROPHIES; `value` is the winning figure: points, games, days or standard
    deviations."""

    name: str
    value: float
    holders: tuple[Holder, ...]


@dataclass(frozen=True)
class PeriodGames:
    """The games of a period with one number of seats, and the players who can win a trophy.
    `rises`: how far each rating moved. `luck`: standard deviations above expectation, and the
    number of records from which they are computed."""

    games: Sequence[Game]
    players: Collection[str]
    rises: Mapping[str, float] = field(default_factory=dict)
    luck: Mapping[str, tuple[float, int]] = field(default_factory=dict)


class Candidate(NamedTuple):
    """A possible holder of a trophy; the one with the greatest value wins it."""

    value: float
    holder: Holder


Candidates = list[Candidate]


def _figure(
    key: str,
    beyond: float,
    games: int = 1,
) -> Callable[[PeriodGames], Candidates]:
    """Those whose figure of STATISTICS is greater than `beyond`, where there are so many games."""

    def candidates(period: PeriodGames) -> Candidates:
        if len(period.games) < games:
            return []
        player_careers = careers(period.games, period.players)
        figures: list[tuple[str, Counted]] = []
        for player in period.players:
            if player not in player_careers:
                continue
            figure = STATISTICS[key].counted(player_careers[player])
            if figure is not None and figure.value > beyond:
                figures.append((player, figure))
        figures.sort(key=lambda entry: entry[-1].order)
        return [Candidate(figure.value, Holder(player, figure.last)) for player, figure in figures]

    return candidates


def _close_wins(period: PeriodGames) -> Candidates:
    if len(period.games) < 2:
        return []
    candidates = []
    for game in period.games:
        winner, second, *_ = game.players
        if second in period.players:
            candidates.append(Candidate(-gap(game), Holder(winner, game)))
    return candidates


def _comebacks(period: PeriodGames) -> Candidates:
    candidates = []
    for comeback in comebacks(period.games, period.players):
        holder = Holder(
            comeback.player,
            low=comeback.low,
            high=comeback.final,
            day=comeback.day,
        )
        candidates.append(Candidate(comeback.climb, holder))
    return candidates


def _pairs(period: PeriodGames) -> Candidates:
    """By how many games a player finished ahead of an opponent more often than behind."""
    candidates = []
    for (player, opponent), meeting in meetings(period.games).items():
        behind = meeting.games - meeting.ahead
        if meeting.games >= MEETINGS and opponent in period.players and meeting.ahead > behind:
            holder = Holder(player, other=opponent, won=meeting.ahead, lost=behind)
            candidates.append(Candidate(float(meeting.ahead - behind), holder))
    return candidates


def _rises(period: PeriodGames) -> Candidates:
    regulars = careers(period.games, period.rises, GAMES)
    return [
        Candidate(rise, Holder(player))
        for player, rise in period.rises.items()
        if rise > 0 and player in regulars
    ]


def _unlucky(period: PeriodGames) -> Candidates:
    return [
        Candidate(-luck, Holder(player))
        for player, (luck, records) in period.luck.items()
        if records >= RECORDS and luck <= UNLUCKY
    ]


def _always_there(period: PeriodGames) -> Candidates:
    """Those who played on every day of play; none where these are few or everybody did."""
    days = {game.day for game in period.games}
    days_of = {player: _days_played(period.games, player) for player in period.players}
    some_absent = any(dates and dates != days for dates in days_of.values())
    if len(days) < DAYS or not some_absent:
        return []
    return [
        Candidate(float(len(days)), Holder(player))
        for player, dates in days_of.items()
        if dates == days
    ]


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


def trophies(period: PeriodGames) -> list[Trophy]:
    """The trophies won, in the order of TROPHIES; a player holds each once, by the first of
    equals."""
    won = []
    for name, candidates_of in TROPHIES.items():
        candidates = [c for c in candidates_of(period) if c.holder.player in period.players]
        best = max((candidate.value for candidate in candidates), default=0.0)
        holders: dict[str, Holder] = {}
        for value, holder in candidates:
            if best - value < NOISE:
                holders.setdefault(holder.player, holder)
        if holders and (len(holders) <= SHARED or name == "attendance"):
            won.append(Trophy(name, best, tuple(holders.values())))
    return won
