"""A second computation of forecasts in plain Python: no arrays, no code of the first."""

import math
from collections.abc import Sequence
from itertools import combinations, permutations

Rows = Sequence[Sequence[float]]


def places(finals: Sequence[Sequence[float]]) -> list[list[float]]:
    """The chance of each place of each member; equals share their places."""
    m = len(finals[0])
    chances = [[0.0] * m for _ in range(m)]
    for season in finals:
        for i in range(m):
            above = sum(1 for other in season if other > season[i] + 1e-6)
            equal = sum(1 for other in season if abs(other - season[i]) <= 1e-6)
            for place in range(above, above + equal):
                chances[i][place] += 1 / equal / len(finals)
    return chances


def table_chances(weights: Sequence[float], seats: int) -> dict[frozenset[int], float]:
    """The chance of each table when its players are drawn one by one, each with his weight."""
    chances: dict[frozenset[int], float] = {}
    for table in permutations(range(len(weights)), seats):
        chance = 1.0
        remaining = sum(weights)
        for player in table:
            chance *= weights[player] / remaining
            remaining -= weights[player]
        chances[frozenset(table)] = chances.get(frozenset(table), 0.0) + chance
    return chances


def one_game_left(
    now: Sequence[float], weights: Rows, residuals: Rows, strengths: Rows
) -> list[float]:
    """Each member's chance to be champion over tables, orders of residuals, drawn weights and
    strengths.
    """
    seats = len(residuals[0])
    tables: dict[frozenset[int], float] = {}
    for seated in weights:
        for table, chance in table_chances(seated, seats).items():
            tables[table] = tables.get(table, 0.0) + chance / len(weights)
    chances = [0.0] * len(now)
    for members in combinations(range(len(now)), seats):
        table = frozenset(members)
        for game in residuals:
            for order in permutations(game):
                share = tables[table] / len(residuals) / math.factorial(seats) / len(strengths)
                for strength in strengths:
                    final = list(now)
                    level = sum(strength[i] for i in table)
                    for i, residual in zip(table, order, strict=True):
                        final[i] += seats * strength[i] - level + residual
                    best = max(final)
                    firsts = [i for i, points in enumerate(final) if points > best - 1e-6]
                    for i in firsts:
                        chances[i] += share / len(firsts)
    return chances
