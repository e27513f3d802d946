"""A second reckoning of forecasts in plain Python: no arrays, no code of the first."""

import math
from collections.abc import Sequence
from itertools import combinations, permutations

from rating.games import Game


def places(finals: Sequence[Sequence[float]]) -> list[list[float]]:
    """The chance of each place of each member; equals share their places."""
    m = len(finals[0])
    found = [[0.0] * m for _ in range(m)]
    for season in finals:
        for i in range(m):
            above = sum(other > season[i] + 1e-6 for other in season)
            equal = sum(abs(other - season[i]) <= 1e-6 for other in season)
            for place in range(above, above + equal):
                found[i][place] += 1 / equal / len(finals)
    return found


def table_chances(weights: Sequence[float], seats: int) -> dict[frozenset[int], float]:
    """The chance of each table when its players are drawn one after another, each with his weight, none
    twice."""
    found: dict[frozenset[int], float] = {}
    for table in permutations(range(len(weights)), seats):
        chance, left = 1.0, sum(weights)
        for player in table:
            chance *= weights[player] / left
            left -= weights[player]
        found[frozenset(table)] = found.get(frozenset(table), 0.0) + chance
    return found


def posterior(games: Sequence[Game], names: Sequence[str]) -> tuple[float, float, list[float]]:
    """The roots of the mean squares of tau and sigma, and the mean strengths, by a grid over both and the
    normal law of all points at once.

    A game of K seats gives K - 1 free numbers: each seat's points less the last seat's. Under given tau and
    sigma all of them are jointly normal; the covariance is built entry by entry and solved by elimination.
    """
    k = len(games[0].seats)
    rows, y, game_of_row = [], [], []
    for number, game in enumerate(games):
        last = game.seats[-1]
        for seat in game.seats[:-1]:
            rows.append({seat.player: float(k), last.player: -float(k)})
            y.append(seat.score - last.score)
            game_of_row.append(number)
    size = len(rows)
    own = [[sum(a.get(p, 0) * b.get(p, 0) for p in a) for b in rows] for a in rows]
    chance = [
        [(2.0 if i == j else 1.0) if game_of_row[i] == game_of_row[j] else 0.0 for j in range(size)]
        for i in range(size)
    ]
    parts = []
    taus = [math.exp(x / 4) for x in range(-12, 18)]
    sigmas = [math.exp(x / 8) for x in range(16, 40)]
    for tau in taus:
        for sigma in sigmas:
            prior, noise = (tau / (k - 1)) ** 2, sigma**2 * k / (k - 1)
            cover = [[prior * own[i][j] + noise * chance[i][j] for j in range(size)] for i in range(size)]
            solved, logdet = _solve(cover, y)
            likely = -logdet / 2 - sum(a * b for a, b in zip(y, solved, strict=True)) / 2
            weight = (
                likely + math.log(tau) - math.log1p((tau / 5) ** 2)
            )  # half-Cauchy times the step; sigma's is 1
            means = [
                prior * sum(row.get(p, 0) * x for row, x in zip(rows, solved, strict=True)) for p in names
            ]
            parts.append((weight, tau, sigma, means))
    top = max(part[0] for part in parts)
    total = sum(math.exp(part[0] - top) for part in parts)
    shares = [math.exp(part[0] - top) / total for part in parts]
    strengths = [
        sum(w * part[3][i] for w, part in zip(shares, parts, strict=True)) for i in range(len(names))
    ]
    tau, sigma = (math.sqrt(sum(w * p[i] ** 2 for w, p in zip(shares, parts, strict=True))) for i in (1, 2))
    return tau, sigma, strengths


def _solve(matrix: list[list[float]], right: Sequence[float]) -> tuple[list[float], float]:
    """x with matrix x = right by Cholesky's factors, and the logarithm of the determinant."""
    n = len(matrix)
    low = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(low[i][h] * low[j][h] for h in range(j))
            low[i][j] = math.sqrt(rest) if i == j else rest / low[j][j]
    half: list[float] = []
    for i in range(n):
        half.append((right[i] - sum(low[i][h] * half[h] for h in range(i))) / low[i][i])
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (half[i] - sum(low[h][i] * x[h] for h in range(i + 1, n))) / low[i][i]
    return x, 2 * sum(math.log(low[i][i]) for i in range(n))


def one_game_left(
    now: Sequence[float],
    weights: Sequence[Sequence[float]],
    residuals: Sequence[Sequence[float]],
    strengths: Sequence[Sequence[float]],
) -> list[float]:
    """Each member's chance of being champion, over every table, every game's residuals in every order, every
    drawn strength; weights: of every member to come, drawn many times."""
    seats, tables = len(residuals[0]), dict[frozenset[int], float]()
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
