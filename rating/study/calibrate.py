"""Measure how a league's scores compare with Tenhou's ranked games: jansou's factors f and g, with
their errors.

r is the rating points of one game, with mean e and variance v; w is the pull to the opponents' mean
rating. Where other rules turn e and v into k e and l v, a rating behaves as before when r is scaled
by f = k / l and the pull by g = k^2 / l. l v is the variance of score. k comes from m, the slope by
which the players' mean placings fall with their mean scores. One place is worth 4 rating points
with four seats (r = +6 +2 -2 -6, v = 20) and 6 with three (r = +6 0 -6, v = 24), so k = 1 / (4 m)
or 1 / (6 m). docs/reproduce.md compares with the source.

Within a game the placing follows from the scores, so m would be about the same for any players. k
is therefore also given for names shuffled within games, whose line is chance alone, and for split
halves, whose placings and scores come from different games. Players are numbers below n; scores:
(N, K), in order of placing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import starmap
from math import hypot, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rating.columns import Floats, Ints, columns_of, enough
from rating.games import LIMIT, Game, GameError, same_seats
from rating.study.compare import Comparison
from rating.study.simulate import PER_PLACE, POINTS, VARIANCE, WEIGHT, simulate

ENOUGH_PLAYERS = 100  # players that the method requires
MIN_GAMES = 50  # games of each of them that the method requires
SHUFFLES = 20  # leagues with names shuffled within games
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
    """k estimated in ways that separate chance from the players; None where the data give no such
    slope.

    `shuffled_k`, `shuffled_r2`: means over SHUFFLES shuffles of the names within games; the error
    is that of the mean. `within_game`: the shuffled slopes are about the real one, so k depends
    little on the players. `split_m`, `split_k`: placing in odd games on score in even games, and
    the other way round. `corrected_k`: the same without the chance in the scores, which makes
    `split_k` too large. `precise`: the error of `split_m` is at most PRECISE of it.
    """

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
    regression for m, over the `players` who have at least `min_games`. `means`: those of each of
    them, for a picture. `totsugeki_f`: f by `totsugeki`. `sufficient`: the method's requirements of
    players and games are met, and `chance.precise`. `chips_left_out`: games whose chips are worth
    nothing.
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
    means: tuple[PlayerMeans, ...]


class PlayerMeans(NamedTuple):
    """A player's mean score (thousands of points) and mean placing (from 1)."""

    name: str
    score: float
    placing: float


class Factors(NamedTuple):
    """The scales of r and of the pull."""

    f: float
    g: float


def factors(k: float, l: float) -> Factors:  # noqa: E741
    """f and g for a small pull."""
    return Factors(k / l, k * k / l)


def exact_factors(k: float, l: float, w: float = WEIGHT[4]) -> Factors:  # noqa: E741
    """f and g for any pull w: g = 2 / ((l / k^2) (2 - w) + w), f = g / k."""
    g = 2 / (l / (k * k) * (2 - w) + w)
    return Factors(g / k, g)


def calibrate(
    games: Sequence[Game],
    min_games: int = MIN_GAMES,
    chip: float = 0.0,
    season_chip: Mapping[str, float] | None = None,
) -> Calibration:
    """The factors from the league's games of the commonest number of seats, which are in order of
    time. A chip counts `chip` thousand points, or the number of `season_chip` for the game's season
    log. Raises GameError when fewer than three players have `min_games`, when higher scores do not
    bring better placings, when a chip's worth is out of range, or when there is nothing to learn
    from."""
    games = same_seats(enough(games))
    columns = columns_of(games)
    chips = chips_worth(games, chip, season_chip or {})
    [block] = columns.blocks
    scores = block.scores + chips
    sums = sums_of(block.players, scores, len(columns.names))
    regular = sums.counts >= max(min_games, 2)
    names = [columns.names[i] for i in np.flatnonzero(regular)]
    if len(names) < 3:
        reason = f"only {len(names)} players have {min_games} or more; three are needed"
        raise GameError(f"{games[-1].where}: the last of {len(games)} games, but {reason}")
    means = sums.means(regular)
    fit = fitted_line(means.scores, means.placings)
    if fit.m <= 0:
        raise GameError(
            f"{games[-1].where}: up to here, higher scores do not bring better placings"
        )
    shuffled_fits = shuffled(block.players, scores, regular)
    chance = chance_check(fit, shuffled_fits, halves(block.players, scores, regular), block.seats)
    return Calibration(
        games=len(scores),
        seats=block.seats,
        players=len(names),
        min_games=min_games,
        **_estimates(fit, scores)._asdict(),
        totsugeki_f=totsugeki(scores),
        sufficient=len(names) >= ENOUGH_PLAYERS and min_games >= MIN_GAMES and chance.precise,
        chips_left_out=_worthless_chips(games, chips),
        chance=chance,
        means=_player_means(names, means),
    )


class _Estimates(NamedTuple):
    """The figures of Calibration that follow from the line and the scores."""

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


def _estimates(fit: Fit, scores: Floats) -> _Estimates:
    """m, k, l, f and g with their errors, by propagation of the relative errors of m and l."""
    _, seats = scores.shape
    variance, variance_error = spread(scores)
    k = k_of(fit.m, seats)
    l = variance / VARIANCE[seats]  # noqa: E741
    f, g = factors(k, l)
    k_relative_error = fit.error / fit.m  # k = 1 / (c m), so it has m's relative error
    l_relative_error = variance_error / variance
    return _Estimates(
        variance=variance,
        m=fit.m,
        k=k,
        l=l,
        f=f,
        g=g,
        m_error=fit.error,
        k_error=k * k_relative_error,
        l_error=l * l_relative_error,
        f_error=f * hypot(k_relative_error, l_relative_error),
        g_error=g * hypot(2 * k_relative_error, l_relative_error),  # g = k^2 / l
        r2=fit.r2,
    )


def _player_means(names: Sequence[str], means: Means) -> tuple[PlayerMeans, ...]:
    rows = zip(names, means.scores.tolist(), means.placings.tolist(), strict=True)
    return tuple(starmap(PlayerMeans, rows))


def _worthless_chips(games: Sequence[Game], chips: Floats) -> int:
    """How many games have chips that are worth nothing. chips: (N, K) thousands of points."""
    count = 0
    for game, worths in zip(games, chips, strict=True):
        if any(seat.chips for seat in game.seats) and not any(worths):
            count += 1
    return count


def chips_worth(
    games: Sequence[Game],
    chip: float,
    season_chip: Mapping[str, float],
) -> Floats:
    """What each seat's chips are worth in thousands of points, (N, K). Raises GameError for a worth
    out of range."""
    for worth in (chip, *season_chip.values()):
        if not abs(worth) <= LIMIT:
            raise GameError(
                f"a chip's worth must be a number from {-LIMIT:g} to {LIMIT:g}, not {worth}"
            )
    values = []
    for game in games:
        rate = season_chip.get(game.source, chip)
        values.append([rate * (seat.chips or 0) for seat in game.seats])
    return np.array(values)


class Spread(NamedTuple):
    """The variance of score, and its standard error."""

    variance: float
    error: float


def spread(scores: Floats) -> Spread:
    """The variance of score. Its error counts games: the scores of a game are not independent."""
    squares = ((scores - scores.mean()) ** 2).mean(axis=1)
    error = squares.std(ddof=1) / sqrt(len(squares))
    return Spread(float(squares.mean()), float(error))


def totsugeki(scores: Floats) -> float:
    """f in a second way, totsugeki's: r' = |r| / |A| times score, where A is the mean score of each
    placing. scores: (N, K), seats in order of placing."""
    by_placing = scores.mean(axis=0)
    points = POINTS[len(by_placing)]
    return float(np.linalg.norm(points) / np.linalg.norm(by_placing))


def fitted_line(x: Floats, y: Floats) -> Fit:
    """How fast y falls with x by least squares; zeros without variance. It needs three points or
    more."""
    dx = x - x.mean()
    dy = y - y.mean()
    xx = float(dx @ dx)
    xy = float(dx @ dy)
    yy = float(dy @ dy)
    if xx <= 0 or yy <= 0:
        return Fit(0.0, 0.0, 0.0)
    slope = xy / xx
    residual = max(yy - slope * xy, 0.0)
    freedom = len(x) - 2  # two parameters are estimated
    error = sqrt(residual / freedom / xx)
    return Fit(-slope, error, r2=xy * xy / (xx * yy))


class Means(NamedTuple):
    """Mean scores and mean placings (from 1)."""

    scores: Floats
    placings: Floats


class SeatSums(NamedTuple):
    """Seats, total score and total placing (from 1) of each player, all (n,)."""

    counts: Ints
    scores: Floats
    placings: Floats

    def means(self, chosen: NDArray[np.bool_]) -> Means:
        """The means of the players that are true in `chosen`, (n,)."""
        counts = self.counts[chosen]
        return Means(self.scores[chosen] / counts, self.placings[chosen] / counts)


def sums_of(keys: Ints, scores: Floats, n: int) -> SeatSums:
    """The sums by key. keys: (N, K) numbers below n."""
    _, seats = keys.shape
    places = np.broadcast_to(np.arange(1.0, seats + 1), keys.shape)
    flat = keys.ravel()
    return SeatSums(
        np.bincount(flat, minlength=n),
        np.asarray(np.bincount(flat, scores.ravel(), n), float),
        np.asarray(np.bincount(flat, places.ravel(), n), float),
    )


def shuffled(
    players: Ints,
    scores: Floats,
    regular: NDArray[np.bool_],
    seed: int = 0,
) -> list[Fit]:
    """The Fits of SHUFFLES leagues: in each, the players of every game swap places at random.

    players, scores: (N, K), in order of placing. regular: (n,) the players whose means count. The
    same seed gives the same Fits.
    """
    random = np.random.default_rng(seed)
    fits = []
    for _ in range(SHUFFLES):
        names = random.permuted(players, axis=1)
        means = sums_of(names, scores, len(regular)).means(regular)
        fits.append(fitted_line(means.scores, means.placings))
    return fits


def halves(players: Ints, scores: Floats, regular: NDArray[np.bool_]) -> Halves:
    """The means in each player's 1st, 3rd, 5th … game and in the 2nd, 4th, 6th …, in the order of
    the rows. regular: (n,) the players whose means count; each has two games or more."""
    flat = players.ravel()
    n = len(regular)
    order = np.argsort(flat, kind="stable")
    counts = np.bincount(flat, minlength=n)
    turn = np.empty_like(flat)  # how many games the player of a seat had before
    starts = np.cumsum(counts) - counts
    turn[order] = np.arange(len(flat)) - np.repeat(starts, counts)
    keys = (turn % 2 * n + flat).reshape(players.shape)
    sums = sums_of(keys, scores, 2 * n)
    seats, totals, placings = [part.reshape(2, n)[:, regular] for part in sums]
    return Halves(totals / seats, placings / seats)


class _Ratio(NamedTuple):
    """A slope as product over divisor, both results of `_products`."""

    product: Floats
    divisor: Floats


def split_m(split: Halves) -> Estimate:
    """The mean of two slopes: placing in odd games on score in even games, and the other way round.
    Scores of few games are mostly chance, on which placings in other games do not depend: m is then
    too small, and k too large. `corrected_m` has no such bias."""
    odd_scores, even_scores = split.scores
    odd_placings, even_placings = split.placings
    return _jackknife(
        _Ratio(-_products(even_scores, odd_placings), _products(even_scores, even_scores)),
        _Ratio(-_products(odd_scores, even_placings), _products(odd_scores, odd_scores)),
    )


def corrected_m(split: Halves) -> Estimate:
    """The same with the spread of scores that both halves share, instead of that of one half.
    Chance in the scores is not shared, so it cancels. One half is then an instrument for the other
    (O. Reiersøl, Arkiv för Mathematik 32A, 1945)."""
    odd_scores, even_scores = split.scores
    odd_placings, even_placings = split.placings
    product = -_products(even_scores, odd_placings) - _products(odd_scores, even_placings)
    return _jackknife(_Ratio(product, 2 * _products(odd_scores, even_scores)))


def _products(a: Floats, b: Floats) -> Floats:
    """Sums over players of the products of a's and b's distances from their means: first that of
    all n players, then those without each player in turn, (1 + n,)."""
    n = len(a)
    products = (a - a.mean()) * (b - b.mean())
    total = products.sum()
    return np.concatenate([[total], total - products * n / (n - 1)])


def _jackknife(*ratios: _Ratio) -> Estimate:
    """The mean of the ratios, with the error by leaving out each player; nothing where a divisor
    vanishes. The error: B. Efron, C. Stein, Annals of Statistics 9, 1981,
    doi:10.1214/aos/1176345462."""
    for _, divisor in ratios:
        if divisor[0] <= 0 or divisor.min() <= LEAST * divisor[0]:
            return NOTHING
    value, *without = np.mean([product / divisor for product, divisor in ratios], axis=0)
    variance = (len(without) - 1) * float(np.var(without))
    return Estimate(float(value), sqrt(variance))


def k_of(m: float, seats: int) -> float:
    """k from m (places per thousand points)."""
    return 1 / (PER_PLACE[seats] * m)


def chance_check(fit: Fit, shuffled_fits: Sequence[Fit], split: Halves, seats: int) -> ChanceCheck:
    """Compare the line of the real players with those of shuffled names and of split halves."""
    slopes = np.array([shuffled_fit.m for shuffled_fit in shuffled_fits])
    deviation = float(slopes.std(ddof=1))
    difference = abs(fit.m - float(slopes.mean()))
    shuffled_k = _mean_k(slopes, seats)
    m = split_m(split)
    split_k = _k_with_error(m, seats)
    corrected_k = _k_with_error(corrected_m(split), seats)
    return ChanceCheck(
        shuffled_k=shuffled_k.value,
        shuffled_k_error=shuffled_k.error,
        shuffled_r2=float(np.mean([shuffled_fit.r2 for shuffled_fit in shuffled_fits])),
        within_game=difference <= max(SPREADS * deviation, SAME * fit.m),
        split_m=m.value,
        split_m_error=m.error,
        split_k=split_k.value,
        split_k_error=split_k.error,
        corrected_k=corrected_k.value,
        corrected_k_error=corrected_k.error,
        precise=_is_precise(split_k),
    )


def _mean_k(slopes: Floats, seats: int) -> Estimate:
    """The mean k of several slopes; nothing unless with each of them higher scores bring better
    placings."""
    if slopes.min() <= 0:
        return NOTHING
    ks = np.array([k_of(m, seats) for m in slopes])
    error = float(ks.std(ddof=1)) / sqrt(len(ks))
    return Estimate(float(ks.mean()), error)


def _is_precise(k: Estimate) -> bool:
    return k.value is not None and k.error is not None and k.error <= PRECISE * k.value


def _k_with_error(m: Estimate, seats: int) -> Estimate:
    """k and its standard error; nothing unless higher scores bring better placings by m."""
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
    """The figures of `calibrate` and its ChanceCheck in one dict, with `sd` (of score), `scale` (5
    f), `pull` (g / 40), `verdict` (a sentence). Raises GameError as `calibrate` does."""
    report = asdict(calibrate(games, min_games, chip, season_chip))
    report |= report.pop("chance")
    report["means"] = [list(point) for point in report["means"]]
    report["sd"] = report["variance"] ** 0.5
    report["scale"] = 5 * report["f"]
    report["pull"] = report["g"] / 40
    return report | {"verdict": _verdict(report)}


def _verdict(report: Report) -> str:
    lacks = []
    if report["players"] < ENOUGH_PLAYERS or report["min_games"] < MIN_GAMES:
        lacks.append(f"{ENOUGH_PLAYERS} players with {MIN_GAMES} games are asked for")
    if not report["precise"]:
        m = report["split_m"]
        error = report["split_m_error"]
        problem = "the split halves show no slope"
        if m is not None and error is not None and m > 0:
            problem = f"the error of the split halves' slope is {error / m:.0%}"
        lacks.append(f"{problem}, and an error of at most {PRECISE:.0%} is asked for")
    if lacks:
        return f"The data do not suffice: {'; '.join(lacks)}."
    return "The data suffice."


def factors_report(sd: float, m: float, seats: int, chip: float = 0.0) -> Report:
    """jansou's factors from measured figures: `sd` of score (thousands), `m` (places per thousand).
    `chip`: thousands of points that a chip counted in both. `exact_f`, `exact_g`: for any pull."""
    k = k_of(m, seats)
    l = sd**2 / VARIANCE[seats]  # noqa: E741
    f, g = factors(k, l)
    exact = exact_factors(k, l, WEIGHT[seats])
    return {
        "seats": seats,
        "chip": chip,
        "sd": sd,
        "m": m,
        "k": k,
        "l": l,
        "f": f,
        "g": g,
        "exact_f": exact.f,
        "exact_g": exact.g,
        "scale": 5 * f,
        "pull": g / 40,
    }


def simulate_report(**options: Any) -> Report:
    return asdict(simulate(**options))


def comparison_report(comparison: Comparison) -> Report:
    """The report of a comparison. `same_as` is there only where a system's predictions are
    another's."""
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
