"""Draws the tables of a season's games to come, by the players' habits."""

from collections.abc import Sequence

import numpy as np

from rating.columns import Floats, Ints
from rating.forecast.past import Past

HABIT_PRIOR = 10  # games: a player's future weight is gamma distributed, shape 1 + habit / this


class TableDraw:
    """Draws the tables of seasons to come. players: (p,) who may come, with their `habits` (p,) in
    games. How often a player will come is uncertain: each season has weights of its own, gamma
    distributed with shape 1 + habit / HABIT_PRIOR, by which the seats of each table are taken one
    after another, nobody twice."""

    def __init__(self, players: Ints, habits: Floats, seats: int) -> None:
        self._players = players
        self._shapes = 1 + habits / HABIT_PRIOR
        self._seats = seats

    def __call__(self, random: np.random.Generator, seasons: int, games: int) -> Ints:
        """The players (seats, seasons * games), the games of one season after those of another.

        A season's weights divide the range from 0 to 1 into parts, one for each player. The player
        of a seat is the one in whose part a random point falls. A point is drawn from as much of
        the range as the players seated so far leave, and moved up past each of their parts that
        begins at or below it, in ascending order.

        Below, players are numbered through all seasons: season s has the numbers from s * p on.
        """
        p = len(self._players)
        weights = random.standard_gamma(self._shapes, (seasons, p))
        weights /= weights.sum(axis=1, keepdims=True)
        ends = np.cumsum(weights, axis=1)
        ends[:, -1] = 1
        starts = (ends - weights).ravel()
        weights = weights.ravel()
        first_of_season = np.repeat(np.arange(seasons) * p, games)
        seated: list[Ints] = []  # at each table, in ascending order
        drawn: list[Ints] = []
        for _ in range(self._seats):
            seated_weight = sum(weights[player] for player in seated)
            points = random.random(len(first_of_season)) * (1 - seated_weight)
            for player in seated:
                points += weights[player] * (points >= starts[player])
            new = first_of_season + _numbers_at(points.reshape(seasons, games), ends)
            drawn.append(new)
            seated = _inserted(seated, new)
        return np.asarray(self._players[np.array(drawn) % p])


def _numbers_at(points: Floats, ends: Floats) -> Ints:
    """The number of the player in whose part of the range each point (seasons, games) is, flat.
    ends: (seasons, p) of the players' parts, ascending."""
    _, p = ends.shape
    numbers = np.zeros(points.shape, np.int16)
    for player in range(p - 1):
        numbers += points >= ends[:, player, None]
    return np.asarray(numbers.ravel())


def _inserted(seated: Sequence[Ints], new: Ints) -> list[Ints]:
    """The players seated at each table with a new one, in ascending order."""
    result = []
    for players in seated:
        result.append(np.minimum(players, new))
        new = np.maximum(players, new)
    return [*result, new]


def tables_of(past: Past, without: int | None = None) -> TableDraw:
    """The tables to come, by the members' habits. Guests come only where fewer members than seats
    have played recently: as many as are missing, the most frequent ones. With `without`, the tables
    have one seat less and that player is not among them."""
    seats = past.seats
    habits = past.habits
    order = np.argsort(-habits, kind="stable")
    active = order[habits[order] > 0]
    if without is not None:
        seats -= 1
        active = active[active != without]
    members = active[active < past.members]
    guests = active[active >= past.members]
    missing = max(0, seats - len(members))
    players = np.sort(np.concatenate([members, guests[:missing]]))
    return TableDraw(players, habits[players], seats)
