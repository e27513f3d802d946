"""Measure how many paifu are parsed a second, beside a bare XML parse of the same files.

python -m tests.tools.bench.paifu      (the records of tests/data)
"""

import xml.etree.ElementTree as ElementTree
from xml.parsers import expat

from rating.paifu.formats import parse
from rating.paifu.formats.packing import unpack
from rating.paifu.statistics import of_record
from tests.real import RECORDS
from tests.tools.bench.loadkit import fastest


def bare(data: bytes) -> None:
    expat.ParserCreate().Parse(data, True)


def main() -> None:
    files = [unpack(path.read_bytes()).data for path in RECORDS]
    size = sum(map(len, files)) / len(files)
    parsed = [parse(data) for data in files]
    tree = fastest(lambda: [ElementTree.fromstring(data) for data in files])
    tokens = fastest(lambda: [bare(data) for data in files])
    full = fastest(lambda: [parse(data) for data in files])
    counted = fastest(lambda: [of_record(record) for record in parsed])
    print(f"{len(files)} records of {size / 1024:.0f} KB")
    print(f"parsed with the full table  {len(files) / full:8.0f} records/s")
    words = f"the full table takes {full / tree:.1f} times as long"
    print(f"bare XML parse (a tree)     {len(files) / tree:8.0f} records/s: {words}")
    print(
        f"bare XML parse (tokens)     {len(files) / tokens:8.0f} records/s: {full / tokens:.1f} times"
    )
    print(f"statistics on top           {len(files) / counted:8.0f} records/s")


if __name__ == "__main__":
    main()
