"""How much of the points is skill, who is better than whom, whether there is any skill to see, and
whether some members met stronger opponents than others, said only where it is real.

Room logs give the players of a game in order of placing, not of seats, so the first dealer is
unknown.
"""

from dataclasses import dataclass
from itertools import permutations, product
from math import factorial

import numpy as np

from rating.columns import Floats, Ints
from rating.forecast.past import Past
from rating.forecast.seasons import SEASONS
from rating.forecast.strengths import Skills, expected, skill_ratio, skills_of, strengths_at
from rating.models.intervals import TAIL, cumulative
from rating.models.skill import Z90, Z99

SHUFFLES = 10_000
MOST_DEALT = (
    15_000_000  # games in all shuffles together: of more than 1,500 games there are fewer shuffles
)
AT_ONCE = 400_000  # seats of shuffled games at a time, for the sake of memory
LEVEL = 0.02  # of all members together; all claims of a league together then keep 5 %
# the chances, all members in mind, with which somebody is said to be better
LIKELY = 0.6
SURELY = 0.9
EQUAL = 1e-9  # statistics that differ by a smaller share are equal


@dataclass(frozen=True, slots=True)
class SkillTest:
    """Whether members differ more than chance makes them. `at_least` of `shuffles` shuffles of the
    names within games part the members as much as the games did. `exact`: all shuffles there are
    were tried; then `p` is their share, else (at_least + 1) / (shuffles + 1)."""

    games: int
    players: int
    at_least: int
    shuffles: int
    exact: bool
    p: float


@dataclass(frozen=True, slots=True)
class SkillAndLuck:
    """A member's points (thousands) of the season, without fines: what the strengths at the tables
    let expect, and luck.
    """

    player: str
    games: int
    points: float
    skill: float
    luck: float


def skill_and_luck(past: Past, skills: Skills) -> tuple[SkillAndLuck, ...]:
    """Every member's points told apart, by the mean strengths after these games; the most points
    first.
    """
    players = past.players[past.season]
    means = np.bincount(
        players.ravel(),
        expected(skills.means[players]).ravel(),
        len(past.names),
    )
    totals = past.totals - past.fined
    games = past.games
    return tuple(
        SkillAndLuck(
            past.names[i],
            int(games[i]),
            float(totals[i]),
            float(means[i]),
            float(totals[i] - means[i]),
        )
        for i in past.members_by(totals)
    )


def better(
    past: Past,
    shuffles: int = SHUFFLES,
) -> dict[tuple[str, str], float]:
    """The pairs of members of whom it can be said that the first is stronger, and how sure that is
    at least.

    Nobody where `skill_test` sees no skill at all. The chances are those under the least share of
    skill that the games leave room for. Of m members who is looked at because he stands out is no
    surer for it, so the doubt counts m - 1 times for LIKELY, and for SURELY, under a share that is
    still less, once for each pair (C. Bonferroni). No more is said: where members hardly differ,
    the few leagues with such a pair owe it to chance, and are right 6 times in 10 whatever the
    doubt."""
    found = dict[tuple[str, str], float]()
    m = past.members
    levels = (
        (LIKELY, Z90, m - 1),
        (SURELY, Z99, m * (m - 1) // 2),
    )
    for said, z, looks in levels:
        if ratio := skill_ratio(past, z).low:
            means, cover, freedom = strengths_at(past, ratio)
            variances = np.diag(cover)
            squares = variances[:, None] + variances - 2 * cover
            apart = np.sqrt(np.maximum(squares, 1e-300))
            doubt = looks * cumulative((means - means[:, None]) / apart, freedom)
            for i, j in np.argwhere(doubt < 1 - said):
                found[past.names[i], past.names[j]] = said
    if found and skill_test(past, shuffles).p < LEVEL:
        return found
    return {}


def skill_test(past: Past, shuffles: int = SHUFFLES, seed: int | None = None) -> SkillTest:
    """The permutation test of "there is no skill": the names are shuffled within each game of the
    season. All shuffles are tried where there are at most `shuffles`, else so many (of many games
    as MOST_DEALT allows), seeded by the games or `seed`. The statistic is the sum over players of
    their total squared by their games; totals are about each game's mean."""
    players = past.players[past.season]
    points = past.points[past.season]
    points = points - points.mean(axis=1, keepdims=True)
    n = len(past.names)
    orders = factorial(past.seats)
    few = past.played * np.log(orders) <= np.log(shuffles)
    if few:
        turns = np.array(list(product(range(orders), repeat=past.played)))
    else:
        random = np.random.default_rng(past.digest() if seed is None else seed)
        shuffles = min(shuffles, MOST_DEALT // past.played)
        step = max(1, AT_ONCE // past.played)  # drawn one after the other, and kept small
        dealt = []
        for done in range(0, shuffles, step):
            size = (min(step, shuffles - done), past.played)
            dealt.append(random.integers(orders, size=size).astype(np.int8))
        turns = np.concatenate(dealt)
    unshuffled = np.zeros((1, past.played), int)
    own = _statistic(players, points, unshuffled, n)[0]
    statistics = _statistic(players, points, turns, n)
    at_least = int((statistics >= own * (1 - EQUAL)).sum())
    p = at_least / len(turns) if few else (at_least + 1) / (len(turns) + 1)
    return SkillTest(
        past.played,
        int((past.games > 0).sum()),
        at_least,
        len(turns),
        bool(few),
        p,
    )


def _statistic(players: Ints, points: Floats, turns: Ints, n: int) -> Floats:
    """How far players (n) are apart in each of B shuffles. turns:

    (B, N) numbers of orders of the seats.
    """
    every = points[:, list(permutations(range(points.shape[1])))]  # (N, K!, K)
    games = np.maximum(np.bincount(players.ravel(), minlength=n), 1)
    rows = np.arange(len(points))
    parts = []
    step = max(1, AT_ONCE // points.size)
    for start in range(0, len(turns), step):
        some = turns[start : start + step]
        dealt = every[rows, some]  # (b, N, K)
        keys = players[None] + n * np.arange(len(some))[:, None, None]
        sums = np.bincount(keys.ravel(), dealt.ravel(), n * len(some))
        totals = sums.reshape(-1, n)
        parts.append((totals**2 / games).sum(axis=1))
    return np.concatenate(parts)


@dataclass(frozen=True, slots=True)
class Opponents:
    """How a member's opponents differ from the league's: points (thousands) a game that they gave.
    Negative: they were stronger than the others' mean. `p`: corrected for the number of members."""

    player: str
    points: float
    low: float
    high: float
    p: float


def uneven_opponents(
    past: Past, seed: int | None = None, size: int = SEASONS
) -> tuple[Opponents, ...]:
    """The members whose opponents were surely stronger or weaker than the others, most uneven
    first. By S. Holm's correction, Scandinavian Journal of Statistics 6, 1979: with opponents alike
    for everybody, at most 2 of 100 leagues have anyone here."""
    random = np.random.default_rng(past.digest() if seed is None else seed)
    # What the strengths (n,) of all players give each member a game, (members, n): opponents
    # beside the mean of all other players, weighed by their games.
    players = past.players[past.season]
    n = len(past.names)
    met = np.zeros((n, n))
    for seat, other in permutations(range(past.seats), 2):
        np.add.at(
            met,
            (players[:, seat], players[:, other]),
            1.0,
        )
    games = past.games.astype(float)
    usual = np.repeat(games[None], n, axis=0)
    np.fill_diagonal(usual, 0)
    usual *= (past.seats - 1) / usual.sum(axis=1, keepdims=True)
    actual = met / np.maximum(games, 1)[:, None]
    factors = np.asarray((usual - actual)[: past.members])
    given = skills_of(past).draw(random, size) @ factors.T
    above = ((given > 0) + (given == 0) / 2).mean(axis=0)
    raw = np.maximum(2 * np.minimum(above, 1 - above), 1 / size)
    order = np.argsort(raw, kind="stable")
    steps = raw[order] * (past.members - np.arange(past.members))
    corrected = np.empty(past.members)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1)
    low, high = np.quantile(given, (TAIL, 1 - TAIL), axis=0)
    uneven = [
        Opponents(
            past.names[i],
            float(given[:, i].mean()),
            float(low[i]),
            float(high[i]),
            float(corrected[i]),
        )
        for i in np.flatnonzero(corrected < LEVEL)
    ]
    return tuple(sorted(uneven, key=lambda who: (-abs(who.points), who.player)))
