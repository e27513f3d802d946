"""The results of a rating system: a rating for each player, and its history."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

PROVISIONAL_GAMES = 30  # with fewer games a rating is shown pale and marked 暫定
NOISE = 1e-6  # values that differ by less are equal: sums in another order differ in the last bits


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating in the system's own unit.

    `value` and `error`, its standard error, are by the system's own formula. `low` and `high` bound
    a 95 % interval and `likely` is the median: by another method where the formula's errors are too
    small, so the value need not be near it. `variance` is the value's, where the formula is a
    posterior. All of these but the value are None where the system gives none.
    """

    value: float
    games: int
    error: float | None = None
    low: float | None = None
    high: float | None = None
    likely: float | None = None
    variance: float | None = None

    @property
    def provisional(self) -> bool:
        return self.games < PROVISIONAL_GAMES


class Standings(Mapping[str, Rating]):
    """Ratings by player, highest first; equal values in order of name. `notes`: remarks on the
    figures, in English sentences."""

    def __init__(
        self,
        ratings: Mapping[str, Rating],
        notes: tuple[str, ...] = (),
    ) -> None:
        order = sorted(ratings, key=lambda player: (-ratings[player].value, player))
        self._ratings = {player: ratings[player] for player in order}
        self.notes = notes

    def __getitem__(self, player: str) -> Rating:
        return self._ratings[player]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ratings)

    def __len__(self) -> int:
        return len(self._ratings)

    def without(self, players: frozenset[str]) -> Standings:
        """The standings without some players (guests)."""
        others = {player: rating for player, rating in self.items() if player not in players}
        return Standings(others, self.notes)


class LinePoints(NamedTuple):
    """The points of a line in a chart: numbers of games played (xs), and the values then (ys)."""

    xs: list[int]
    ys: list[float]


@dataclass(slots=True)
class Line:
    """One player's rating or running total over time. `values[i]` is the value after game number
    `games[i]` (from 0)."""

    start: float
    games: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    @property
    def last(self) -> float:
        return self.values[-1] if self.values else self.start

    def before(self, game: int) -> float:
        """The value before game number `game`."""
        moves = zip(self.games, self.values, strict=True)
        earlier = [value for number, value in moves if number < game]
        return earlier[-1] if earlier else self.start

    def since(self, game: int) -> float | None:
        """How far the line moved from game number `game` on; None without a game then."""
        if not self.games or self.games[-1] < game:
            return None
        return self.last - self.before(game)

    def points(self, closing: Sequence[int], start: int = 0) -> LinePoints:
        """The values after each of the games numbered `closing`, from the player's first game and
        from game number `start` - 1 on. They begin with the value before the player's first game
        where that is not before `start`."""
        points = LinePoints([], [])
        first = self.games[0]
        for game in closing:
            if game < max(first, start - 1):
                continue
            if not points.xs and first >= start:
                points.xs.append(first)
                points.ys.append(self.start)
            points.xs.append(game + 1)
            points.ys.append(self.values[bisect_right(self.games, game) - 1])
        return points


History = dict[str, Line]


def places(values: Sequence[float]) -> list[int]:
    """The place of each value, from 1; the best value comes first.

    Equal values share a place: 1, 1, 3.
    """
    ranks: list[int] = []
    for number, value in enumerate(values):
        tied = number > 0 and abs(value - values[number - 1]) < NOISE
        ranks.append(ranks[-1] if tied else number + 1)
    return ranks


class GroupPlace(NamedTuple):
    """A player's place (from 1) among the players of a group; groups are numbered from 1."""

    group: int
    place: int


def places_of(
    standings: Mapping[str, Rating], groups: Mapping[str, int] | None = None
) -> dict[str, GroupPlace]:
    """Every player's place, group by group and the best of each first; equal ratings share a place.
    `groups` numbers the groups of players who can be compared (`rating.tallies.groups`); players
    without a number are in group 1. Without `groups` all players are one group."""
    members: dict[int, list[str]] = {}
    group_numbers = groups or {}
    for player in sorted(standings, key=lambda player: -standings[player].value):
        group = group_numbers.get(player, 1)
        members.setdefault(group, []).append(player)
    group_places: dict[str, GroupPlace] = {}
    for group, players in sorted(members.items()):
        values = [standings[player].value for player in players]
        for player, place in zip(players, places(values), strict=True):
            group_places[player] = GroupPlace(group, place)
    return group_places
