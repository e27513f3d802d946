"""Results as rows: place, name, points, and how the rating moved; many of them stand side by side, in two lines each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from bot.charts.canvas import glyphs
from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import FAINT, GRID_COLOUR, INK, LABEL, LOOKED_FOR, MUTED, SMALL, readable
from bot.charts.parts.header import EDGE

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
    """A member's result in words. `counted` is the placings or the games, `change` the rating's ▲▼, `rank` the place by rating."""

    place: str
    name: str
    colour: str
    points: str
    counted: str = ""
    rating: str = ""
    change: str = ""
    rank: str = ""


def height(rows: Sequence[MemberScore]) -> int:
    """The height of the rows in pixels."""
    if len(rows) > ONE_COLUMN:
        return _TWO_LINES * ceil(len(rows) / 2)
    return _HEAD + _PITCH * len(rows) if rows else 0


def draw_rows(paper: Paper, rows: Sequence[MemberScore], top: float, heads: Sequence[str] = HEADS) -> float:
    """Draw the rows, their names as they are to be seen; return the first free y below. `heads` are for one column alone."""
    if len(rows) > ONE_COLUMN:
        _draw_halves(paper, rows, top)
    elif rows:
        _draw_column(paper, rows, top, heads)
    return top + height(rows)


def _draw_column(paper: Paper, rows: Sequence[MemberScore], top: float, heads: Sequence[str]) -> None:
    cells = list(zip(*map(_cells, rows), strict=True))
    heads = [head if any(column) else "" for head, column in zip(heads, cells, strict=True)]
    columns = _columns(paper.width - EDGE, cells, heads)
    for right, head in zip(columns, heads, strict=False):
        paper.text(right, top + _HEAD / 2, head, SMALL, MUTED, anchor="right")
    for number, row in enumerate(rows):
        upper = top + _HEAD + _PITCH * number
        if number:
            paper.across(upper, EDGE, paper.width - EDGE, 2, GRID_COLOUR)
        _whole(paper, row, columns, upper + _PITCH / 2)


def _draw_halves(paper: Paper, rows: Sequence[MemberScore], top: float) -> None:
    lines, wide = ceil(len(rows) / 2), (paper.width - 2 * EDGE - _GAP) / 2
    points = max(glyphs.width(glyphs.drawable(row.points), LOOKED_FOR) for row in rows) + _BOLD
    for line in range(1, lines):
        paper.across(top + _TWO_LINES * line, EDGE, paper.width - EDGE, 2, GRID_COLOUR)
    for number, row in enumerate(rows):
        left, y = EDGE + (wide + _GAP) * (number // lines), top + _TWO_LINES * (number % lines) + 38
        _name(paper, row, left - 14, y, room=wide + 14 - _NAME - points - _BETWEEN)
        paper.text(left + wide, y, row.points, LOOKED_FOR, _shade(row.points), anchor="right", bold=True)
        x = left - 14 + _NAME
        x += paper.text(x, y + 46, row.rating, SMALL, MUTED) + 16
        paper.text(x, y + 46, row.change, SMALL, _shade(row.change), bold=True)
        paper.text(left + wide, y + 46, row.counted, SMALL, MUTED, anchor="right")


def _cells(row: MemberScore) -> tuple[str, ...]:
    return row.counted, row.points, row.rating, row.change, row.rank


def _columns(right: float, columns: Sequence[Sequence[str]], heads: Sequence[str]) -> list[float]:
    """The right edges of the columns, each as wide as its widest text, and the edge of what is left; an empty one takes no room."""
    found: list[float] = []
    for size, cells, head in reversed(list(zip(_SIZES, columns, heads, strict=True))):
        found.append(right)
        widths = [glyphs.width(glyphs.drawable(words), size) for words in cells]
        wide = max(*widths, glyphs.width(head, SMALL))
        right -= wide + _BOLD + _BETWEEN if wide else 0
    return [*found[::-1], right]


def _whole(paper: Paper, row: MemberScore, columns: Sequence[float], y: float) -> None:
    _name(paper, row, EDGE, y, room=columns[-1] - EDGE - _NAME)
    *cells, rank = _cells(row)
    looks = (MUTED, False), (_shade(row.points), True), (INK, False), (_shade(row.change), True)
    for right, words, size, (ink, bold) in zip(columns, cells, _SIZES, looks, strict=False):
        paper.text(right, y, words, size, ink, anchor="right", bold=bold)
    place, arrow = _ARROW.match(rank).groups()  # type: ignore[union-attr]
    right = columns[len(cells)]
    right -= paper.text(right, y, arrow, SMALL, _shade(arrow), anchor="right")
    paper.text(right, y, place, SMALL, INK, anchor="right")


def _name(paper: Paper, row: MemberScore, left: float, y: float, room: float) -> None:
    paper.text(left + _PLACE, y, row.place, SMALL + 4, FAINT, anchor="right")
    paper.pill(left + 64, y - 26, left + 76, y + 26, radius=6, colour=row.colour)
    paper.text(left + _NAME, y, row.name, LABEL, readable(row.colour), bold=True, room=room, least=LOOKED_FOR)


def _shade(words: str) -> str:
    """Red below zero and for ▼, green for ▲."""
    return {"−": RED, "▼": RED, "▲": GREEN}.get(words[:1], INK)
