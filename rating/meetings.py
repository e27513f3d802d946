"""How players did at the same table: who finished above whom, with how many points, who is joined by
games."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import sqrt
from statistics import NormalDist

from rating.games import Game
from rating.roomlog import is_guest


@dataclass(frozen=True, slots=True)
class Meeting:
    """One player's games with another at the same table, as sums over these games. `ahead`: games in which
    the player finished above the other (ties as the source ordered them). `placings` (from 1) and `points`
    (thousands) are the player's own sums. `gap`: the sum of the player's points minus the other's."""

    games: int = 0
    ahead: int = 0
    placings: int = 0
    points: float = 0.0
    gap: float = 0.0

    @property
    def share(self) -> float:
        """The share of the games in which the player finished above the other, 0 to 1."""
        return self.ahead / self.games

    @property
    def mean_placing(self) -> float:
        """The player's own mean placing in these games, from 1."""
        return self.placings / self.games

    @property
    def mean_gap(self) -> float:
        """Thousands of points a game by which the player was ahead of the other."""
        return self.gap / self.games


Meetings = dict[tuple[str, str], Meeting]


def meetings(games: Iterable[Game]) -> Meetings:
    """All pairs that met, in both directions: `[a, b]` is a's side."""
    sums: dict[tuple[str, str], list[float]] = {}
    for game in games:
        for (place, seat), (other_place, other) in permutations(enumerate(game.seats, 1), 2):
            total = sums.setdefault((seat.player, other.player), [0, 0, 0, 0.0, 0.0])
            total[0] += 1
            total[1] += place < other_place
            total[2] += place
            total[3] += seat.score
            total[4] += seat.score - other.score
    return {
        pair: Meeting(int(n), int(ahead), int(placings), round(points, 6), round(gap, 6))
        for pair, (n, ahead, placings, points, gap) in sums.items()
    }


def against(found: Meetings, player: str) -> dict[str, Meeting]:
    """One player's meetings by opponent, most games first."""
    own = {other: meeting for (one, other), meeting in found.items() if one == player}
    return dict(sorted(own.items(), key=lambda item: (-item[1].games, item[0])))


def sure_leads(found: Meetings, players: Collection[str], least: int) -> Meetings:
    """The meetings of these players, from `least` games, in which the first surely finishes above the other.
    In at most 1 of 20 leagues of equal players there is any: a sign test with continuity correction at 5 %,
    divided by the number of pairs looked at (C. Bonferroni, 1936), on both sides."""
    # every pair twice, once for each side
    known = {p: met for p, met in found.items() if met.games >= least and set(p) <= set(players)}
    bound = NormalDist().inv_cdf(1 - 0.05 / len(known)) if known else 0.0
    return {p: met for p, met in known.items() if 2 * met.ahead - met.games - 1 > bound * sqrt(met.games)}


def groups(tables: Iterable[Sequence[str]]) -> dict[str, int]:
    """The number of each player's group, from 1: those who met, directly or through others, are one group.
    `tables` are the players of each game, in order of play. The group with the most players comes first,
    equal ones in order of play. Strengths fitted to games tell differences within a group only. Tenhou's
    nameless guests are different people, so they join nobody and are in no group."""
    joined: dict[str, str] = {}
    for players in dict.fromkeys(map(tuple, tables)):
        known = [player for player in players if not is_guest(player)]
        for player in known:
            joined.setdefault(player, player)
        for player in known[1:]:
            joined[_head(joined, player)] = _head(joined, known[0])
    members: dict[str, list[str]] = {}
    for player in joined:
        members.setdefault(_head(joined, player), []).append(player)
    ordered: Sequence[list[str]] = sorted(members.values(), key=lambda group: -len(group))
    return {player: number for number, group in enumerate(ordered, 1) for player in group}


def _head(joined: dict[str, str], player: str) -> str:
    """The player who stands for the group; the way there gets shorter with each question (path halving)."""
    while joined[player] != player:
        joined[player] = joined[joined[player]]
        player = joined[player]
    return player
