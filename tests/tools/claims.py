"""What sentences about skill, luck and chance are worth, in simulated leagues whose truth is known:
`python -m tests.tools.claims [LEAGUES] [PART …]`; parts: share, means, pairs, chances, nulls.

Prints, for docs/claims.md: how often `skill_low` and `skill_high` of `flask forecast --json` hold
the true share, given that the interval is said and of those that exclude hardly any or half, and
how wide they are beside what the games alone allow; how many means lie within
their intervals, by number of cases; what is right of what is said about pairs, and in how many
leagues anything is said; how many leagues in which nobody differs make each claim, and any of them;
chances of being champion beside how often it came, by tenths, in nine worlds, and how many 90 %
intervals held the final points; last, who gets a name in leagues in which nobody differs. A band is
two standard errors of leagues, each of which counts as one.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from functools import cache, partial
from itertools import chain, product
from typing import NamedTuple

import numpy as np

from rating.columns import Floats
from rating.forecast.outlook import forecast, forecast_report
from rating.forecast.past import Past, past_of
from rating.forecast.skill import LEVEL, better, skill_test, uneven_opponents
from rating.forecast.strengths import HARDLY, is_informative, skill_ratio
from rating.games import Game, Seat, game_of
from rating.paifu import parse, play_figures, surely_apart
from rating.paifu.efficiency import EfficiencyRating
from rating.paifu.loss_differences import LEAST, loss_difference
from rating.paifu.play_counts import play_counts
from rating.paifu.play_figures import MEANS, share
from rating.paifu.tally import DISPERSION
from rating.proportions import Z95, t_quantile
from rating.study.compare import BURN_IN, Verdict, compare
from rating.tallies import meetings, sure_leads
from tests.real import RECORDS

PLACES = {
    3: (57.0, -3.0, -54.0),
    4: (55.0, 8.0, -18.0, -45.0),
}  # thousands of points, before chance
NOISE = 8.0  # the standard deviation of each seat's points about its place's
TAUS = (0.0, 1.0, 2.0, 4.0, 9.0)  # thousands of points a game between members
GAMES = (10, 60, 200, 300, 600)
SEASONS = 1_000  # simulated for each forecast
SHUFFLES = 400  # in the test of skill
# where nobody differs; SIGMA: points of a game
MEMBERS = 9
SIGMA = 46.5
# mean and deviation of a game's mean loss, on 216 seats of real records
LOSS = 0.077
SPREAD = 0.042
MOST_COMPARED = 200  # games of leagues whose rating systems are compared, for the sake of time


class SimulatedLeagues(NamedTuple):
    """Leagues of one kind. tau: thousands of points a game between members. comes: whether members
    come alike, unequally, or unequally and the other way round after half-time. drift: how far
    strengths wander in a season, in tau. placings: the order at a table is Plackett-Luce's, the
    stronger the more often first."""

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
    SimulatedLeagues("unequal attendance", comes="unequal"),
    SimulatedLeagues("chips", chips=True),
    SimulatedLeagues("four seats", seats=4),
    SimulatedLeagues("20 members", members=20),
    SimulatedLeagues("drift", drift=1.0),
    SimulatedLeagues("change", comes="change"),
    SimulatedLeagues("Plackett-Luce", placings=True),
    SimulatedLeagues("no skill", tau=0.0),
    SimulatedLeagues("tau 9", tau=9.0),
)
CASES = (2, 3, 5, 10, 30, 100)
PARTS = (0.25, 0.5, 0.75)


class League(NamedTuple):
    """A league's games and the truth: strengths (n,) of p0, p1 … at the start; the true share's
    ratio.
    """

    past: Past
    strengths: Floats
    ratio: float


def league(world: SimulatedLeagues, seed: int) -> League:
    rng = np.random.default_rng(
        [
            seed,
            world.games,
            int(10 * world.tau),
            world.members,
        ]
    )
    n = world.members
    k = world.seats
    strengths = truth = rng.normal(0, world.tau / (k - 1), n)
    comes = np.linspace(1, 4, n) if world.comes != "alike" else np.ones(n)
    places = np.array(PLACES[k]) - np.mean(PLACES[k])
    played = []
    for number in range(world.games):
        if world.comes == "change" and number == world.games // 2:
            comes = comes[::-1]
        strengths = strengths + world.drift * rng.normal(
            0, world.tau / (k - 1) / world.games**0.5, n
        )
        table = rng.choice(n, k, replace=False, p=comes / comes.sum())
        noise = rng.normal(0, NOISE, k)
        if world.chips:
            chips = rng.permutation(np.append(k - 1.0, -np.ones(k - 1)))
            noise += 4.0 * chips * rng.poisson(2)
        if world.placings:
            order = np.argsort(-(strengths[table] / 20 + rng.gumbel(size=k)))
            points = np.empty(k)
            points[order] = places
        else:
            points = rng.permutation(places) + k * strengths[table] - strengths[table].sum()
        points += noise - noise.mean()
        day = date(2020, 1, 1) + timedelta(days=number // 4)
        played.append(game_of([f"p{i:02}" for i in table], points.tolist(), day=day))
    return League(past_of(played), truth, world.tau**2 / chance_variance(places))


def chance_variance(places: Floats) -> float:
    """The variance of one seat's points in a game of equals, by the points of the places."""
    seats = len(places)
    noise = NOISE**2 * (seats - 1) / seats
    return float((places**2).mean()) + noise


def widths_alone(past: Past) -> Floats:
    """What the games alone allow of the share of a mean of the members' games (90 %), by a
    reckoning of its own: how wide it is over all ratios that an F test does not refuse, and over
    those near the best likelihood."""
    k = past.seats
    n = len(past.names)
    contrasts = np.zeros((k - 1, k))
    for row, seat in zip(contrasts, range(1, k), strict=True):
        row[:seat] = 1.0
        row[seat] = -seat
    contrasts /= np.linalg.norm(contrasts, axis=1, keepdims=True)
    seat_players = past.players[:, :, None]
    sat = (seat_players == np.arange(n)).astype(float)
    x = (k * contrasts @ sat).reshape(-1, n)
    y = (past.points @ contrasts.T).ravel()
    vectors, values, _ = np.linalg.svd(x, full_matrices=False)
    joined = values > 1e-9 * values.max()
    found = (vectors.T @ y)[joined] ** 2
    left = len(y) - int(joined.sum())
    rest = float(y @ y - found.sum())
    ratios = np.append(0.0, np.geomspace(1e-7, 1e4, 4_000))
    grown = 1 + ratios[:, None] * values[joined] ** 2
    statistic = (found / grown).mean(axis=1) / (rest / left)
    low, high = f_ends(len(found), left)
    residuals = rest + (found / grown).sum(axis=1)
    penalties = np.log(grown).sum(axis=1) / 2
    likely = -penalties - len(y) / 2 * np.log(residuals)
    skill_to_chance = past.played * k / past.members * k * (k - 1) * ratios
    shares = 1 - 1 / (1 + skill_to_chance)
    accepted = (low <= statistic) & (statistic <= high)
    near_best = likely >= likely.max() - 1.645**2 / 2
    return np.array([width(shares[accepted]), width(shares[near_best])])


def width(values: Floats) -> float:
    return float(np.ptp(values)) if len(values) else 0.0


@cache
def f_ends(explained: int, left: int) -> Floats:
    """What holds 90 % of an F variable, counted of a million."""
    rng = np.random.default_rng(1)
    f = rng.chisquare(explained, 10**6) / explained
    f /= rng.chisquare(left, 10**6) / left
    return np.asarray(np.quantile(f, (0.05, 0.95)))


def plain_league(tau: float, games: int, seed: int) -> tuple[Past, float]:
    """Ten members, three seats, and the true share's ratio: as `league`, all games drawn at
    once.
    """
    rng = np.random.default_rng([seed, games, int(10 * tau)])
    places = np.array(PLACES[3]) - np.mean(PLACES[3])
    tables = rng.random((games, 10)).argsort(axis=1)[:, :3]
    seen, players = np.unique(tables, return_inverse=True)
    strengths = rng.normal(0, tau / 2, 10)[tables]
    noise = rng.normal(0, NOISE, (games, 3))
    points = (
        rng.permuted(np.tile(places, (games, 1)), axis=1)
        + noise
        - noise.mean(axis=1, keepdims=True)
    )
    points += 3 * strengths - strengths.sum(axis=1, keepdims=True)
    names = tuple(f"p{i:02}" for i in seen)
    days = 737_425 + np.arange(games) // 4
    fines = np.zeros_like(points)
    past = Past(
        names,
        members=len(names),
        players=players.reshape(-1, 3),
        points=points,
        days=days,
        earlier=0,
        season_games=(),
        fines=fines,
    )
    return past, tau**2 / chance_variance(places)


class ShareCoverage(NamedTuple):
    """The shares of skill of a league's members as `flask forecast --json` reports them. held: the
    members whose true share lies between `skill_low` and `skill_high`; the sentence that 9 of 10
    do is always said with these, so this is its coverage. clear: the members whose interval
    excludes hardly any or half, `clear_held` of whom hold the truth. null: `skill` is null.
    is_consistent: it is null just where the interval excludes neither, and else inside. width: of
    the interval for a mean of the members' games; the last two: `widths_alone`."""

    held: float
    clear: float
    clear_held: float
    null: float
    is_consistent: bool
    width: float
    test_width: float
    likelihood_width: float


def share_coverage(tau: float, games: int, seed: int) -> ShareCoverage:
    past, ratio = plain_league(tau, games, seed)
    rows = forecast_report(forecast(past, 1, seed=1, seasons=100), None)["players"]
    held = []
    clear = []
    consistent = []
    for row in rows:
        low, value, high = (row[key] for key in ("skill_low", "skill", "skill_high"))
        held.append(low <= 1 - 1 / (1 + row["games"] * ratio) <= high)
        clear.append(low >= HARDLY or high <= 0.5)
        consistent.append(low <= value <= high if clear[-1] else value is None)
    share = skill_ratio(past).share(past.played * past.seats / past.members)
    test_width, likelihood_width = widths_alone(past)
    return ShareCoverage(
        held=float(np.mean(held)),
        clear=float(np.mean(clear)),
        clear_held=float(np.mean(np.logical_and(held, clear))),
        null=float(np.mean([row["skill"] is None for row in rows])),
        is_consistent=all(consistent),
        width=share.high - share.low,
        test_width=float(test_width),
        likelihood_width=float(likelihood_width),
    )


def share_lines(leagues: int, pool: ProcessPoolExecutor) -> Iterator[str]:
    yield (
        "tau games | the interval holds, as it is always said; of members whose interval excludes "
        "hardly any or half | is null, null where it should be | width, of an F test's, of likelihood's"
    )
    for tau, games in product(TAUS, (10, 60, 200, 600)):
        measured = pool.map(partial(share_coverage, tau, games), range(leagues), chunksize=10)
        mean = ShareCoverage(*np.mean(list(measured), axis=0))
        of_clear = f"{mean.clear_held / mean.clear:.1%}" if mean.clear else "none"
        yield (
            f"{tau:3g} {games:5} | {mean.held:6.1%}; {of_clear:>6} of {mean.clear:.1%} | "
            f"{mean.null:6.1%} {mean.is_consistent:4.0%} | {mean.width:.3f} "
            f"{mean.width / mean.test_width:.2f} {mean.width / mean.likelihood_width:.2f}"
        )


def mean_lines(samples: int) -> Iterator[str]:
    """For each mean, drawn from its cases in all records of tests/data, and for 放銃率, drawn by
    games: how many 95 % intervals hold it, by number of cases, as of a normal variable (version
    0.2) and as they are shown."""
    values: dict[str, list[int]] = {name: [] for name in MEANS}
    dealt: list[tuple[int, int]] = []
    for record in (parse(path.read_bytes()) for path in RECORDS):
        for played in record.rounds:
            values["mean_win"] += [win.value for win in played.wins]
            alone = replace(record, rounds=(played,), unread=(), final=None)
            for counts in play_counts(alone):
                for name, counted in MEANS.items():
                    if counts[counted] == 1:
                        values[name].append(counts[f"{counted}.sum"])
        dealt += [(counts["deal ins"], counts["rounds"]) for counts in play_counts(record)]
    rng = np.random.default_rng(28)
    yield f"{'held: before, now':24}" + "".join(f"{n:>14}" for n in CASES)
    for name, every in values.items():
        words = ""
        for n in CASES:
            drawn = rng.choice(every, (samples, n))
            errors = drawn.std(axis=1, ddof=1) / n**0.5 + 1e-9
            off = abs(drawn.mean(axis=1) - np.mean(every)) / errors
            counts = Counter({MEANS[name]: n, f"{MEANS[name]}.sum": 1, f"{MEANS[name]}.squares": 1})
            # of the numbers 1, 0, 0 … of mean 1 / n
            figure = play_figures(counts)[name]
            error = 1 / n
            words += f"{np.mean(off <= Z95):7.1%}"
            if figure.high is None:
                words += f"{'none':>7}"
            else:
                half = (figure.high - 1 / n) / error
                words += f"{np.mean(off <= half):7.1%}"
        yield f"{name:24}{words}  of {len(every)}"
    words = ""
    deal_ins, rounds = np.array(dealt).T
    truth = deal_ins.sum() / rounds.sum()
    for n in CASES:
        drawn = rng.integers(len(dealt), size=(samples, n))
        drawn_deal_ins = deal_ins[drawn].sum(axis=1).tolist()
        drawn_rounds = rounds[drawn].sum(axis=1).tolist()
        for dispersion in (1.0, DISPERSION):
            intervals = [
                share(count, of, dispersion)
                for count, of in zip(drawn_deal_ins, drawn_rounds, strict=True)
            ]
            held = [interval.low <= truth <= interval.high for interval in intervals]
            words += f"{np.mean(held):7.1%}"
    yield f"{'deal_in (of games)':24}{words}  of {len(dealt)}"


class Claims(NamedTuple):
    """What is told of one league's skill. held: the share's interval holds the truth. said: it is
    said. width: its width. pairs: how many are said to differ, `right` of them are so; `chance`:
    the sum of what is said.

    Of CLAIMS, where nobody differs: whether a least share is said; that there is skill; that
    opponents were uneven; that a rating system predicts better than chance; that somebody has a
    favourite opponent; that somebody discards faster than the others.
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


def claims_about(world: SimulatedLeagues, seed: int) -> Claims:
    past, strengths, ratio = league(world, seed)
    found = skill_ratio(past)
    pairs = better(past, SHUFFLES)
    share = found.share(world.games * world.seats / world.members)
    right = 0
    for better_player, other in pairs:
        if strengths[int(better_player[1:])] > strengths[int(other[1:])]:
            right += 1
    some = Claims(
        held=found.low <= ratio <= found.high,
        said=is_informative(share),
        width=share.high - share.low,
        pairs=len(pairs),
        right=right,
        chance=sum(pairs.values()),
        share=share.low >= HARDLY,
    )
    if world.tau:
        return some
    games = past.season_games
    games_each = max(LEAST, world.games // 20)
    return some._replace(
        seen=skill_test(past, SHUFFLES).p < LEVEL,
        opponents=bool(uneven_opponents(past, size=2_000)),
        system=BURN_IN < world.games <= MOST_COMPARED and compare(games).verdict is Verdict.SKILL,
        favourite=bool(sure_leads(meetings(games), past.names, 10)),
        faster=efficiency_names(random.Random(seed), games_each)[1],
    )


class Outcome(NamedTuple):
    """One forecast beside what came, each (m,): the chances, who was champion, which intervals
    held.
    """

    chances: Floats
    champion: Floats
    held: Floats


def outcomes(world: SimulatedLeagues, seed: int) -> list[Outcome]:
    past = league(world, seed).past
    found = []
    ends = dict(zip(past.names, past.totals, strict=True))
    for part in PARTS:
        then = past.until(round(part * past.played))
        members = forecast(then, past.played - then.played, seasons=SEASONS).members
        final = np.array([ends[member.player] for member in members])
        low = np.array([member.low for member in members])
        high = np.array([member.high for member in members])
        found.append(
            Outcome(
                chances=np.array([member.first for member in members]),
                champion=(final == max(ends.values())).astype(float),
                held=((low <= final) & (final <= high)).astype(float),
            )
        )
    return found


def skill_lines(leagues: int, pool: ProcessPoolExecutor) -> Iterator[str]:
    yield "tau games | share: interval holds, is said, width | leagues with a pair; right, said"
    for tau in TAUS:
        for games in GAMES:
            found = list(
                pool.map(
                    partial(claims_about, SimulatedLeagues("", tau, games=games)),
                    range(leagues),
                    chunksize=10,
                )
            )
            held = np.mean([one.held for one in found])
            said = np.mean([one.said for one in found])
            width = np.mean([one.width for one in found])
            some = np.mean([one.pairs > 0 for one in found])
            pairs = sum(one.pairs for one in found)
            words = f"{tau:3g} {games:5} | {held:6.1%} {said:6.1%} {width:4.2f} | {some:6.1%}"
            if pairs:
                right = sum(one.right for one in found)
                chance = sum(one.chance for one in found)
                words += f" {right / pairs:6.1%} {chance / pairs:6.1%} of {pairs}"
            if not tau:
                claims = np.array([claims_made(one) for one in found])
                means = zip(CLAIMS, claims.mean(axis=0), strict=True)
                shares = ", ".join(f"{claim} {mean:.1%}" for claim, mean in means)
                words += f" | nobody differs: {shares}; any of them {claims.any(axis=1).mean():.1%}"
            yield words


def claims_made(league: Claims) -> list[bool]:
    """Whether each of CLAIMS is made of a league."""
    return [getattr(league, claim) > 0 for claim in CLAIMS]


def reliability(
    found: Sequence[Sequence[Outcome]],
) -> Iterator[tuple[float, float, float, int]]:
    """For each tenth: the mean chance told, how often it came, the band's half width, and the
    forecasts.
    """
    chances = np.concatenate([one.chances for season in found for one in season])
    came = np.concatenate([one.champion for season in found for one in season])
    sizes = [sum(len(one.chances) for one in season) for season in found]
    number = np.repeat(range(len(found)), sizes)
    tenth = np.minimum((10 * chances).astype(int), 9)
    for part in range(10):
        inside = tenth == part
        if count := int(inside.sum()):
            off = np.bincount(number[inside], (came - chances)[inside])
            chance = float((chances * (1 - chances))[inside].sum())
            band = 1.96 * max(float((off**2).sum()), chance) ** 0.5 / count
            mean = float(chances[inside].mean())
            yield mean, float(came[inside].mean()), band, count


def forecast_lines(leagues: int, pool: ProcessPoolExecutor) -> Iterator[str]:
    for world in WORLDS:
        found = list(pool.map(partial(outcomes, world), range(leagues), chunksize=5))
        held = [
            np.mean(np.concatenate([season[at].held for season in found]))
            for at in range(len(PARTS))
        ]
        yield f"{world.name}: 90 % intervals held " + " ".join(f"{share:.1%}" for share in held)
        for mean, came, band, count in reliability(found):
            inside = "" if abs(mean - came) <= band else "  OUTSIDE"
            yield f"   told {mean:6.1%}  came {came:6.1%} +- {band:5.1%} of {count:6}{inside}"


def efficiency_names(
    rng: random.Random,
    games: int,
    faster: float = 0.0,
) -> tuple[bool, bool]:
    """Whether a league names anybody whose members are equal, but that the first loses less by the
    share `faster`: by version 0.2's normal interval of each member alone, and by `surely_apart`."""
    shape = (LOSS / SPREAD) ** 2
    every = []
    for member in range(MEMBERS):
        numbers = [rng.randint(40, 120) for _ in range(games)]
        mean = LOSS
        if member == 0:
            mean = LOSS * (1 - faster)
        every.append(
            [EfficiencyRating(n, 0, n * rng.gammavariate(shape, mean / shape)) for n in numbers]
        )
    total = sum((one for mine in every for one in mine), EfficiencyRating())
    found = [loss_difference(mine, total.mean_loss or 0.0) for mine in every]
    normal = Z95 / t_quantile(games - 1)
    before = any(abs(one.value) > normal * (one.half or 0) for one in found)
    return before, any(surely_apart(every))


def pairs_named(
    rng: random.Random, games: int, tau: float, least: int = 10
) -> tuple[bool, int, int]:
    """Of a league with games of three drawn at random: whether version 0.2 names an opponent
    (`least` games and a share above one half), how many pairs are sure now, and how many of them
    are right."""
    true = [rng.gauss(0, tau) for _ in range(MEMBERS)]  # points a game

    def played() -> Iterator[Game]:
        for _ in range(games):
            table = rng.sample(range(MEMBERS), 3)
            points = {str(member): rng.gauss(true[member], SIGMA) for member in table}
            order = sorted(points, key=lambda player: -points[player])
            yield Game(tuple(Seat(player, points[player]) for player in order))

    found = meetings(played())
    before = any(met.games >= least and met.share > 0.5 for met in found.values())
    sure = sure_leads(found, [str(one) for one in range(MEMBERS)], least)
    right = sum(1 for one, other in sure if true[int(one)] > true[int(other)])
    return before, len(sure), right


def null_lines(leagues: int) -> Iterator[str]:
    """How often leagues of nine in which nobody differs are told that somebody does, by the rules
    of version 0.2 and by those in use, and whether those named are right."""
    rng = random.Random(28)
    yield "平均より速い, nobody differs: leagues with a name, before -> now"
    for games in (LEAST, 8, 20, 60):
        named = [efficiency_names(rng, games) for _ in range(leagues)]
        before = 100 * sum(normally for normally, _ in named) / leagues
        now = 100 * sum(surely for _, surely in named) / leagues
        found = [efficiency_names(rng, games, 0.3)[1] for _ in range(leagues // 2)]
        power = f"; one who loses 30 % less is seen in {200 * sum(found) / leagues:.0f} %"
        yield f"  {games:4} games each: {before:5.1f} % -> {now:4.1f} %{power}"
    yield "得意な相手: leagues with a name, before -> now; of those named now right"
    for tau in (0.0, 2.0, 9.0, 20.0):
        for games in (100, 300, 1000):
            seen = [pairs_named(rng, games, tau) for _ in range(leagues // 2)]
            before = 200 * sum(1 for earlier, _, _ in seen if earlier) / leagues
            now = 200 * sum(1 for _, sure, _ in seen if sure) / leagues
            named = sum(sure for _, sure, _ in seen)
            right = sum(correct for _, _, correct in seen)
            rate = ""
            if named and tau:
                rate = f", {100 * right / named:.0f} % of {named} right"
            yield f"  tau {tau:4.1f}, {games:4} games: {before:5.1f} % -> {now:4.1f} %{rate}"


def main() -> None:
    leagues = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with ProcessPoolExecutor(2) as pool:
        parts = {
            "share": share_lines(leagues, pool),
            "means": mean_lines(10 * leagues),
            "pairs": skill_lines(leagues, pool),
            "chances": forecast_lines(leagues // 2, pool),
            "nulls": null_lines(leagues),
        }
        for line in chain.from_iterable(parts[part] for part in sys.argv[2:] or parts):
            print(line, flush=True)


if __name__ == "__main__":
    main()
