"""Measure the bulk ratings beside other implementations: python tests/tools/bench/ratings.py

Each line shows a name, baseline seconds, own seconds, ratio and aim. The figures leave out compilation (once
a process); the last line gives its time. `--small` takes a hundredth of the games, to see that it runs.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import BayesianRidge, Ridge

sys.path.insert(0, str(Path(__file__).parents[3]))

from rating.models.bayesian_btr import posterior
from tests.tools.bench.bulk import btr as bulk_btr
from tests.tools.bench.bulk import replay as bulk
from tests.tools.bench.bulk.compiled import has_numba

OPENSKILL_GAMES = 5_000


def seconds(work: Callable[[], Any], rounds: int = 1) -> tuple[float, Any]:
    """The seconds of the fastest round, and the result."""
    best, result = float("inf"), None
    for _ in range(rounds):
        start = perf_counter()
        result = work()
        best = min(best, perf_counter() - start)
    return best, result


def peak(work: Callable[[], Any]) -> int:
    """The peak of allocated memory during the work, in bytes."""
    tracemalloc.start()
    work()
    size = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return size


def tables(games: int, players: int, seats: int) -> np.ndarray:
    """Random player numbers (games, seats), with no player twice in a game."""
    rng = np.random.default_rng(players)
    found = rng.integers(0, players, (games, seats), dtype=np.int32)
    while True:
        ordered = np.sort(found, axis=1)
        twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        if not twice.any():
            return found
        found[twice] = rng.integers(0, players, (int(twice.sum()), seats), dtype=np.int32)


def scored(players: np.ndarray) -> np.ndarray:
    """Zero-sum scores that follow some skill: (games, seats)."""
    rng = np.random.default_rng(0)
    skill = rng.normal(0, 3, int(players.max()) + 1)
    raw = skill[players] + rng.normal(0, 40, players.shape)
    return raw - raw.mean(axis=1, keepdims=True)


def transcription(players: list[list[int]], count: int) -> tuple[list[float], list[int]]:
    """Tenhou's rating rule (https://tenhou.net/man/#RATING) in plain Python: ratings and games by player."""
    ratings, games = [1500.0] * count, [0] * count
    for order in players:
        average = max(round((ratings[order[0]] + ratings[order[1]] + ratings[order[2]]) / 3, 3), 1500)
        changes = []
        for placing, player in enumerate(order):
            correction = 1 - 0.002 * games[player] if games[player] < 400 else 0.2
            base = (30, 0, -30)[placing]
            changes.append(round(correction * (base + (average - ratings[player]) / 40) * 1.0, 3))
        for player, change in zip(order, changes, strict=True):
            ratings[player] += change
            games[player] += 1
    return ratings, games


def openskill_seconds(players: list[list[int]], games: int) -> float:
    """The seconds openskill takes for all games, extrapolated from the first few thousand."""
    from openskill.models import PlackettLuce

    model, known = PlackettLuce(), {}
    part = players[: min(OPENSKILL_GAMES, len(players))]

    def work() -> None:
        for order in part:
            teams = [[known.get(player) or model.rating()] for player in order]
            for player, team in zip(order, model.rate(teams), strict=True):
                known[player] = team[0]

    return seconds(work)[0] * games / len(part)


def design(players: np.ndarray, count: int) -> csr_matrix:
    """The design matrix: K I - J of every game, one row a seat with K entries."""
    games, k = players.shape
    own = np.where(np.eye(k, dtype=bool), k - 1.0, -1.0)
    data = np.tile(own.ravel(), games)
    columns = np.repeat(players.astype(np.int32), k, axis=0).ravel()
    return csr_matrix((data, columns, np.arange(0, games * k * k + 1, k)), shape=(games * k, count))


def row(name: str, baseline: float, ours: float, aim: str, note: str = "") -> None:
    print(f"{name:<58}{baseline:>10.3f}{ours:>10.4f}{baseline / ours:>9.1f}  {aim:<6}{note}", flush=True)


def replays(games: int) -> None:
    for count in (9, 10_000):
        players = tables(games, count, 3)
        rows = players.tolist()
        ours, found = seconds(lambda p=players: bulk.replay_tenhou(p), 5)
        plain, expected = seconds(lambda r=rows, n=count: transcription(r, n), 2)
        same = found.ratings.tolist() == expected[0] and found.games.tolist() == expected[1]
        bits = "bit-equal" if same else "NOT EQUAL"
        row(f"tenhou, {games:,} games, {count:,} players: the loop", plain, ours, "40", bits)
        if find_spec("openskill"):
            other = openskill_seconds(rows, games)
            note = f"extrapolated from {min(OPENSKILL_GAMES, games):,} games"
            row(f"tenhou, {games:,} games, {count:,} players: openskill", other, ours, "", note)


ALPHA = 1e-6


def regressions(games: int) -> None:
    for count, aim in ((35, "100"), (10_000, "3")):
        players = tables(games, count, 4)
        scores = scored(players)
        ours, found = seconds(lambda p=players, y=scores, n=count: bulk_btr.btr(p, y, n, ALPHA), 5)
        building, x = seconds(lambda p=players, n=count: design(p, n), 2)
        ridge = Ridge(alpha=ALPHA * games, fit_intercept=False, tol=1e-10)
        theirs, fitted = seconds(lambda m=ridge, a=x, y=scores: m.fit(a, y.ravel()), 2)
        away = float(np.abs(fitted.coef_ - found).max())
        name = f"btr, {games:,} games, {count:,} players"
        row(f"{name}: design and Ridge", building + theirs, ours, aim, f"largest difference {away:.1e}")
        row(f"{name}: Ridge alone", theirs, ours, "")
        if count > bulk_btr.DENSE:
            memory(players, scores, count, x, ridge)


def memory(players: np.ndarray, scores: np.ndarray, count: int, x: Any, ridge: Any) -> None:
    """Print the working memory in megabytes, without the games' own columns."""
    ours = peak(lambda: bulk_btr.btr(players, scores, count, ALPHA)) / 1e6
    theirs = (peak(lambda: ridge.fit(x, scores.ravel())) + x.data.nbytes + x.indices.nbytes) / 1e6
    row("  its memory, MB", theirs, ours, "10")


def bayes(games: int) -> None:
    players = tables(games, 35, 4)
    scores = scored(players)
    x = design(players, 35).toarray()
    ours, found = seconds(lambda: posterior(bulk_btr.btr_sums(players, scores, 35)), 3)
    theirs, fitted = seconds(lambda: BayesianRidge(fit_intercept=False).fit(x, scores.ravel()))
    away = float(np.abs(fitted.coef_ - found.mean).max())
    name = f"bayesian_btr, {games:,} games, 35 players: BayesianRidge"
    row(name, theirs, ours, "", f"largest difference {away:.1e}")


def main() -> None:
    share = 100 if "--small" in sys.argv[1:] else 1
    few = tables(10, 9, 4)

    def compile_all() -> None:
        bulk.replay_tenhou(tables(10, 9, 3))
        bulk_btr.btr(few, scored(few))
        bulk_btr.btr(few, scored(few), bulk_btr.DENSE + 1)

    compiling = seconds(compile_all)[0]
    print(f"{'':<58}{'baseline':>10}{'ours':>10}{'ratio':>9}  aim")
    replays(1_000_000 // share)
    regressions(2_000_000 // share)
    bayes(200_000 // share)
    engine = (
        f"numba, compiled in {compiling:.1f} s" if has_numba() else "plain Python: numba is not installed"
    )
    print(f"({engine})")


if __name__ == "__main__":
    main()
