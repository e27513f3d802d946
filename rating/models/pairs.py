"""The pairs of players who played each other: a league of thousands without an (n, n) matrix."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from rating.columns import Columns, Floats, Ints


class Pairs(NamedTuple):
    """The M pairs of players who played each other, of n players. first, second: (M,) numbers of
    players. above, below: (M,) how often the first finished above the second, and below."""

    n: int
    first: Ints
    second: Ints
    above: Floats
    below: Floats

    def laplacian(self, weights: Floats, x: Floats) -> Floats:
        """The sums (n,) over a player's pairs of weight (M,) times x (n,) of the player less the
        opponent's."""
        flow = weights * (x[self.first] - x[self.second])
        outflow = np.bincount(self.first, flow, self.n)
        return np.asarray(outflow - np.bincount(self.second, flow, self.n))

    def sums(self, weights: Floats) -> Floats:
        """The sums (n,) of the weights (M,) of each player's pairs."""
        firsts = np.bincount(self.first, weights, self.n)
        return np.asarray(firsts + np.bincount(self.second, weights, self.n))


def pairs_of(columns: Columns, by_seats: bool = False) -> Pairs:
    """Who finished above whom how often, for each pair that met (first < second). With `by_seats`
    a game weighs as much as its table has seats, as in BTR."""
    n = len(columns.names)
    upper_players = []
    lower_players = []
    game_weights = []
    for block in columns.blocks:
        weight = float(block.seats if by_seats else 1)
        # columns are in order of placing
        for upper, lower in combinations(block.players.T, 2):
            upper_players.append(upper)
            lower_players.append(lower)
            game_weights.append(np.full(len(block), weight))
    uppers = np.concatenate(upper_players)
    lowers = np.concatenate(lower_players)
    codes = np.minimum(uppers, lowers) * n + np.maximum(uppers, lowers)
    pair_codes, pair_of_game = np.unique(codes, return_inverse=True)
    count = len(pair_codes)
    weights = np.concatenate(game_weights)
    above_weights = np.where(uppers < lowers, weights, 0.0)
    below_weights = weights - above_weights
    return Pairs(
        n,
        first=pair_codes // n,
        second=pair_codes % n,
        above=np.bincount(pair_of_game, above_weights, count).astype(np.float64),
        below=np.bincount(pair_of_game, below_weights, count).astype(np.float64),
    )
