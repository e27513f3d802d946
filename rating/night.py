"""Highlights of a day's games: runs that go on, the closest game, comebacks, milestones.

Nothing here checks who is a member: callers pass the players to consider.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import attrgetter
from typing import NamedTuple

from rating.games import Game
from rating.standings import NOISE, PROVISIONAL_GAMES, Line
from rating.tallies import STREAKS, current, results_by_player

RARE = 1 / 25  # the greatest chance, among equal players, of a notable run
COMEBACK_GAMES = 3  # fewest games of a day with a comeback
COMEBACK_FROM = -20.0  # the thousands of points it comes from
ROUND = 100  # games after which there is a milestone
BEST_SCORE_GAMES = 30  # games of a season before its best score is a milestone


class Run(NamedTuple):
    """A player's last games that all ended alike: `kind` is firsts, uppers (1st or 2nd of four) or
    not_lasts. `chance`: that so many games in a row end like this among equal players."""

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
    """`kind`: games (a round number of them), peak (the player's highest rating of the season) or
    best (the season's best score)."""

    player: str
    kind: str
    value: float


_CHANCES: Mapping[int, Mapping[str, float]] = {
    3: {"firsts": 1 / 3, "not_lasts": 2 / 3},
    4: {"firsts": 1 / 4, "uppers": 2 / 4, "not_lasts": 3 / 4},
}
"""The chance, among equal players, of a placing that continues a run: by the number of seats and
the key of the run's figure. With three seats `uppers` would be `not_lasts`."""


def notable_runs(season: Sequence[Game], players: Iterable[str]) -> list[Run]:
    """Each player's rarest run up to the season's last game, the rarest first; none more likely
    than RARE. The games have the same number of seats."""
    if not season:
        return []
    rarest = []
    for player, results in results_by_player(season, players).items():
        runs = []
        for kind, chance in _CHANCES[len(season[0].seats)].items():
            length = current(results, STREAKS[kind])
            runs.append(Run(player, kind, length, chance**length))
        rarest.append(min(runs, key=attrgetter("chance")))
    notable = [run for run in rarest if run.chance <= RARE]
    return sorted(notable, key=attrgetter("chance", "player"))


def gap(game: Game) -> float:
    """By how much the first is ahead of the second, thousands of points with uma."""
    return game.seats[0].score - game.seats[1].score


def raw_gap(game: Game, uma: Sequence[float], oka: float) -> int | None:
    """The first's lead in single points without uma and oka (thousands); None where uma and oka
    cannot be those of the game."""
    if len(uma) != len(game.seats):
        return None
    first_uma, second_uma, *_ = uma
    points = round(1000 * (gap(game) - (first_uma - second_uma) - oka))
    return points if points >= 0 else None


def closest(games: Iterable[Game], players: Collection[str]) -> Game | None:
    """The game in which the first was least ahead of the second, both `players`; the earliest of
    equals."""
    members = set(players)
    candidates = [game for game in games if members.issuperset(game.players[:2])]
    return min(candidates, key=_rounded_gap, default=None)


def _rounded_gap(game: Game) -> float:
    return round(gap(game), 6)


class BestScore(NamedTuple):
    """A player with the highest score, and the game of it."""

    player: str
    game: Game


def best_scores(games: Iterable[Game], players: Collection[str]) -> list[BestScore]:
    """The players with the highest score and its games, the earliest first; none if not above 0."""
    best = 0.0
    scores: list[tuple[float, BestScore]] = []
    for game in games:
        for seat in game.seats:
            if seat.player in players and seat.score > 0:
                scores.append((seat.score, BestScore(seat.player, game)))
                best = max(best, seat.score)
    return [holder for score, holder in scores if best - score < NOISE]


def comebacks(games: Iterable[Game], players: Collection[str]) -> list[Comeback]:
    """Every day on which a player came from COMEBACK_FROM or below to above 0, the longest climb
    first."""
    totals: dict[tuple[date | None, str], list[float]] = {}
    for game in games:
        for seat in game.seats:
            line = totals.setdefault((game.day, seat.player), [0.0])
            line.append(round(line[-1] + seat.score, 6))
    climbs = []
    for (day, player), (_, *line) in totals.items():
        comeback = Comeback(player, day, low=min(line), final=line[-1])
        is_comeback = comeback.low <= COMEBACK_FROM and comeback.final > 0
        if player in players and len(line) >= COMEBACK_GAMES and is_comeback:
            climbs.append(comeback)
    return sorted(climbs, key=_comeback_order)


def _comeback_order(comeback: Comeback) -> tuple[object, ...]:
    return -round(comeback.climb, 6), comeback.day or date.min, comeback.player


def games_milestones(
    before: Mapping[str, int],
    after: Mapping[str, int],
) -> list[Milestone]:
    """The players who reached a round number of games between two counts of games by player; the
    most games first."""
    milestones = []
    for player, count in sorted(after.items()):
        hundreds = count // ROUND
        if hundreds > before.get(player, 0) // ROUND:
            milestones.append(Milestone(player, "games", hundreds * ROUND))
    return sorted(milestones, key=attrgetter("value"), reverse=True)


def peak_milestone(player: str, line: Line, numbers: Collection[int]) -> Milestone | None:
    """The season's highest rating, where it came after one of the games with these numbers and is
    no longer provisional."""
    if not numbers:
        return None
    first = min(numbers)
    values = list(zip(line.games, line.values, strict=True))
    new_values = [value for number, value in values if number in numbers]
    earlier_values = [value for number, value in values if number < first]
    if not new_values or len(earlier_values) + len(new_values) < PROVISIONAL_GAMES:
        return None
    best = max(new_values)
    if best <= max([line.start, *earlier_values]):
        return None
    return Milestone(player, "peak", best)


def best_milestone(earlier: Sequence[Game], player: str, score: float) -> Milestone | None:
    """The season's best score so far, where `earlier`, the games before the day's, are at least
    BEST_SCORE_GAMES."""
    if len(earlier) < BEST_SCORE_GAMES:
        return None
    best = max(game.seats[0].score for game in earlier)
    if score <= best:
        return None
    return Milestone(player, "best", score)
