"""Count how often players chose the quiz's answer: python -m tests.tools.bench.quiz PATH [SEATS]

PATH is a zip or a folder of mjlogs; all clear positions count, not only those in which the player
chose another discard, as the quiz asks for.
"""

import sys
from collections import Counter
from pathlib import Path

from rating.paifu.efficiency import tile_choices
from rating.paifu.situation import is_clear
from rating.proportions import wilson
from tests.tools.bench.reference import records


def main(path: str, seats: str = "3") -> None:
    chose: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for record in records(Path(path), int(seats)):
        for one in filter(is_clear, tile_choices(record)):
            for name in ("all", f"{one.best.shanten} shanten after it"):
                every[name] += 1
                chose[name] += one.loss == 0
    for name, cases in sorted(every.items()):
        low, high = wilson(chose[name], cases)
        share = chose[name] / cases
        print(
            f"{name:18} {chose[name]} of {cases}: {share:.1%} ({low:.1%} to {high:.1%}) chose the answer"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
