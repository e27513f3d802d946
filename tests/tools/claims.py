"""What sentences about skill, luck and chance are worth, in simulated leagues whose truth is known: `python -m
tests.tools.claims [LEAGUES]`.

Prints, for docs/claims.md: how often the interval of the share of skill holds the true share; what is right of
what is said about pairs, and in how many leagues anything is said; how many leagues in which nobody differs
make each claim, and any of them; chances of being champion beside how often it came, by tenths, in nine worlds, and how many
90 % intervals held the final points; last what tests.tools.null_leagues prints. A band is two standard errors
of leagues, each of which counts as one.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from rating.columns import Floats
from rating.forecast.outlook import forecast
from rating.forecast.past import Past, past_of
from rating.forecast.skill import LEVEL, better, skill_test, uneven_opponents
from rating.forecast.strengths import HARDLY, skill_ratio, tells
from rating.games import game_of
from rating.meetings import meetings, sure_leads
from rating.paifu.play_figures import LEAST
from rating.study.compare import BURN_IN, Verdict, compare
from tests.tools import null_leagues

PLACES = {3: (57.0, -3.0, -54.0), 4: (55.0, 8.0, -18.0, -45.0)}  # thousands of points, before chance
NOISE = 8.0  # the standard deviation of each seat's points about its place's
TAUS = (0.0, 1.0, 2.0, 4.0, 9.0)  # thousands of points a game between members
GAMES = (10, 60, 200, 300, 600)
SEASONS = 1_000  # simulated for each forecast
SHUFFLES = 400  # in the test of skill
MOST_COMPARED = 200  # games of leagues whose rating systems are compared, for the sake of time


class World(NamedTuple):
    """Leagues of one kind. tau: thousands of points a game between members. comes: whether members come
    alike, unequally, or unequally and the other way round after half-time. drift: how far strengths wander in
    a season, in tau. placings: the order at a table is Plackett-Luce's, the stronger the more often first."""

    name: str
    tau: float = 3.0
    seats: int = 3
    members: int = 10
    games: int = 120
    comes: str = "alike"
    drift: float = 0.0
    chips: bool = False
    placings: bool = False


WORLDS = (
    World("unequal attendance", comes="unequal"),
    World("chips", chips=True),
    World("four seats", seats=4),
    World("20 members", members=20),
    World("drift", drift=1.0),
    World("change", comes="change"),
    World("Plackett-Luce", placings=True),
    World("no skill", tau=0.0),
    World("tau 9", tau=9.0),
)
PARTS = (0.25, 0.5, 0.75)


class League(NamedTuple):
    """A league's games and the truth: strengths (n,) of p0, p1 … at the start; the true share's ratio."""

    past: Past
    strengths: Floats
    ratio: float


def league(world: World, seed: int) -> League:
    """One league of a world."""
    rng = np.random.default_rng([seed, world.games, int(10 * world.tau), world.members])
    n, k = world.members, world.seats
    strengths = truth = rng.normal(0, world.tau / (k - 1), n)
    comes = np.linspace(1, 4, n) if world.comes != "alike" else np.ones(n)
    places = np.array(PLACES[k]) - np.mean(PLACES[k])
    played = []
    for number in range(world.games):
        if world.comes == "change" and number == world.games // 2:
            comes = comes[::-1]
        strengths = strengths + world.drift * rng.normal(0, world.tau / (k - 1) / world.games**0.5, n)
        table = rng.choice(n, k, replace=False, p=comes / comes.sum())
        noise = rng.normal(0, NOISE, k)
        if world.chips:
            noise += 4.0 * rng.permutation(np.append(k - 1.0, -np.ones(k - 1))) * rng.poisson(2)
        if world.placings:
            order = np.argsort(-(strengths[table] / 20 + rng.gumbel(size=k)))
            points = np.empty(k)
            points[order] = places
        else:
            points = rng.permutation(places) + k * strengths[table] - strengths[table].sum()
        points += noise - noise.mean()
        day = date(2020, 1, 1) + timedelta(days=number // 4)
        played.append(game_of([f"p{i:02}" for i in table], points.tolist(), day=day))
    sigma2 = float((places**2).mean()) + NOISE**2 * (k - 1) / k
    return League(past_of(played), truth, world.tau**2 / sigma2)


class Told(NamedTuple):
    """What is told of one league's skill. held: the share's interval holds the truth. said: it is said. width:
    its width. pairs: how many are said to differ, `right` of them are so; `chance`: the sum of what is said.

    Of CLAIMS, where nobody differs: whether a least share is said; that there is skill; that opponents were
    uneven; that a rating system predicts better than chance; that somebody has a favourite opponent; that
    somebody discards faster than the others.
    """

    held: bool
    said: bool
    width: float
    pairs: int
    right: int
    chance: float
    share: bool
    seen: bool = False
    opponents: bool = False
    system: bool = False
    favourite: bool = False
    faster: bool = False


CLAIMS = ("share", "pairs", "seen", "opponents", "system", "favourite", "faster")


def told(world: World, seed: int) -> Told:
    """What is told of a league's skill."""
    past, strengths, ratio = league(world, seed)
    found, pairs = skill_ratio(past), better(past, SHUFFLES)
    share = found.share(world.games * world.seats / world.members)
    some = Told(
        held=found.low <= ratio <= found.high,
        said=tells(share),
        width=share.high - share.low,
        pairs=len(pairs),
        right=sum(strengths[int(one[1:])] > strengths[int(other[1:])] for one, other in pairs),
        chance=sum(pairs.values()),
        share=share.low >= HARDLY,
    )
    if world.tau:
        return some
    games = past.season_games
    return some._replace(
        seen=skill_test(past, SHUFFLES).p < LEVEL,
        opponents=bool(uneven_opponents(past, size=2_000)),
        system=BURN_IN < world.games <= MOST_COMPARED and compare(games).verdict is Verdict.SKILL,
        favourite=bool(sure_leads(meetings(games), past.names, 10)),
        faster=null_leagues.efficiency_names(random.Random(seed), max(LEAST, world.games // 20))[1],
    )


class Outcome(NamedTuple):
    """One forecast beside what came, each (m,): the chances, who was champion, which intervals held."""

    chances: Floats
    champion: Floats
    held: Floats


def outcomes(world: World, seed: int) -> list[Outcome]:
    """The forecasts after parts of a season, and how it ended."""
    past, found = league(world, seed).past, []
    ends = dict(zip(past.names, past.totals, strict=True))
    for part in PARTS:
        then = past.until(round(part * past.played))
        members = forecast(then, past.played - then.played, seasons=SEASONS).members
        final = np.array([ends[member.player] for member in members])
        held = [m.low <= end <= m.high for m, end in zip(members, final, strict=True)]
        chances = np.array([member.first for member in members])
        found.append(Outcome(chances, (final == max(ends.values())).astype(float), np.array(held, float)))
    return found


def skill_lines(leagues: int, pool: ProcessPoolExecutor) -> Iterator[str]:
    """A line for each true skill and number of games."""
    yield "tau games | share: interval holds, is said, width | leagues with a pair; right, said"
    for tau in TAUS:
        for games in GAMES:
            found = list(pool.map(partial(told, World("", tau, games=games)), range(leagues), chunksize=10))
            held, said, width = (np.mean([one[at] for one in found]) for at in range(3))
            some, pairs = np.mean([one.pairs > 0 for one in found]), sum(one.pairs for one in found)
            words = f"{tau:3g} {games:5} | {held:6.1%} {said:6.1%} {width:4.2f} | {some:6.1%}"
            if pairs:
                right, chance = sum(one.right for one in found), sum(one.chance for one in found)
                words += f" {right / pairs:6.1%} {chance / pairs:6.1%} of {pairs}"
            if not tau:
                claims = np.array([[getattr(one, claim) for claim in CLAIMS] for one in found]) > 0
                shares = ", ".join(f"{c} {s:.1%}" for c, s in zip(CLAIMS, claims.mean(axis=0), strict=True))
                words += f" | nobody differs: {shares}; any of them {claims.any(axis=1).mean():.1%}"
            yield words


def reliability(found: Sequence[Sequence[Outcome]]) -> Iterator[tuple[float, float, float, int]]:
    """For each tenth: the mean chance told, how often it came, the band's half width, and the forecasts."""
    chances = np.concatenate([one.chances for season in found for one in season])
    came = np.concatenate([one.champion for season in found for one in season])
    number = np.repeat(range(len(found)), [sum(len(one.chances) for one in season) for season in found])
    tenth = np.minimum((10 * chances).astype(int), 9)
    for part in range(10):
        inside = tenth == part
        if count := int(inside.sum()):
            off = np.bincount(number[inside], (came - chances)[inside])
            chance = float((chances * (1 - chances))[inside].sum())
            band = 1.96 * max(float((off**2).sum()), chance) ** 0.5 / count
            yield float(chances[inside].mean()), float(came[inside].mean()), band, count


def forecast_lines(leagues: int, pool: ProcessPoolExecutor) -> Iterator[str]:
    """Lines for each world."""
    for world in WORLDS:
        found = list(pool.map(partial(outcomes, world), range(leagues), chunksize=5))
        held = [np.mean(np.concatenate([season[at].held for season in found])) for at in range(len(PARTS))]
        yield f"{world.name}: 90 % intervals held " + " ".join(f"{share:.1%}" for share in held)
        for mean, came, band, count in reliability(found):
            inside = "" if abs(mean - came) <= band else "  OUTSIDE"
            yield f"   told {mean:6.1%}  came {came:6.1%} +- {band:5.1%} of {count:6}{inside}"


def main() -> None:
    """Print the tables as they are found."""
    leagues = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with ProcessPoolExecutor(2) as pool:
        for line in chain(skill_lines(leagues, pool), forecast_lines(leagues // 2, pool)):
            print(line, flush=True)
    null_leagues.main(leagues)


if __name__ == "__main__":
    main()
