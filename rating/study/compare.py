"""Compare rating systems on one league: each predicts every game before it learns that game.

A system gives each seat log-odds from the games before (rating.study.forecasts), which make chances
of the placings (R. Plackett, Applied Statistics 24, 1975, doi:10.2307/2346567). Its score is the
log loss of the actual order, in nats a game; knowing nothing has log K!. The first `burn_in` games
are learned but not counted. Differences are against knowing nothing and against the best system;
negative is better.

Differences are resampled by whole days, because games of one day are played by the same few people.
95 % intervals are those of a bootstrap of blocks (H. Künsch, Annals of Statistics 17, 1989,
doi:10.1214/aos/1176347265), with the same days for all differences. Whether any of many differences
is more than chance is tested by tossing the signs of days (A. Cameron, J. Gelbach and D. Miller,
Review of Economics and Statistics 90, 2008, doi:10.1162/rest.90.3.414), with the greatest of all
differences (P. Westfall and S. Young, Resampling-Based Multiple Testing, 1993). The tosses, unlike
resamples, are valid with few days.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import factorial, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rating.columns import Floats, Ints, columns_of, enough
from rating.games import Game, GameError, same_seats
from rating.models import MODELS
from rating.proportions import wilson
from rating.study import peers
from rating.study.forecasts import (
    Predictions,
    System,
    day_starts,
    first,
    fit_starts,
    last,
    order_loss,
    predictions,
)

FEWEST_DAYS = 5  # with fewer days of play there are too few ways to toss their signs
# the share of leagues without skill in which some system may seem better than chance
FALSE_ALARMS = 0.05
ROUNDING = 1e-9  # nats: a smaller difference is only rounding


class MeanInterval(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


class DayResamples:
    """Resamples of the days of play. days: (N,) the day of each game, ascending."""

    def __init__(self, days: Ints, resamples: int, seed: int) -> None:
        _, self._day = np.unique(days, return_inverse=True)
        self.counts = np.bincount(self._day)
        self.days = len(self.counts)
        random = np.random.default_rng(seed)
        picks = random.integers(0, self.days, (resamples, self.days))
        rows = np.arange(resamples)[:, None] * self.days
        counts = np.bincount((picks + rows).ravel(), minlength=picks.size)
        # how often each resample has each day, (B, days)
        self._drawn = counts.reshape(picks.shape).astype(float)
        self._games = self._drawn @ self.counts
        self._seed = seed

    def means(self, values: Floats) -> Floats:
        """The mean of each resample, (B,), of a value for each game, (N,)."""
        return np.asarray(self._drawn @ np.bincount(self._day, values) / self._games)

    def summary(self, values: Floats) -> MeanInterval:
        """The mean of values (N,). On fewer than FEWEST_DAYS days its interval is widened to
        include 0."""
        low, high = np.quantile(self.means(values), [0.025, 0.975])
        if self.days < FEWEST_DAYS:
            low = min(low, 0.0)
            high = max(high, 0.0)
        return MeanInterval(float(values.mean()), float(low), float(high))

    def surely_below(self, values: Floats) -> NDArray[np.bool_]:
        """Which columns of values (N, M) are below 0 by more than chance, (M,).

        The test flips the sign of whole days at random: where a mean is 0, a day's sum is as likely
        to be above 0 as below. A column is surely below 0 where its standardised sum exceeds the
        largest one of all columns in all but FALSE_ALARMS of the flips. So at most that share of
        the leagues where all means are 0 has any such column.
        """
        columns = [np.bincount(self._day, column, self.days) for column in values.T]
        day_sums = np.stack(columns, axis=1)  # (days, M)
        day_norms = np.sqrt((day_sums * day_sums).sum(axis=0))  # (M,)
        zeros = np.zeros_like(day_sums)
        is_varied = day_norms > ROUNDING
        standardised = np.divide(-day_sums, day_norms, out=zeros, where=is_varied)  # (days, M)
        random = np.random.default_rng([self._seed, 1])
        tosses = random.integers(0, 2, self._drawn.shape)
        signs = 1.0 - 2.0 * tosses  # (B, days)
        max_under_chance = (signs @ standardised).max(axis=1)  # (B,)
        bound = np.quantile(max_under_chance, 1 - FALSE_ALARMS, method="higher")
        return np.asarray(standardised.sum(axis=0) > bound + ROUNDING)


BURN_IN = 100
RESAMPLES = 2000
BINS = 5  # of predicted chances, of equal size
SAME = 1e-7  # log-odds: systems that nowhere differ by more predict the same

Progress = Callable[[int, int], None]  # systems done, systems in all


class Verdict(StrEnum):
    """Whether any system predicts the games better than knowing nothing, in one word."""

    CHANCE = "chance"  # nothing beats chance here
    SKILL = "skill"  # at least one system predicts better than knowing nothing


@dataclass(frozen=True, slots=True)
class ForecastBin:
    """Seats with similar predicted chances of a placing. `predicted`: mean chance. `observed`: the
    share of the seats with that placing, with its 95 % interval."""

    predicted: float
    observed: float
    low: float
    high: float
    seats: int


@dataclass(frozen=True, slots=True)
class ModelScore:
    """One system: log loss in nats a game, its difference from `uniform`, and calibration.

    `scale`: the last scale from the system's numbers to log-odds. `beats_chance`: the difference is
    below 0 for more than chance, the number of systems and of days considered (`surely_below`).
    `behind`: the log loss less that of the best system, with its 95 % interval; 0 for the best.
    `same_as`: the system whose predictions these are too, or empty. `first`, `last`: forecasts of
    first and last place."""

    model: str
    log_loss: float
    difference: float
    low: float
    high: float
    behind: float
    behind_low: float
    behind_high: float
    scale: float
    beats_chance: bool
    first: tuple[ForecastBin, ...]
    last: tuple[ForecastBin, ...]
    same_as: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All systems, lowest log loss first; one whose predictions are another's follows that one.
    `games`, `days`: those predicted, after the burn-in; `uniform`: log K!."""

    games: int
    burn_in: int
    seats: int
    days: int
    uniform: float
    models: tuple[ModelScore, ...]

    @property
    def verdict(self) -> Verdict:
        return Verdict.SKILL if any(e.beats_chance for e in self.models) else Verdict.CHANCE

    @property
    def ties(self) -> tuple[str, ...]:
        """The systems that the first one is not surely ahead of."""
        rivals = [entry for entry in self.models[1:] if not entry.same_as]
        return tuple(entry.model for entry in rivals if entry.behind_low <= ROUNDING)

    @property
    def best(self) -> str | None:
        """The system surely ahead of all others; None without one, or where nothing beats
        chance.
        """
        return self.models[0].model if self.verdict is Verdict.SKILL and not self.ties else None


def compare(
    games: Sequence[Game],
    systems: Mapping[str, System] | None = None,
    *,
    burn_in: int = BURN_IN,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress | None = None,
) -> Comparison:
    """Compare systems on games in order of time; by default all MODELS for games and installed
    peers. Of two systems with the same predictions the one named later counts as the other's copy.
    Only games of the commonest number of seats count. `resamples`: of the bootstrap. Raises
    GameError when no game is left after the burn-in, or when there is nothing to learn from."""
    games = same_seats(enough(games))
    if len(games) <= burn_in:
        needed = f"more than {burn_in} are needed to compare"
        raise GameError(f"{games[-1].where}: the last of {len(games)} games; {needed}")
    chosen = dict(default_systems() if systems is None else systems)
    starts = day_starts(games)
    predicted = {
        name: Predictions(all_games.logits[burn_in:], all_games.scale)
        for name, all_games in _predictions(chosen, games, starts, progress).items()
    }
    numbers = np.arange(burn_in, len(games))
    days = np.searchsorted(starts, numbers, side="right") - 1
    resampled = DayResamples(days, resamples, seed)
    seats = len(games[0].seats)
    return Comparison(
        len(games) - burn_in,
        burn_in,
        seats=seats,
        days=resampled.days,
        uniform=log(factorial(seats)),
        models=tuple(scores(predicted, resampled)),
    )


def _predictions(
    systems: Mapping[str, System], games: Sequence[Game], starts: Ints, progress: Progress | None
) -> dict[str, Predictions]:
    """Each system's predictions of all games, by name."""
    columns = columns_of(games)
    fits = fit_starts(starts)
    predicted = {}
    for done, (name, system) in enumerate(systems.items(), 1):
        predicted[name] = predictions(system, games, columns, fits)
        if progress is not None:
            progress(done, len(systems))
    return predicted


def default_systems() -> dict[str, System]:
    """All rating systems for single players with their default options, and the installed peers, by
    name."""
    systems: dict[str, System] = {}
    for name, model in MODELS.items():
        if model.plays == "games":
            systems[name] = model()
    return systems | peers.installed()


def scores(predicted: Mapping[str, Predictions], resampled: DayResamples) -> list[ModelScore]:
    """The scores of systems by name, best first."""
    copies = same_as({name: system.logits for name, system in predicted.items()})
    originals = [name for name in predicted if name not in copies]
    gains = {name: gains_of(predicted[name].logits) for name in originals}
    # of equal systems the one given first comes first
    order = sorted(gains, key=lambda name: float(gains[name].mean()))
    best = gains[order[0]]
    ordered_gains = np.stack([gains[name] for name in order], axis=1)
    are_below = resampled.surely_below(ordered_gains)
    entries = []
    for name, is_below in zip(order, are_below, strict=True):
        gain = resampled.summary(gains[name])
        behind = resampled.summary(gains[name] - best)
        score = _score(name, predicted[name], gain, behind, bool(is_below))
        entries.append(score)
        for copy, original in copies.items():
            if original == name:
                scale = predicted[copy].scale
                entries.append(replace(score, model=copy, scale=scale, same_as=name))
    return entries


def _score(
    name: str,
    predicted: Predictions,
    gain: MeanInterval,
    behind: MeanInterval,
    is_below_chance: bool,
) -> ModelScore:
    logits = predicted.logits
    _, seats = logits.shape
    return ModelScore(
        model=name,
        log_loss=log(factorial(seats)) + gain.mean,
        difference=gain.mean,
        low=gain.low,
        high=gain.high,
        behind=behind.mean,
        behind_low=behind.low,
        behind_high=behind.high,
        scale=float(predicted.scale),
        beats_chance=is_below_chance and gain.high < -ROUNDING,
        first=calibration(first(logits), 0),
        last=calibration(last(logits), logits.shape[1] - 1),
    )


def gains_of(logits: Floats) -> Floats:
    """Log loss of each game less that of knowing nothing, (N,), exactly 0 for equal log-odds (N,
    K).
    """
    _, seats = logits.shape
    gains = order_loss(logits) - log(factorial(seats))
    return np.where(np.ptp(logits, axis=1) > 0, gains, 0.0)


def same_as(logits: Mapping[str, Floats]) -> dict[str, str]:
    """The systems whose log-odds (N, K) equal those of an earlier one, with that one's name. Only
    the differences between the seats of a game count."""
    originals: dict[str, Floats] = {}
    copies: dict[str, str] = {}
    for name, numbers in logits.items():
        centred = numbers - numbers.mean(axis=1, keepdims=True)
        for original, original_numbers in originals.items():
            if float(np.abs(original_numbers - centred).max()) <= SAME:
                copies[name] = original
                break
        else:
            originals[name] = centred
    return copies


def calibration(chances: Floats, seat: int) -> tuple[ForecastBin, ...]:
    """Compare predicted chances (N, K) of a placing with the results, in at most BINS bins of equal
    size. The placing was always that of column `seat`."""
    predicted = chances.ravel()
    outcomes = np.zeros(chances.shape)
    outcomes[:, seat] = 1
    shares = np.linspace(0, 1, BINS + 1)[1:-1]
    edges = np.unique(np.quantile(predicted, shares))
    number = np.searchsorted(edges, predicted, side="right")
    counts = np.bincount(number)
    sums = np.bincount(number, predicted)
    hits = np.bincount(number, outcomes.ravel())
    bins = []
    for i in np.flatnonzero(counts):
        n = int(counts[i])
        mean = float(sums[i] / n)
        share = float(hits[i] / n)
        interval = wilson(int(hits[i]), n)
        bins.append(ForecastBin(mean, share, *interval, seats=n))
    return tuple(bins)
