"""What a rating system says of each game before it learns that game.

Games are taken in order of time. A system gives each seat a number from the games before: a
sequential system from all of them, a batch system from those of the days before. One scale, fitted
to the games of the days before, turns these numbers into log-odds of the placings: Plackett-Luce
over one table (R. Plackett, Applied Statistics 24, 1975, doi:10.2307/2346567). Rows of numbers are
in order of placing: column 0 finished first.

A fit of Plackett-Luce, the slowest, starts from that of the day before: the same numbers but for
rounding.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from math import exp, log, sqrt
from typing import Any

import numpy as np

from rating.columns import Block, Columns, Floats, Ints
from rating.games import Game
from rating.models import plackett_luce
from rating.models.base import Batch, Sequential
from rating.models.plackett_luce import Orders, PlackettLuce
from rating.models.sparse import DENSE

# log-odds: the most that a scale makes of one standard deviation of the numbers at a table
LIMIT = 10.0
# of a scale's last step, in standard deviations; the error left is of the order of its square
CLOSE = 1e-6


def order_loss(logits: Floats) -> Floats:
    """-log P of each row's own order, in nats, (N,); logits: (N, K)."""
    loss = np.zeros(len(logits))
    for stage in range(logits.shape[1] - 1):
        left = logits[:, stage:]
        loss += np.logaddexp.reduce(left, axis=1) - left[:, 0]
    return loss


class Stages:
    """Games as the sets among whom each place was taken, for fitting a scale to the first so many.
    numbers: (N, K). A stage holds the numbers of those still to be placed, less the largest of
    them: (k, N), with the one who took the place first."""

    def __init__(self, numbers: Floats) -> None:
        seats = numbers.shape[1]
        lefts = [numbers[:, stage:].T for stage in range(seats - 1)]
        self.left = [np.ascontiguousarray(left - left.max(axis=0)) for left in lefts]
        self.squares = [left * left for left in self.left]
        away = numbers - numbers.mean(axis=1, keepdims=True)
        self.spread = np.cumsum((away * away).sum(axis=1)) / seats

    def scale(self, games: int, start: float = 0.0, steps: int = 50) -> float:
        """The scale, 0 or more, under which the orders of the first `games` games are most
        probable. It is 0 where higher numbers did not finish higher. The log likelihood is a
        concave function of the scale, so Newton's method finds it from `start`."""
        size = sqrt(self.spread[games - 1] / games) if games else 0.0
        if size < 1e-12:
            return 0.0
        most = LIMIT / size
        scale = min(start, LIMIT / size)
        for _ in range(steps):
            slope, bend = self._slope(games, scale)
            new = min(
                max(scale + slope / max(bend, 1e-12 * size * size), 0.0),
                most,
            )
            moved = abs(new - scale) * size
            scale = new
            if moved < CLOSE:
                break
        return scale

    def _slope(self, games: int, scale: float) -> tuple[float, float]:
        """The slope of the log likelihood at a scale, and how fast it falls."""
        slope = 0.0
        bend = 0.0
        for whole, squared in zip(self.left, self.squares, strict=True):
            left = whole[:, :games]
            weights = np.exp(scale * left)
            total = weights.sum(axis=0)
            mean = (weights * left).sum(axis=0) / total
            slope += float(left[0].sum() - mean.sum())
            squares = (weights * squared[:, :games]).sum(axis=0) / total
            bend += float(squares.sum() - mean @ mean)
        return slope, bend


def first(logits: Floats) -> Floats:
    """P(first) of each seat, (N, K)."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def last(logits: Floats) -> Floats:
    """P(last) of each seat, (N, K), summed over all orders of the table."""
    result = np.zeros_like(logits)
    for order in permutations(range(logits.shape[1])):
        placed = logits[:, list(order)]
        result[:, order[-1]] += np.exp(-order_loss(placed))
    return result


# games up to which Plackett-Luce is fitted from nothing: the evidence of few may have two peaks
COLD = 100
SETTLED = 1e-8  # of log alpha and of log-odds


def daily_strengths(
    system: PlackettLuce, columns: Columns, starts: Sequence[int]
) -> Iterator[Floats]:
    """The strengths (n,) from the games before each start."""
    n = len(columns.names)
    alpha = system.alpha
    strengths = np.zeros(n)
    precision = 0.0
    orders_before = _orders(columns)
    for start in starts:
        orders = orders_before(start)
        if isinstance(alpha, str):
            fitted = _from(orders, precision, strengths) if start > COLD and precision else None
            precision, strengths = (
                fitted if fitted is not None else plackett_luce.by_evidence(orders, n)
            )
        else:
            strengths = plackett_luce.most_probable(orders, alpha, strengths)
        yield strengths


def _orders(columns: Columns) -> Callable[[int], Orders]:
    """A function that gives the orderings of the first so many games, as `orders_of` counts
    them.
    """
    n = len(columns.names)
    block = columns.blocks[0]
    stages = []
    for seats in range(2, block.seats + 1):
        players = block.players[:, -seats:]
        digits = n ** np.arange(seats)
        codes, which = np.unique(np.sort(players, axis=1) @ digits, return_inverse=True)
        stages.append(
            (
                players[:, 0],
                codes[:, None] // digits % n,
                which,
            )
        )

    def before(start: int) -> Orders:
        places = np.zeros(n)
        left = []
        for taker, sets, which in stages:
            places += np.bincount(taker[:start], minlength=n)
            counts = np.bincount(which[:start], minlength=len(sets))
            left.append((sets[counts > 0], counts[counts > 0].astype(float)))
        return Orders(places, left)

    return before


def _from(
    orders: Orders,
    alpha: float,
    s: Floats,
    steps: int = 30,
) -> tuple[float, Floats] | None:
    """`by_evidence` from the precision and strengths (n,) of fewer games; None where it does not
    settle. Both move at once by Newton's method. The slope for log alpha takes the data's
    information as constant."""
    x = log(alpha)
    for _ in range(steps):
        alpha = exp(x)
        _, gradient, hessian = plackett_luce.slope(orders, alpha, s)
        inverse = np.linalg.inv(hessian)
        change = inverse @ gradient
        s = s - change
        trace = float(np.trace(inverse))
        size = float(s @ s) + 0.01
        gamma = len(s) - alpha * trace
        move = log((gamma + 1) / size) - x
        if abs(move) < SETTLED and float(np.abs(change).max()) < SETTLED:
            return exp(x + move), s
        # how fast gamma falls as x grows
        less = alpha * (trace - alpha * float((inverse * inverse).sum()))
        bent = 2 * alpha * float(s @ inverse @ s) / size
        fall = 1 + less / (gamma + 1) - bent
        x += max(-2.0, min(2.0, move / max(fall, 0.1)))
    return None


UNDATED = 20  # this many games without a day are taken as one day

FITTED_DAILY = 1_500  # games up to which systems are fitted after each day
GROWN = 1.05  # how much more games there are at the next fit beyond

System = Sequential[Any] | Batch


def day_starts(games: Sequence[Game]) -> Ints:
    """The index of the first game of each day of play; games without a day are grouped 20 at a
    time.
    """
    starts = [0]
    for number in range(1, len(games)):
        day = games[number].day
        long = day is None and number - starts[-1] >= UNDATED
        if day != games[number - 1].day or long:
            starts.append(number)
    return np.array(starts)


def fit_starts(starts: Ints) -> Ints:
    """The starts of days before which systems are fitted: all up to FITTED_DAILY games, then ever
    fewer.
    """
    kept = [0]
    for start in map(int, starts[1:]):
        if start <= FITTED_DAILY or start >= GROWN * kept[-1]:
            kept.append(start)
    return np.array(kept)


def predictions(
    system: System, games: Sequence[Game], columns: Columns, starts: Ints
) -> tuple[Floats, float]:
    """Log-odds of every seat before its game, (N, K), and the last scale. starts: of
    `fit_starts`.
    """
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
    return logits, scale


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
    games.
    """
    block = columns.blocks[0]
    numbers = np.zeros(block.players.shape)
    uneven = np.flatnonzero(np.ptp(block.scores, axis=1))
    least = len(block)
    if len(uneven):
        least = max(2, int(uneven[0]) + 1)
    stops = [*starts[1:], len(block)]
    bounds = zip(starts, stops, strict=True)
    days = [(int(start), int(stop)) for start, stop in bounds if start >= least]
    daily = None
    if type(system) is PlackettLuce and len(columns.names) <= DENSE:
        daily = daily_strengths(system, columns, [start for start, _ in days])
    for start, stop in days:
        tables = block.players[start:stop]
        if daily is not None:
            numbers[start:stop] = next(daily)[tables]
        else:
            past = Block(
                block.players[:start],
                block.scores[:start],
                block.days[:start],
            )
            numbers[start:stop] = system.forecast(Columns(columns.names, (past,)), tables)
    return numbers
