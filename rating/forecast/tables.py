"""Who sits together in a game to come: members as often as they came lately, each once at a table."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb
from typing import Protocol

import numpy as np

from rating.columns import Floats, Ints
from rating.forecast.past import Past

MOST_SETS = 10_000  # tables that are listed; with more, each table is drawn seat by seat
CELLS = 2**15  # of the unit interval, each with the first table whose chances reach into it


class TableDraw(Protocol):
    """Draws the players of tables, (K, size): a row for each seat, seats in any order."""

    def __call__(self, random: np.random.Generator, size: int) -> Ints: ...


class ListedTables:
    """Every possible table, `sets` (M, K) of players, and the chance (M,) of each."""

    def __init__(self, players: Ints, weights: Floats, seats: int) -> None:
        """players (p,) with weights (p,), all above 0, are drawn without replacement."""
        chosen = np.array(list(combinations(range(len(players)), seats)))
        shares = np.asarray(weights, float) / weights.sum()
        chance = np.zeros(len(chosen))
        for order in permutations(range(seats)):
            drawn = shares[chosen[:, order]]
            left = 1 - np.cumsum(drawn, axis=1)[:, :-1]
            chance += drawn.prod(axis=1) / left.prod(axis=1)
        self.sets = players[chosen]
        self.chances = chance / chance.sum()
        self._ends = np.append(np.cumsum(self.chances)[:-1], np.inf)
        self._first = np.searchsorted(self._ends, np.arange(CELLS) / CELLS, side="right")
        self._seats = np.ascontiguousarray(self.sets.T)

    def __call__(self, random: np.random.Generator, size: int) -> Ints:
        drawn = random.random(size)
        numbers = self._first[(drawn * CELLS).astype(np.int64)]
        while (late := drawn >= self._ends[numbers]).any():
            numbers += late
        return self._seats[:, numbers]


class DrawnTables:
    """Tables of many players: the first K when each waits an exponential time with his weight as rate."""

    def __init__(self, players: Ints, weights: Floats, seats: int) -> None:
        self._players, self._weights, self._seats = players, weights, seats

    def __call__(self, random: np.random.Generator, size: int) -> Ints:
        waits = random.standard_exponential((size, len(self._players))) / self._weights
        return np.asarray(self._players[np.argpartition(waits, self._seats - 1, axis=1)[:, : self._seats].T])


def tables_of(past: Past, without: int | None = None) -> TableDraw:
    """The tables to come, by the members' games of the last 60 days.

    Guests come only where fewer members than seats have played lately: as many as are missing, those who came
    most. With `without`, the tables have one seat less and that player is not among them.
    """
    seats = past.seats - (without is not None)
    games = np.bincount(past.players[past.recent].ravel(), minlength=len(past.names))
    order = np.argsort(-games, kind="stable")
    able = order[(games[order] > 0) & (order != (-1 if without is None else without))]
    members, guests = able[able < past.members], able[able >= past.members]
    drawn = np.sort(np.concatenate([members, guests[: max(0, seats - len(members))]]))
    few = comb(len(drawn), seats) <= MOST_SETS
    return (ListedTables if few else DrawnTables)(drawn, games[drawn].astype(float), seats)
