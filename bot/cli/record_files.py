"""Where game records come from: files, folders, addresses, and standard input."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bot.cli.errors import Failure
from bot.runtime.translation import translated as _
from rating.paifu import formats

Fetch = Callable[[str], bytes]
Load = Callable[[], bytes]
MOST = 10_000  # records of one call
LONGEST_LINE = 2000  # characters of a line of standard input


class RecordSource(NamedTuple):
    """A record's file or address, and the reader of its bytes."""

    name: str
    load: Load


def record_sources(sources: tuple[str, ...], fetch: Fetch | None) -> Iterator[RecordSource]:
    for source in sources:
        path = Path(source)
        if source.startswith(("http://", "https://")):
            if fetch is None:
                raise Failure(_("{source}: addresses can't be fetched here", source=source))
            yield RecordSource(source, partial(fetch, source))
        elif path.is_dir():
            files = [file for file in path.rglob("*") if file.is_file()]
            for file in sorted(filter(_may_be_record, files)):
                yield RecordSource(str(file), partial(_bytes, file))
        elif path.is_file():
            yield RecordSource(source, partial(_bytes, path))
        else:
            raise Failure(_("{source}: no such file or folder", source=source))


def _may_be_record(path: Path) -> bool:
    """Judge a file of a folder that may have others too by its name or its first bytes."""
    if formats.may_be_record_name(path.name):
        return True
    with path.open("rb") as file:
        return formats.may_be_record(file.read(formats.HEAD_BYTES))


def _bytes(path: Path) -> bytes:
    """Read the file, at most one byte more than `formats.parse` accepts."""
    with path.open("rb") as file:
        return file.read(formats.MOST_BYTES + 1)


def lines_of_input() -> Iterator[str]:
    """Yield the lines of standard input that are not empty, as many as one call takes and some
    more.
    """
    for line in islice(sys.stdin, 2 * MOST + 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()[:LONGEST_LINE]
