"""Tenhou's rating by placing (https://tenhou.net/man/#RATING).

The change is a games correction times (a base by placing plus a fortieth of the table's average
minus the player's rating). The average counts as 1500 where it is lower. The correction falls from
1 to 0.2 over the first 400 games. The base is +30 0 -30 for three players and +30 +10 -10 -30 for
four.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add

from rating.games import Game
from rating.models.base import Elo, Rated, Start
from rating.roomlog import TABLE

BASE = {
    3: (30, 0, -30),
    4: (30, 10, -10, -30),
}
FLOOR = 1500


def games_correction(games: int) -> float:
    """c(n), the factor of a change after n games: from 1 down to 0.2 at 400 games."""
    return 1 - 0.002 * games if games < 400 else 0.2


def table_average(ratings: Sequence[float]) -> float:
    """Mean of the ratings at the table before the game, rounded to 3 digits, never below 1500. They
    are added one by one, because since Python 3.12 `sum` of floats rounds differently in the last
    bit."""
    return max(round(reduce(add, ratings) / len(ratings), 3), FLOOR)


def change(
    rating: float,
    games: int,
    placing: int,
    seats: int,
    average: float,
) -> float:
    """Change of one seat's rating, rounded to 3 digits; `placing` from 0. The operations are in the
    rule's order (docs/ratings.md)."""
    correction = (average - rating) / 40
    return round(games_correction(games) * (BASE[seats][placing] + correction) * 1.0, 3)


@dataclass(frozen=True)
class Tenhou(Elo):
    """Rating by placing. `count_this_game`: the games correction counts the game itself, as Tenhou
    does. `apart`: games at a table (卓) change nothing."""

    name = "tenhou"

    starts: Start = field(default_factory=dict)
    count_this_game: bool = False
    apart: bool = False

    def play(self, game: Game, before: Sequence[Rated]) -> list[Rated]:
        if self.apart and game.room == TABLE:
            return list(before)
        average = table_average([state.rating for state in before])
        extra = int(self.count_this_game)
        after = []
        for placing, (rating, games) in enumerate(before):
            gain = change(rating, games + extra, placing, len(before), average)
            after.append(Rated(rating + gain, games + 1))
        return after
