"""Strengths before each day of play, of the batch systems that can go on from the day before.

A fit of a day starts from the strengths of the day before, and what it needs of the games is added up day by
day. The strengths are those of a fit from nothing but for rounding. Games have one number of seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import exp, log

import numpy as np

from rating.columns import Block, Columns, Floats
from rating.models import bradley_terry, btr, plackett_luce
from rating.models.base import Batch
from rating.models.bayesian_btr import BayesianBtr, posterior
from rating.models.bradley_terry import BradleyTerry
from rating.models.btr import Btr, Sums
from rating.models.plackett_luce import Orders, PlackettLuce
from rating.models.sparse import DENSE

COLD = 100  # games up to which Plackett-Luce is fitted from nothing: the evidence of few may have two peaks
SETTLED = 1e-8  # of log alpha and of log-odds


def daily_strengths(system: Batch, columns: Columns, starts: Sequence[int]) -> Iterator[Floats] | None:
    """The strengths (n,) from the games before each start; None for other systems and many players."""
    if len(columns.names) > DENSE:
        return None
    if type(system) is BradleyTerry:
        return _bradley_terry(system.alpha, columns, starts)
    if type(system) is PlackettLuce:
        return _plackett_luce(system.alpha, columns, starts)
    if type(system) is Btr and not isinstance(system.alpha, str):
        ridge = float(system.alpha)
        return (btr.solve(sums, ridge) for sums in _sums(system.uma, columns, starts))
    if type(system) is BayesianBtr:
        return (posterior(sums).mean for sums in _sums(system.uma, columns, starts))
    return None


def _parts(columns: Columns, starts: Sequence[int]) -> Iterator[Block]:
    """The games that each start adds to those before."""
    block = columns.blocks[0]
    for start, stop in zip([0, *starts], starts, strict=False):
        yield Block(block.players[start:stop], block.scores[start:stop], block.days[start:stop])


def _sums(uma: Sequence[float], columns: Columns, starts: Sequence[int]) -> Iterator[Sums]:
    total = btr.sums_of(Columns(columns.names, ()), uma)
    for part in _parts(columns, starts):
        total = total.plus(btr.sums_of(Columns(columns.names, (part,)), uma))
        yield total


def _bradley_terry(alpha: float, columns: Columns, starts: Sequence[int]) -> Iterator[Floats]:
    n = len(columns.names)
    wins, strengths = np.zeros((n, n)), np.zeros(n)
    for part in _parts(columns, starts):
        wins = wins + bradley_terry.wins_of(Columns(columns.names, (part,)))
        strengths = bradley_terry.most_probable(wins, alpha, strengths)
        yield strengths


def _plackett_luce(alpha: float | str, columns: Columns, starts: Sequence[int]) -> Iterator[Floats]:
    n = len(columns.names)
    strengths, precision = np.zeros(n), 0.0
    orders_before = _orders(columns)
    for start in starts:
        orders = orders_before(start)
        if isinstance(alpha, str):
            fitted = _from(orders, precision, strengths) if start > COLD and precision else None
            precision, strengths = fitted if fitted is not None else plackett_luce.by_evidence(orders, n)
        else:
            strengths = plackett_luce.most_probable(orders, alpha, strengths)
        yield strengths


def _orders(columns: Columns) -> Callable[[int], Orders]:
    """A function that gives the orderings of the first so many games, as `orders_of` counts them."""
    n, block = len(columns.names), columns.blocks[0]
    stages = []
    for seats in range(2, block.seats + 1):
        players = block.players[:, -seats:]
        digits = n ** np.arange(seats)
        codes, which = np.unique(np.sort(players, axis=1) @ digits, return_inverse=True)
        stages.append((players[:, 0], codes[:, None] // digits % n, which))

    def before(start: int) -> Orders:
        places, left = np.zeros(n), []
        for taker, sets, which in stages:
            places += np.bincount(taker[:start], minlength=n)
            counts = np.bincount(which[:start], minlength=len(sets))
            left.append((sets[counts > 0], counts[counts > 0].astype(float)))
        return Orders(places, left)

    return before


def _from(orders: Orders, alpha: float, s: Floats, steps: int = 30) -> tuple[float, Floats] | None:
    """`by_evidence` from the precision and strengths (n,) of fewer games; None where it does not settle.

    Both move at once by Newton's method. The slope for log alpha takes the data's information as constant.
    """
    x = log(alpha)
    for _ in range(steps):
        alpha = exp(x)
        _, gradient, hessian = plackett_luce.slope(orders, alpha, s)
        inverse = np.linalg.inv(hessian)
        change = inverse @ gradient
        s = s - change
        trace, size = float(np.trace(inverse)), float(s @ s) + 0.01
        gamma = len(s) - alpha * trace
        move = log((gamma + 1) / size) - x
        if abs(move) < SETTLED and float(np.abs(change).max()) < SETTLED:
            return exp(x + move), s
        less = alpha * (trace - alpha * float((inverse * inverse).sum()))  # how fast gamma falls as x grows
        fall = 1 + less / (gamma + 1) - 2 * alpha * float(s @ inverse @ s) / size
        x += max(-2.0, min(2.0, move / max(fall, 0.1)))
    return None
