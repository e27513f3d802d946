"""Results as rows: place, name, points, and how the rating moved; many of them stand in two columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import FAINT, GRID_COLOUR, INK, LABEL, LOOKED_FOR, MUTED, SMALL, readable
from bot.charts.parts.header import EDGE

ONE_COLUMN = 10  # rows, above which there are two columns
HEADS = ("着順", "点数", "レート", "", "順位")
GREEN, RED = "#06704A", "#B3261E"
_PITCH, _HEAD, _GAP = 78, 60, 28
_PLACE, _NAME = 50, 92  # pixels from the left edge of a row to the end of its place, and to its name
_ROOM = (120, 158, 112, 92, 122)  # pixels of the columns right of the name, without what lies between them
_BETWEEN = 14
_HALF_ROOM = (134, 82)  # of the two columns where rows stand side by side


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
    return _head(rows) + _PITCH * _lines(rows) if rows else 0


def _head(rows: Sequence[MemberScore]) -> int:
    return _HEAD if len(rows) <= ONE_COLUMN else 0


def _lines(rows: Sequence[MemberScore]) -> int:
    return len(rows) if len(rows) <= ONE_COLUMN else ceil(len(rows) / 2)


def draw_rows(paper: Paper, rows: Sequence[MemberScore], top: float, heads: Sequence[str] = HEADS) -> float:
    """Draw the rows, their names as they are to be seen; return the first free y below. `heads` are for one column alone."""
    if not rows:
        return top
    lines, below = _lines(rows), top + _head(rows)
    columns = _columns(paper.width - EDGE, rows)
    for right, head in zip(columns, heads, strict=True):
        if right and len(rows) <= ONE_COLUMN:
            paper.text(right, top + _HEAD / 2, head, SMALL, MUTED, anchor="right")
    for number, row in enumerate(rows):
        y = below + _PITCH * (number % lines + 0.5)
        if len(rows) <= ONE_COLUMN:
            _whole(paper, row, columns, y)
        else:
            wide = (paper.width - 2 * EDGE - _GAP) / 2
            _half(paper, row, EDGE + (wide + _GAP) * (number // lines), wide, y)
    for line in range(1, lines):
        paper.across(below + _PITCH * line, EDGE, paper.width - EDGE, 2, GRID_COLOUR)
    return top + height(rows)


def _cells(row: MemberScore) -> tuple[str, ...]:
    return row.counted, row.points, row.rating, row.change, row.rank


def _columns(right: float, rows: Sequence[MemberScore]) -> list[float]:
    """The right edge of each column, 0 for one that is empty in all rows: the others then move to the right."""
    found: list[float] = []
    for room, cells in reversed(list(zip(_ROOM, zip(*map(_cells, rows), strict=True), strict=True))):
        found.append(right if any(cells) else 0)
        right -= room + _BETWEEN if any(cells) else 0
    return found[::-1]


def _whole(paper: Paper, row: MemberScore, columns: Sequence[float], y: float) -> None:
    _name(paper, row, EDGE, y, room=352)
    looks = (
        (SMALL, MUTED, False),
        (LABEL, _shade(row.points), True),
        (SMALL + 4, INK, False),
        (SMALL, _shade(row.change), True),
        (SMALL, INK, False),
    )
    for right, room, words, (size, ink, bold) in zip(columns, _ROOM, _cells(row), looks, strict=True):
        paper.text(right, y, words, size, ink, anchor="right", bold=bold, room=room, least=SMALL)


def _half(paper: Paper, row: MemberScore, left: float, wide: float, y: float) -> None:
    right = left + wide
    points, change = _HALF_ROOM
    _name(paper, row, left - 14, y, room=wide - _NAME - points - change)
    looks = ((row.points, LOOKED_FOR, right - change - 6, points), (row.change, SMALL, right, change))
    for words, size, end, room in looks:
        paper.text(end, y, words, size, _shade(words), anchor="right", bold=True, room=room, least=SMALL)


def _name(paper: Paper, row: MemberScore, left: float, y: float, room: float) -> None:
    paper.text(left + _PLACE, y, row.place, SMALL + 4, FAINT, anchor="right")
    paper.pill(left + 64, y - 26, left + 76, y + 26, radius=6, colour=row.colour)
    paper.text(left + _NAME, y, row.name, LABEL, readable(row.colour), bold=True, room=room, least=LOOKED_FOR)


def _shade(words: str) -> str:
    """Red below zero and for ▼, green for ▲."""
    return {"−": RED, "▼": RED, "▲": GREEN}.get(words[:1], INK)
