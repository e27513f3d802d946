"""Print tables at the terminal, aligned also with Japanese letters, which are two columns wide.

Which letters are wide: https://www.unicode.org/reports/tr11/.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import click


def width(text: str) -> int:
    """Return how many columns a text takes at a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def pad(text: str, columns: int, right: bool = False) -> str:
    space = " " * max(0, columns - width(text))
    return space + text if right else text + space


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: set[int] | None = None) -> None:
    """Print heads and rows. Columns whose number is in `right` are aligned to the right; empty columns are
    left out."""
    kept = [i for i in range(len(heads)) if any(row[i] for row in rows) or not rows]
    widths = {i: max([width(heads[i]), *(width(row[i]) for row in rows)]) for i in kept}
    for row in (heads, *rows):
        click.echo("  ".join(pad(row[i], widths[i], i in (right or set())) for i in kept).rstrip())
