"""Whether some members met stronger opponents than others, said only where it is real.

Room logs give the players of a game in order of placing, not of seats, so the first dealer is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rating.columns import Floats
from rating.forecast.past import Past
from rating.forecast.seasons import SEASONS
from rating.forecast.strengths import skills_of
from rating.models.intervals import TAIL

LEVEL = 0.05  # of all members together


@dataclass(frozen=True, slots=True)
class Opponents:
    """How a member's opponents differ from the league's: points (thousands) a game that they gave.

    Negative: they were stronger than the others' mean. `p`: corrected for the number of members.
    """

    player: str
    points: float
    low: float
    high: float
    p: float


def uneven_opponents(past: Past, seed: int | None = None, size: int = SEASONS) -> tuple[Opponents, ...]:
    """The members whose opponents were surely stronger or weaker than the others, most uneven first.

    By S. Holm's correction, Scandinavian Journal of Statistics 6, 1979: with opponents alike for everybody,
    at most 5 of 100 leagues have anyone here.
    """
    random = np.random.default_rng(past.digest() if seed is None else seed)
    given = skills_of(past).draw(random, size) @ _given(past).T
    above = ((given > 0) + (given == 0) / 2).mean(axis=0)
    raw = np.maximum(2 * np.minimum(above, 1 - above), 1 / size)
    order = np.argsort(raw, kind="stable")
    steps = raw[order] * (past.members - np.arange(past.members))
    corrected = np.empty(past.members)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1)
    low, high = np.quantile(given, (TAIL, 1 - TAIL), axis=0)
    uneven = [
        Opponents(
            past.names[i], float(given[:, i].mean()), float(low[i]), float(high[i]), float(corrected[i])
        )
        for i in range(past.members)
        if corrected[i] < LEVEL
    ]
    return tuple(sorted(uneven, key=lambda who: (-abs(who.points), who.player)))


def _given(past: Past) -> Floats:
    """What the strengths (n,) of all players give each member a game, as (members, n) factors.

    Opponents are set beside the mean of all other players, weighed by their games.
    """
    players, n, others = past.players[past.season], len(past.names), past.seats - 1
    met = np.zeros((n, n))
    for seat in range(past.seats):
        for other in range(past.seats):
            if seat != other:
                np.add.at(met, (players[:, seat], players[:, other]), 1.0)
    games = past.games.astype(float)
    usual = np.repeat(games[None], n, axis=0)
    np.fill_diagonal(usual, 0)
    usual *= others / usual.sum(axis=1, keepdims=True)
    return np.asarray((usual - met / np.maximum(games, 1)[:, None])[: past.members])
