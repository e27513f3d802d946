"""Figures of a player over some games, and rankings by them.

Answers refer to the figures by key: a ranking board, a title, an axis of the card's radar, a row, a
column. A new entry of STATISTICS is automatically a board, a row of the card and a column of the
export; its labels are in bot/answers/common/figures.py.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from statistics import fmean, pstdev
from typing import Literal, NamedTuple

from rating.games import Game
from rating.standings import NOISE, PROVISIONAL_GAMES, places
from rating.tallies import STREAKS, Career, Meeting, Result, is_first, is_last, longest

Unit = Literal[
    "placing",
    "balance",
    "points",
    "spread",
    "share",
    "run",
    "rating",
    "rise",
    "games",
    "chips",
    "chip mean",
]
"""`balance` is points and what chips are worth, `spread` a deviation of points, `rise` a change of
a rating."""
BOARD = "board"
CARD = "card"
EXPORT = "export"
"""The views: a ranking, a row of the card, a column of the CSV file."""
FORM = 20  # the last games, a player's form
OPPONENT_GAMES = 10  # fewest games with an opponent
EDGE_DAYS = 15  # fewest days of play for a share of their first or last games
AFTER_GAMES = 20  # fewest games after a first or a last one
HALVES = 60  # fewest games for two halves
COMPARED = 3  # fewest players who are compared


Condition = Callable[[Result], bool]


class Counted(NamedTuple):
    """A figure, the number of cases it is counted from, its first and last game where it has such,
    and a key that orders equal figures by time."""

    value: float
    cases: int
    first: Game | None = None
    last: Game | None = None
    order: tuple[int | str, ...] = ()


CasesCount = Callable[[Career], Counted | None]


@dataclass(frozen=True)
class Statistic:
    """One figure.

    `count`: counts it; a plain number is one of all games, None is for players who have none.
    `lower_is_better`: whether rankings begin with the lowest value. `rate`: only players with 規定打数
    games are ranked; all are ranked by a sum or a record. `seats`: the number of seats with which
    the figure exists (0: any). `needs`: the fewest cases. `records`: the figure is counted from
    records, of which a player needs PROVISIONAL_GAMES to be ranked.
    """

    key: str
    unit: Unit
    count: Callable[[Career], Counted | float | None]
    on: tuple[str, ...] = (BOARD, CARD, EXPORT)
    lower_is_better: bool = False
    rate: bool = False
    seats: int = 0
    needs: int = 1
    records: bool = False

    def counted(self, career: Career, needs: int | None = None) -> Counted | None:
        """The figure with its cases; None with fewer than `needs`, by default the figure's own."""
        figure = self.count(career)
        if not isinstance(figure, Counted):
            return None if figure is None else Counted(figure, career.tally.games)
        fewest = self.needs if needs is None else needs
        return figure if figure.cases >= fewest else None

    def value(self, career: Career, needs: int | None = None) -> float | None:
        figure = self.counted(career, needs)
        return None if figure is None else figure.value

    def qualifies(self, career: Career, qualifying: int) -> bool:
        """Whether the player has enough games to be ranked; `qualifying`: the games that a rate
        needs."""
        if self.records:
            return career.records.get("games", 0) >= PROVISIONAL_GAMES
        return not self.rate or career.tally.games >= qualifying


def _mean(cases: Sequence[float]) -> Counted | None:
    return Counted(fmean(cases), len(cases)) if cases else None


def _ratio(part: int, whole: int) -> Counted | None:
    return Counted(part / whole, whole) if whole else None


def _ahead(career: Career) -> Counted | None:
    below = len(career.tally.placings) - 1
    ahead = sum(count * (below - place) for place, count in enumerate(career.tally.placings))
    return _ratio(ahead, below * career.tally.games)


def _points(results: Sequence[Result]) -> float:
    return round(sum(result.seat.score for result in results), 6)


def _best_day(career: Career) -> Counted | None:
    sums = list(map(_points, career.days))
    if not sums:
        return None
    best = max(sums)
    day = career.days[sums.index(best)]
    first = day[0].game
    last = day[-1].game
    ordinal = first.day.toordinal() if first.day else 0
    return Counted(best, len(day), first, last, (ordinal, career.player))


def _run(key: str) -> Callable[[Career], Counted]:
    def count(career: Career) -> Counted:
        run = longest(career.results, STREAKS[key])
        return Counted(run.length, run.length, run.first, run.last)

    return count


def _extreme_rating(
    extreme_of: Callable[[Sequence[float]], float], with_start: bool = False
) -> CasesCount:
    """The highest or lowest rating and the game after which it was; `with_start`: the rating before
    the first game counts too."""

    def count(career: Career) -> Counted | None:
        line = career.line
        if line is None or not (line.values or with_start):
            return None
        values = list(line.values)
        games: list[Game | None] = [result.game for result in career.results]
        if with_start:
            values.insert(0, line.start)
            games.insert(0, None)
        extreme = extreme_of(values)
        game = games[values.index(extreme)]
        return Counted(extreme, len(values), game, game)

    return count


def _mean_score_where(fits: Condition) -> CasesCount:
    def count(career: Career) -> Counted | None:
        return _mean([result.seat.score for result in career.results if fits(result)])

    return count


def _firsts_after(fits: Condition) -> CasesCount:
    """The share of first places in the games after those that fit."""

    def count(career: Career) -> Counted | None:
        return _mean(
            [is_first(after) for before, after in pairwise(career.results) if fits(before)]
        )

    return count


def _growth(career: Career) -> Counted:
    """By how much the mean placing is better in the second half of the games than in the first."""
    placings = [result.placing for result in career.results]
    middle = len(placings) // 2
    first_half = fmean(placings[:middle] or [0])
    return Counted(first_half - fmean(placings[middle:]), len(placings))


def _hardest(career: Career) -> float | None:
    """The lowest share of games finished above an opponent, of at least two opponents with enough
    games."""
    meetings = career.meetings.values()
    shares = [meeting.share for meeting in meetings if meeting.games >= OPPONENT_GAMES]
    return min(shares) if len(shares) > 1 else None


def _above_leader(career: Career) -> Counted | None:
    meeting = career.meetings.get(career.peers.leader, Meeting())
    return _ratio(meeting.ahead, meeting.games)


def _won_chips(career: Career) -> Counted:
    return Counted(career.tally.chips, career.tally.chip_games)


def _chip_mean(career: Career) -> Counted | None:
    return _ratio(career.tally.chips, career.tally.chip_games)


def _recent(career: Career) -> Counted:
    return Counted(sum(career.scores[-FORM:]), len(career.scores))


def _share(places: slice) -> Callable[[Career], float]:
    def count(career: Career) -> float:
        return sum(career.tally.placings[places]) / career.tally.games

    return count


def _extreme_score(extreme_of: Callable[..., Result]) -> Callable[[Career], Counted]:
    """The highest or lowest score, and its game."""

    def count(career: Career) -> Counted:
        result = extreme_of(career.results, key=attrgetter("seat.score"))
        order = (result.number, result.placing)
        return Counted(result.seat.score, 1, result.game, result.game, order)

    return count


def _average(career: Career) -> float:
    return career.total / career.tally.games


def _not_last(career: Career) -> float:
    return 1 - career.tally.placings[-1] / career.tally.games


def _busts(career: Career) -> Counted | None:
    return _ratio(career.records.get("busts", 0), career.records.get("games", 0))


def _rating(career: Career) -> float | None:
    return career.line.last if career.line is not None and career.line.values else None


def _rise(career: Career) -> float | None:
    line = career.line
    return line.last - line.start if line is not None and line.values else None


def _firsts_of_days(number: int) -> CasesCount:
    """The share of first places in the player's first (0) or last (-1) game of each day."""

    def count(career: Career) -> Counted | None:
        return _mean([is_first(day[number]) for day in career.days])

    return count


_ENTRIES = (
    Statistic(
        "mean",
        "placing",
        attrgetter("tally.mean_placing"),
        (BOARD, EXPORT),
        lower_is_better=True,
        rate=True,
    ),
    Statistic("total", "balance", attrgetter("total"), (BOARD, EXPORT)),
    Statistic("average", "balance", _average, (BOARD,), rate=True),
    Statistic("points", "points", attrgetter("tally.points"), (EXPORT,)),
    Statistic("mean_points", "points", lambda c: c.tally.points / c.tally.games, ()),
    Statistic("first", "share", _share(slice(1)), (BOARD,), rate=True),
    Statistic("second", "share", _share(slice(1, 2)), ()),
    Statistic("upper", "share", _share(slice(2)), (BOARD,), rate=True),
    Statistic("last", "share", _share(slice(-1, None)), (BOARD,), lower_is_better=True, rate=True),
    Statistic("not_last", "share", _not_last, ()),
    Statistic("ahead", "share", _ahead, (BOARD,), rate=True),
    Statistic("best", "points", _extreme_score(max), (BOARD, CARD)),
    Statistic("worst", "points", _extreme_score(min), (BOARD, CARD)),
    Statistic("day", "points", _best_day, (BOARD, CARD)),
    Statistic("firsts", "run", _run("firsts"), (BOARD, CARD), needs=2),
    Statistic("not_lasts", "run", _run("not_lasts"), (BOARD, CARD), needs=2),
    Statistic("uppers", "run", _run("uppers"), (BOARD,), needs=2, seats=4),
    Statistic("lasts", "run", _run("lasts"), (BOARD, CARD), needs=2),
    Statistic("rating", "rating", _rating, (BOARD,)),
    Statistic("peak", "rating", _extreme_rating(max), (BOARD,)),
    Statistic("highest", "rating", _extreme_rating(max, with_start=True), ()),
    Statistic("lowest", "rating", _extreme_rating(min, with_start=True), ()),
    Statistic("rise", "rise", _rise, ()),
    Statistic("games", "games", attrgetter("tally.games"), (BOARD, EXPORT)),
    Statistic("won_chips", "chips", _won_chips, (CARD, EXPORT)),
    Statistic("chips", "chip mean", _chip_mean, (BOARD,), rate=True),
    Statistic("busts", "share", _busts, (BOARD,), lower_is_better=True, records=True),
    Statistic("hardest", "share", _hardest, ()),
    Statistic("above_leader", "share", _above_leader, (), needs=OPPONENT_GAMES),
    Statistic("recent", "points", _recent, (), needs=FORM),
    Statistic("form", "points", lambda c: fmean(c.scores[-FORM:]), ()),
    Statistic("growth", "placing", _growth, (), needs=HALVES),
    Statistic("first_mean", "points", _mean_score_where(is_first), ()),
    Statistic("last_mean", "points", _mean_score_where(is_last), ()),
    Statistic("after_last", "share", _firsts_after(is_last), (), needs=AFTER_GAMES),
    Statistic("after_first", "share", _firsts_after(is_first), (), needs=AFTER_GAMES),
    Statistic("opening", "share", _firsts_of_days(0), (), needs=EDGE_DAYS),
    Statistic("closing", "share", _firsts_of_days(-1), (), needs=EDGE_DAYS),
    Statistic("spread", "spread", lambda c: pstdev(c.scores), ()),
)
STATISTICS = {statistic.key: statistic for statistic in _ENTRIES}
RECORD_COUNTS = ("games", "busts")  # counted from records, by the keys of rating.paifu.play_figures


def shown_on(view: str, begin: Sequence[str] = ()) -> list[str]:
    """The keys of a view: those of `begin`, then the others that are shown there."""
    on_view = [key for key, statistic in STATISTICS.items() if view in statistic.on]
    return [*begin, *(key for key in on_view if key not in begin)]


class Ranked(NamedTuple):
    """A player's place (from 1; 0 for one with too few games) and value."""

    player: str
    place: int
    value: float


def ranking(
    statistic: Statistic, careers: Mapping[str, Career], qualifying: int
) -> tuple[Ranked, ...]:
    """The players by a figure, best first, equal ones by games and name; those with too few games
    last (`Statistic.qualifies`). Equal values share a place."""
    values = {}
    for player, career in careers.items():
        value = statistic.value(career)
        if value is not None:
            values[player] = value
    sign = 1 if statistic.lower_is_better else -1
    order = sorted(values, key=lambda p: (sign * values[p], -careers[p].tally.games, p))
    qualified = [p for p in order if statistic.qualifies(careers[p], qualifying)]
    qualified_places = places([values[player] for player in qualified])
    ranked = [
        Ranked(player, place, values[player])
        for player, place in zip(qualified, qualified_places, strict=True)
    ]
    unranked = [Ranked(player, 0, values[player]) for player in order if player not in qualified]
    return (*ranked, *unranked)


def qualifying_games(required: int | None, careers: Mapping[str, Career]) -> int:
    """The games that a rate needs: the number that the league requires (by default
    PROVISIONAL_GAMES), or half of the most games of a player where nobody has as many."""
    usual = PROVISIONAL_GAMES if required is None else required
    most_games = max((career.tally.games for career in careers.values()), default=0)
    return usual if most_games >= usual else (most_games + 1) // 2


PROFILE = ("first", "mean_points", "first_mean", "form", "last_mean", "not_last")
"""The figures around a radar, more is better: at the right points won, at the left points not
lost."""


class Score(NamedTuple):
    """A player's value of a figure, and its standard score."""

    key: str
    value: float
    score: float


def profile(career: Career, compared: Collection[Career]) -> list[Score]:
    """A player's scores among those who are compared. A figure is left out where the player has
    none, or where fewer than COMPARED of those who are compared have one."""
    scores = []
    for key in PROFILE:
        statistic = STATISTICS[key]
        value = statistic.value(career)
        values = [v for v in map(statistic.value, compared) if v is not None]
        if value is not None and len(values) >= COMPARED:
            scores.append(Score(key, value, standard_score(value, values)))
    return scores


def standard_score(value: float, values: Collection[float]) -> float:
    """50 for the mean of `values`, and 10 more for each standard deviation above it; 50 where all
    are equal."""
    spread = pstdev(values)
    return 50.0 if spread < NOISE else 50.0 + 10 * (value - fmean(values)) / spread
