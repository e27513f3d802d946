"""The decisions of many records as arrays in files, to train and measure the network on.

python -m tests.tools.top_table.examples ZIP FOLDER

ZIP has records (mjlogs). FOLDER gets planes.npy (D, 27, 70), scalars.npy (D, 52), legal.npy
(D, 27), taken.npy (D,), the column discarded, and game.npy (D,), the number in the name of the
record's file. 1,500 games of three seats take 1.6 GB and some two minutes.
"""

import sys
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rating.paifu.formats import parse
from rating.paifu.top_table.features import KINDS_OF_THREE, Array, features
from rating.paifu.top_table.sights import decisions, stacked

COLUMN_OF = {int(kind): column for column, kind in enumerate(KINDS_OF_THREE)}
NAMES = ("planes", "scalars", "legal", "taken", "game")


class Examples(NamedTuple):
    """D decisions; the arrays are read from the files when they are used."""

    planes: Array
    scalars: Array
    legal: NDArray[np.bool_]
    taken: NDArray[np.uint8]
    game: NDArray[np.int16]

    def of_games(self, games: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The rows of the games whose number is true."""
        return np.flatnonzero(games[self.game])


def read(folder: Path) -> Examples:
    """The examples of a folder."""
    return Examples(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in NAMES))


def write(records: Path, folder: Path) -> None:
    """Write the decisions of a zip of records into the folder. Those of absent players are no
    choices.
    """
    folder.mkdir(parents=True, exist_ok=True)
    parts = defaultdict[str, list[NDArray[np.generic]]](list)
    with zipfile.ZipFile(records) as packed:
        for name in sorted(packed.namelist()):
            record = parse(packed.read(name))
            present = [decision for decision in decisions(record) if not decision.away]
            made = features(stacked(decision.sight for decision in present))
            taken = [COLUMN_OF[decision.tile // 4] for decision in present]
            parts["planes"].append(made.planes.astype(np.float16))
            parts["scalars"].append(made.scalars.astype(np.float16))
            parts["legal"].append(made.legal)
            parts["taken"].append(np.array(taken, np.uint8))
            game = int(Path(name).stem)
            parts["game"].append(np.full(len(present), game, np.int16))
    for name, arrays in parts.items():
        np.save(folder / f"{name}.npy", np.concatenate(arrays))


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:3]))
