"""Predictions of each game by a rating system before it learns that game.

Games are taken in order of time. A system gives each seat a number from the games before: a
sequential system from all of them, a batch system from those of the days before. One scale, fitted
to the games of the days before, turns these numbers into log-odds of the placings: Plackett-Luce
over one table (R. Plackett, Applied Statistics 24, 1975, doi:10.2307/2346567). Rows of numbers are
in order of placing: column 0 finished first.

A fit of Plackett-Luce, the slowest system, starts from that of the day before, which gives the same
numbers up to rounding.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import exp, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from rating.columns import Block, Columns, Floats, Ints
from rating.games import Game
from rating.models.base import Batch, Sequential
from rating.models.plackett_luce import (
    Choices,
    Fitted,
    Orders,
    PlackettLuce,
    by_evidence,
    most_probable,
    slope,
)
from rating.models.sparse import DENSE

# log-odds: the most that a scale makes of one standard deviation of the numbers at a table
LIMIT = 10.0
# of a scale's last step, in standard deviations; the error left is of the order of its square
CLOSE = 1e-6


def order_loss(logits: Floats) -> Floats:
    """-log P of each row's own order, in nats, (N,); logits: (N, K)."""
    games, seats = logits.shape
    loss = np.zeros(games)
    for stage in range(seats - 1):
        unplaced = logits[:, stage:]
        loss += np.logaddexp.reduce(unplaced, axis=1) - unplaced[:, 0]
    return loss


class ScaleSlope(NamedTuple):
    """The slope of the log likelihood at a scale, and its negative second derivative."""

    slope: float
    curvature: float


class Stages:
    """The stages of games, for fitting a scale to the first of them. numbers: (N, K).

    A stage, one for each place but the last, has the numbers of the seats not placed yet, less the
    largest of them: (k, N), with the one that took the place first.
    """

    def __init__(self, numbers: Floats) -> None:
        _, seats = numbers.shape
        stages = [numbers[:, stage:].T for stage in range(seats - 1)]
        self.unplaced = [np.ascontiguousarray(stage - stage.max(axis=0)) for stage in stages]
        self.squares = [unplaced * unplaced for unplaced in self.unplaced]
        centred = numbers - numbers.mean(axis=1, keepdims=True)
        self.spread = np.cumsum((centred * centred).sum(axis=1)) / seats

    def scale(self, games: int, start: float = 0.0, steps: int = 50) -> float:
        """The scale, 0 or more, under which the orders of the first `games` games are most
        probable. It is 0 where higher numbers did not finish higher. The log likelihood is a
        concave function of the scale, so Newton's method finds it from `start`."""
        deviation = sqrt(self.spread[games - 1] / games) if games else 0.0
        if deviation < 1e-12:
            return 0.0
        limit = LIMIT / deviation
        scale = min(start, limit)
        for _ in range(steps):
            slope, curvature = self._slope(games, scale)
            step = slope / max(curvature, 1e-12 * deviation * deviation)
            new = min(max(scale + step, 0.0), limit)
            change = abs(new - scale) * deviation
            scale = new
            if change < CLOSE:
                break
        return scale

    def _slope(self, games: int, scale: float) -> ScaleSlope:
        """The log likelihood's slope is the number of the seat that took each place less the mean
        of the stage's numbers, weighed by exp(scale number); its curvature is their variance."""
        slope = 0.0
        curvature = 0.0
        for all_games, all_squares in zip(self.unplaced, self.squares, strict=True):
            numbers = all_games[:, :games]
            weights = np.exp(scale * numbers)
            total = weights.sum(axis=0)
            mean = (weights * numbers).sum(axis=0) / total
            slope += float(numbers[0].sum() - mean.sum())
            mean_squares = (weights * all_squares[:, :games]).sum(axis=0) / total
            curvature += float(mean_squares.sum() - mean @ mean)
        return ScaleSlope(slope, curvature)


def first(logits: Floats) -> Floats:
    """P(first) of each seat, (N, K)."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def last(logits: Floats) -> Floats:
    """P(last) of each seat, (N, K), summed over all orders of the table."""
    result = np.zeros_like(logits)
    _, seats = logits.shape
    for order in permutations(range(seats)):
        ordered = logits[:, list(order)]
        result[:, order[-1]] += np.exp(-order_loss(ordered))
    return result


# games up to which Plackett-Luce is fitted from the start: the evidence of few may have two peaks
COLD = 100
SETTLED = 1e-8  # of log alpha and of log-odds


def daily_strengths(
    system: PlackettLuce, columns: Columns, starts: Sequence[int]
) -> Iterator[Floats]:
    """The strengths (n,) from the games before each start."""
    n = len(columns.names)
    strengths = np.zeros(n)
    fitted: Fitted | None = None
    orders = _GrowingOrders(columns)
    for start in starts:
        orders_before = orders.before(start)
        if isinstance(system.alpha, str):
            if fitted is not None and start > COLD:
                fitted = _evidence_from(orders_before, fitted)
            else:
                fitted = by_evidence(orders_before, n)
            strengths = fitted.strengths
        else:
            strengths = most_probable(orders_before, system.alpha, strengths)
        yield strengths


class _Stage(NamedTuple):
    """A stage of all games: the player who took the place (N,), the different sets of players not
    placed yet (M, k), and the number of each game's set (N,)."""

    takers: Ints
    sets: Ints
    set_numbers: Ints


class _GrowingOrders:
    """Counts the orderings of the first games, as `orders_of` does."""

    def __init__(self, columns: Columns) -> None:
        [block] = columns.blocks
        self._n = len(columns.names)
        self._stages = []
        for seats in range(2, block.seats + 1):
            players = block.players[:, -seats:]
            digits = self._n ** np.arange(seats)
            codes, numbers = np.unique(np.sort(players, axis=1) @ digits, return_inverse=True)
            sets = codes[:, None] // digits % self._n
            self._stages.append(_Stage(players[:, 0], sets, numbers))

    def before(self, game: int) -> Orders:
        """The orderings of the games before number `game`."""
        places = np.zeros(self._n)
        choices = []
        for takers, sets, set_numbers in self._stages:
            places += np.bincount(takers[:game], minlength=self._n)
            counts = np.bincount(set_numbers[:game], minlength=len(sets))
            occurs = counts > 0
            choices.append(Choices(sets[occurs], counts[occurs].astype(float)))
        return Orders(places, choices)


def _evidence_from(orders: Orders, earlier: Fitted, steps: int = 30) -> Fitted:
    """`by_evidence` from the fit of fewer games. x = log alpha and s move at once by Newton's
    method; the slope for x takes the data's information as constant. Where this does not settle,
    the fit is made from the start."""
    x = log(earlier.alpha)
    s = earlier.strengths
    for _ in range(steps):
        alpha = exp(x)
        at_s = slope(orders, alpha, s)
        inverse = np.linalg.inv(at_s.hessian)
        change = inverse @ at_s.gradient
        s = s - change
        trace = float(np.trace(inverse))
        size = float(s @ s) + 0.01
        gamma = len(s) - alpha * trace
        move = log((gamma + 1) / size) - x
        if abs(move) < SETTLED and float(np.abs(change).max()) < SETTLED:
            return Fitted(exp(x + move), s)
        # derivatives by x of gamma (negative) and of log size
        gamma_fall = alpha * (trace - alpha * float((inverse * inverse).sum()))
        size_fall = 2 * alpha * float(s @ inverse @ s) / size
        fall = 1 + gamma_fall / (gamma + 1) - size_fall
        x += max(-2.0, min(2.0, move / max(fall, 0.1)))
    return by_evidence(orders, len(s))


UNDATED = 20  # this many games without a day are taken as one day

FITTED_DAILY = 1_500  # games up to which systems are fitted after each day
GROWN = 1.05  # how much more games there are at the next fit beyond

System = Sequential[Any] | Batch


def day_starts(games: Sequence[Game]) -> Ints:
    """The index of the first game of each day of play; games without a day count as days of UNDATED
    games."""
    starts = [0]
    for number in range(1, len(games)):
        day = games[number].day
        is_full = day is None and number - starts[-1] >= UNDATED
        if day != games[number - 1].day or is_full:
            starts.append(number)
    return np.array(starts)


def fit_starts(starts: Ints) -> Ints:
    """The starts of days before which systems are fitted: all up to FITTED_DAILY games, then fewer
    and fewer."""
    fits = [0]
    for start in starts[1:].tolist():
        if start <= FITTED_DAILY or start >= GROWN * fits[-1]:
            fits.append(start)
    return np.array(fits)


class Predictions(NamedTuple):
    """Log-odds of every seat before its game, (N, K), and the last scale."""

    logits: Floats
    scale: float


def predictions(
    system: System, games: Sequence[Game], columns: Columns, starts: Ints
) -> Predictions:
    """The predictions of all games. starts: of `fit_starts`."""
    if isinstance(system, Batch):
        numbers = batch_numbers(system, columns, starts)
    else:
        numbers = sequential_numbers(system, games)
    logits = np.zeros_like(numbers)
    scale = 0.0
    stages = Stages(numbers)
    stops = [*starts[1:], len(games)]
    for start, stop in zip(starts, stops, strict=True):
        scale = stages.scale(int(start), scale)
        logits[start:stop] = scale * numbers[start:stop]
    return Predictions(logits, scale)


def sequential_numbers(system: Sequential[Any], games: Sequence[Game]) -> Floats:
    """Each seat's rating before the game, (N, K), of games that `columns_of` has checked."""
    if type(system).check is not Sequential.check:
        for game in games:
            system.check(game)
    states: dict[str, Any] = {}
    rows = []
    for game in games:
        players = game.players
        before = [states[p] if p in states else system.initial(p) for p in players]
        rows.append([system.value(state) for state in before])
        states.update(zip(players, system.play(game, before), strict=True))
    return np.array(rows)


def batch_numbers(system: Batch, columns: Columns, starts: Ints) -> Floats:
    """Each seat's number from a fit to the games of all days before, (N, K); 0 without such
    games."""
    [block] = columns.blocks
    numbers = np.zeros(block.players.shape)
    stops = [*starts[1:], len(block)]
    bounds = zip(starts, stops, strict=True)
    fewest = _fewest_games(block)
    days = [slice(int(start), int(stop)) for start, stop in bounds if start >= fewest]
    if type(system) is PlackettLuce and len(columns.names) <= DENSE:
        strengths = daily_strengths(system, columns, [day.start for day in days])
        for day, of_day in zip(days, strengths, strict=True):
            numbers[day] = of_day[block.players[day]]
        return numbers
    games = np.arange(len(block))
    for day in days:
        past = Columns(columns.names, (block.where(games < day.start),))
        numbers[day] = system.forecast(past, block.players[day])
    return numbers


def _fewest_games(block: Block) -> int:
    """The first games from which something can be learned: two or more, not all with equal
    scores."""
    uneven = np.flatnonzero(np.ptp(block.scores, axis=1))
    return max(2, int(uneven[0]) + 1) if len(uneven) else len(block)
