"""What a rating system says of each game before it learns that game.

Games are taken in order of time. A system gives each seat a number from the games before: a sequential system
from all of them, a batch system from those of the days before. One scale, fitted to the games of the days
before, turns these numbers into log-odds of the placings (rating.study.orderings).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rating.columns import Block, Columns, Floats, Ints
from rating.games import Game
from rating.models.base import Batch, Sequential
from rating.study.daily_fits import daily_strengths
from rating.study.drift_filter import quick
from rating.study.orderings import Stages

UNDATED = 20  # this many games without a day are taken as one day

FITTED_DAILY = 1_500  # games up to which systems are fitted after each day
GROWN = 1.05  # how much more games there are at the next fit beyond

System = Sequential[Any] | Batch


def day_starts(games: Sequence[Game]) -> Ints:
    """The index of the first game of each day of play; games without a day are grouped 20 at a time."""
    starts = [0]
    for number in range(1, len(games)):
        day = games[number].day
        long = day is None and number - starts[-1] >= UNDATED
        if day != games[number - 1].day or long:
            starts.append(number)
    return np.array(starts)


def fit_starts(starts: Ints) -> Ints:
    """The starts of days before which systems are fitted: all up to FITTED_DAILY games, then ever fewer."""
    kept = [0]
    for start in map(int, starts[1:]):
        if start <= FITTED_DAILY or start >= GROWN * kept[-1]:
            kept.append(start)
    return np.array(kept)


def predictions(
    system: System, games: Sequence[Game], columns: Columns, starts: Ints
) -> tuple[Floats, float]:
    """Log-odds of every seat before its game, (N, K), and the last scale. starts: of `fit_starts`."""
    if isinstance(system, Batch):
        numbers = batch_numbers(system, columns, starts)
    else:
        numbers = sequential_numbers(system, games)
    logits, scale, stages = np.zeros_like(numbers), 0.0, Stages(numbers)
    for start, stop in zip(starts, [*starts[1:], len(games)], strict=True):
        scale = stages.scale(int(start), scale)
        logits[start:stop] = scale * numbers[start:stop]
    return logits, scale


def sequential_numbers(system: Sequential[Any], games: Sequence[Game]) -> Floats:
    """Each seat's rating before the game, (N, K), of games that `columns_of` has checked."""
    if type(system).check is not Sequential.check:
        for game in games:
            system.check(game)
    states: dict[str, Any] = {}
    rows, system = [], quick(system)
    for game in games:
        players = game.players
        before = [states[p] if p in states else system.initial(p) for p in players]
        rows.append([system.value(state) for state in before])
        states.update(zip(players, system.play(game, before), strict=True))
    return np.array(rows)


def batch_numbers(system: Batch, columns: Columns, starts: Ints) -> Floats:
    """Each seat's number from a fit to the games of all days before, (N, K); 0 without such games."""
    block = columns.blocks[0]
    numbers = np.zeros(block.players.shape)
    uneven = np.flatnonzero(np.ptp(block.scores, axis=1))
    least = max(2, int(uneven[0]) + 1) if len(uneven) else len(block)
    days = [(int(a), int(b)) for a, b in zip(starts, [*starts[1:], len(block)], strict=True) if a >= least]
    strengths = daily_strengths(system, columns, [start for start, _ in days])
    for start, stop in days:
        tables = block.players[start:stop]
        if strengths is not None:
            numbers[start:stop] = next(strengths)[tables]
        else:
            past = Block(block.players[:start], block.scores[:start], block.days[:start])
            numbers[start:stop] = system.forecast(Columns(columns.names, (past,)), tables)
    return numbers
