"""Measure the comparison of rating systems beside its former way: python -m tests.tools.bench.compare

1,400 games of ten members on 80 days. The former way fits every batch system and every scale from nothing
each day, and asks the packages themselves. Each line shows a system, baseline and own processor seconds,
their ratio, and how far apart the predictions are, in log-odds.
"""

from time import process_time
from typing import Any

import numpy as np

from rating.columns import Block, Columns, Floats, Ints, columns_of
from rating.games import Game
from rating.models.base import Batch
from rating.study.compare import compare, default_systems
from rating.study.forecasts import Stages, System, day_starts, predictions
from rating.study.peers import TrueSkill
from tests.rating.models.leagues import random_league

GAMES, DAYS, SKILL = 1400, 80, 5.0


def by_day(system: Batch, columns: Columns, spans: list[tuple[int, int]]) -> Floats:
    block = columns.blocks[0]
    numbers = np.zeros(block.players.shape)
    for start, stop in spans:
        if start > 1:
            past = Block(block.players[:start], block.scores[:start], block.days[:start])
            numbers[start:stop] = system.forecast(Columns(columns.names, (past,)), block.players[start:stop])
    return numbers


def by_game(system: Any, games: list[Game]) -> Floats:
    states: dict[str, Any] = {}
    rows = []
    for game in games:
        system.check(game)
        before = [states.get(player) or system.initial(player) for player in game.players]
        rows.append([system.rating(state).value for state in before])
        if isinstance(system, TrueSkill):
            make = system.peer.create_rating
            rated = system.peer.rate([[make(mean, deviation)] for mean, deviation, _ in before])
            after = [(team[0].mu, team[0].sigma, old[2] + 1) for team, old in zip(rated, before, strict=True)]
        else:
            after = system.play(game, before)
        states.update(zip(game.players, after, strict=True))
    return np.array(rows)


def former(system: System, games: list[Game], columns: Columns, starts: Ints) -> Floats:
    """Log-odds of every seat before its game, (N, K)."""
    spans = [(int(a), int(b)) for a, b in zip(starts, [*starts[1:], len(games)], strict=True)]
    numbers = by_day(system, columns, spans) if isinstance(system, Batch) else by_game(system, games)
    logits = np.zeros_like(numbers)
    for start, stop in spans:
        logits[start:stop] = Stages(numbers[:start]).scale(start) * numbers[start:stop]
    return logits


def main() -> None:
    games = random_league(1, 10, GAMES, skill=SKILL, days=DAYS)
    columns, starts = columns_of(games), day_starts(games)
    print(f"{'':<24}{'baseline':>10}{'ours':>10}{'ratio':>8}  apart")
    totals = np.zeros(2)
    for name, system in default_systems().items():
        begin = process_time()
        before = former(system, games, columns, starts)
        middle = process_time()
        after = predictions(system, games, columns, starts)[0]
        spent = np.array([middle - begin, process_time() - middle])
        totals += spent
        print(
            f"{name:<24}{spent[0]:>10.3f}{spent[1]:>10.3f}{spent[0] / spent[1]:>8.1f}  {np.abs(after - before).max():.0e}"
        )
    print(f"{'all':<24}{totals[0]:>10.3f}{totals[1]:>10.3f}{totals[0] / totals[1]:>8.1f}")
    begin = process_time()
    compare(games)
    print(f"{'compare, with intervals':<24}{'':>10}{process_time() - begin:>10.3f}")


if __name__ == "__main__":
    main()
