"""Heat map of everyone against everyone (相性 and matchups): blue above the even value, orange below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

from bot.draw import glyphs
from bot.draw.glyphs import told_apart
from bot.draw.layout import BELOW, EDGE, draw_header, name_column, titled
from bot.draw.paper import Paper
from bot.draw.scale import number
from bot.draw.style import (
    DOWN,
    INK,
    LABEL,
    LOOKED_FOR,
    MUTED,
    PANEL,
    SMALL,
    SMALLEST,
    UP,
    WHITE,
    blend,
    on,
    readable,
)

# Players up to which a plus is written; with more there is no room, and the colour shows the sign.
_SIGNED = 12
_NOBODY = "#DDDDDD"
_NOTED = 88  # least side of a cell with a second line
_PALE = 0.7  # the part of white in a cell of few games
_UPRIGHT_LETTERS, _STEP = 8, 46  # of a name above a column: most letters, and pixels for each
NO_PAIRS = "まだ同卓した2人がいません"
_UPRIGHT = str.maketrans(dict(zip("ー－-−|（）()「」…", "｜｜｜｜―︵︶︵︶﹁﹂︙", strict=True)))
"""Signs that lie down when their word stands upright."""


@dataclass(frozen=True)
class MatrixChart:
    """`cells[row][column]` (n x n) is the row's player against the column's, None where there is no value.
    `centre` is the even value, `reach` the distance from it that gets the full colour (None: the largest
    distance). `notes` (n x n) are small second lines of the cells, such as the number of games. Cells of
    `few` games (n x n) are pale, whatever their value. `key` says what a number means."""

    title: str
    subtitle: str
    names: Sequence[str]
    cells: Sequence[Sequence[float | None]]
    centre: float = 0.0
    reach: float | None = None
    decimals: int = 0
    signed: bool = False
    notes: Sequence[Sequence[str]] = ()
    colours: Sequence[str] = ()
    key: str = ""
    few: Sequence[Sequence[bool]] = ()


def draw(chart: MatrixChart) -> bytes:
    """A PNG, 1200 pixels wide, for 2 to 20 players; with fewer an empty picture."""
    count = len(chart.names)
    if count < 2:
        return titled(chart.title, chart.subtitle, [], 800, (NO_PAIRS, ""))
    shown = told_apart(chart.names)
    chart = replace(chart, names=[shown[name] for name in chart.names])
    names, heads = name_column(chart.names), min(max(map(len, chart.names)), _UPRIGHT_LETTERS) * _STEP
    side = min(160, int((1200 - 2 * EDGE - names) / count))
    top = BELOW + (64 if chart.key else 16) + heads + 20
    grid = _Grid(
        1200 - EDGE - side * count, top, side, _figure_size(chart, side), chart.reach or _reach(chart)
    )
    paper = Paper(1200, top + side * count + EDGE)
    draw_header(paper, chart.title, chart.subtitle)
    paper.text(EDGE, BELOW + 24, chart.key, SMALL, MUTED, room=paper.width - 2 * EDGE)
    for row in range(count):
        _names(paper, chart, grid, row, heads)
        for column in range(count):
            _cell(paper, chart, grid, row, column)
    return paper.png()


@dataclass(frozen=True)
class _Grid:
    """The first cell's corner, a cell's side, the figures' size, and the distance of the full colour."""

    left: int
    top: int
    side: int
    size: int
    reach: float


def _names(paper: Paper, chart: MatrixChart, grid: _Grid, row: int, heads: int) -> None:
    """Write a player's name before the row, and vertically above the column."""
    name, middle = chart.names[row], grid.side * (row + 0.5)
    ink = readable(chart.colours[row]) if chart.colours else INK
    size, x = min(LABEL, int(grid.side * 0.8)), grid.left - 20
    least = min(LOOKED_FOR, size)
    paper.text(x, grid.top + middle, name, size, colour=ink, anchor="right", room=x - EDGE + 8, least=least)
    _upright(paper, grid.left + middle, grid.top - 20, name, ink=ink, heads=heads, size=size)


def _upright(paper: Paper, x: float, bottom: float, name: str, ink: str, heads: int, size: int) -> None:
    """Write the characters one below the other, the last one at `bottom`."""
    letters = name.translate(_UPRIGHT)
    most = max(1, heads // _STEP)
    if len(letters) > most:  # keep the last two letters, so that names with the same beginning stay different
        letters = letters[: max(0, most - 3)].rstrip("︙") + "︙" + letters[-2:]
    for place, letter in enumerate(reversed(letters)):
        paper.text(x, bottom - (place + 0.5) * _STEP, letter, size, colour=ink, anchor="middle")


def _reach(chart: MatrixChart) -> float:
    values = [abs(v - chart.centre) for row in chart.cells for v in row if v is not None and isfinite(v)]
    return max(values, default=1.0) or 1.0


def _figure_size(chart: MatrixChart, side: int) -> int:
    """The font size at which the widest figure fits its cell."""
    words = [_words(chart, value) for row in chart.cells for value in row]
    widest = max((glyphs.width(word, 40) for word in words), default=40) or 40
    return max(12, min(44, int(side * 0.5), int(40 * (side - (12 if side > 60 else 2)) / widest)))


def _cell(paper: Paper, chart: MatrixChart, grid: _Grid, row: int, column: int) -> None:
    side, left, top = grid.side, grid.left + grid.side * column, grid.top + grid.side * row
    middle = left + side / 2
    if row == column:
        paper.across(top + side / 2, middle - side * 0.08, middle + side * 0.08, 4, _NOBODY)
        return
    value = chart.cells[row][column]
    ground = PANEL if value is None or not isfinite(value) else _shade(value - chart.centre, grid.reach)
    if chart.few and chart.few[row][column]:
        ground = blend(ground, WHITE, _PALE)
    paper.box(left + 1, top + 1, left + side - 1, top + side - 1, ground)
    note = chart.notes[row][column] if chart.notes and side >= _NOTED else ""
    ink = on(ground)
    paper.text(
        middle,
        top + side * (0.36 if note else 0.5),
        _words(chart, value),
        grid.size,
        colour=ink,
        anchor="middle",
    )
    soft = blend(ink, ground, 0.25)
    paper.text(
        middle,
        top + side * 0.74,
        note,
        SMALLEST,
        colour=soft,
        anchor="middle",
        room=side - 4,
    )


def _shade(distance: float, reach: float) -> str:
    part = min(1.0, abs(distance) / reach)
    return blend(WHITE, UP if distance > 0 else DOWN, 0.06 + 0.84 * part if distance else 0.0)


def _words(chart: MatrixChart, value: float | None) -> str:
    if value is None or not isfinite(value):
        return ""
    return number(value, chart.decimals, chart.signed and len(chart.names) <= _SIGNED)
