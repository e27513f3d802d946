"""Measure what the log costs a tap: its fields, the times of its steps, and its line written to a
file, in processor time.

python -m tests.tools.bench.log_lines
"""

import logging
import tempfile

from bot.runtime import json_log
from bot.runtime.json_log import STEPS, timed
from tests.tools.bench.loadkit import fastest

TAPS = 2_000
SECRETS = tuple(f"a secret of the installation, number {number}" for number in range(10))
LIMIT = 0.1  # milliseconds
log = logging.getLogger("bot.bench")


def tap(number: int) -> None:
    ids = f"01H{number:023d}", f"C{number:032x}", SECRETS[0], f"U{number:032x}"
    with json_log.about(*ids, "rating") as work:
        json_log.note(league="spring")
        for step in STEPS:
            with timed(step):
                pass
        told = {"result": "answered", **work.summary(), "ms": 12.3}
        log.info("%s %s", "postback", "answered", extra={"fields": told})


def cost(formatter: logging.Formatter) -> float:
    """Milliseconds of processor time a tap."""
    with tempfile.TemporaryFile("w", encoding="utf-8") as file:
        handler = logging.StreamHandler(file)
        handler.setFormatter(formatter)
        log.addHandler(handler)
        try:
            return 1000 * fastest(lambda: [tap(number) for number in range(TAPS)]) / TAPS
        finally:
            log.removeHandler(handler)


def main() -> None:
    log.setLevel(logging.INFO)
    log.propagate = False
    for name, formatter in (
        ("json", json_log.JsonLines(SECRETS)),
        ("text", json_log.TextLines(SECRETS)),
    ):
        spent = cost(formatter)
        verdict = "ok" if spent < LIMIT else "TOO MUCH"
        print(f"log, {name}: {spent:.3f} ms of processor time a tap (limit {LIMIT}): {verdict}")


if __name__ == "__main__":
    main()
