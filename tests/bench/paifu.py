"""Measure how many paifu are parsed a second, beside a bare XML parse of the same files.

python -m tests.bench.paifu

Real paifu are used where they lie beside the repository, made-up ones elsewhere.
"""

from __future__ import annotations

import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from xml.parsers import expat

from rating.paifu.mjlog import parse
from rating.paifu.statistics import of_record
from tests.rating.paifu.records import MJLOGS, made

ROUNDS = 7


def records() -> list[bytes]:
    if MJLOGS:
        return [path.read_bytes() for path in MJLOGS]
    return [made(seed, 3 + seed % 2).xml() for seed in range(20)]


def seconds(work: Callable[[bytes], object], files: list[bytes]) -> float:
    """The CPU seconds for all files in the fastest round. CPU time, because other programs share the machine."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for data in files:
            work(data)
        best = min(best, time.process_time() - start)
    return best


def bare(data: bytes) -> None:
    expat.ParserCreate().Parse(data, True)


def main() -> None:
    files = records()
    size = sum(map(len, files)) / len(files)
    tree = seconds(ElementTree.fromstring, files)
    tokens = seconds(bare, files)
    full = seconds(parse, files)
    parsed = [parse(data) for data in files]
    start = time.process_time()
    for record in parsed:
        of_record(record)
    counted = time.process_time() - start
    print(f"{len(files)} records of {size / 1024:.0f} KB")
    print(f"parsed with the full table  {len(files) / full:8.0f} records/s")
    print(
        f"bare XML parse (a tree)     {len(files) / tree:8.0f} records/s: the full table takes {full / tree:.1f} times as long"
    )
    print(f"bare XML parse (tokens)     {len(files) / tokens:8.0f} records/s: {full / tokens:.1f} times")
    print(f"statistics on top           {len(files) / counted:8.0f} records/s")


if __name__ == "__main__":
    main()
