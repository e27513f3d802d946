"""Find how a league's scores compare with Tenhou's ranked games: jansou's factors f and g, with
their errors.

r is the rating points of one game, with mean e and variance v; w is the pull to the opponents' mean
rating. Where other rules turn e and v into k e and l v, a rating behaves as before when r is scaled
by f = k / l and the pull by g = k^2 / l. l v is the variance of score. k comes from m, which says
how fast the players' mean placings fall with their mean scores. One place is worth 4 rating points
at four seats (r = +6 +2 -2 -6, v = 20) and 6 at three (r = +6 0 -6, v = 24), so k = 1 / (4 m) or 1
/ (6 m).

Within a game the placing follows from the scores, so m would come out much the same whoever had
played. k is therefore also given for names shuffled within games, whose line is chance alone, and
for split halves, whose placings and scores come from different games. Players are numbers below n;
scores: (N, K), in order of placing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import hypot, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rating.columns import Floats, Ints, columns_of, enough
from rating.games import MOST, Game, GameError, same_seats
from rating.study.compare import Comparison
from rating.study.simulate import PER_PLACE, POINTS, VARIANCE, WEIGHT, simulate

# what the method asks for
ENOUGH_PLAYERS = 100
MIN_GAMES = 50
SHUFFLES = 20
LEAST = 1e-12  # a spread below this share of the whole is only rounding
PRECISE = 0.1  # the error of a precise split-half estimate is at most this share of it
# slopes that differ by less, as a share or in standard deviations, are the same
SAME = 0.25
SPREADS = 3


class Fit(NamedTuple):
    """A line's `m` (places per thousand points), its standard error and r^2."""

    m: float
    error: float
    r2: float


class Estimate(NamedTuple):
    """A value with its standard error; None where the data have none."""

    value: float | None
    error: float | None


NOTHING = Estimate(None, None)


@dataclass(frozen=True, slots=True)
class Halves:
    """Mean scores and mean placings in each player's odd and even games, both (2, n)."""

    scores: Floats
    placings: Floats


@dataclass(frozen=True, slots=True)
class ChanceCheck:
    """k in ways that tell chance from the players; None where the data give no such slope.

    `shuffled_k`, `shuffled_r2`: means over SHUFFLES shuffles of the names within games; the error
    is that of the mean. `within_game`: the shuffled slopes are the players' own, so k says little
    of the players. `split_m`, `split_k`: placing in odd games on score in even games, and the other
    way round. `corrected_k`: the same without the chance in the scores, which makes `split_k` too
    large. `precise`: the error of `split_m` is at most PRECISE of it."""

    shuffled_k: float | None
    shuffled_k_error: float | None
    shuffled_r2: float
    within_game: bool
    split_m: float | None
    split_m_error: float | None
    split_k: float | None
    split_k_error: float | None
    corrected_k: float | None
    corrected_k_error: float | None
    precise: bool


@dataclass(frozen=True, slots=True)
class Calibration:
    """jansou's factors for one league, each with its standard error.

    `variance`: l v, of score in thousands of points. `m`: places per thousand points. `r2`: of the
    regression that gives m, over the `players` who have at least `min_games`. `means`: their (name,
    mean score, mean placing from 1), for a picture. `totsugeki_f`: f found by `totsugeki`.
    `sufficient`: there are the players and games that are asked for, and `chance.precise`.
    `chips_left_out`: games whose chips are worth nothing.
    """

    games: int
    seats: int
    players: int
    min_games: int
    variance: float
    m: float
    k: float
    l: float  # noqa: E741
    f: float
    g: float
    m_error: float
    k_error: float
    l_error: float
    f_error: float
    g_error: float
    r2: float
    totsugeki_f: float
    sufficient: bool
    chips_left_out: int
    chance: ChanceCheck
    means: tuple[tuple[str, float, float], ...]


def factors(k: float, l: float) -> tuple[float, float]:  # noqa: E741
    """(f, g) = (k / l, k^2 / l), which holds where the pull is small."""
    return k / l, k * k / l


def exact_factors(
    k: float,
    l: float,  # noqa: E741
    w: float = WEIGHT[4],
) -> tuple[float, float]:
    """(f, g) for any pull w: g = 2 / ((l / k^2) (2 - w) + w), f = g / k."""
    g = 2 / (l / (k * k) * (2 - w) + w)
    return g / k, g


def calibrate(
    games: Sequence[Game],
    min_games: int = MIN_GAMES,
    chip: float = 0.0,
    season_chip: Mapping[str, float] | None = None,
) -> Calibration:
    """The factors from the league's games of the commonest number of seats, which are in order of
    time. A chip counts `chip` thousand points, or what `season_chip` says for the season log that
    the game stands in. Raises GameError when fewer than three players have `min_games`, when higher
    scores do not bring better placings, when a chip's worth is out of range, or when there is
    nothing to learn from."""
    games = same_seats(enough(games))
    columns = columns_of(games)
    chips = chips_worth(games, chip, season_chip or {})
    players = columns.blocks[0].players
    scores = columns.blocks[0].scores + chips
    count, total, placed = sums_of(players, scores, len(columns.names))
    kept = count >= max(min_games, 2)
    names = [columns.names[i] for i in np.flatnonzero(kept)]
    if len(names) < 3:
        lacks = f"only {len(names)} players have {min_games} or more; three are needed"
        raise GameError(f"{games[-1].where}: the last of {len(games)} games, but {lacks}")
    mean_score = total[kept] / count[kept]
    mean_placing = placed[kept] / count[kept]
    own = line(mean_score, mean_placing)
    if own.m <= 0:
        raise GameError(
            f"{games[-1].where}: up to here, higher scores do not bring better placings"
        )
    seats = scores.shape[1]
    chance = chance_check(
        own, shuffled(players, scores, kept), halves(players, scores, kept), seats
    )
    variance, variance_error = spread(scores)
    k = k_of(own.m, seats)
    l = variance / VARIANCE[seats]  # noqa: E741
    of_k = own.error / own.m
    of_l = variance_error / variance
    f, g = factors(k, l)
    with_chips = [
        row
        for game, row in zip(games, chips, strict=True)
        if any(seat.chips for seat in game.seats)
    ]
    return Calibration(
        games=len(scores),
        seats=seats,
        players=len(names),
        min_games=min_games,
        variance=variance,
        m=own.m,
        k=k,
        l=l,
        f=f,
        g=g,
        m_error=own.error,
        k_error=k * of_k,
        l_error=l * of_l,
        f_error=f * hypot(of_k, of_l),
        g_error=g * hypot(2 * of_k, of_l),
        r2=own.r2,
        totsugeki_f=totsugeki(scores),
        sufficient=len(names) >= ENOUGH_PLAYERS and min_games >= MIN_GAMES and chance.precise,
        chips_left_out=sum(not any(row) for row in with_chips),
        chance=chance,
        means=tuple(
            zip(
                names,
                mean_score.tolist(),
                mean_placing.tolist(),
                strict=True,
            )
        ),
    )


def chips_worth(
    games: Sequence[Game],
    chip: float,
    season_chip: Mapping[str, float],
) -> Floats:
    """Each seat's chips in thousands of points, (N, K).

    Raises GameError for a worth out of range.
    """
    for worth in (chip, *season_chip.values()):
        if not abs(worth) <= MOST:
            raise GameError(
                f"a chip's worth must be a number from {-MOST:g} to {MOST:g}, not {worth}"
            )
    values = []
    for game in games:
        rate = season_chip.get(game.source, chip)
        values.append([rate * (seat.chips or 0) for seat in game.seats])
    return np.array(values)


def spread(scores: Floats) -> tuple[float, float]:
    """Variance of score and its standard error. The error counts games: the scores of one are not
    independent."""
    squares = ((scores - scores.mean()) ** 2).mean(axis=1)
    error = squares.std(ddof=1) / sqrt(len(squares))
    return float(squares.mean()), float(error)


def totsugeki(scores: Floats) -> float:
    """f in a second way, totsugeki's: r' = |r| / |A| times score, where A is the mean score of each
    placing. scores: (N, K), seats in order of placing."""
    by_placing = scores.mean(axis=0)
    points = POINTS[scores.shape[1]]
    return float(np.linalg.norm(points) / np.linalg.norm(by_placing))


def line(x: Floats, y: Floats) -> Fit:
    """How fast y falls with x by least squares: (-slope, standard error, r^2); zeros without
    variance. It needs three points or more."""
    dx = x - x.mean()
    dy = y - y.mean()
    xx = float(dx @ dx)
    xy = float(dx @ dy)
    yy = float(dy @ dy)
    if xx <= 0 or yy <= 0:
        return Fit(0.0, 0.0, 0.0)
    slope = xy / xx
    rest = max(yy - slope * xy, 0.0)
    return Fit(
        -slope,
        sqrt(rest / (len(x) - 2) / xx),
        xy * xy / (xx * yy),
    )


def sums_of(keys: Ints, scores: Floats, n: int) -> tuple[Ints, Floats, Floats]:
    """Seats, total score and total placing (from 1) of each key, all (n,). keys:

    (N, K) numbers below n.
    """
    places = np.broadcast_to(
        np.arange(1.0, keys.shape[1] + 1),
        keys.shape,
    )
    count = np.bincount(keys.ravel(), minlength=n)
    total, placed = (
        np.asarray(
            np.bincount(keys.ravel(), x.ravel(), n),
            float,
        )
        for x in (scores, places)
    )
    return count, total, placed


def shuffled(
    players: Ints,
    scores: Floats,
    kept: NDArray[np.bool_],
    seed: int = 0,
) -> list[Fit]:
    """The lines of SHUFFLES leagues in which the names of every game are dealt to its seats at
    random. kept: (n,) whose means count. The same seed gives the same lines."""
    random = np.random.default_rng(seed)
    fits = []
    for _ in range(SHUFFLES):
        count, total, placed = sums_of(
            random.permuted(players, axis=1),
            scores,
            len(kept),
        )
        fits.append(
            line(
                total[kept] / count[kept],
                placed[kept] / count[kept],
            )
        )
    return fits


def halves(players: Ints, scores: Floats, kept: NDArray[np.bool_]) -> Halves:
    """The means in each player's 1st, 3rd, 5th … game and in the 2nd, 4th, 6th …, in the order of
    the rows. kept: (n,) whose means count; each of them has two games or more."""
    flat = players.ravel()
    n = len(kept)
    order = np.argsort(flat, kind="stable")
    count = np.bincount(flat, minlength=n)
    turn = np.empty_like(flat)
    starts = np.cumsum(count) - count
    turn[order] = np.arange(len(flat)) - np.repeat(starts, count)
    keys = (turn % 2 * n + flat).reshape(players.shape)
    sums = sums_of(keys, scores, 2 * n)
    seats, total, placed = (x.reshape(2, n)[:, kept] for x in sums)
    return Halves(total / seats, placed / seats)


def split_m(split: Halves) -> Estimate:
    """The mean of two slopes: placing in odd games on score in even games, and the other way round.
    Scores of few games are mostly chance, which no placing in other games follows: m is then too
    small, and k too large. `corrected_m` has no such fault."""
    (odd, even), (placed_odd, placed_even) = split.scores, split.placings
    return _jackknife(
        (-_products(even, placed_odd), _products(even, even)),
        (-_products(odd, placed_even), _products(odd, odd)),
    )


def corrected_m(split: Halves) -> Estimate:
    """The same with the spread of scores that both halves share, instead of that of one half.
    Chance in the scores is not shared, so it drops out. One half is then an instrument for the
    other (O. Reiersøl, Arkiv för Mathematik 32A, 1945)."""
    (odd, even), (placed_odd, placed_even) = split.scores, split.placings
    return _jackknife(
        (-_products(even, placed_odd) - _products(odd, placed_even), 2 * _products(odd, even))
    )


def _products(a: Floats, b: Floats) -> Floats:
    """The sum over players of the product of a's and b's distances from their means. The first is
    of all n players, then follow those without each player in turn, (1 + n,)."""
    n = len(a)
    each = (a - a.mean()) * (b - b.mean())
    total = each.sum()
    return np.concatenate([[total], total - each * n / (n - 1)])


def _jackknife(*ratios: tuple[Floats, Floats]) -> Estimate:
    """The mean of the ratios, with the error by leaving out each player; nothing where a divisor
    vanishes. Each ratio is two results of `_products`. The error: B. Efron, C. Stein, Annals of
    Statistics 9, 1981, doi:10.1214/aos/1176345462."""
    for _, divisor in ratios:
        if divisor[0] <= 0 or divisor.min() <= LEAST * divisor[0]:
            return NOTHING
    values = np.mean([product / divisor for product, divisor in ratios], axis=0)
    without = values[1:]
    n = len(values) - 1
    return Estimate(
        float(values[0]),
        sqrt((n - 1) * float(without.var())),
    )


def k_of(m: float, seats: int) -> float:
    """k from m (places per thousand points)."""
    return 1 / (PER_PLACE[seats] * m)


def chance_check(own: Fit, others: Sequence[Fit], split: Halves, seats: int) -> ChanceCheck:
    """What the lines of shuffled names (`others`) and the split halves say of the players' own
    line.
    """
    slopes = np.array([fit.m for fit in others])
    mean = float(slopes.mean())
    spread = float(slopes.std(ddof=1))
    shuffled_k, shuffled_k_error = NOTHING
    if slopes.min() > 0:  # by every slope higher scores bring better placings
        ks = np.array([k_of(m, seats) for m in slopes])
        shuffled_k = float(ks.mean())
        shuffled_k_error = float(ks.std(ddof=1)) / sqrt(len(ks))
    of_split = split_m(split)
    corrected = corrected_m(split)
    split_k, split_k_error = _k_with_error(of_split, seats)
    corrected_k, corrected_k_error = _k_with_error(corrected, seats)
    return ChanceCheck(
        shuffled_k=shuffled_k,
        shuffled_k_error=shuffled_k_error,
        shuffled_r2=float(np.mean([fit.r2 for fit in others])),
        within_game=abs(own.m - mean) <= max(SPREADS * spread, SAME * own.m),
        split_m=of_split.value,
        split_m_error=of_split.error,
        split_k=split_k,
        split_k_error=split_k_error,
        corrected_k=corrected_k,
        corrected_k_error=corrected_k_error,
        precise=split_k is not None
        and split_k_error is not None
        and split_k_error <= PRECISE * split_k,
    )


def _k_with_error(m: Estimate, seats: int) -> Estimate:
    """k and its standard error; nothing where m does not say that higher scores bring better
    placings.
    """
    if m.value is None or m.error is None or m.value <= 0:
        return NOTHING
    k = k_of(m.value, seats)
    return Estimate(k, k * m.error / m.value)


Report = dict[str, Any]


def calibrate_report(
    games: Sequence[Game],
    min_games: int = MIN_GAMES,
    chip: float = 0.0,
    season_chip: Mapping[str, float] | None = None,
) -> Report:
    """What `calibrate` finds, with `sd` (of score), `scale` (5 f), `pull` (g / 40), `verdict` (a
    sentence). The figures of ChanceCheck stand beside the others. Raises GameError as `calibrate`
    does."""
    report = asdict(calibrate(games, min_games, chip, season_chip))
    report |= report.pop("chance")
    report["means"] = [list(point) for point in report["means"]]
    report["sd"] = report["variance"] ** 0.5
    report["scale"], report["pull"] = 5 * report["f"], report["g"] / 40
    lacks = []
    if report["players"] < ENOUGH_PLAYERS or report["min_games"] < MIN_GAMES:
        lacks.append(f"{ENOUGH_PLAYERS} players with {MIN_GAMES} games are asked for")
    if not report["precise"]:
        m = report["split_m"]
        error = report["split_m_error"]
        what = "the split halves show no slope"
        if m is not None and error is not None and m > 0:
            what = f"the error of the split halves' slope is {error / m:.0%}"
        lacks.append(f"{what}, and an error of at most {PRECISE:.0%} is asked for")
    verdict = f"The data do not suffice: {'; '.join(lacks)}." if lacks else "The data suffice."
    return report | {"verdict": verdict}


def factors_report(sd: float, m: float, seats: int, chip: float = 0.0) -> Report:
    """jansou's factors from what others measured: `sd` of score (thousands), `m` (places per
    thousand). `chip`: thousands of points a chip counted in both. `exact_f`, `exact_g` hold for any
    pull."""
    k = k_of(m, seats)
    l = sd**2 / VARIANCE[seats]  # noqa: E741
    (f, g), (exact_f, exact_g) = (
        factors(k, l),
        exact_factors(k, l, WEIGHT[seats]),
    )
    figures = {
        "k": k,
        "l": l,
        "f": f,
        "g": g,
        "exact_f": exact_f,
        "exact_g": exact_g,
    }
    return {
        "seats": seats,
        "chip": chip,
        "sd": sd,
        "m": m,
        **figures,
        "scale": 5 * f,
        "pull": g / 40,
    }


def simulate_report(**options: Any) -> Report:
    return asdict(simulate(**options))


def comparison_report(comparison: Comparison) -> Report:
    """The report of a comparison.

    `same_as` is there only where a system's predictions are another's.
    """
    models = [asdict(entry) for entry in comparison.models]
    for entry in models:
        entry["calibration"] = {
            "first": list(entry.pop("first")),
            "last": list(entry.pop("last")),
        }
        if not entry["same_as"]:
            del entry["same_as"]
    return {
        "games": comparison.games + comparison.burn_in,
        "predicted": comparison.games,
        "burn_in": comparison.burn_in,
        "seats": comparison.seats,
        "days": comparison.days,
        "uniform": comparison.uniform,
        "verdict": str(comparison.verdict),
        "best": comparison.best,
        "ties": list(comparison.ties),
        "models": models,
    }
