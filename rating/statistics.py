"""Everything that is counted of a player over some games: one entry a figure, and who is ranked by
it.

Answers show the figures by their keys: a ranking board, a title, an axis of the card's radar, a
row, a column. A new entry is a board, a row of the card and a column of the export by itself; its
words stand in bot/answers/common/figures.py.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Literal, NamedTuple

from rating.games import Game
from rating.standings import NOISE, PROVISIONAL_GAMES, Line, places
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
"""`balance` is points and what chips are worth, `spread` a deviation of points, `rise` that of a
rating.
"""
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
    """A figure of so many cases, with the games of which it came, and what orders equal ones by
    time.
    """

    value: float
    cases: int
    first: Game | None = None
    last: Game | None = None
    order: tuple[int | str, ...] = ()


CasesCount = Callable[[Career], Counted | None]


@dataclass(frozen=True)
class Statistic:
    """One figure: how it is counted; a number alone is of all games, None of a player who has none.
    `least`: less is better. `rate`: only players with 規定打数 games are ranked; a sum or a record
    ranks all. `seats`: with so many seats alone (0: with any). `needs`: the fewest cases.
    `records`: counted from records, of which a player needs PROVISIONAL_GAMES to be ranked."""

    key: str
    unit: Unit
    count: Callable[[Career], Counted | float | None]
    on: tuple[str, ...] = (BOARD, CARD, EXPORT)
    least: bool = False
    rate: bool = False
    seats: int = 0
    needs: int = 1
    records: bool = False

    def counted(self, career: Career, needs: int | None = None) -> Counted | None:
        """The figure with its cases; None with fewer than it needs.

        `needs`: another fewest number.
        """
        found = self.count(career)
        if not isinstance(found, Counted):
            return None if found is None else Counted(found, career.tally.games)
        fewest = self.needs if needs is None else needs
        if found.cases < fewest:
            return None
        return found

    def value(self, career: Career, needs: int | None = None) -> float | None:
        found = self.counted(career, needs)
        return None if found is None else found.value

    def qualifies(self, career: Career, qualifying: int) -> bool:
        """Whether the player has enough games to be ranked; `qualifying` is what a rate needs."""
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


def _end(best: Callable[[Sequence[float]], float], begin: bool) -> CasesCount:
    """The highest or the lowest rating and the game that brought it; `begin`: also that before the
    first.
    """

    def count(career: Career) -> Counted | None:
        line = career.line
        if line is None or not (line.values or begin):
            return None
        values = list(line.values)
        games: list[Game | None] = [result.game for result in career.results]
        if begin:
            values.insert(0, line.start)
            games.insert(0, None)
        extreme = best(values)
        game = games[values.index(extreme)]
        return Counted(extreme, len(values), game, game)

    return count


def _scores_where(fits: Condition) -> CasesCount:
    return lambda career: _mean([result.seat.score for result in career.results if fits(result)])


def _firsts_after(fits: Condition) -> CasesCount:
    return lambda c: _mean(
        [
            is_first(now)
            for before, now in zip(c.results, c.results[1:], strict=False)
            if fits(before)
        ]
    )


def _growth(career: Career) -> Counted:
    placings = [result.placing for result in career.results]
    middle = len(placings) // 2
    return Counted(
        fmean(placings[:middle] or [0]) - fmean(placings[middle:]),
        len(placings),
    )


def _hardest(career: Career) -> float | None:
    """The least share of games finished above an opponent, of at least two with enough games
    together.
    """
    known = [meeting.share for meeting in career.met.values() if meeting.games >= OPPONENT_GAMES]
    return min(known) if len(known) > 1 else None


def _above_leader(career: Career) -> Counted | None:
    meeting = career.met.get(career.peers.leader, Meeting())
    return _ratio(meeting.ahead, meeting.games)


def _share(places: slice) -> Callable[[Career], float]:
    return lambda career: sum(career.tally.placings[places]) / career.tally.games


def _extreme(best: Callable[..., Result]) -> Callable[[Career], Counted]:
    def count(career: Career) -> Counted:
        result = best(career.results, key=lambda result: result.seat.score)
        return Counted(
            result.seat.score, 1, result.game, result.game, (result.number, result.placing)
        )

    return count


def _busts(career: Career) -> Counted | None:
    return _ratio(career.records.get("busts", 0), career.records.get("games", 0))


def _of_line(
    value: Callable[[Line], float],
) -> Callable[[Career], float | None]:
    def count(career: Career) -> float | None:
        if career.line is None or not career.line.values:
            return None
        return value(career.line)

    return count


def _of_days(number: int) -> CasesCount:
    """The share of first places in the first (0) or last (-1) own game of each day."""
    return lambda career: _mean([is_first(day[number]) for day in career.days])


_ENTRIES = (
    Statistic(
        "mean",
        "placing",
        lambda c: c.tally.mean_placing,
        (BOARD, EXPORT),
        least=True,
        rate=True,
    ),
    Statistic("total", "balance", lambda c: c.total, (BOARD, EXPORT)),
    Statistic(
        "average",
        "balance",
        lambda c: c.total / c.tally.games,
        (BOARD,),
        rate=True,
    ),
    Statistic("points", "points", lambda c: c.tally.points, (EXPORT,)),
    Statistic("mean_points", "points", lambda c: c.tally.points / c.tally.games, ()),
    Statistic("first", "share", _share(slice(1)), (BOARD,), rate=True),
    Statistic("second", "share", _share(slice(1, 2)), ()),
    Statistic("upper", "share", _share(slice(2)), (BOARD,), rate=True),
    Statistic(
        "last",
        "share",
        _share(slice(-1, None)),
        (BOARD,),
        least=True,
        rate=True,
    ),
    Statistic(
        "not_last",
        "share",
        lambda c: 1 - c.tally.placings[-1] / c.tally.games,
        (),
    ),
    Statistic("ahead", "share", _ahead, (BOARD,), rate=True),
    Statistic("best", "points", _extreme(max), (BOARD, CARD)),
    Statistic("worst", "points", _extreme(min), (BOARD, CARD)),
    Statistic("day", "points", _best_day, (BOARD, CARD)),
    Statistic("firsts", "run", _run("firsts"), (BOARD, CARD), needs=2),
    Statistic("not_lasts", "run", _run("not_lasts"), (BOARD, CARD), needs=2),
    Statistic("uppers", "run", _run("uppers"), (BOARD,), needs=2, seats=4),
    Statistic("lasts", "run", _run("lasts"), (BOARD, CARD), needs=2),
    Statistic("rating", "rating", _of_line(lambda line: line.last), (BOARD,)),
    Statistic("peak", "rating", _end(max, begin=False), (BOARD,)),
    Statistic("highest", "rating", _end(max, begin=True), ()),
    Statistic("lowest", "rating", _end(min, begin=True), ()),
    Statistic("rise", "rise", _of_line(lambda line: line.last - line.start), ()),
    Statistic("games", "games", lambda c: c.tally.games, (BOARD, EXPORT)),
    Statistic(
        "won_chips",
        "chips",
        lambda c: Counted(c.tally.chips, c.tally.chip_games),
        (CARD, EXPORT),
    ),
    Statistic(
        "chips",
        "chip mean",
        lambda c: _ratio(c.tally.chips, c.tally.chip_games),
        (BOARD,),
        rate=True,
    ),
    Statistic("busts", "share", _busts, (BOARD,), least=True, records=True),
    Statistic("hardest", "share", _hardest, ()),
    Statistic("above_leader", "share", _above_leader, (), needs=OPPONENT_GAMES),
    Statistic(
        "recent",
        "points",
        lambda c: Counted(sum(c.scores[-FORM:]), len(c.scores)),
        (),
        needs=FORM,
    ),
    Statistic("form", "points", lambda c: fmean(c.scores[-FORM:]), ()),
    Statistic("growth", "placing", _growth, (), needs=HALVES),
    Statistic("first_mean", "points", _scores_where(is_first), ()),
    Statistic("last_mean", "points", _scores_where(is_last), ()),
    Statistic("after_last", "share", _firsts_after(is_last), (), needs=AFTER_GAMES),
    Statistic("after_first", "share", _firsts_after(is_first), (), needs=AFTER_GAMES),
    Statistic("opening", "share", _of_days(0), (), needs=EDGE_DAYS),
    Statistic("closing", "share", _of_days(-1), (), needs=EDGE_DAYS),
    Statistic("spread", "spread", lambda c: pstdev(c.scores), ()),
)
STATISTICS = {each.key: each for each in _ENTRIES}
RECORD_COUNTS = (
    "games",
    "busts",
)  # what is counted from records, by the words of rating.paifu.play_figures


def shown_on(view: str, begin: Sequence[str] = ()) -> list[str]:
    """The keys of a view: those it begins with, then the others that are shown there."""
    on_view = [key for key, statistic in STATISTICS.items() if view in statistic.on]
    return [*begin, *(key for key in on_view if key not in begin)]


class Ranked(NamedTuple):
    """A player's place (from 1; 0 for one with too few games) and value."""

    player: str
    place: int
    value: float


def ranking(
    statistic: Statistic,
    own: Mapping[str, Career],
    qualifying: int,
) -> tuple[Ranked, ...]:
    """The players by a figure, best first, equal ones by games and name; those with too few games
    last (`Statistic.qualifies`). Equal values share a place."""
    values = {player: statistic.value(career) for player, career in own.items()}
    known = [(player, value) for player, value in values.items() if value is not None]
    known.sort(
        key=lambda each: (
            each[1] if statistic.least else -each[1],
            -own[each[0]].tally.games,
            each[0],
        )
    )
    qualified = []
    few = []
    for player, value in known:
        if statistic.qualifies(own[player], qualifying):
            qualified.append((player, value))
        else:
            few.append(Ranked(player, 0, value))
    player_places = places([value for _, value in qualified])
    ranked = [
        Ranked(player, place, value)
        for (player, value), place in zip(qualified, player_places, strict=True)
    ]
    return (*ranked, *few)


def qualifying_games(asked: int | None, own: Mapping[str, Career]) -> int:
    """The games a rate needs: what the league asks for (or 30), half of the most where nobody has
    as many.
    """
    usual = PROVISIONAL_GAMES if asked is None else asked
    most = max((career.tally.games for career in own.values()), default=0)
    return usual if most >= usual else (most + 1) // 2


PROFILE = ("first", "mean_points", "first_mean", "form", "last_mean", "not_last")
"""The figures around a radar, more is better: at the right what is won, at the left what is not
lost.
"""


class Score(NamedTuple):
    """A player's value of a figure, and its standard score."""

    key: str
    value: float
    score: float


def profile(own: Career, compared: Collection[Career]) -> list[Score]:
    """A player's scores among those who are compared; none where they are fewer than COMPARED. A
    figure is left out where the player has none, or fewer than COMPARED of the others have one."""
    scores = []
    for key in PROFILE:
        statistic = STATISTICS[key]
        value = statistic.value(own)
        all_values = [statistic.value(career) for career in compared]
        values = [value for value in all_values if value is not None]
        if value is not None and len(values) >= COMPARED:
            scores.append(Score(key, value, standard_score(value, values)))
    return scores


def standard_score(value: float, values: Collection[float]) -> float:
    """50 for the mean of `values` and 10 more a standard deviation above it; 50 where all are
    equal.
    """
    spread = pstdev(values)
    return 50.0 if spread < NOISE else 50.0 + 10 * (value - fmean(values)) / spread
