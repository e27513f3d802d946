"""What a day's games tell beside the points: runs that go on, the closest game, comebacks,
milestones.

Nothing here looks at who is a member: callers pass the players whom they want to hear about.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from rating.games import Game
from rating.standings import NOISE, PROVISIONAL_GAMES, Line
from rating.tallies import STREAKS, current, results_by_player

RARE = 1 / 25  # the greatest chance, among equal players, of a run that is worth telling
COMEBACK_GAMES = 3  # fewest games of a day with a comeback
COMEBACK_FROM = -20.0  # the thousands of points it comes from
ROUND = 100  # games after which there is a milestone
KNOWN = 30  # games of a season before its best score is worth telling


class Run(NamedTuple):
    """A player's last games that all ended alike: `kind` is firsts, uppers (1st or 2nd of four) or
    not_lasts. `chance`: that so many games in a row end so, where all are equally strong."""

    player: str
    kind: str
    length: int
    chance: float


class Comeback(NamedTuple):
    """A player's day: the running total at its lowest, and at the end (thousands of points)."""

    player: str
    day: date | None
    low: float
    final: float

    @property
    def climb(self) -> float:
        return self.final - self.low


@dataclass(frozen=True, slots=True)
class Milestone:
    """`kind` is games (so many in all), peak (the season's highest own rating) or best (its best
    score).
    """

    player: str
    kind: str
    value: float


_CHANCES: Mapping[str, Callable[[int], float]] = {
    "firsts": lambda seats: 1 / seats,
    "uppers": lambda seats: 2 / seats if seats == 4 else 1.0,  # with three it is not_lasts
    "not_lasts": lambda seats: (seats - 1) / seats,
}
"""The chance of a placing that goes on with a run, among equal players; by the keys of the runs'
figures.
"""


def notable_runs(season: Sequence[Game], players: Iterable[str]) -> list[Run]:
    """Each player's rarest run up to the season's last game, the rarest first; none more likely
    than RARE. The games have the same number of seats."""
    found = []
    for player, results in results_by_player(season, players).items():
        runs = [
            Run(player, kind, length, chance(len(season[0].seats)) ** length)
            for kind, chance in _CHANCES.items()
            if (length := current(results, STREAKS[kind]))
        ]
        best = min(runs, key=lambda run: run.chance, default=None)
        if best is not None and best.chance <= RARE:
            found.append(best)
    return sorted(found, key=lambda run: (run.chance, run.player))


def gap(game: Game) -> float:
    """By how much the first is ahead of the second, thousands of points with uma."""
    return game.seats[0].score - game.seats[1].score


def raw_gap(game: Game, uma: Sequence[float], oka: float) -> int | None:
    """The points of the first's lead without uma and oka (thousands); None where these can't be
    right.
    """
    if len(uma) != len(game.seats):
        return None
    uma_gap = uma[0] - uma[1]
    points = round(1000 * (gap(game) - uma_gap - oka))
    return points if points >= 0 else None


def closest(games: Iterable[Game], players: Collection[str]) -> Game | None:
    """The game in which the first was least ahead of the second, both `players`; the earliest of
    equals.
    """
    members = set(players)
    candidates = [game for game in games if members.issuperset(game.players[:2])]
    return min(candidates, key=lambda game: round(gap(game), 6), default=None)


def best_scores(
    games: Iterable[Game],
    players: Collection[str],
) -> list[tuple[str, Game]]:
    """The players with the highest score and its games, the earliest first; none if not above 0."""
    own = [
        (seat.score, seat.player, game)
        for game in games
        for seat in game.seats
        if seat.player in players and seat.score > 0
    ]
    best = max((score for score, _, _ in own), default=0.0)
    return [(player, game) for score, player, game in own if best - score < NOISE]


def comebacks(games: Iterable[Game], players: Collection[str]) -> list[Comeback]:
    """Every day on which a player came from COMEBACK_FROM or below to above 0, the longest way
    first.
    """
    totals: dict[tuple[date | None, str], list[float]] = {}
    for game in games:
        for seat in game.seats:
            line = totals.setdefault((game.day, seat.player), [])
            line.append(round((line[-1] if line else 0.0) + seat.score, 6))
    found = [
        Comeback(player, day, min(line), line[-1])
        for (day, player), line in totals.items()
        if player in players
        and len(line) >= COMEBACK_GAMES
        and min(line) <= COMEBACK_FROM
        and line[-1] > 0
    ]
    return sorted(
        found,
        key=lambda comeback: (
            -round(comeback.climb, 6),
            comeback.day or date.min,
            comeback.player,
        ),
    )


def games_milestones(
    before: Mapping[str, int],
    after: Mapping[str, int],
) -> list[Milestone]:
    """Who has played a round number of games between two counts of games by player; the most games
    first.
    """
    milestones = []
    for player, count in after.items():
        rounds = count // ROUND
        if rounds > before.get(player, 0) // ROUND:
            milestones.append(Milestone(player, "games", rounds * ROUND))
    return sorted(milestones, key=lambda milestone: (-milestone.value, milestone.player))


def peak_milestone(player: str, line: Line, numbers: Collection[int]) -> Milestone | None:
    """The season's highest rating, where games of these numbers brought it and it is no longer
    provisional."""
    if not numbers:
        return None
    first = min(numbers)
    values = list(zip(line.games, line.values, strict=True))
    inside = [value for number, value in values if number in numbers]
    earlier = [value for number, value in values if number < first]
    if not inside or len(earlier) + len(inside) < PROVISIONAL_GAMES:
        return None
    best = max(inside)
    if best <= max([line.start, *earlier]):
        return None
    return Milestone(player, "peak", best)


def best_milestone(earlier: Sequence[Game], player: str, score: float) -> Milestone | None:
    """The season's best score so far, where there are KNOWN games before the day's."""
    if len(earlier) < KNOWN:
        return None
    best = max(game.seats[0].score for game in earlier)
    if score <= best:
        return None
    return Milestone(player, "best", score)
