"""Print the defects, what found each, and in how many steps:

`python -m tests.world.defects [NAME…]`.
"""

import sys

from tests.world.defects.plant import DEFECTS
from tests.world.defects.search import found


def main(names: list[str]) -> int:
    for name in names:
        if name not in DEFECTS:
            print(f"no such defect: {name}", file=sys.stderr)
            return 2
    missed = 0
    print(f"{'defect':36} {'steps':>8}  found by")
    for name in names or DEFECTS:
        steps, ended = found(name)
        promise = "NOT FOUND"
        if ended is None:
            missed += 1
        elif ended.violation is not None:
            promise = ended.violation.name
        print(f"{name:36} {steps:8,}  {promise}", flush=True)
    print(f"{len(names or DEFECTS) - missed} of {len(names or DEFECTS)} found")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
