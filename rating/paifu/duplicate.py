"""Does folding by danger pay? Duplicate games between two policies that differ in the rule of push or fold alone.

A pair is two games on the same walls: in one the policy with the rule sits in seats 0 and 2, in the other in 1 and 3, and
the one without it in the rest. Each so holds every seat of every wall once, and luck of the deal falls out of the
difference. Its error is taken over the pairs, which are independent.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import sqrt
from typing import NamedTuple

from rating.paifu.engine import Match, fast_shanten, load
from rating.paifu.game_log import placings, rounds
from rating.paifu.policy import Policy
from rating.paifu.tally import ENDINGS, WIN, PaifuTally

Z = 1.96  # 95 %
WITH, WITHOUT = True, False
Figure = Callable[[PaifuTally], tuple[float, float]]


class PairResult(NamedTuple):
    """What two games on the same walls brought the policy with the rule and the one without it."""

    folding: PaifuTally
    plain: PaifuTally
    rounds: int


# Each figure as (sum, number it is the mean of).
FIGURES: dict[str, Figure] = {
    "win": lambda tally: (tally.endings[WIN], tally.rounds),
    "deal_in": lambda tally: (tally.endings["deal-in"], tally.rounds),
    "riichi": lambda tally: (tally.riichis, tally.rounds),
    "call": lambda tally: (tally.called, tally.rounds),
    "mean_win": lambda tally: (tally.win_value, tally.endings[WIN]),
    "mean_placing": lambda tally: (sum((p + 1) * n for p, n in tally.placings.items()), tally.games),
    "mean": lambda tally: (sum(tally.points.values()), tally.rounds),
}


def seeds(games: int, seed: int) -> list[int]:
    """One seed of walls for each pair of games; far apart, as the engine takes seed + 1 for a game's next round."""
    load()
    source = random.Random(seed)  # noqa: S311 - the walls are no secret
    return [source.getrandbits(48) for _ in range((games + 1) // 2)]


def play(walls: int) -> PairResult:
    """Two games on the same walls, the policies changing seats."""
    tallies = {WITH: PaifuTally(), WITHOUT: PaifuTally()}
    count = 0
    for seats in ((WITH, WITHOUT, WITH, WITHOUT), (WITHOUT, WITH, WITHOUT, WITH)):
        log, points = Match([Policy(folds, fast_shanten) for folds in seats], walls).play()
        for shares in rounds(log):
            count += 1
            for folds, share in zip(seats, shares, strict=True):
                tallies[folds].count(share)
        for folds, placing in zip(seats, placings(points), strict=True):
            tallies[folds].finish(placing)
    return PairResult(tallies[WITH], tallies[WITHOUT], count)


def report(results: Sequence[PairResult], seed: int, seconds: float) -> dict[str, object]:
    """The figures of both policies, their difference (with less without) and its 95 % interval."""
    folding, plain = PaifuTally(), PaifuTally()
    for result in results:
        folding += result.folding
        plain += result.plain
    return {
        "games": 2 * len(results),
        "pairs": len(results),
        "rounds": sum(result.rounds for result in results),
        "seed": seed,
        "seconds": round(seconds, 1),
        "figures": {name: compare(results, figure) for name, figure in FIGURES.items()},
        "balance": {
            ending: {
                "share": compare(results, lambda tally, e=ending: (tally.endings[e], tally.rounds)),  # type: ignore[misc]
                "points": compare(results, lambda tally, e=ending: (tally.points[e], tally.endings[e])),  # type: ignore[misc]
            }
            for ending in ENDINGS
        },
        "with": folding.figures(),
        "without": plain.figures(),
    }


def compare(results: Sequence[PairResult], figure: Figure) -> dict[str, float]:
    """Both means, their difference, its standard error over the pairs (linearised ratio) and 95 % interval."""
    folding = [figure(result.folding) for result in results]
    plain = [figure(result.plain) for result in results]
    first, first_parts = _mean(folding)
    second, second_parts = _mean(plain)
    difference = first - second
    parts = [a - b for a, b in zip(first_parts, second_parts, strict=True)]
    error = sqrt(sum(part * part for part in parts) / max(1, len(parts) - 1) / len(parts)) if parts else 0.0
    return {
        "with": first,
        "without": second,
        "difference": difference,
        "error": error,
        "low": difference - Z * error,
        "high": difference + Z * error,
    }


def _mean(sums: Sequence[tuple[float, float]]) -> tuple[float, list[float]]:
    """A ratio of sums, and what each pair contributes to its deviation."""
    total = sum(count for _, count in sums)
    if not total:
        return 0.0, [0.0] * len(sums)
    mean = sum(value for value, _ in sums) / total
    size = total / len(sums)
    return mean, [(value - mean * count) / size for value, count in sums]
