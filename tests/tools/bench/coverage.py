"""How often the shown 95 % intervals hold the truth, in simulated leagues: `python -m
tests.tools.bench.coverage [LEAGUES]`.

Ten members play 300 games of three seats. True strengths are normal, centred on the members. Three
strengths of skill: 0.3, 1 and 3 thousand points a game per opponent for scores, 0.05, 0.3 and 1
log-odds for placings. Half of the leagues have members who come more often than others. `width` is
the mean width of the intervals as a share of those without a prior: least squares for scores,
Fisher's information with pairs weighted 3 / (K + 1) for placings. `error` is what strength plus or
minus 1.96 standard errors of the specified formula would hold.
"""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from functools import partial
from typing import NamedTuple

import numpy as np

from rating.columns import Columns, Floats, Ints, columns_of
from rating.games import Game, game_of
from rating.models import make
from rating.models.base import Batch, replay, standings
from rating.proportions import Z95
from rating.standings import Standings

MEMBERS = 10
GAMES = 300
SEATS = 3
NOISE = 40.0  # thousands of points: the standard deviation of a seat's score
POINTS = (0.3, 1.0, 3.0)
ODDS = (0.05, 0.3, 1.0)


class Case(NamedTuple):
    """One system with its options, and the skills it is tried at.

    `placings`: it learns from them alone.
    """

    model: str
    options: dict[str, str]
    placings: bool


CASES = (
    Case("btr", {}, placings=False),
    Case("btr", {"alpha": "cv"}, placings=False),
    Case("bayesian_btr", {}, placings=False),
    Case("bradley_terry", {}, placings=True),
    Case("plackett_luce", {}, placings=True),
    Case("plackett_luce_drift", {}, placings=True),
    Case("blade_chest", {}, placings=True),
)


class Found(NamedTuple):
    """Of one league: how many intervals hold the truth, how many by errors alone, and both sums of
    widths.
    """

    held: int
    by_error: int
    width: float
    free: float


def league(
    seed: int, skill: float, placings: bool, games: int = GAMES
) -> tuple[list[Game], Floats]:
    """A league's games and its true strengths (n,) of mean 0; odd seeds' members come unequally
    often.
    """
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, skill, MEMBERS)
    truth -= truth.mean()
    comes = np.linspace(1, 4, MEMBERS) if seed % 2 else np.ones(MEMBERS)
    played = []
    for number in range(games):
        table = rng.choice(MEMBERS, SEATS, replace=False, p=comes / comes.sum())
        if placings:
            order = np.argsort(-(truth[table] + rng.gumbel(size=SEATS)))  # Plackett-Luce
            scores = np.empty(SEATS)
            scores[order] = np.linspace(30, -30, SEATS)
        else:
            raw = SEATS * truth[table] + rng.normal(0, NOISE, SEATS)
            scores = raw - raw.mean()
        day = date(2020, 1, 1) + timedelta(days=number // 6)
        names = [f"p{i}" for i in table]
        played.append(game_of(names, list(map(float, scores)), day=day))
    return played, truth


def without_prior(columns: Columns, placings: bool) -> Floats:
    """The widths (n,) of 95 % intervals without a prior, by matrices of their own."""
    n = len(columns.names)
    block = columns.blocks[0]
    design = np.zeros((n, n))
    for players in block.players:
        seat = np.zeros((SEATS, n))
        seat[:, players] = -1.0
        seat[np.arange(SEATS), players] += SEATS
        design += seat.T @ seat
    if placings:
        information = _fisher(block.players, n)
        noise = 1.0
    else:
        totals = np.zeros(n)
        np.add.at(totals, block.players.ravel(), block.scores.ravel())
        s = np.linalg.pinv(design) @ (SEATS * totals)
        residual = float((block.scores**2).sum() - SEATS * totals @ s)
        information = design
        noise = residual / (len(block) * (SEATS - 1) - (n - 1))
    variances = np.diag(np.linalg.pinv(information)) * noise
    return np.asarray(2 * Z95 * np.sqrt(variances))


def _fisher(orders: Ints, n: int) -> Floats:
    """Fisher's information (n, n) at the most likely strengths of pairs, each weighted 3 / (K +
    1).
    """
    wins = np.zeros((n, n))
    for one in range(SEATS):
        for other in range(one + 1, SEATS):
            np.add.at(wins, (orders[:, one], orders[:, other]), 3 / (SEATS + 1))
    strength = np.ones(n)
    # the minorisation of D. Hunter, Annals of Statistics 32, 2004, doi:10.1214/aos/1079120141
    for _ in range(3000):
        shares = (wins + wins.T) / (strength[:, None] + strength[None, :])
        won = np.maximum(wins.sum(axis=1), 1e-9)
        new = won / shares.sum(axis=1)
        new /= np.exp(np.log(new).mean())
        if np.abs(np.log(new / strength)).max() < 1e-9:
            break
        strength = new
    chance = strength[:, None] / (strength[:, None] + strength[None, :])
    weights = (wins + wins.T) * chance * (1 - chance)
    return np.asarray(np.diag(weights.sum(axis=1)) - weights)


def fitted(case: Case, games: list[Game]) -> Standings:
    model = make(case.model, **case.options)
    if isinstance(model, Batch):
        return model.fit(games)
    return standings(model, replay(model, games))


def one_league(case: Case, skill: float, games: int, seed: int) -> Found:
    """What one league shows. A strength without games is left out."""
    played, truth = league(seed, skill, case.placings, games)
    free = without_prior(columns_of(played), case.placings)
    table = fitted(case, played)
    held = by_error = 0
    width = 0.0
    for name, rating in table.items():
        assert rating.low is not None
        assert rating.high is not None
        assert rating.error is not None
        true = truth[int(name[1:])]
        if rating.low <= true <= rating.high:
            held += 1
        if abs(true - rating.value) <= Z95 * rating.error:
            by_error += 1
        width += rating.high - rating.low
    return Found(held, by_error, width, float(free.sum()))


def cells(leagues: int, run: Callable[..., Iterator[Found]]) -> Iterator[str]:
    for case in CASES:
        for skill in ODDS if case.placings else POINTS:
            found = list(run(partial(one_league, case, skill, GAMES), range(leagues)))
            count = leagues * MEMBERS
            held, by_error, width, free = map(sum, zip(*found, strict=True))
            name = case.model + "".join(f" {key}={value}" for key, value in case.options.items())
            told = f"{name:22} skill {skill:<5g} held {100 * held / count:5.1f} %   width {width / free:5.2f}"
            yield f"{told}   error {100 * by_error / count:5.1f} %"


def main() -> None:
    leagues = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(
        f"{leagues} leagues of {MEMBERS} members and {GAMES} games of {SEATS} seats; nominal 95 %"
    )
    with ProcessPoolExecutor() as pool:
        for line in cells(leagues, pool.map):
            print(line, flush=True)


if __name__ == "__main__":
    main()
