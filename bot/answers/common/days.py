"""A day of play: whether it is over, each member's points and placings, and how far it moved the
rating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from bot import texts
from bot.answers.common.ratings import course_model, signed
from bot.chat.command import Question
from bot.league.ratings import LeagueRatings, RatedGames
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game, GameError
from rating.logdates import JST
from rating.models import MODELS
from rating.standings import places
from rating.tallies import Tally, has_chips, tallies

# After the start of a day's last game: its length, and an hour without one.
REST = timedelta(minutes=90)


def day_is_over(question: Question, games: Sequence[Game]) -> bool:
    """Whether a day's games (in order) were all: none for an hour, or, without times, the day is
    over.
    """
    last = games[-1]
    if last.day is None or last.start is None:
        return last.day is None or last.day < question.now.date()
    return question.now - datetime.combine(last.day, last.start, JST) >= REST


class MovementText(NamedTuple):
    rating: str
    change: str


class MostFirsts(NamedTuple):
    """The members with the most first places of a day, and their number."""

    players: list[str]
    firsts: int


@dataclass(frozen=True)
class Movement:
    """A rating after a day's games, and its exact change; `first`: they are the player's first
    games.
    """

    after: float
    change: float
    first: bool
    decimals: int = 0
    sign: bool = False

    @property
    def words(self) -> MovementText:
        """The rating and its change.

        The exact change is rounded, so every answer shows the same digits.
        """
        rating = texts.number(self.after, self.decimals, self.sign)
        return MovementText(rating, texts.number(self.change, self.decimals, sign=True))


@dataclass(frozen=True)
class DayResult:
    """A member's day.

    `place` is by points, from 1; `moved` is None where the system has too few games.
    """

    player: str
    place: int
    tally: Tally
    moved: Movement | None


@dataclass(frozen=True)
class DayPart:
    """A day's games with one number of seats, and the members' results, best first; `guests`:
    whether guests played too.
    """

    seats: int
    games: tuple[Game, ...]
    results: tuple[DayResult, ...]
    guests: bool

    @property
    def chips(self) -> bool:
        """Whether chips changed hands, which the points leave out."""
        return has_chips(self.games)

    @property
    def most_firsts(self) -> MostFirsts:
        firsts = {result.player: result.tally.placings[0] for result in self.results}
        most_firsts = max(firsts.values(), default=0)
        players = [player for player, count in firsts.items() if count == most_firsts]
        return MostFirsts(players, most_firsts)


def day_parts(
    snapshot: LeagueSnapshot,
    ratings: LeagueRatings,
    games: Sequence[Game],
    members: Sequence[str],
) -> list[DayPart]:
    """The day's games by their number of seats, three first, with the results of the `members`."""
    parts = []
    for seats in sorted({len(game.seats) for game in games}):
        games_of_part = tuple(game for game in games if len(game.seats) == seats)
        results = _results(snapshot, ratings, games_of_part, members)
        players = {player for game in games_of_part for player in game.players}
        parts.append(DayPart(seats, games_of_part, results, guests=len(results) < len(players)))
    return parts


def _results(
    snapshot: LeagueSnapshot,
    ratings: LeagueRatings,
    games: Sequence[Game],
    members: Sequence[str],
) -> tuple[DayResult, ...]:
    """The members' results, best first."""
    tally_of = tallies(games)
    moved = movements(snapshot, ratings, games)
    order = [player for player in tally_of if player in members]
    order.sort(key=lambda player: (-tally_of[player].points, player))
    places_by_points = places([tally_of[player].points for player in order])
    return tuple(
        DayResult(player, place, tally_of[player], moved.get(player))
        for player, place in zip(order, places_by_points, strict=True)
    )


@dataclass(frozen=True)
class RatedDay:
    """The latest season with any of a day's games: its ratings, and the numbers of these games in
    them.
    """

    season: int
    rated: RatedGames
    numbers: tuple[int, ...]


def rated_day(
    snapshot: LeagueSnapshot, ratings: LeagueRatings, games: Sequence[Game]
) -> RatedDay | None:
    """The ratings of the latest season with any of a day's games; None where there are too few."""
    model = course_model(snapshot.league.model)
    seats = len(games[0].seats)
    games_of_day = set(games)
    for season in reversed(snapshot.seasons):
        inside = [game for game in snapshot.games[season.number] if game in games_of_day]
        if not inside:
            continue
        try:
            rated = ratings.rated(model, season.number, seats)
        except GameError:
            return None
        day = inside[0].day  # compared first, because it costs the least
        numbers = [n for n, game in enumerate(rated.games) if game.day == day and game in inside]
        return RatedDay(season.number, rated, tuple(numbers))
    return None


def movements(
    snapshot: LeagueSnapshot, ratings: LeagueRatings, games: Sequence[Game]
) -> dict[str, Movement]:
    """How far the games moved each player's rating, by the ratings of the latest season with any of
    them.
    """
    day = rated_day(snapshot, ratings, games)
    model = course_model(snapshot.league.model)
    moved: dict[str, Movement] = {}
    if day is None:
        return moved
    for player, line in day.rated.history.items():
        values = dict(zip(line.games, line.values, strict=True))
        numbers = [number for number in day.numbers if number in values]
        if numbers:
            after = values[numbers[-1]]
            change = after - line.before(numbers[0])
            first = line.games[0] == numbers[0]
            moved[player] = Movement(after, change, first, MODELS[model].decimals, signed(model))
    return moved
