"""What each member needs to become champion: over the games to come, and before a last game."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import inf
from typing import NamedTuple

import numpy as np

from rating.columns import Floats
from rating.forecast.past import Past
from rating.forecast.seasons import RECENT, SimulatedSeasons, every_order
from rating.forecast.strengths import expected, residuals_of, skills_of
from rating.forecast.table_draw import HABIT_PRIOR
from rating.games import GameError
from rating.standings import NOISE


@dataclass(frozen=True, slots=True)
class Need:
    """What a member needs over the games to come.

    `behind`: points (thousands) behind the best of the others, negative for the leader's lead.
    `chance`: of being champion. `gain`: the points to come from which on the member is champion
    more often than not; None where the simulated seasons show no such number, as nearly all or
    nearly none of them are won. `own_games`: about how many of the games to come are the member's.
    """

    player: str
    behind: float
    chance: float
    gain: float | None
    own_games: float


def needs(simulated: SimulatedSeasons) -> tuple[Need, ...]:
    """What each member needs, in order of the points now; () without games to come."""
    past = simulated.past
    now = simulated.now
    if not simulated.left:
        return ()
    titles = champions(simulated.finals)
    habits = past.habits[: past.members]
    weights = np.where(habits > 0, 1 + habits / HABIT_PRIOR, 0)
    own_games = past.seats * simulated.left * weights / max(1, weights.sum())
    return tuple(
        Need(
            past.names[i],
            behind=_behind(now, i),
            chance=float(titles[:, i].mean()),
            gain=_gain(simulated.gains[:, i], titles[:, i]),
            own_games=float(min(own_games[i], simulated.left)),
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


def _gain(gains: Floats, titles: Floats) -> float | None:
    """The gain that best separates seasons won from seasons lost: the fewest are on the wrong side
    of it."""
    order = np.argsort(gains)
    wins = titles[order]
    wins_below = np.concatenate([[0.0], np.cumsum(wins)])
    losses_above = np.cumsum((1 - wins)[::-1])[::-1]
    wrong = wins_below + np.concatenate([losses_above, [0.0]])
    cut = int(np.argmin(wrong))
    if not 0 < cut < len(order):
        return None
    return float(gains[order[cut]])


class Against(NamedTuple):
    """A rival at the table who finishes at `placing` (0: first). `least`: by how many thousands of
    points, before rank points, the own score must exceed the rival's; -inf: placings are enough;
    inf: it is impossible."""

    rival: str
    placing: int
    least: float


@dataclass(frozen=True, slots=True)
class PlacingNeed:
    """What makes a member champion who finishes the last game at `placing` (0: first).

    `chance`: of being champion then, None where no real game ended like this. `least_score`: what
    the own score must exceed, before rank points (thousands), because of members who do not sit at
    the table; -inf without any. `against`: each rival at the table at each other placing.
    """

    placing: int
    chance: float | None
    least_score: float
    against: tuple[Against, ...]

    @property
    def certain(self) -> bool:
        return self.least_score == -inf and all(rival.least == -inf for rival in self.against)

    @property
    def possible(self) -> bool:
        """Whether the member can be champion with some order of the others."""
        margins = {(rival.rival, rival.placing): rival.least for rival in self.against}
        rivals = list(dict.fromkeys(rival.rival for rival in self.against))
        # guests at the table have the other placings
        placings = sorted({rival.placing for rival in self.against})
        for order in permutations(placings, len(rivals)):
            if all(margins[pair] < inf for pair in zip(rivals, order, strict=True)):
                return True
        return False


@dataclass(frozen=True, slots=True)
class LastGame:
    """A member before a last game: the chance of being champion, and the need at each placing, best
    first."""

    player: str
    chance: float
    placings: tuple[PlacingNeed, ...]


def last_game(
    past: Past,
    table: Sequence[str],
    uma: Sequence[float] = (),
) -> tuple[LastGame, ...]:
    """One LastGame for each member at the table, in the order of `table`; others have none.

    `uma`: rank points (thousands) by placing. With it the needs are in points before uma; without
    it, in points that include it. Raises GameError unless the table has the right number of
    different players of the league.
    """
    seated = [past.names.index(name) for name in table if name in past.names]
    if len(set(seated)) != past.seats or len(table) != past.seats:
        raise GameError(f"a game needs {past.seats} different players of this league")
    if len(uma) not in (0, past.seats):
        raise GameError(f"uma has {len(uma)} numbers, but games have {past.seats} seats")
    endings = _endings(past, seated)
    rank_points = uma or (0.0,) * past.seats
    last_games = []
    for seat, player in enumerate(seated):
        # Members have the first numbers. Guests and players of earlier seasons have the others.
        if player >= past.members:
            continue
        placing_needs = tuple(
            _placing_need(
                past,
                seated=seated,
                member=player,
                placing=placing,
                rank_points=rank_points,
                chance=endings.chance(player, seat, placing),
            )
            for placing in range(past.seats)
        )
        chance = float(endings.titles[:, player].mean())
        last_games.append(LastGame(past.names[player], chance, placing_needs))
    return tuple(last_games)


class _Endings(NamedTuple):
    """Possible last games: the points of the seats (G, K), and the members' parts of the title
    after them (G, members)."""

    points: Floats
    titles: Floats

    def chance(self, member: int, seat: int, placing: int) -> float | None:
        """The member's chance of being champion where the member's seat finishes at the placing;
        None where no game ends like this."""
        above = (self.points > self.points[:, [seat]]).sum(axis=1)
        ended = above == placing
        if not ended.any():
            return None
        return float(self.titles[ended, member].mean())


def _endings(past: Past, seated: Sequence[int]) -> _Endings:
    """The last games of these players: at the mean strengths, with the residuals of the league's
    last games in every order of the seats."""
    means = skills_of(past).means
    points = expected(means[seated]) + every_order(residuals_of(past, means, RECENT))
    totals = past.totals[: past.members]
    finals = np.tile(totals, (len(points), 1))
    for seat, player in enumerate(seated):
        if player < past.members:
            finals[:, player] += points[:, seat]
    return _Endings(points, champions(finals))


def _least_margin(lead: float, finishes_above: bool) -> float:
    """By how much the own score must exceed that of a rival with this lead, rank points included.
    The placings alone decide where the one ahead also finishes above the other."""
    if (lead < 0) != finishes_above:
        return lead
    return -inf if finishes_above else inf


def _placing_need(
    past: Past,
    *,
    seated: Sequence[int],
    member: int,
    placing: int,
    rank_points: Sequence[float],
    chance: float | None,
) -> PlacingNeed:
    """The need of a member at the table."""
    totals = past.totals.tolist()
    own_total = totals[member]
    against = []
    for rival in seated:
        if rival == member or rival >= past.members:
            continue
        for rival_placing in range(past.seats):
            if rival_placing == placing:
                continue
            rank_gap = rank_points[placing] - rank_points[rival_placing]
            lead = round(totals[rival] - own_total - rank_gap, 6)
            margin = _least_margin(lead, placing < rival_placing)
            against.append(Against(past.names[rival], rival_placing, margin))
    absent = [totals[i] for i in range(past.members) if i not in seated]
    least_score = -inf
    if absent:
        least_score = round(max(absent) - own_total - rank_points[placing], 6)
    if not placing and least_score < 0:  # the first of a table has not less than its mean
        least_score = -inf
    return PlacingNeed(placing, chance, least_score, tuple(against))
