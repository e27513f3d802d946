"""The results of a rating system: a rating for each player, and its history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

PROVISIONAL_GAMES = 30  # with fewer games a rating is shown pale and marked 暫定
NOISE = 1e-6  # values that differ by less are equal: sums in another order differ in the last bits


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating in the system's own unit. `value` and `error`, its standard error, are the
    system's own formula's. `low` and `high` bound a 95 % interval and `likely` is its centre, the
    median: of another method where the formula's errors are too small, so the value need not be
    near it. `variance` is the value's, where the formula is a posterior. All are None where the
    system gives none."""

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
    """Ratings by player, highest first; equal values in order of name. `notes`: what has to be said
    of the figures, in English sentences."""

    def __init__(
        self,
        ratings: Mapping[str, Rating],
        notes: tuple[str, ...] = (),
    ) -> None:
        self._ratings = dict(
            sorted(
                ratings.items(),
                key=lambda item: (-item[1].value, item[0]),
            )
        )
        self.notes = notes

    def __getitem__(self, player: str) -> Rating:
        return self._ratings[player]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ratings)

    def __len__(self) -> int:
        return len(self._ratings)

    def without(self, players: frozenset[str]) -> Standings:
        """The standings without some players (guests)."""
        return Standings(
            {p: r for p, r in self.items() if p not in players},
            self.notes,
        )


@dataclass(slots=True)
class Line:
    """One player's rating or running total over time. `values[i]` holds after game number
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

    def points(
        self,
        closing: Sequence[int],
        start: int = 0,
    ) -> tuple[list[int], list[float]]:
        """How many games had been played, and the value then, after each `closing` game from game
        `start` - 1 and the player's first on, and before that first game if it is not before
        `start`."""
        xs: list[int] = []
        ys: list[float] = []
        at = 0
        value = self.start
        first = self.games[0]
        for index in closing:
            while at < len(self.games) and self.games[at] <= index:
                value = self.values[at]
                at += 1
            if index < max(first, start - 1):
                continue
            if not xs and first >= start:  # the line begins with the value before the first game
                xs.append(first)
                ys.append(self.start)
            xs.append(index + 1)
            ys.append(value)
        return xs, ys


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
    `groups` numbers the groups of players who can be compared (`rating.tallies.groups`); a player
    it does not name is in group 1. Without it all players are one group."""
    members: dict[int, list[str]] = {}
    group_numbers = groups or {}
    for player in standings:
        group = group_numbers.get(player, 1)
        members.setdefault(group, []).append(player)
    placed: dict[str, GroupPlace] = {}
    for group, players in sorted(members.items()):
        ranked = sorted(players, key=lambda player: -standings[player].value)
        values = [standings[player].value for player in ranked]
        for player, place in zip(ranked, places(values), strict=True):
            placed[player] = GroupPlace(group, place)
    return placed
