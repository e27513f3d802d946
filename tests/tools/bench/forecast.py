"""How right forecasts of seasons are, and how long they take: `python -m tests.tools.bench.forecast [SEASONS]
[FOLDER]`.

Simulated leagues have ten members and games of three seats; true strengths are known to them alone. Each
season is forecast at a quarter, half and three quarters, then played to its end. `Brier` is the sum over
members of the squared distance between chance and outcome; beside it stand "the leader wins" and "all are
equal". `held`: how many 90 % intervals of final points hold the final points. A reliability table sets the
chances of being champion beside how often it came.

The real season logs of tests/data, or those of FOLDER, are replayed in the same way; they are few.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from rating.columns import Floats
from rating.forecast.outlook import forecast
from rating.forecast.past import Past, Plan, past_of
from rating.forecast.review import curve
from rating.games import Game, game_of
from rating.models.skill import TAU_SCALE
from rating.proportions import wilson
from rating.roomlog import is_guest, parse
from tests.rating.models.leagues import random_league
from tests.real import SEASONS as REAL_SEASONS

MEMBERS, SEATS = 10, 3
NOISE = 46.5  # thousands of points: the sd of a seat's points about its expectation in real logs
SEASONS = 2_000  # simulated for each forecast
EDGES = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0000001)
PARTS = (0.25, 0.5, 0.75)


class Case(NamedTuple):
    """Leagues of one kind: the sd of skill in thousands of points a game, games of a season, unequal
    attendance or not.

    Without a skill each league draws its own from the forecast's prior, up to 30.
    """

    skill: float | None
    games: int
    unequal: bool
    parts: tuple[float, ...] = PARTS


CASES = (
    Case(2.0, 120, unequal=False),
    Case(9.0, 400, unequal=True),
    Case(None, 120, unequal=False),
)


class Outcome(NamedTuple):
    """One forecast beside what came: chances and champion (m,), who led (m,), which intervals held (m,)."""

    chances: Floats
    champion: Floats
    leader: Floats
    held: Floats


def league(case: Case, seed: int) -> list[Game]:
    """The games of one season."""
    rng = np.random.default_rng([seed, CASES.index(case)])
    skill = case.skill
    while skill is None or skill > 30:
        skill = abs(TAU_SCALE * float(rng.standard_cauchy()))
    strength = rng.normal(0, skill / (SEATS - 1), MEMBERS)
    comes = np.linspace(1, 4, MEMBERS) if case.unequal else np.ones(MEMBERS)
    played = []
    for number in range(case.games):
        table = rng.choice(MEMBERS, SEATS, replace=False, p=comes / comes.sum())
        noise = rng.normal(0, NOISE * (SEATS / (SEATS - 1)) ** 0.5, SEATS)
        points = SEATS * strength[table] - strength[table].sum() + noise - noise.mean()
        day = date(2020, 1, 1) + timedelta(days=number // 4)
        played.append(game_of([f"p{i}" for i in table], list(map(float, points)), day=day))
    return played


def replayed(past: Past, parts: Sequence[float]) -> list[Outcome]:
    """The forecasts after these parts of a season that is known to its end. Who came first later is no part
    of them."""
    found = []
    ends = dict(zip(past.names, past.totals, strict=True))
    for part in parts:
        then = past.until(max(1, round(part * past.played)))
        members = forecast(then, past.played - then.played, seasons=SEASONS).members
        final = np.array([ends[m.player] for m in members])
        newcomers = max(ends[name] for name in past.names[: past.members])
        now = np.array([m.points for m in members])
        found.append(
            Outcome(
                np.array([m.first for m in members]),
                (final == newcomers).astype(float),
                (now == now.max()) / float((now == now.max()).sum()),
                np.array([m.low <= end <= m.high for m, end in zip(members, final, strict=True)], float),
            )
        )
    return found


def one_season(case: Case, seed: int) -> list[Outcome]:
    return replayed(past_of(league(case, seed)), case.parts)


def brier(outcomes: Sequence[Outcome], chances: Callable[[Outcome], Floats]) -> float:
    """The mean Brier score of chances that a function gives for each outcome."""
    return float(np.mean([((chances(one) - one.champion) ** 2).sum() for one in outcomes]))


def lines_of(outcomes: Sequence[Sequence[Outcome]], parts: Sequence[float]) -> Iterator[str]:
    """A line for each part of the season, then the reliability table of all together."""
    for number, part in enumerate(parts):
        some = [season[number] for season in outcomes]
        scores = [
            brier(some, lambda one: one.chances),
            brier(some, lambda one: one.leader),
            brier(some, lambda one: np.full(len(one.chances), 1 / len(one.chances))),
        ]
        held = np.concatenate([one.held for one in some])
        yield (
            f"  at {part:4.0%}   Brier {scores[0]:.3f}   leader wins {scores[1]:.3f}   all equal {scores[2]:.3f}"
            f"   90 % intervals held {held.mean():.1%} of {len(held)}"
        )
    chances = np.concatenate([one.chances for season in outcomes for one in season])
    came = np.concatenate([one.champion for season in outcomes for one in season])
    yield "  chance told    mean    came   95 % interval of it   members"
    for low, high in pairwise(EDGES):
        inside = (chances >= low) & (chances < high)
        count, hits = int(inside.sum()), round(float(came[inside].sum()))
        if count:
            ends = wilson(hits, count)
            yield (
                f"  {low:4.0%} to {min(high, 1):4.0%}  {chances[inside].mean():6.1%}  {hits / count:6.1%}"
                f"   {ends[0]:6.1%} .. {ends[1]:6.1%}    {count:6}"
            )


def real_seasons(paths: Sequence[Path]) -> list[Past]:
    """The real seasons, oldest first, each with those before it."""
    logs = [list(parse(path.name, path.read_bytes(), date(2020, 12, 31)).games) for path in paths]
    return [
        past_of(games, [game for log in logs[:number] for game in log], is_guest)
        for number, games in enumerate(logs)
    ]


def times() -> Iterator[str]:
    """Processor time of 10,000 seasons of 100 games of ten members, of a season's curve, and of one more
    day."""
    games = random_league(1, MEMBERS, 300, SEATS, skill=2.0, days=60)
    begin = process_time()
    past = past_of(games)
    found = forecast(past, 100)
    yield f"10,000 seasons of 100 games, {len(found.members)} members: {process_time() - begin:.2f} s"
    plan = Plan(games=400)
    yesterday = past.until(295)
    begin = process_time()
    points = curve(yesterday, plan)
    middle = process_time()
    more = curve(past, plan, points)
    spent = process_time() - middle
    yield f"the curve of {len(points)} days: {middle - begin:.2f} s; {len(more) - len(points)} day more: {spent:.3f} s"


def main() -> None:
    """Print the tables as they are found."""
    seasons = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with ProcessPoolExecutor() as pool:
        for case in CASES:
            come = "unequal" if case.unequal else "equal"
            print(
                f"{seasons} seasons of {case.games} games, skill {'of the prior' if case.skill is None else f'{case.skill:g} points a game'}, {come} attendance"
            )
            outcomes = list(pool.map(partial(one_season, case), range(seasons)))
            print("\n".join(lines_of(outcomes, case.parts)), flush=True)
    real = real_seasons(sorted(Path(sys.argv[2]).glob("logvol*.txt")) if sys.argv[2:] else REAL_SEASONS)
    print(f"{len(real)} real seasons replayed: too few to tell calibration")
    print("\n".join(lines_of([replayed(past, PARTS) for past in real], PARTS)))
    print("\n".join(times()))


if __name__ == "__main__":
    main()
