"""Results as rows: place, name, points, and how the rating moved; many of them stand side by side, in two
lines each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil

from bot.draw import glyphs
from bot.draw.layout import Area, Section
from bot.draw.style import FAINT, INK, LABEL, LOOKED_FOR, MUTED, SMALL, readable

ONE_COLUMN = 12  # rows, above which there are two columns
HEADS = ("着順", "点数", "レート", "", "順位")
GREEN, RED = "#06704A", "#B3261E"
_PITCH, _TWO_LINES, _HEAD, _GAP = 78, 116, 60, 36
_PLACE, _NAME = 50, 92  # pixels from the left edge of a row to the end of its place, and to its name
_SIZES = (SMALL, LABEL, SMALL + 4, SMALL, SMALL)  # of the columns right of the name
_BETWEEN, _BOLD = 22, 4  # pixels between two columns, and by which bold text is wider
_ARROW = re.compile(r"([^▲▼]*)(.*)")  # a place, and how it moved


@dataclass(frozen=True)
class MemberScore:
    """A member's result in words. `counted` is the placings or the games, `change` the rating's ▲▼, `rank`
    the place by rating."""

    place: str
    name: str
    colour: str
    points: str
    counted: str = ""
    rating: str = ""
    change: str = ""
    rank: str = ""


def sections_of(rows: Sequence[MemberScore], heads: Sequence[str] = HEADS) -> list[Section]:
    """The rows, their names as they are to be seen. `heads` are for one column alone."""
    if len(rows) > ONE_COLUMN:
        return _halves(rows)
    return _column(rows, heads) if rows else []


def _column(rows: Sequence[MemberScore], heads: Sequence[str]) -> list[Section]:
    """Each column is as wide as its widest text; an empty one takes no room."""
    cells = list(zip(*map(_cells, rows), strict=True))
    heads = [head if any(column) else "" for head, column in zip(heads, cells, strict=True)]
    widths = [0.0]
    for size, column, title in zip(_SIZES, cells, heads, strict=True):
        wide = max(
            glyphs.width(title, SMALL), *(glyphs.width(glyphs.drawable(words), size) for words in column)
        )
        widths.append(wide + _BOLD + _BETWEEN if wide else 1e-9)

    def head(area: Area) -> None:
        for cell, words in zip(area.columns(*widths)[1:], heads, strict=True):
            cell.text(words, SMALL, MUTED, "right")

    return [
        Section(_HEAD, head),
        *(Section(_PITCH, partial(_whole, row, widths, row is rows[-1])) for row in rows),
    ]


def _whole(row: MemberScore, widths: Sequence[float], last: bool, area: Area) -> None:
    name, *columns, ranked = area.columns(*widths)
    _name(row, name)
    *cells, rank = _cells(row)
    looks = (MUTED, False), (_shade(row.points), True), (INK, False), (_shade(row.change), True)
    for cell, words, size, (ink, bold) in zip(columns, cells, _SIZES, looks, strict=False):
        cell.text(words, size, ink, "right", bold=bold)
    place, arrow = _ARROW.match(rank).groups()  # type: ignore[union-attr]
    taken = ranked.text(arrow, SMALL, _shade(arrow), "right")
    ranked.inset(right=taken).text(place, SMALL, INK, "right")
    if not last:
        area.underline()


def _halves(rows: Sequence[MemberScore]) -> list[Section]:
    lines = ceil(len(rows) / 2)
    points = max(glyphs.width(glyphs.drawable(row.points), LOOKED_FOR) for row in rows) + _BOLD + _BETWEEN

    def draw(line: int, area: Area) -> None:
        for row, half in zip(rows[line::lines], area.columns(0, 0, gap=36), strict=False):
            upper, lower = half.inset(bottom=40), half.inset(top=46 - 38 + 30, bottom=-6)
            _name(row, upper.inset(-14, right=points))
            upper.text(row.points, LOOKED_FOR, _shade(row.points), "right", bold=True)
            lower = lower.inset(_NAME - 14)
            taken = lower.text(row.rating, SMALL, MUTED) + 16
            lower.inset(taken).text(row.change, SMALL, _shade(row.change), bold=True)
            lower.text(row.counted, SMALL, MUTED, "right")
        if line < lines - 1:
            area.underline()

    return [Section(_TWO_LINES, partial(draw, line)) for line in range(lines)]


def _cells(row: MemberScore) -> tuple[str, ...]:
    return row.counted, row.points, row.rating, row.change, row.rank


def _name(row: MemberScore, area: Area) -> None:
    place, _, bar, _, name = area.columns(_PLACE, 14, 12, 16, 0)
    place.text(row.place, SMALL + 4, FAINT, "right")
    area.paper.pill(bar.left, bar.y - 26, bar.right, bar.y + 26, radius=6, colour=row.colour)
    name.text(row.name, LABEL, readable(row.colour), bold=True)


def _shade(words: str) -> str:
    """Red below zero and for ▼, green for ▲."""
    return {"−": RED, "▼": RED, "▲": GREEN}.get(words[:1], INK)
