"""Compare rating systems on one league: each predicts every game before it learns that game.

Games are taken in order of time. A system gives each seat a number from the games before. One scale, fitted on the
past only, turns these numbers into chances of the placings (R. Plackett, Applied Statistics 24, 1975,
doi:10.2307/2346567). A system is judged by the log loss of the order that came, in nats a game, beside log K! for
knowing nothing. Sequential systems learn game by game. Batch systems and all scales are fitted anew each day. The
first `burn_in` games are learned but not counted. Differences are against knowing nothing, and negative is better.
Their 95 % intervals come from a bootstrap of whole days (H. Künsch, Annals of Statistics 17, 1989,
doi:10.1214/aos/1176347265).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import factorial, log
from typing import Any

import numpy as np

from rating import peers
from rating.columns import Block, Columns, Floats, Ints, columns_of, enough
from rating.games import Game, GameError, same_seats
from rating.models import MODELS
from rating.models.base import Batch, Sequential
from rating.models.fitting import Z95
from rating.orderings import first, fit_scale, last, order_loss

BURN_IN = 100
RESAMPLES = 2000
BINS = 5
UNDATED = 20  # this many games without a day are taken as one day
FEWEST_DAYS = 5  # with fewer days of play the bootstrap's interval says nothing
NOTHING = 1e-9  # nats: a smaller difference is only rounding

System = Sequential[Any] | Batch
Progress = Callable[[int, int], None]  # systems done, systems in all


class Verdict(StrEnum):
    """The result of a comparison in one word."""

    CHANCE = "chance"  # nothing beats chance here
    SKILL = "skill"  # at least one system predicts better than knowing nothing


@dataclass(frozen=True, slots=True)
class ForecastBin:
    """Seats with similar predicted chances.

    `predicted`: mean chance. `observed`: the share of the seats where the event came, with its 95 % interval.
    """

    predicted: float
    observed: float
    low: float
    high: float
    seats: int


@dataclass(frozen=True, slots=True)
class ModelScore:
    """One system: log loss in nats a game, its difference from `uniform` with a 95 % interval, and calibration.

    `scale`: the last scale from the system's numbers to log-odds. `beats_chance`: the difference is below 0 even
    after an allowance for the number of systems, on at least FEWEST_DAYS days. `first`, `last`: forecasts of first
    and last place.
    """

    model: str
    log_loss: float
    difference: float
    low: float
    high: float
    scale: float
    beats_chance: bool
    first: tuple[ForecastBin, ...]
    last: tuple[ForecastBin, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All systems, lowest log loss first. `games`, `days`: those predicted, after the burn-in; `uniform`: log K!."""

    games: int
    burn_in: int
    seats: int
    days: int
    uniform: float
    models: tuple[ModelScore, ...]

    @property
    def verdict(self) -> Verdict:
        return Verdict.SKILL if any(e.beats_chance for e in self.models) else Verdict.CHANCE


def compare(
    games: Sequence[Game],
    systems: Mapping[str, System] | None = None,
    *,
    burn_in: int = BURN_IN,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress | None = None,
) -> Comparison:
    """Compare systems on games in order of time; by default all MODELS that rate games and the installed peers.

    Only games of the commonest number of seats count. `resamples`: of the bootstrap. Raises GameError when no game is
    left after the burn-in, or when there is nothing to learn from.
    """
    games = same_seats(enough(games))
    if len(games) <= burn_in:
        raise GameError(
            f"{games[-1].where}: the last of {len(games)} games; more than {burn_in} are needed to compare"
        )
    chosen = dict(default_systems() if systems is None else systems)
    starts, block = day_starts(games), columns_of(games)
    draws = np.random.default_rng(seed)
    counted = np.arange(burn_in, len(games))
    blocks = np.searchsorted(starts, counted, side="right") - 1
    picks = draws.integers(0, len(np.unique(blocks)), (resamples, len(np.unique(blocks))))
    entries = []
    for done, (name, system) in enumerate(chosen.items()):
        logits, scale = predictions(system, games, block, starts)
        entries.append(entry(name, logits[counted], scale, blocks, picks=picks, systems=len(chosen)))
        if progress is not None:
            progress(done + 1, len(chosen))
    entries.sort(key=lambda e: (e.log_loss, e.model))
    seats = len(games[0].seats)
    return Comparison(
        len(counted),
        burn_in,
        seats=seats,
        days=len(picks[0]),
        uniform=log(factorial(seats)),
        models=tuple(entries),
    )


def default_systems() -> dict[str, System]:
    """All rating systems for single players with their default options, and the installed peers, by name."""
    own: dict[str, System] = {n: model() for n, model in MODELS.items() if model.plays == "games"}
    return own | peers.installed()


def day_starts(games: Sequence[Game]) -> Ints:
    """The index of the first game of each day of play; games without a day are grouped 20 at a time."""
    starts = [0]
    for number in range(1, len(games)):
        day = games[number].day
        long = day is None and number - starts[-1] >= UNDATED
        if day != games[number - 1].day or long:
            starts.append(number)
    return np.array(starts)


def predictions(
    system: System, games: Sequence[Game], columns: Columns, starts: Ints
) -> tuple[Floats, float]:
    """Log-odds of every seat before its game, (N, K) in order of placing, and the last scale."""
    if isinstance(system, Batch):
        numbers = batch_numbers(system, columns, starts)
    else:
        numbers = sequential_numbers(system, games)
    logits, scale = np.zeros_like(numbers), 0.0
    for start, stop in zip(starts, [*starts[1:], len(games)], strict=True):
        scale = fit_scale(numbers[:start], scale)
        logits[start:stop] = scale * numbers[start:stop]
    return logits, scale


def sequential_numbers(system: Sequential[Any], games: Sequence[Game]) -> Floats:
    """Each seat's rating before the game, (N, K)."""
    states: dict[str, Any] = {}
    rows = []
    for game in games:
        system.check(game)
        before = [states[p] if p in states else system.initial(p) for p in game.players]
        rows.append([system.rating(state).value for state in before])
        states.update(zip(game.players, system.play(game, before), strict=True))
    return np.array(rows)


def batch_numbers(system: Batch, columns: Columns, starts: Ints) -> Floats:
    """Each seat's number from a fit to the games of all days before, (N, K); 0 while there is nothing to fit."""
    block = columns.blocks[0]
    numbers = np.zeros(block.players.shape)
    for start, stop in zip(starts, [*starts[1:], len(block)], strict=True):
        past = Block(block.players[:start], block.scores[:start], block.days[:start])
        if start > 1 and np.ptp(past.scores, axis=1).any():
            known = Columns(columns.names, (past,))
            numbers[start:stop] = system.forecast(known, block.players[start:stop])
    return numbers


def entry(name: str, logits: Floats, scale: float, blocks: Ints, picks: Ints, systems: int) -> ModelScore:
    """One system's score. logits: (N, K); blocks: (N,) the day of each game; picks: (B, D) the days of each resample."""
    gains = order_loss(logits) - log(factorial(logits.shape[1]))
    _, days = np.unique(blocks, return_inverse=True)
    sums, counts = np.bincount(days, gains), np.bincount(days)
    means = sums[picks].sum(axis=1) / counts[picks].sum(axis=1)
    low, high, strict = np.quantile(means, [0.025, 0.975, 1 - 0.025 / systems])
    difference = float(gains.mean())
    return ModelScore(
        name,
        difference + log(factorial(logits.shape[1])),
        difference=difference,
        low=float(low),
        high=float(high),
        scale=float(scale),
        beats_chance=bool(strict < -NOTHING and len(counts) >= FEWEST_DAYS),
        first=calibration(first(logits), 0),
        last=calibration(last(logits), logits.shape[1] - 1),
    )


def calibration(chances: Floats, seat: int) -> tuple[ForecastBin, ...]:
    """Predicted chances (N, K) beside what came, in bins of equal size, at most BINS.

    The event fell to column `seat`.
    """
    event = np.zeros(chances.shape)
    event[:, seat] = 1
    predicted, came = chances.ravel(), event.ravel()
    edges = np.unique(np.quantile(predicted, np.linspace(0, 1, BINS + 1)[1:-1]))
    number = np.searchsorted(edges, predicted, side="right")
    bins = []
    for which in np.unique(number):
        inside = number == which
        n, share = int(inside.sum()), float(came[inside].mean())
        low, high = wilson(share, n)
        bins.append(ForecastBin(float(predicted[inside].mean()), share, low, high, n))
    return tuple(bins)


def wilson(share: float, n: int) -> tuple[float, float]:
    """The 95 % score interval of a share of n (E. Wilson, JASA 22, 1927, doi:10.1080/01621459.1927.10502953)."""
    z = Z95 * Z95
    middle = (share + z / (2 * n)) / (1 + z / n)
    half = Z95 / (1 + z / n) * (share * (1 - share) / n + z / (4 * n * n)) ** 0.5
    return middle - half, middle + half
