"""Ask whether results less their luck tell later results better than the results themselves do.

python -m tests.tools.bench.luck_held_out PATH

PATH is a zip or a folder of three-seat mjlogs without names, so no player is known in two games: a
seat's odd rounds tell its even ones. Points are less the mean of the dealer or the others. What a
useful draw, a good deal and an ura is worth is fitted on every other game, and taken from the
others' odd rounds.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rating.columns import Floats
from rating.paifu.luck import deal_luck, draw_luck, ura_luck
from rating.paifu.record import Record
from tests.tools.bench.reference import records

SHUFFLES = 2000


def seats_of(record: Record) -> Floats:
    """For each seat (3), of its even and its odd rounds (2): points, draws, deal and ura above
    those expected, rounds as dealer, rounds (6)."""
    found = np.zeros((3, 2, 6))
    for number, played in enumerate(record.rounds):
        for seat, change in enumerate(played.change):
            deal = deal_luck(played)[seat]
            ura = ura_luck(played)[seat]
            found[seat, number % 2] += change, 0, deal, ura, seat == played.dealer, 1
    for drawn in draw_luck(record):
        found[drawn.seat, drawn.round % 2, 1] += drawn.hit - drawn.chance
    return found


def judged(games: Sequence[Floats], fitted: Sequence[Floats]) -> tuple[Floats, Floats]:
    """(plain, less luck) points of odd rounds beside the plain points of even ones, a row (3) a
    seat, by what the fitted games say."""
    known = np.concatenate(fitted).reshape(-1, 6)
    points = known[:, 0]
    worth, *_ = np.linalg.lstsq(known[:, 1:], points, rcond=None)
    plain, *_ = np.linalg.lstsq(known[:, 4:], points, rcond=None)
    every = np.concatenate(games)
    even = every[:, 0]
    odd = every[:, 1]
    even_plain = even[:, 0] - even[:, 4:] @ plain
    odd_plain = odd[:, 0] - odd[:, 4:] @ plain
    odd_less_luck = odd[:, 0] - odd[:, 1:] @ worth
    return np.stack([odd_plain, odd_less_luck, even_plain], axis=1), worth


def correlated(rows: Floats) -> list[float]:
    """The correlations of plain and of less luck with the even rounds' points."""
    even = rows[:, 2]
    return [float(np.corrcoef(rows[:, place], even)[0, 1]) for place in (0, 1)]


def main(path: str) -> None:
    every_record = records(Path(path), 3)
    games = [seats_of(record) for record in every_record if len(record.rounds) > 1]
    first_half = games[::2]
    second_half = games[1::2]
    parts = [judged(first_half, second_half), judged(second_half, first_half)]
    rows = np.concatenate([part for part, _ in parts])
    print(
        f"{len(games)} games, {len(rows)} seats; a useful draw, a standard deviation's deal and an ura"
    )
    print(f"are worth {np.round(np.mean([worth[:3] for _, worth in parts], axis=0))} points")
    plain, less_luck, _even = rows.T
    explained = 1 - np.var(less_luck) / np.var(plain)
    print(f"luck takes {explained:.1%} of the variance of the odd rounds' points")
    apart = rows.reshape(-1, 3, 3)
    rng = np.random.default_rng(0)
    correlations = []
    for _ in range(SHUFFLES):
        places = rng.integers(0, len(apart), len(apart))
        correlations.append(correlated(apart[places].reshape(-1, 3)))
    told = np.array(correlations)
    names = "plain", "less luck"
    for place, name in enumerate(names):
        value = np.corrcoef(rows[:, place], rows[:, 2])[0, 1]
        low, high = np.quantile(told[:, place], (0.025, 0.975))
        print(
            f"odd rounds {name}: correlation with the even ones {value:+.4f} ({low:+.4f} to {high:+.4f})"
        )
    gain = told[:, 1] - told[:, 0]
    low, high = np.quantile(gain, (0.025, 0.975))
    print(f"better by {np.mean(gain):+.4f} ({low:+.4f} to {high:+.4f})")


if __name__ == "__main__":
    main(*sys.argv[1:])
