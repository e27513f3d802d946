"""Skill and luck in points, members who are surely better than others, a test for any skill at all,
and members with surely stronger opponents than others.

Room logs give the players of a game in order of placing, not of seats, so the first dealer is
unknown. docs/claims.md has what was measured.
"""

from dataclasses import dataclass
from itertools import permutations, product
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rating.columns import Floats, Ints
from rating.forecast.past import Past
from rating.forecast.seasons import SEASONS
from rating.forecast.strengths import Skills, expected, skill_ratio, skills_of, strengths_at
from rating.models.mixtures import TAIL, cumulative
from rating.models.skill import Z90, Z99

SHUFFLES = 10_000
MOST_DEALT = 15_000_000  # games in all shuffles: more than 1,500 games are shuffled less often
AT_ONCE = 400_000  # seats of shuffled games at a time, for the sake of memory
LEVEL = 0.02  # of a test for all members together; all claims about a league then keep 5 %
# the chances, corrected for all members, with which a member is reported to be better
LIKELY = 0.6
SURELY = 0.9
EQUAL = 1e-9  # statistics that differ by a smaller share are equal


@dataclass(frozen=True, slots=True)
class SkillTest:
    """Whether members differ more than by chance. With `at_least` of `shuffles` shuffles of the
    names within games the members differ as much as in the real games. `exact`: all possible
    shuffles were tried; then `p` is their share, else (at_least + 1) / (shuffles + 1)."""

    games: int
    players: int
    at_least: int
    shuffles: int
    exact: bool
    p: float


@dataclass(frozen=True, slots=True)
class SkillAndLuck:
    """A member's points (thousands) of the season, without fines: those expected from the strengths
    at the tables (`skill`), and `luck`."""

    player: str
    games: int
    points: float
    skill: float
    luck: float


def skill_and_luck(past: Past, skills: Skills) -> tuple[SkillAndLuck, ...]:
    """Every member's skill and luck, by the mean strengths after these games; the most points
    first."""
    players = past.players[past.season].ravel()
    expectations = expected(skills.means[past.players[past.season]]).ravel()
    means = np.bincount(players, expectations, len(past.names))
    totals = past.totals - past.fined
    games = past.games
    return tuple(
        SkillAndLuck(
            past.names[i],
            games=int(games[i]),
            points=float(totals[i]),
            skill=float(means[i]),
            luck=float(totals[i] - means[i]),
        )
        for i in past.members_by(totals)
    )


def better(
    past: Past,
    shuffles: int = SHUFFLES,
) -> dict[tuple[str, str], float]:
    """The pairs of members of which the first is reported to be stronger, and how sure that is at
    least.

    Nobody where `skill_test` shows no skill at all. The chances are those under the lowest share of
    skill that is compatible with the games. Many pairs are tried, so the doubt is multiplied by the
    number of opponents m - 1 for LIKELY, and, under a share that is still lower, by the number of
    pairs for SURELY (C. Bonferroni). Higher chances are not reported: where members hardly differ,
    the few leagues with such a pair have it by chance, and are right 6 times in 10 whatever the
    doubt.
    """
    m = past.members
    pairs = {
        **_better_pairs(past, LIKELY, Z90, comparisons=m - 1),
        **_better_pairs(past, SURELY, Z99, comparisons=m * (m - 1) // 2),
    }
    if pairs and skill_test(past, shuffles).p < LEVEL:
        return pairs
    return {}


def _better_pairs(
    past: Past, chance: float, z: float, comparisons: int
) -> dict[tuple[str, str], float]:
    """The pairs of members of which the first is stronger with this chance, corrected for a number
    of comparisons, at the lower end of the ratio's interval for the normal quantile z."""
    ratio = skill_ratio(past, z).low
    if not ratio:
        return {}
    means, covariance, freedom = strengths_at(past, ratio)
    variances = np.diag(covariance)
    squares = variances[:, None] + variances - 2 * covariance
    deviations = np.sqrt(np.maximum(squares, 1e-300))
    doubt = comparisons * cumulative((means - means[:, None]) / deviations, freedom)
    pairs = {}
    for stronger, weaker in np.argwhere(doubt < 1 - chance):
        pairs[past.names[stronger], past.names[weaker]] = chance
    return pairs


def skill_test(past: Past, shuffles: int = SHUFFLES, seed: int | None = None) -> SkillTest:
    """The permutation test of "there is no skill": the names are shuffled within each game of the
    season. All shuffles are tried where there are at most `shuffles`, else that number (of many
    games as MOST_DEALT allows), seeded by the games or `seed`. The statistic is the sum over
    players of their total squared over their games; totals are about each game's mean."""
    players = past.players[past.season]
    points = past.points[past.season]
    points = points - points.mean(axis=1, keepdims=True)
    n = len(past.names)
    shuffled = _shuffled_orders(past, shuffles, seed)
    unshuffled = np.zeros((1, past.played), int)
    [actual] = _statistic(players, points, unshuffled, n)
    statistics = _statistic(players, points, shuffled.orders, n)
    at_least = int((statistics >= actual * (1 - EQUAL)).sum())
    tries = len(shuffled.orders)
    p = (at_least + 1) / (tries + 1)
    if shuffled.is_exact:
        p = at_least / tries
    return SkillTest(
        games=past.played,
        players=int((past.games > 0).sum()),
        at_least=at_least,
        shuffles=tries,
        exact=shuffled.is_exact,
        p=p,
    )


class _Shuffles(NamedTuple):
    """Shuffles of the names in each game: the number of its order of the names (T, games). They are
    exact where every shuffle is there once."""

    orders: NDArray[np.integer]
    is_exact: bool


def _shuffled_orders(past: Past, shuffles: int, seed: int | None) -> _Shuffles:
    orders = factorial(past.seats)
    if past.played * np.log(orders) <= np.log(shuffles):
        every_shuffle = list(product(range(orders), repeat=past.played))
        return _Shuffles(np.array(every_shuffle), is_exact=True)
    random = np.random.default_rng(past.digest() if seed is None else seed)
    return _Shuffles(_random_turns(random, orders, past.played, shuffles), is_exact=False)


def _random_turns(
    random: np.random.Generator, orders: int, games: int, shuffles: int
) -> NDArray[np.int8]:
    """Random orders of the seats by number, (B, N) below `orders`."""
    shuffles = min(shuffles, MOST_DEALT // games)
    step = max(1, AT_ONCE // games)  # drawn in steps, for the sake of memory
    parts = []
    for done in range(0, shuffles, step):
        size = (min(step, shuffles - done), games)
        parts.append(random.integers(orders, size=size).astype(np.int8))
    return np.concatenate(parts)


def _statistic(
    players: Ints,
    points: Floats,
    turns: NDArray[np.integer],
    n: int,
) -> Floats:
    """How much the n players differ in each of B shuffles (B,): the sum over players of their total
    squared over their games. players, points: (N, K), a row for each game. turns: (B, N) the
    number of the order of the seats in which each game's points are dealt out again."""
    _, seats = points.shape
    in_every_order = points[:, list(permutations(range(seats)))]  # (N, K!, K)
    games = np.maximum(np.bincount(players.ravel(), minlength=n), 1)
    rows = np.arange(len(points))
    parts = []
    step = max(1, AT_ONCE // points.size)  # b shuffles at once, for the sake of memory
    for start in range(0, len(turns), step):
        part = turns[start : start + step]
        dealt = in_every_order[rows, part]  # (b, N, K)
        # the players of shuffle i have the numbers from i * n on, so one bincount sums all
        first_of_shuffle = n * np.arange(len(part))
        numbers = players[None] + first_of_shuffle[:, None, None]
        sums = np.bincount(numbers.ravel(), dealt.ravel(), n * len(part))
        totals = sums.reshape(-1, n)
        parts.append((totals**2 / games).sum(axis=1))
    return np.concatenate(parts)


@dataclass(frozen=True, slots=True)
class Opponents:
    """How a member's opponents differ from the league's: points (thousands) a game that they gave.
    Negative: they were stronger than the average. `p`: corrected for the number of members."""

    player: str
    points: float
    low: float
    high: float
    p: float


def uneven_opponents(
    past: Past, seed: int | None = None, size: int = SEASONS
) -> tuple[Opponents, ...]:
    """The members whose opponents were surely stronger or weaker than those of others, most uneven
    first. Where all have equal opponents, at most 2 of 100 leagues have anyone here."""
    random = np.random.default_rng(past.digest() if seed is None else seed)
    gifts = skills_of(past).draw(random, size) @ _opponent_factors(past).T  # (size, members)
    above = ((gifts > 0) + (gifts == 0) / 2).mean(axis=0)
    two_sided = 2 * np.minimum(above, 1 - above)
    p = _holm(np.maximum(two_sided, 1 / size))
    low, high = np.quantile(gifts, (TAIL, 1 - TAIL), axis=0)
    uneven = [
        Opponents(
            past.names[member],
            points=float(gifts[:, member].mean()),
            low=float(low[member]),
            high=float(high[member]),
            p=float(p[member]),
        )
        for member in np.flatnonzero(p < LEVEL)
    ]
    uneven.sort(key=lambda member: (-abs(member.points), member.player))
    return tuple(uneven)


def _opponent_factors(past: Past) -> Floats:
    """The factors (members, n) of all players' strengths in what opponents give a member a game:
    the strength of usual opponents, all others in proportion to their games, less that of the
    actual ones."""
    players = past.players[past.season]
    n = len(past.names)
    together = np.zeros((n, n))
    for seat, opponent in permutations(players.T, 2):
        np.add.at(together, (seat, opponent), 1.0)
    games = past.games.astype(float)
    usual = np.repeat(games[None], n, axis=0)
    np.fill_diagonal(usual, 0)
    usual *= (past.seats - 1) / usual.sum(axis=1, keepdims=True)
    actual = together / np.maximum(games, 1)[:, None]
    return np.asarray((usual - actual)[: past.members])


def _holm(p: Floats) -> Floats:
    """The probabilities (m,) of m tests corrected for their number: S. Holm, Scandinavian Journal
    of Statistics 6, 1979."""
    order = np.argsort(p, kind="stable")
    steps = p[order] * (len(p) - np.arange(len(p)))
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return corrected
