"""An hour in five minutes: taps of every kind, 5 % of LINE's answers are errors, logs change; memory stays flat, nothing is stuck.

PYTHONPATH=. python tests/fault/soak.py [SECONDS] [threads|celery]
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from tests.e2e.fleet import Fleet, fleet

KINDS = (
    "request_rating",
    "request_point",
    "request_rank",
    "request_team",
    "request_sum",
    "request_help",
    "request_x",
)
SHARE = 0.05


def minute(ships: Fleet, chance: random.Random, until: float) -> tuple[int, int, int]:
    """Taps until then, a few a second: how many, how many of LINE's answers were made to fail, how many went unanswered."""
    taps = faults = unanswered = 0
    log = ships.folder / "logs" / "logvol3.txt"
    whole = log.read_bytes()
    while time.monotonic() < until:
        for _ in range(20):
            if chance.random() < SHARE:
                ships.line.fail_next("/v2/bot/message/reply", chance.choice((429, 500, 503)))
                faults += 1
        sent = [ships.tap(chance.randrange(1000), chance.choice(KINDS)) for _ in range(20)]
        taps += len(sent)
        unanswered += len(ships.settled(sent, 60))
        odd = b"C1934 | 12:0\xff | x\n" if chance.random() < SHARE else b""
        log.write_bytes(whole + chance.choice(whole.splitlines()[-9:]) + b"\n" + odd)
        time.sleep(1.0)
    log.write_bytes(whole)
    return taps, faults, unanswered


def main() -> None:
    seconds = min(300, int(sys.argv[1]) if len(sys.argv) > 1 else 300)
    kind = sys.argv[2] if len(sys.argv) > 2 else "threads"
    chance = random.Random(3)
    with tempfile.TemporaryDirectory() as folder, fleet(Path(folder), kind) as ships:
        unanswered, memory = 0, []
        for part in range(5):
            taps, faults, missed = minute(ships, chance, time.monotonic() + seconds / 5)
            unanswered += missed
            memory.append(ships.web.memory() + (ships.worker.memory() if ships.worker else 0))
            print(
                f"part {part + 1}: {taps} taps, {faults} faults ({faults / taps:.1%}), {missed} unanswered, "
                f"{memory[-1]:.0f} MiB",
                flush=True,
            )
        stuck = len(ships.state.items("event:", "done"))
        print(
            f"stuck {stuck}, tracebacks {ships.lines().count('Traceback')}, failed {ships.lines().count(' failed')}"
        )
        if unanswered or stuck or memory[-1] > 1.15 * memory[1]:
            raise SystemExit("something leaks or is stuck")


if __name__ == "__main__":
    main()
