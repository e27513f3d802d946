"""Compare rating systems on one league: each predicts every game before it learns that game.

A system gives each seat log-odds from the games before (rating.study.forecasts), which make chances
of the placings (R. Plackett, Applied Statistics 24, 1975, doi:10.2307/2346567). It is judged by the
log loss of the order that came, in nats a game, beside log K! for knowing nothing. The first
`burn_in` games are learned but not counted. Differences are against knowing nothing and against the
best system; negative is better.

What differences tell is asked by whole days: games of one day are played by the same few. 95 %
intervals draw the days anew, a bootstrap of blocks (H. Künsch, Annals of Statistics 17, 1989,
doi:10.1214/aos/1176347265), with the same days for all differences. Whether any of many differences
is more than chance is asked of days whose signs are tossed anew (A. Cameron, J. Gelbach and D.
Miller, Review of Economics and Statistics 90, 2008, doi:10.1162/rest.90.3.414), by the greatest of
all (P. Westfall and S. Young, Resampling-Based Multiple Testing, 1993). The tosses, unlike
resamples, are honest with few days.
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
    System,
    day_starts,
    first,
    fit_starts,
    last,
    order_loss,
    predictions,
)

FEWEST_DAYS = 5  # fewer days of play say nothing: too few ways to toss their signs
LUCKY = 0.05  # the share of leagues without skill in which some system may seem better than chance
NOTHING = 1e-9  # nats: a smaller difference is only rounding


class MeanInterval(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


class DaysDrawn:
    """Resamples of the days of play. days: (N,) the day of each game, ascending."""

    def __init__(self, days: Ints, resamples: int, seed: int) -> None:
        self._day = np.unique(days, return_inverse=True)[1]
        self.counts = np.bincount(self._day)
        self.days = len(self.counts)
        picks = np.random.default_rng(seed).integers(
            0,
            self.days,
            (resamples, self.days),
        )
        rows = np.arange(resamples)[:, None] * self.days
        counts = np.bincount((picks + rows).ravel(), minlength=picks.size)
        self._drawn = counts.reshape(picks.shape).astype(float)
        self._games = self._drawn @ self.counts
        self._seed = seed

    def means(self, values: Floats) -> Floats:
        """The mean of each resample, (B,), of a value for each game, (N,)."""
        return np.asarray(self._drawn @ np.bincount(self._day, values) / self._games)

    def summary(self, values: Floats) -> MeanInterval:
        """The mean of values (N,).

        On fewer than FEWEST_DAYS days its interval is widened to hold 0.
        """
        low, high = np.quantile(self.means(values), [0.025, 0.975])
        if self.days < FEWEST_DAYS:
            low = min(low, 0.0)
            high = max(high, 0.0)
        return MeanInterval(float(values.mean()), float(low), float(high))

    def surely_below(self, values: Floats) -> NDArray[np.bool_]:
        """Which columns of values (N, M) are below 0 for more than chance, (M,). At most LUCKY of
        the leagues where all means are 0 have any such column."""
        sums = np.stack(
            [np.bincount(self._day, column, self.days) for column in values.T],
            axis=1,
        )
        sizes = np.sqrt((sums * sums).sum(axis=0))
        heights = np.divide(
            -sums,
            sizes,
            out=np.zeros_like(sums),
            where=sizes > NOTHING,
        )
        tosses = np.random.default_rng([self._seed, 1]).integers(
            0,
            2,
            self._drawn.shape,
        )
        highest = ((1.0 - 2.0 * tosses) @ heights).max(axis=1)
        tossed = np.quantile(highest, 1 - LUCKY, method="higher")
        return np.asarray(heights.sum(axis=0) > tossed + NOTHING)


BURN_IN = 100
RESAMPLES = 2000
BINS = 5  # of predicted chances, of equal size
SAME = 1e-7  # log-odds: systems that nowhere differ by more predict the same

Progress = Callable[[int, int], None]  # systems done, systems in all


class Verdict(StrEnum):
    """Whether any system says something about the games, in one word."""

    CHANCE = "chance"  # nothing beats chance here
    SKILL = "skill"  # at least one system predicts better than knowing nothing


@dataclass(frozen=True, slots=True)
class ForecastBin:
    """Seats with similar predicted chances. `predicted`: mean chance. `observed`: the share of the
    seats where the event came, with its 95 % interval."""

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
        return tuple(entry.model for entry in rivals if entry.behind_low <= NOTHING)

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
    columns = columns_of(games)
    fits = fit_starts(starts)
    predicted: dict[str, tuple[Floats, float]] = {}
    for done, (name, system) in enumerate(chosen.items()):
        logits, scale = predictions(system, games, columns, fits)
        predicted[name] = logits[burn_in:], scale
        if progress is not None:
            progress(done + 1, len(chosen))
    days = (
        np.searchsorted(
            starts,
            np.arange(burn_in, len(games)),
            side="right",
        )
        - 1
    )
    drawn = DaysDrawn(days, resamples, seed)
    seats = len(games[0].seats)
    return Comparison(
        len(games) - burn_in,
        burn_in,
        seats=seats,
        days=drawn.days,
        uniform=log(factorial(seats)),
        models=tuple(scores(predicted, drawn)),
    )


def default_systems() -> dict[str, System]:
    """All rating systems for single players with their default options, and the installed peers, by
    name.
    """
    own: dict[str, System] = {}
    for name, model in MODELS.items():
        if model.plays == "games":
            own[name] = model()
    return own | peers.installed()


def scores(
    predicted: Mapping[str, tuple[Floats, float]],
    drawn: DaysDrawn,
) -> list[ModelScore]:
    """The scores of systems, best first. found: log-odds (N, K) of the games and the last scale, by
    name.
    """
    same = same_as({name: logits for name, (logits, _) in predicted.items()})
    some_logits, _ = next(iter(predicted.values()))
    uniform = log(factorial(some_logits.shape[1]))
    gains = {}
    for name, (logits, _) in predicted.items():
        if name not in same:
            gains[name] = gains_of(logits)
    # a draw keeps the order given
    order = sorted(gains, key=lambda name: float(gains[name].mean()))
    sure = drawn.surely_below(
        np.stack(
            [gains[name] for name in order],
            axis=1,
        )
    )
    entries = []
    for name, below in zip(order, sure, strict=True):
        logits, scale = predicted[name]
        gain = drawn.summary(gains[name])
        behind = drawn.summary(gains[name] - gains[order[0]])
        own = ModelScore(
            name,
            uniform + gain.mean,
            *gain,
            *behind,
            float(scale),
            beats_chance=bool(below) and gain.high < -NOTHING,
            first=calibration(first(logits), 0),
            last=calibration(last(logits), logits.shape[1] - 1),
        )
        entries.append(own)
        copies = [copy for copy, other in same.items() if other == name]
        entries += [
            replace(own, model=copy, scale=predicted[copy][1], same_as=name) for copy in copies
        ]
    return entries


def gains_of(logits: Floats) -> Floats:
    """Log loss of each game less that of knowing nothing, (N,), exactly 0 for equal log-odds (N,
    K).
    """
    gains = order_loss(logits) - log(factorial(logits.shape[1]))
    return np.where(np.ptp(logits, axis=1) > 0, gains, 0.0)


def same_as(logits: Mapping[str, Floats]) -> dict[str, str]:
    """The systems whose log-odds (N, K) are those of one named before, and that one's name. Only
    the differences between the seats of a game count."""
    kept: dict[str, Floats] = {}
    same: dict[str, str] = {}
    for name, numbers in logits.items():
        centred = numbers - numbers.mean(axis=1, keepdims=True)
        for other, known in kept.items():
            if float(np.abs(known - centred).max()) <= SAME:
                same[name] = other
                break
        else:
            kept[name] = centred
    return same


def calibration(chances: Floats, seat: int) -> tuple[ForecastBin, ...]:
    """Predicted chances (N, K) beside what came, in bins of equal size, at most BINS. It fell to
    column `seat`."""
    predicted = chances.ravel()
    came = np.zeros(chances.shape)
    came[:, seat] = 1
    edges = np.unique(
        np.quantile(
            predicted,
            np.linspace(0, 1, BINS + 1)[1:-1],
        )
    )
    number = np.searchsorted(edges, predicted, side="right")
    counts = np.bincount(number)
    means = np.bincount(number, predicted) / np.maximum(counts, 1)
    return tuple(
        ForecastBin(
            float(mean),
            float(hits / n),
            *wilson(int(hits), int(n)),
            seats=int(n),
        )
        for mean, hits, n in zip(
            means,
            np.bincount(number, came.ravel()),
            counts,
            strict=True,
        )
        if n
    )
