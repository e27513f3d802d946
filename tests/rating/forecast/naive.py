"""A second reckoning of forecasts in plain Python: no arrays, no code of the first."""

import math
from collections.abc import Sequence
from itertools import combinations, permutations

Rows = Sequence[Sequence[float]]


def places(finals: Sequence[Sequence[float]]) -> list[list[float]]:
    """The chance of each place of each member; equals share their places."""
    m = len(finals[0])
    found = [[0.0] * m for _ in range(m)]
    for season in finals:
        for i in range(m):
            above = sum(1 for other in season if other > season[i] + 1e-6)
            equal = sum(1 for other in season if abs(other - season[i]) <= 1e-6)
            for place in range(above, above + equal):
                found[i][place] += 1 / equal / len(finals)
    return found


def table_chances(weights: Sequence[float], seats: int) -> dict[frozenset[int], float]:
    """The chance of each table when its players are drawn one by one, each with his weight."""
    found: dict[frozenset[int], float] = {}
    for table in permutations(range(len(weights)), seats):
        chance = 1.0
        left = sum(weights)
        for player in table:
            chance *= weights[player] / left
            left -= weights[player]
        found[frozenset(table)] = found.get(frozenset(table), 0.0) + chance
    return found


def one_game_left(
    now: Sequence[float], weights: Rows, residuals: Rows, strengths: Rows
) -> list[float]:
    """Each member's chance to be champion over tables, orders of residuals, drawn weights and
    strengths.
    """
    seats = len(residuals[0])
    tables: dict[frozenset[int], float] = {}
    for one in weights:
        for table, chance in table_chances(one, seats).items():
            tables[table] = tables.get(table, 0.0) + chance / len(weights)
    found = [0.0] * len(now)
    for members in combinations(range(len(now)), seats):
        table = frozenset(members)
        for residual in residuals:
            for order in permutations(residual):
                share = tables[table] / len(residuals) / math.factorial(seats) / len(strengths)
                for strength in strengths:
                    final = list(now)
                    level = sum(strength[i] for i in table)
                    for i, rest in zip(table, order, strict=True):
                        final[i] += seats * strength[i] - level + rest
                    best = max(final)
                    firsts = [i for i, points in enumerate(final) if points > best - 1e-6]
                    for i in firsts:
                        found[i] += share / len(firsts)
    return found
