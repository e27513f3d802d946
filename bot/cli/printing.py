"""How all commands print: a report as JSON for programs or as lines for people, tables, files that
were written, and progress."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from bot.cli.errors import Failure
from bot.runtime.translation import translated as _


def print_json(value: Any, indent: int | None = None) -> None:
    """Print the value as JSON.

    Raises Failure for NaN and Infinity (RFC 8259, section 6, has none).
    """
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    except ValueError:
        raise Failure(
            _(
                "a figure is no number (NaN or Infinity): is an option or a score far too large or small?"
            )
        ) from None
    click.echo(text)


def print_report(
    as_json: bool,
    report: Any,
    lines: Iterable[str],
    indent: int | None = None,
) -> None:
    """Print a report for programs, or its lines for people."""
    if as_json:
        print_json(report, indent)
    else:
        click.echo("".join(f"{line}\n" for line in lines), nl=False)


def write_picture(path: str, picture: bytes) -> str:
    """Write a PNG file, and return the line that reports it."""
    Path(path).write_bytes(picture)
    return f"{path}: {len(picture):,} bytes"


def table_text(
    heads: Sequence[str], rows: Sequence[Sequence[str]], left_aligned: Collection[int] = (0,)
) -> str:
    """Return heads and rows as lines, aligned also with Japanese letters, which are two columns
    wide (https://www.unicode.org/reports/tr11/). The columns `left_aligned` are aligned to the left, the
    others to the right. Columns without cells, and heads without a letter, are left out.
    """
    columns: Sequence[int] = range(len(heads))
    if rows:
        columns = [column for column in columns if any(row[column] for row in rows)]
    printed_rows = [heads, *rows] if any(heads) else rows
    lines: list[list[str]] = [[] for _row in printed_rows]
    for column in columns:
        cells = [row[column] for row in printed_rows]
        width = max(map(_width, cells))
        for line, cell in zip(lines, cells, strict=True):
            space = " " * (width - _width(cell))
            line.append(cell + space if column in left_aligned else space + cell)
    return "\n".join("  ".join(line).rstrip() for line in lines)


def _width(text: str) -> int:
    """Return the columns that a text takes at the terminal."""
    width = 0
    for character in text:
        if unicodedata.combining(character):
            continue
        width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return width


@contextmanager
def progress_bar(
    label: str, as_json: bool = False, length: int = 1
) -> Iterator[Callable[[int, int], None]]:
    """Yield `progress(done, total)`: it moves a bar at a terminal, and shows nothing for
    programs.
    """
    hidden = as_json or not sys.stderr.isatty()
    with click.progressbar(length=length, label=label, hidden=hidden, file=sys.stderr) as bar:

        def progress(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield progress
