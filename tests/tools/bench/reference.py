"""Count the figures of rating/paifu/reference.py on records, and how they fare on the half they are not from.

python -m tests.tools.bench.reference PATH [SEATS]

PATH is a zip or a folder of mjlogs; those with SEATS (3) seats count.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from rating.paifu.efficiency import EfficiencyRating, tile_choices
from rating.paifu.mjlog import parse
from rating.paifu.record import Record
from rating.paifu.tiles import PaifuError

SHARES = (0.1, 0.3, 0.6, 0.85)


def records(path: Path, seats: int) -> Iterator[Record]:
    """The records with so many seats of a zip or folder, in order of their names."""
    if path.is_dir():
        every = [file.read_bytes() for file in sorted(path.iterdir())]
    else:
        with zipfile.ZipFile(path) as packed:
            every = [packed.read(name) for name in sorted(packed.namelist())]
    for data in every:
        try:
            record = parse(data)
        except PaifuError:
            continue
        if record.seats == seats:
            yield record


def losses(record: Record) -> Iterator[tuple[float, float, float, float]]:
    """The mean loss of each seat: of the game, of its odd and of its even rounds; and the weight of both."""
    parts = [[EfficiencyRating(), EfficiencyRating()] for _ in range(record.seats)]
    for choice in tile_choices(record):
        parts[choice.seat][choice.round % 2] += EfficiencyRating(1, int(choice.loss == 0), choice.loss)
    for even, odd in parts:
        if even.mean_loss is not None and odd.mean_loss is not None:
            weight = odd.decisions * even.decisions / (odd.decisions + even.decisions)
            yield (even + odd).mean_loss or 0.0, odd.mean_loss, even.mean_loss, weight


def main(path: str, seats: str = "3") -> None:
    found = [np.array(list(losses(record))).reshape(-1, 4) for record in records(Path(path), int(seats))]
    every = np.concatenate(found)
    game, odd, even, weight = every.T
    bounds = np.quantile(game, SHARES)
    middle = np.average((odd + even) / 2, weights=weight)
    product = (odd - middle) * (even - middle) / game.var()
    own = float(np.average(product, weights=weight))
    error = float(np.sqrt(np.sum((weight * (product - own)) ** 2)) / weight.sum())
    print(
        f"{len(found)} records, {len(game)} seats: mean loss {game.mean():.4f}, bounds {np.round(bounds, 4)}"
    )
    print(f"  the player's own share of a game's variance {own:.3f} (error {error:.3f})")
    first, other = np.concatenate(found[::2])[:, 0], np.concatenate(found[1::2])[:, 0]
    _print_held_out(np.quantile(first, SHARES), other)


def _print_held_out(bounds: Sequence[float], other: Sequence[float]) -> None:
    within = [float(np.mean(np.asarray(other) <= bound)) for bound in bounds]
    print(f"  bounds of one half hold of the other: {', '.join(f'{share:.1%}' for share in within)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
