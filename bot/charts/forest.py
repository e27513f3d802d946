"""Interval plot: a row for each value with its uncertainty, the figures beside it, the best at the top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, isfinite

from bot.charts.canvas import glyphs
from bot.charts.canvas.paper import Paper
from bot.charts.canvas.scale import Scale, number, ticks_about
from bot.charts.canvas.style import (
    ASKER_ROW,
    AXIS,
    BASELINE,
    BASELINE_COLOUR,
    FAINT,
    GRID,
    GRID_COLOUR,
    INK,
    LABEL,
    LOOKED_FOR,
    MUTED,
    SMALL,
    WHITE,
    ink,
    pale,
)
from bot.charts.canvas.unique_names import told_apart
from bot.charts.canvas.wrap import paragraph, wrap
from bot.charts.parts.axes import Frame
from bot.charts.parts.header import BELOW, EDGE, draw_empty, draw_header
from bot.charts.parts.names import column
from bot.texts import SIGN, SIGN_MEANS

LIKELY = 5  # pixels: the line at an interval's centre
NO_ROWS = "まだ比べる対局がありません"


@dataclass(frozen=True)
class Interval:
    """A value and the ends of its interval.

    `words` replaces the default text "1650 ± 40", with `spread`, the interval in words, in a line below. `asker` highlights
    the row. Values of different groups can't be compared. `likely` is the interval's centre where the value is not.
    """

    name: str
    value: float
    low: float
    high: float
    colour: str = INK
    provisional: bool = False
    asker: bool = False
    words: str = ""
    spread: str = ""
    group: int = 1
    likely: float | None = None


@dataclass(frozen=True)
class ForestChart:
    """`baseline` is the value to compare with; `left` and `right` label its two sides; `lowest_first`: lowest at the top."""

    title: str
    subtitle: str
    rows: Sequence[Interval]
    baseline: float | None = 1500
    decimals: int = 0
    left: str = ""
    right: str = ""
    note: str = ""
    lowest_first: bool = False


def draw(chart: ForestChart) -> bytes:
    """A PNG, 1200 pixels wide, as high as its rows need. Values that are not finite get no row."""
    names = told_apart(row.name for row in chart.rows)
    if any(row.provisional for row in chart.rows):
        chart = replace(chart, note=chart.note + f"{SIGN_MEANS}。")
    rows = [replace(row, name=names[row.name]) for row in chart.rows if isfinite(row.value)]
    rows.sort(key=lambda row: (row.group, row.value if chart.lowest_first else -row.value))
    roomy, narrow = (96, 92) if any(row.spread for row in rows) else (84, 64)
    pitch = roomy if len(rows) <= 12 else narrow
    sides = 60 if chart.left or chart.right else 0
    noted = len(wrap(chart.note, AXIS, 1200 - 2 * EDGE, 3)) * 46 + (56 if chart.note else 0)
    paper = Paper(1200, max(640, BELOW + 110 + pitch * len(rows) + sides + noted))
    draw_header(paper, chart.title, chart.subtitle)
    if not rows:
        draw_empty(paper, NO_ROWS)
        return paper.png()
    bottom = BELOW + 30 + sides + pitch * len(rows)
    values = max(max(glyphs.width(_words(chart, row), LABEL), glyphs.width(row.spread, AXIS)) for row in rows)
    names_end = EDGE + column((row.name for row in rows), glyphs.width(SIGN, SMALL))
    frame = Frame(names_end + 20, BELOW + 30 + sides, paper.width - EDGE - values - 24, bottom)
    _shade(paper, rows, frame, pitch)
    _part_groups(paper, rows, frame, pitch)
    across = _axis(paper, chart, rows, frame)
    for place, row in enumerate(rows):
        _row(paper, chart, row, frame, across=across, y=frame.top + pitch * (place + 0.5))
    paragraph(
        paper, EDGE, bottom + 108, chart.note, size=AXIS, colour=MUTED, room=paper.width - 2 * EDGE, most=3
    )
    return paper.png()


def _shade(paper: Paper, rows: Sequence[Interval], frame: Frame, pitch: int) -> None:
    for place, row in enumerate(rows):
        if row.asker:
            paper.box(0, frame.top + pitch * place, paper.width, frame.top + pitch * (place + 1), ASKER_ROW)


def _part_groups(paper: Paper, rows: Sequence[Interval], frame: Frame, pitch: int) -> None:
    """Draw a line from edge to edge between the rows of two groups."""
    for place in range(1, len(rows)):
        if rows[place].group != rows[place - 1].group:
            paper.across(frame.top + pitch * place, EDGE, paper.width - EDGE, BASELINE, BASELINE_COLOUR)


def _axis(paper: Paper, chart: ForestChart, rows: Sequence[Interval], frame: Frame) -> Scale:
    edges = [edge for row in rows for edge in (row.low, row.value, row.high) if isfinite(edge)]
    if chart.baseline is not None:
        edges.append(chart.baseline)
    low, high = min(edges), max(edges)
    air = (high - low) * 0.05 or 10.0**-chart.decimals
    across = Scale(low - air, high + air, frame.left, frame.right)
    centre = chart.baseline or 0.0
    marks = ticks_about(centre, low - air, high + air, max(2, int((frame.right - frame.left) / 150)))
    for mark, word in zip(marks, _labels(marks, centre, across), strict=True):
        main = mark == chart.baseline
        if not main:
            paper.down(across(mark), frame.top, frame.bottom, GRID, GRID_COLOUR)
        shade = INK if main else MUTED
        paper.text(across(mark), frame.bottom + 36, word, AXIS, colour=shade, anchor="middle")
    if chart.baseline is not None:
        x = across(chart.baseline)
        paper.down(x, frame.top, frame.bottom, BASELINE, BASELINE_COLOUR)
        paper.text(x - 18, frame.top - 34, chart.left, SMALL, colour=MUTED, anchor="right", room=x - EDGE)
        paper.text(x + 18, frame.top - 34, chart.right, SMALL, MUTED, room=paper.width - EDGE - x)
    return across


def _labels(marks: Sequence[float], centre: float, across: Scale) -> list[str]:
    """The ticks' words: all where they fit, else every second, third ... counted from `centre`; "" for the others."""
    words = _tick_words(marks)
    needed = max(glyphs.width(word, AXIS) for word in words) + 24
    apart = (across(marks[-1]) - across(marks[0])) / (len(marks) - 1)
    middle = min(range(len(marks)), key=lambda place: abs(marks[place] - centre))
    step = max(1, ceil(needed / apart))
    return [word if (place - middle) % step == 0 else "" for place, word in enumerate(words)]


def _tick_words(marks: Sequence[float]) -> list[str]:
    """The tick values as text, with as many decimals as they need."""
    close = (marks[1] - marks[0]) / 100
    decimals = next((n for n in range(8) if all(abs(round(mark, n) - mark) < close for mark in marks)), 8)
    return [number(mark, decimals) if mark else "0" for mark in marks]


def _row(paper: Paper, chart: ForestChart, row: Interval, frame: Frame, across: Scale, y: float) -> None:
    shade = pale(row.colour) if row.provisional else row.colour
    colour = ink(row.colour, row.provisional)
    sign = SIGN * row.provisional
    room = frame.left - EDGE - 30 - glyphs.width(sign, SMALL)
    taken = paper.text(EDGE, y, row.name, LABEL, colour, bold=row.asker, room=room, least=LOOKED_FOR)
    paper.text(EDGE + taken, y, sign, SMALL, colour)
    low, high = across(max(row.low, across.low)), across(min(row.high, across.high))
    paper.pill(low, y - 6, high, y + 6, radius=6, colour=pale(shade))
    if row.likely is not None:
        paper.down(across(row.likely), y - 16, y + 16, LIKELY, shade)
    radius = 15 if row.asker else 13
    if row.provisional:
        paper.dot(across(row.value), y, radius - 2, WHITE, edge=shade, thick=5)
    else:
        paper.dot(across(row.value), y, radius, shade, edge=WHITE, thick=3)
    words, right = FAINT if row.provisional else INK, paper.width - EDGE
    upper = y - 22 if row.spread else y
    paper.text(right, upper, _words(chart, row), LABEL, colour=words, anchor="right", bold=row.asker)
    paper.text(right, y + 22, row.spread, AXIS, colour=FAINT, anchor="right")


def _words(chart: ForestChart, row: Interval) -> str:
    half = (row.high - row.low) / 2
    value = number(row.value, chart.decimals)
    return row.words or (f"{value} ± {number(half, chart.decimals)}" if isfinite(half) else value)
