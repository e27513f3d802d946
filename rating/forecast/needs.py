"""What each member needs to become champion: over the games left, and before a last game."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import inf
from typing import NamedTuple

import numpy as np

from rating.columns import Floats
from rating.forecast.past import Past
from rating.forecast.seasons import ANEW, RECENT, SimulatedSeasons, every_order
from rating.forecast.strengths import expected, residuals_of, skills_of
from rating.games import GameError
from rating.standings import NOISE


@dataclass(frozen=True, slots=True)
class Need:
    """What a member needs over the games left. `behind`: points (thousands) behind the best of the
    others, negative for the leader's lead. `chance`: of being champion. `gain`: the points to come
    from which on the member is champion more often than not; None where the simulated seasons show
    no such number, as nearly all or nearly none of them are won. `own_games`: about how many of the
    games left are the member's."""

    player: str
    behind: float
    chance: float
    gain: float | None
    own_games: float


def needs(simulated: SimulatedSeasons) -> tuple[Need, ...]:
    """What each member needs, in order of the points now; () where no games are left."""
    past = simulated.past
    now = simulated.now
    if not simulated.left:
        return ()
    won = champions(simulated.finals)
    habits = past.habits[: past.members]
    weights = np.where(habits > 0, 1 + habits / ANEW, 0)
    own = past.seats * simulated.left * weights / max(1, weights.sum())
    return tuple(
        Need(
            past.names[i],
            behind=_behind(now, i),
            chance=float(won[:, i].mean()),
            gain=_gain(simulated.gains[:, i], won[:, i]),
            own_games=float(min(own[i], simulated.left)),
        )
        for i in past.members_by(now)
    )


def _behind(points: Floats, member: int) -> float:
    """The points behind the best of the other members, 0 for the only one."""
    if len(points) < 2:
        return 0.0
    best = np.delete(points, member).max()
    return round(float(best - points[member]), 6)


def champions(finals: Floats) -> Floats:
    """Each member's part of the title (S, m) from final points (S, m); equals share it."""
    best = finals >= finals.max(axis=1, keepdims=True) - NOISE
    return np.asarray(best / best.sum(axis=1, keepdims=True))


def _gain(gains: Floats, won: Floats) -> float | None:
    """The gain that best parts seasons won from seasons lost: the fewest lie on the wrong side of
    it.
    """
    order = np.argsort(gains)
    wins = won[order]
    wins_below = np.concatenate([[0.0], np.cumsum(wins)])
    losses_above = np.cumsum((1 - wins)[::-1])[::-1]
    wrong = wins_below + np.concatenate([losses_above, [0.0]])
    cut = int(np.argmin(wrong))
    if not 0 < cut < len(order):
        return None
    return float(gains[order[cut]])


class Against(NamedTuple):
    """A rival at the table who finishes at `placing` (0: first). `least`: by how many thousands of
    points, before rank points, the own score must exceed the rival's.-inf: placings are enough.
    inf: it is impossible."""

    rival: str
    placing: int
    least: float


@dataclass(frozen=True, slots=True)
class PlacingNeed:
    """What makes a member champion who finishes the last game at `placing` (0: first). `chance`: of
    being champion then, None where no real game ended so. `least_score`: what the own score must
    exceed, before rank points (thousands), because of members who do not sit at the table; -inf
    without any. `against`: each rival at the table at each other placing."""

    placing: int
    chance: float | None
    least_score: float
    against: tuple[Against, ...]

    @property
    def certain(self) -> bool:
        return self.least_score == -inf and all(rival.least == -inf for rival in self.against)

    @property
    def possible(self) -> bool:
        """Whether some order of the others leaves a way."""
        least = {(rival.rival, rival.placing): rival.least for rival in self.against}
        rivals = list(dict.fromkeys(rival.rival for rival in self.against))
        # guests at the table have the other placings
        placings = sorted({rival.placing for rival in self.against})
        return any(
            all(least[rival_placing] < inf for rival_placing in zip(rivals, order, strict=True))
            for order in permutations(placings, len(rivals))
        )


@dataclass(frozen=True, slots=True)
class LastGame:
    """A member before a last game: the chance of being champion, and the need at each placing, best
    first.
    """

    player: str
    chance: float
    placings: tuple[PlacingNeed, ...]


def last_game(
    past: Past,
    table: Sequence[str],
    uma: Sequence[float] = (),
) -> tuple[LastGame, ...]:
    """What each member at the table needs in one last game among these players, in the order given.
    uma: rank points (thousands) by placing that are part of the points; without any, scores are
    told with them. Chances are exact over the league's last games' residuals in every order of the
    seats, at the mean strengths. Raises GameError for a wrong number of players, one twice, or
    nobody known."""
    numbers = [past.names.index(name) for name in table if name in past.names]
    if len(set(numbers)) != past.seats or len(table) != past.seats:
        raise GameError(f"a game needs {past.seats} different players of this league")
    if len(uma) not in (0, past.seats):
        raise GameError(f"uma has {len(uma)} numbers, but games have {past.seats} seats")
    means = skills_of(past).means
    points = expected(means[numbers]) + every_order(residuals_of(past, means, RECENT))
    finals = np.repeat(
        past.totals[None, : past.members],
        len(points),
        axis=0,
    )
    for seat, number in enumerate(numbers):
        if number < past.members:
            finals[:, number] += points[:, seat]
    won = champions(finals)
    rank = uma or (0.0,) * past.seats

    def chance(number: int, seat: int, placing: int) -> float | None:
        """The part of the games won of those that the seat finishes at the placing."""
        above = (points > points[:, seat : seat + 1]).sum(axis=1)
        ended = above == placing
        if not ended.any():
            return None
        return float(won[ended, number].mean())

    return tuple(
        LastGame(
            past.names[number],
            float(won[:, number].mean()),
            tuple(
                _placing_need(past, numbers, seat, placing, rank, chance(number, seat, placing))
                for placing in range(past.seats)
            ),
        )
        for seat, number in enumerate(numbers)
        if number < past.members
    )


def _least_margin(lead: float, finishes_above: bool) -> float:
    """By how much the own score must exceed the score of a rival with this lead before the game.
    The placings alone decide where the leader in points finishes above the other.
    """
    if (lead < 0) != finishes_above:
        return lead
    return -inf if finishes_above else inf


def _placing_need(
    past: Past,
    numbers: Sequence[int],
    seat: int,
    placing: int,
    rank: Sequence[float],
    chance: float | None,
) -> PlacingNeed:
    totals = past.totals
    own = float(totals[numbers[seat]])
    absent = [float(totals[i]) for i in range(past.members) if i not in numbers]
    against = []
    for rival in (n for n in numbers if n != numbers[seat] and n < past.members):
        for other in (p for p in range(past.seats) if p != placing):
            rank_gap = rank[placing] - rank[other]
            lead = round(float(totals[rival]) - own - rank_gap, 6)
            against.append(
                Against(
                    rival=past.names[rival],
                    placing=other,
                    least=_least_margin(lead, placing < other),
                )
            )
    least_score = -inf
    if absent:
        least_score = round(max(absent) - own - rank[placing], 6)
    if not placing and least_score < 0:  # the first of a table has not less than its mean
        least_score = -inf
    return PlacingNeed(placing, chance, least_score, tuple(against))
