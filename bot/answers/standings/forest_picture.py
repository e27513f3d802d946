"""Interval plot: a row for each value with its uncertainty, the figures beside it, the best at the
top.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import ceil, isfinite

from bot.draw import glyphs, style
from bot.draw.layout import (
    EDGE,
    Area,
    Scale,
    Section,
    Titled,
    name_column,
    number,
    prose,
    ticks_about,
    titled,
)
from bot.draw.names import distinct_names
from bot.texts import SIGN_MEANS

LIKELY = 5  # pixels: the line at an interval's centre


@dataclass(frozen=True)
class Interval:
    """A value and its interval. `words` replaces "1650 ± 40", with `spread`, the interval in words,
    in a line below. Values of different groups can't be compared. `likely`: the interval's centre
    where the value is not."""

    name: str
    value: float
    low: float
    high: float
    colour: str = style.INK
    provisional: bool = False
    asker: bool = False
    words: str = ""
    spread: str = ""
    group: int = 1
    likely: float | None = None


@dataclass(frozen=True)
class ForestChart(Titled):
    """`baseline` is the value to compare with; `left` and `right` label its two sides."""

    rows: Sequence[Interval]
    baseline: float | None = 1500
    decimals: int = 0
    left: str = ""
    right: str = ""
    note: str = ""
    lowest_first: bool = False


def draw(chart: ForestChart) -> bytes:
    """A PNG, 1200 pixels wide, as high as its rows need. Values that are not finite get no row."""
    names = distinct_names(row.name for row in chart.rows)
    finite = [row for row in chart.rows if isfinite(row.value)]
    rows = [replace(row, name=names[row.name]) for row in finite]
    sign = 1 if chart.lowest_first else -1
    rows.sort(key=lambda row: (row.group, sign * row.value))
    if not rows:
        return titled(chart.title, chart.subtitle, [], 640, ("まだ比べる対局がありません", ""))
    roomy = 84
    narrow = 64
    if any(row.spread for row in rows):
        roomy = 96
        narrow = 92
    pitch = roomy if len(rows) <= 12 else narrow
    sides = 60 if chart.left or chart.right else 0
    note = chart.note
    if any(row.provisional for row in chart.rows):
        note += f"{SIGN_MEANS}。"
    plot = partial(_plot, chart, rows, pitch, sides)
    sections = [
        Section(
            30 + sides + pitch * len(rows) + 70,
            plot,
        ),
        prose(note, style.AXIS, most=3),
    ]
    return titled(chart.title, chart.subtitle, sections, 640)


def _plot(
    chart: ForestChart,
    rows: Sequence[Interval],
    pitch: int,
    sides: int,
    area: Area,
) -> None:
    values = max(glyphs.width(_words(chart, row), style.LABEL) for row in rows)
    values = max(
        values,
        *(glyphs.width(row.spread, style.AXIS) for row in rows),
    )
    names = name_column((row.name for row in rows), signed=True)
    widths = (names + 20, 0, values + 24)
    body = area.inset(top=30 + sides, bottom=70)
    lines = list(zip(rows, body.rows(pitch), strict=False))
    for row, line in lines:
        if row.asker:
            line.band()
    for (row, line), (below, _) in pairwise(lines):
        if row.group != below.group:
            line.underline(style.BASELINE, style.BASELINE_COLOUR)
    across = _axis(chart, rows, body.columns(*widths)[1])
    for row, line in lines:
        name, plot, value = line.columns(*widths)
        name.inset(right=30).member(
            row.name,
            row.colour,
            row.asker,
            row.provisional,
        )
        _interval(row, plot, across)
        shade = style.FAINT if row.provisional else style.INK
        half = line.height / 2
        upper = half - 22 if row.spread else half
        value.text(
            _words(chart, row),
            style.LABEL,
            shade,
            "right",
            bold=row.asker,
            down=upper,
        )
        value.text(row.spread, style.AXIS, style.FAINT, "right", down=half + 22)


def _axis(chart: ForestChart, rows: Sequence[Interval], frame: Area) -> Scale:
    paper = frame.paper
    edges: list[float] = []
    for row in rows:
        edges.extend(filter(isfinite, (row.low, row.value, row.high)))
    if chart.baseline is not None:
        edges.append(chart.baseline)
    low = min(edges)
    high = max(edges)
    air = (high - low) * 0.05 or 10.0**-chart.decimals
    across = Scale(low - air, high + air, frame.left, frame.right)
    centre = chart.baseline or 0.0
    marks = ticks_about(
        centre,
        low - air,
        high + air,
        max(2, int(frame.width / 150)),
    )
    # The ticks have words: all where they fit, else every second, third ... counted from the
    # centre.
    close = (marks[1] - marks[0]) / 100
    decimals = _decimals(marks, close)
    words = [number(mark, decimals) if mark else "0" for mark in marks]
    needed = max(glyphs.width(word, style.AXIS) for word in words) + 24
    span = across(marks[-1]) - across(marks[0])
    apart = span / (len(marks) - 1)
    middle = min(
        range(len(marks)),
        key=lambda place: abs(marks[place] - centre),
    )
    step = max(1, ceil(needed / apart))
    for place, (mark, word) in enumerate(zip(marks, words, strict=True)):
        main = mark == chart.baseline
        if not main:
            paper.down(across(mark), frame.top, frame.bottom, style.GRID, style.GRID_COLOUR)
        if (place - middle) % step == 0:
            ink = style.INK if main else style.MUTED
            paper.text(across(mark), frame.bottom + 36, word, style.AXIS, ink, "middle")
    if chart.baseline is not None:
        x = across(chart.baseline)
        y = frame.top - 34
        paper.down(x, frame.top, frame.bottom, style.BASELINE, style.BASELINE_COLOUR)
        paper.text(
            x - 18,
            y,
            chart.left,
            style.SMALL,
            style.MUTED,
            "right",
            room=x - EDGE,
        )
        paper.text(
            x + 18,
            y,
            chart.right,
            style.SMALL,
            style.MUTED,
            room=paper.width - EDGE - x,
        )
    return across


def _decimals(marks: Sequence[float], close: float) -> int:
    """The fewest decimals, at most 8, that write every mark to within `close`."""
    for decimals in range(8):
        if all(abs(round(mark, decimals) - mark) < close for mark in marks):
            return decimals
    return 8


def _interval(row: Interval, plot: Area, across: Scale) -> None:
    paper = plot.paper
    y = plot.y
    shade = style.pale(row.colour) if row.provisional else row.colour
    low = across(max(row.low, across.low))
    high = across(min(row.high, across.high))
    paper.pill(
        low,
        y - 6,
        high,
        y + 6,
        radius=6,
        colour=style.pale(shade),
    )
    if row.likely is not None:
        paper.down(across(row.likely), y - 16, y + 16, LIKELY, shade)
    radius = 15 if row.asker else 13
    if row.provisional:
        paper.dot(
            across(row.value),
            y,
            radius - 2,
            style.WHITE,
            edge=shade,
            thick=5,
        )
    else:
        paper.dot(
            across(row.value),
            y,
            radius,
            shade,
            edge=style.WHITE,
            thick=3,
        )


def _words(chart: ForestChart, row: Interval) -> str:
    if row.words:
        return row.words
    half = (row.high - row.low) / 2
    value = number(row.value, chart.decimals)
    if not isfinite(half):
        return value
    return f"{value} ± {number(half, chart.decimals)}"
