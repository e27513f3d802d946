"""Measure the shanten of dealt hands: the constants of rating/paifu/luck.py, from a seeded
simulation.

python -m tests.tools.bench.deal [HANDS]

With 1,000,000 hands of each number of seats: mean 3.5796 and sd 0.8840 with four, 3.3935 and 0.8751
with three, which is within their errors of the constants (of 300,000 hands).
"""

import random
import sys
from math import sqrt
from statistics import fmean, pstdev

from rating.paifu.efficiency import shanten_of
from rating.paifu.luck import DEAL_SHANTEN
from rating.paifu.tiles import ABSENT_IN_THREE, counts


def simulate(seats: int, hands: int, seed: int = 1) -> tuple[float, float]:
    source = random.Random(seed)
    tiles = [tile for tile in range(136) if seats == 4 or tile // 4 not in ABSENT_IN_THREE]
    samples = (source.sample(tiles, 13) for _ in range(hands))
    found = [shanten_of(counts(sample), seats) for sample in samples]
    return fmean(found), pstdev(found)


def main() -> None:
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 300_000
    for seats in (4, 3):
        mean, deviation = simulate(seats, hands)
        error = deviation / sqrt(hands)
        told = (
            f"mean {mean:.4f} (error {error:.4f}), sd {deviation:.4f}; used: {DEAL_SHANTEN[seats]}"
        )
        print(f"{seats} seats, {hands} hands: {told}")


if __name__ == "__main__":
    main()
