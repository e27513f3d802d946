"""Feeds the paifu reader changed and made-up bytes for a long time, to find crashes, hangs and growing
memory.

python -m tests.fuzz.paifu [--seconds 600] [--inputs 1000000] [--seed 1]

It ends after `--seconds` or `--inputs`, whichever comes first. An input that makes the reader fail is written
to ./fuzz-paifu-SEED.bin, and the traceback is shown.
"""

import argparse
import gzip
import random
import resource
import time
from collections.abc import Callable
from pathlib import Path

from tests.rating.paifu.records import checked, made
from tests.real import RECORDS

SLOWEST = 5.0  # seconds an input may take
PIECES = [b'"', b"<", b"/>", b">", b"-1", b"0", b",", b"<INIT ", b"<N who=\"0\" m=\"4\"/>", b"<T0/>", b"<D0/>", b"<AGARI ",
          b"</mjloggm>", b"<!DOCTYPE a>", b"&#0;", b"&amp;", b"\x00", b"\xff\xfe", b"9" * 40, b"<![CDATA[", b"<!--", b"<?a?>"]  # fmt: skip


def corpus() -> list[bytes]:
    """Made-up paifus, short ones first, and every sixth of the real ones."""
    games = [made(seed, seats).xml() for seed in range(3) for seats in (3, 4)]
    short = [xml[: xml.index(b"<INIT", xml.index(b"<INIT") + 5)] + b"</mjloggm>" for xml in games]
    return (
        [xml for xml in short for _ in range(8)]
        + games
        + [gzip.decompress(path.read_bytes()) for path in RECORDS[::6]]
    )


def flip(source: random.Random, data: bytearray) -> None:
    data[source.randrange(len(data))] = source.randrange(256)


def insert(source: random.Random, data: bytearray) -> None:
    place = source.randrange(len(data))
    data[place:place] = source.choice(PIECES)


def drop(source: random.Random, data: bytearray) -> None:
    place = source.randrange(len(data))
    del data[place : place + source.choice((1, 3, 20, 400))]


def repeat(source: random.Random, data: bytearray) -> None:
    place = source.randrange(len(data))
    piece = bytes(data[place : place + source.choice((5, 60, 500))])
    data[place:place] = piece * source.choice((1, 2, 30))


def digit(source: random.Random, data: bytearray) -> None:
    places = [place for place in range(source.randrange(len(data)), len(data)) if 48 <= data[place] < 58][:1]
    for place in places:
        data[place] = 48 + source.randrange(10)


CHANGES: tuple[Callable[[random.Random, bytearray], None], ...] = (
    flip,
    insert,
    drop,
    repeat,
    digit,
    digit,
    digit,
)


def changed(source: random.Random, seeds: list[bytes]) -> bytes:
    if source.random() < 0.05:
        return source.randbytes(source.randrange(400))
    data = bytearray(source.choice(seeds))
    for _ in range(source.choice((1, 1, 1, 2, 4, 12))):
        if data:
            source.choice(CHANGES)(source, data)
    if source.random() < 0.1:
        data = bytearray(gzip.compress(bytes(data), 1))
        if source.random() < 0.5:
            flip(source, data)
    return bytes(data)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--inputs", type=int, default=1_000_000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    source, seeds = random.Random(given.seed), corpus()
    begin = time.monotonic()
    done = records = 0
    slowest = 0.0
    while done < given.inputs and time.monotonic() - begin < given.seconds:
        data = changed(source, seeds)
        start = time.monotonic()
        try:
            records += checked(data)
        except BaseException:
            Path(f"fuzz-paifu-{given.seed}.bin").write_bytes(data)
            raise
        slowest = max(slowest, time.monotonic() - start)
        assert slowest < SLOWEST, f"an input took {slowest:.1f} s"
        done += 1
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{done} inputs in {time.monotonic() - begin:.0f} s: {records} were still records, slowest {slowest * 1000:.0f} ms,"
    )
    print(f"most memory {memory:.0f} MiB; no crash, no hang")


if __name__ == "__main__":
    main()
