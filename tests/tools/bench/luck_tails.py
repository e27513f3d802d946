"""Count how often the luck of real games is far from its mean: python -m
tests.tools.bench.luck_tails PATH [SEATS [GAMES]]

PATH is a zip or a folder of mjlogs. A sentence that says that chance alone brings something less
than once in twenty times needs a bound beyond which fewer than 5 of 100 seats are.
"""

import sys
from itertools import islice
from pathlib import Path

from rating.paifu.luck import luck_of
from tests.tools.bench.reference import records

BOUNDS = (1.96, 2.0, 2.1, 2.2, 2.3, 2.4, 2.5)
FIGURES = {"draws": "z", "deals": "deal", "ura": "ura_z"}


def main(path: str, seats: str = "3", games: str = "900") -> None:
    played = [luck_of(record) for record in islice(records(Path(path), int(seats)), int(games))]
    everyone = [luck for game in played for luck in game]
    print(f"{len(played)} games; percent of seats beyond {', '.join(map(str, BOUNDS))}")
    for name, field in FIGURES.items():
        values = [abs(z) for luck in everyone if (z := getattr(luck, field)) is not None]
        shares = [100 * sum(z > bound for z in values) / len(values) for bound in BOUNDS]
        print(f"{name:6}{len(values):6} seats", *(f"{share:6.2f}" for share in shares))


if __name__ == "__main__":
    main(*sys.argv[1:])
