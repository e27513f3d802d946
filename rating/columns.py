"""Games as arrays, the form that a fit to all games at once needs.

Players are numbered by the order of their names, so the numbers do not depend on the order of
games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rating.games import Game, GameError, check, same_seats

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Block:
    """N games with the same number of seats K, one row each, seats in order of placing.

    players: (N, K) numbers of players. scores: (N, K) thousands of points. days: (N,) ordinals as
    of `date.toordinal`, 0 for none.
    """

    players: Ints
    scores: Floats
    days: Ints

    @property
    def seats(self) -> int:
        _, seats = self.players.shape
        return int(seats)

    def __len__(self) -> int:
        return len(self.players)

    def where(self, rows: NDArray[np.bool_]) -> Block:
        """The games of the rows that are true; rows: (N,)."""
        return Block(self.players[rows], self.scores[rows], self.days[rows])


@dataclass(frozen=True, slots=True)
class Columns:
    """All games: the names of the players by number, and one block for each number of seats."""

    names: tuple[str, ...]
    blocks: tuple[Block, ...]

    @property
    def played(self) -> Ints:
        """Games of each player, (n,)."""
        total = np.zeros(len(self.names), np.int64)
        for block in self.blocks:
            total += np.bincount(block.players.ravel(), minlength=len(self.names))
        return total

    def days(self) -> Ints:
        """The ordinals of the days that have games, in order; 0 is that of games without a day."""
        return np.unique(np.concatenate([block.days for block in self.blocks]))

    def where_days(self, days: Ints, inside: bool = True) -> Columns:
        """The games on these days, or on all others where `inside` is false; the names stay the
        same.
        """
        blocks = []
        for block in self.blocks:
            chosen = block.where(np.isin(block.days, days, invert=not inside))
            if len(chosen):
                blocks.append(chosen)
        return Columns(self.names, tuple(blocks))


def columns_of(games: Sequence[Game]) -> Columns:
    """Columns of the games. Raises GameError, which names the game, when one cannot be rated."""
    players: set[str] = set()
    for game in games:
        check(game)
        players.update(game.players)
    names = sorted(players)
    number_of = {name: number for number, name in enumerate(names)}
    sizes = sorted({len(game.seats) for game in games})
    blocks = [_block(same_seats(games, seats), number_of) for seats in sizes]
    return Columns(tuple(names), tuple(blocks))


def _block(games: Sequence[Game], number_of: Mapping[str, int]) -> Block:
    """Games with the same number of seats, the players by number."""
    players = []
    scores = []
    days = []
    for game in games:
        players.append([number_of[player] for player in game.players])
        scores.append([seat.score for seat in game.seats])
        days.append(game.day.toordinal() if game.day else 0)
    return Block(
        players=np.array(players),
        scores=np.array(scores, float),
        days=np.array(days),
    )


def enough(games: Sequence[Game]) -> Sequence[Game]:
    """The games themselves. Raises GameError where nothing can be learned from them: no game, one
    game, or only equal scores."""
    for game in games:
        check(game)
    if not games:
        raise GameError("no games: nothing to learn from")
    if len(games) == 1:
        raise GameError(f"{games[0].where}: the only game; at least two are needed")
    if all(map(_all_equal, games)):
        raise GameError(f"{games[0].where}: all scores are the same, in this and every other game")
    return games


def _all_equal(game: Game) -> bool:
    return len({seat.score for seat in game.seats}) == 1


def without_uma(scores: Floats, uma: Sequence[float]) -> Floats:
    """Scores (N, K) without the rank points of their placings, which equal scores share.

    Where `above` seats are better and `equal` seats have the score, its places are `above` to
    `above + equal`; a seat gets the mean of their rank points.
    """
    seats = scores[:, :, None]
    others = scores[:, None, :]
    above = (others > seats).sum(axis=2)
    equal = (others == seats).sum(axis=2)
    sums = np.concatenate([[0.0], np.cumsum(uma)])
    return np.asarray(scores - (sums[above + equal] - sums[above]) / equal)
