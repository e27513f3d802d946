"""The chart of rows: a row for each member or figure, in columns of names, words, bars, intervals
and other cells.

A column holds plain data. When it is drawn it says how wide it is and what room it needs above and
below the rows, and it draws its cells. A picture of rows is a list of columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from math import ceil, isfinite

from bot.draw import glyphs, parts, style
from bot.draw.layout import (
    EDGE,
    Area,
    Scale,
    Section,
    Titled,
    line,
    name_column,
    number,
    prose,
    space,
    ticks_about,
    titled,
)
from bot.draw.names import distinct_names
from bot.draw.paper import Anchor

GREEN = "#06704A"
RED = "#B3261E"
MANY = 12  # rows; more than these are lower
_HEAD = 60  # pixels above the rows for the columns' heads
_GAP = 24  # pixels between a column and the one to its left
_DETAIL = 36  # pixels at the foot of a row for its detail


def row_height(rows: int, roomy: int = 84, narrow: int = 64) -> int:
    """The height of each of so many rows."""
    return roomy if rows <= MANY else narrow


@dataclass(frozen=True)
class Column:
    """A column of a chart of rows. A `width` of 0 is a share of what the other columns leave, None
    the column's natural width; `head` is written above the first row."""

    cells: Sequence[object]
    head: str = field(default="", kw_only=True)
    width: float | None = field(default=None, kw_only=True)

    @property
    def above(self) -> float:
        """The pixels that the column needs above the first row."""
        return _HEAD if self.head else 0

    @property
    def below(self) -> float:
        """The pixels that the column needs below the last row."""
        return 0

    def natural_width(self) -> float:
        return 0

    def width_in_pixels(self) -> float:
        return self.natural_width() if self.width is None else self.width

    def draw(self, areas: Sequence[Area]) -> None:
        """Draw the cells on their areas, one below the other."""
        raise NotImplementedError

    def draw_head(self, first: Area, anchor: Anchor) -> None:
        """Write the head above the area of the first row."""
        head = replace(first, top=first.top - _HEAD, bottom=first.top)
        head.text(self.head, style.SMALL, style.MUTED, anchor)


@dataclass(frozen=True)
class RowName:
    name: str
    colour: str = style.INK
    asker: bool = False
    provisional: bool = False


@dataclass(frozen=True)
class NameColumn(Column):
    """The names of the rows; the asker's row has a band from edge to edge. As the first column it
    is below what the others draw."""

    cells: Sequence[RowName]
    banded: bool = True
    bold: bool = False
    signed: bool = False  # whether there is room for the sign of a provisional rating
    least: int | None = None  # pixels of a long name at the least

    def natural_width(self) -> float:
        return name_column((cell.name for cell in self.cells), self.signed)

    def with_names(self, shown: Mapping[str, str]) -> NameColumn:
        cells = [replace(cell, name=shown[cell.name]) for cell in self.cells]
        return replace(self, cells=cells)

    def draw(self, areas: Sequence[Area]) -> None:
        for cell, area in zip(self.cells, areas, strict=True):
            if cell.asker and self.banded:
                area.band()
            room = area.inset(right=16)
            bold = self.bold or cell.asker
            room.member(cell.name, cell.colour, bold, cell.provisional, self.least)


@dataclass(frozen=True)
class SwatchColumn(Column):
    """A bar of each row's colour, in front of its name."""

    cells: Sequence[str]

    def natural_width(self) -> float:
        return 42

    def draw(self, areas: Sequence[Area]) -> None:
        for colour, area in zip(self.cells, areas, strict=True):
            air = area.height / 2 - 26
            area.inset(14, air, 16, air).plate(colour, 6)


@dataclass(frozen=True)
class Words:
    """A cell of text, with smaller text `under` it, and at its right a `change` (▲2) in colour."""

    text: str
    under: str = ""
    change: str = ""
    colour: str = style.INK
    bold: bool = False
    under_colour: str = style.FAINT


def change_colour(text: str) -> str:
    """The colour of a number or change: red below zero and for ▼, green for ▲."""
    if text.startswith(("−", "▼")):
        return RED
    if text.startswith("▲"):
        return GREEN
    return style.INK


@dataclass(frozen=True)
class WordColumn(Column):
    cells: Sequence[Words]
    size: int = style.LABEL
    anchor: Anchor = "right"

    def natural_width(self) -> float:
        widest = glyphs.width(self.head, style.SMALL)
        for cell in self.cells:
            text = glyphs.width(glyphs.drawable(cell.text + cell.change), self.size)
            under = glyphs.width(glyphs.drawable(cell.under), style.SMALL)
            widest = max(widest, text, under)
        return widest + _GAP

    def draw(self, areas: Sequence[Area]) -> None:
        self.draw_head(areas[0], self.anchor)
        for cell, area in zip(self.cells, areas, strict=True):
            middle = area.height / 2
            upper = middle - 20 if cell.under else middle
            shade = change_colour(cell.change)
            taken = area.text(cell.change, self.size, shade, "right", down=upper)
            room = area.inset(right=taken)
            room.text(
                cell.text,
                self.size,
                cell.colour,
                self.anchor,
                cell.bold,
                down=upper,
            )
            area.text(
                cell.under,
                style.SMALL,
                cell.under_colour,
                self.anchor,
                down=middle + 24,
            )


@dataclass(frozen=True)
class PlacingColumn(Column):
    """Bars of the shares of first, second, third (and fourth) places, of the games counted."""

    cells: Sequence[Sequence[int]]

    @property
    def above(self) -> float:
        return 90

    def draw(self, areas: Sequence[Area]) -> None:
        first = areas[0]
        legend = replace(first, top=first.top - self.above, bottom=first.top)
        parts.placing_legend(legend, max(map(len, self.cells)))
        for counts, area in zip(self.cells, areas, strict=True):
            air = 0.14 * area.height
            parts.placing_bar(area.inset(top=air, bottom=air), counts, style.LOOKED_FOR)


@dataclass(frozen=True)
class Bar:
    """A bar from `start` to `end`; a `slim` one is drawn on another."""

    start: float
    end: float
    colour: str
    slim: bool = False


@dataclass(frozen=True)
class BarColumn(Column):
    """The bars of each row on one scale, on which 0 is marked; `totals` are marks in the rows."""

    cells: Sequence[Sequence[Bar]]
    totals: Sequence[float] = ()

    def draw(self, areas: Sequence[Area]) -> None:
        ends = [0.0, *self.totals]
        for bars in self.cells:
            for bar in bars:
                ends += (bar.start, bar.end)
        low = min(ends)
        high = max(ends)
        if high == low:
            high = low + 1
        first = areas[0]
        paper = first.paper
        across = Scale(low, high, first.left, first.right)
        for bars, area in zip(self.cells, areas, strict=True):
            for bar in bars:
                left, right = sorted((across(bar.start), across(bar.end)))
                half = 10 if bar.slim else min(24, 0.3 * area.height)
                if right - left >= 1:
                    paper.box(left, area.y - half, right, area.y + half, bar.colour)
        for total, area in zip(self.totals, areas, strict=False):
            paper.down(
                across(total),
                area.y - 34,
                area.y + 34,
                6,
                style.INK,
            )
        paper.down(
            across(0),
            first.top,
            areas[-1].bottom,
            style.BASELINE,
            style.BASELINE_COLOUR,
        )


@dataclass(frozen=True)
class Interval:
    """A value with its interval; `likely` is the interval's centre where the value is not."""

    value: float
    low: float
    high: float
    colour: str = style.INK
    asker: bool = False
    provisional: bool = False
    likely: float | None = None


@dataclass(frozen=True)
class IntervalColumn(Column):
    """Intervals on an axis below the rows. `baseline` is the value to compare with; `left` and
    `right` say above the rows what its two sides mean."""

    cells: Sequence[Interval]
    baseline: float | None = None
    decimals: int = 0
    left: str = ""
    right: str = ""

    @property
    def above(self) -> float:
        return 90 if self.left or self.right else 30

    @property
    def below(self) -> float:
        return 70

    def draw(self, areas: Sequence[Area]) -> None:
        first = areas[0].inset(left=20)
        frame = replace(first, bottom=areas[-1].bottom)
        across = self._scale(frame)
        self._draw_axis(frame, across)
        if self.baseline is not None:
            self._draw_baseline(frame, across(self.baseline))
        for interval, area in zip(self.cells, areas, strict=True):
            draw_interval(interval, area, across)

    def _scale(self, frame: Area) -> Scale:
        ends: list[float] = []
        for interval in self.cells:
            ends.extend(filter(isfinite, (interval.low, interval.value, interval.high)))
        if self.baseline is not None:
            ends.append(self.baseline)
        low = min(ends)
        high = max(ends)
        air = (high - low) * 0.05 or 10.0**-self.decimals
        return Scale(low - air, high + air, frame.left, frame.right)

    def _draw_axis(self, frame: Area, across: Scale) -> None:
        """Draw the marks of the axis. All have numbers where these fit, else every second, third …
        counted from the middle."""
        centre = self.baseline or 0.0
        most = max(2, int(frame.width / 150))
        marks = ticks_about(centre, across.low, across.high, most)
        decimals = _decimals(marks, (marks[1] - marks[0]) / 100)
        words = [number(mark, decimals) if mark else "0" for mark in marks]
        needed = max(glyphs.width(word, style.AXIS) for word in words) + 24
        span = across(marks[-1]) - across(marks[0])
        distance = span / (len(marks) - 1)
        distances = [abs(mark - centre) for mark in marks]
        middle = distances.index(min(distances))
        step = ceil(needed / distance)
        for place, (mark, word) in enumerate(zip(marks, words, strict=True)):
            x = across(mark)
            ink = style.INK
            if mark != self.baseline:
                ink = style.MUTED
                frame.paper.down(x, frame.top, frame.bottom, style.GRID, style.GRID_COLOUR)
            if (place - middle) % step == 0:
                frame.paper.text(x, frame.bottom + 36, word, style.AXIS, ink, "middle")

    def _draw_baseline(self, frame: Area, x: float) -> None:
        paper = frame.paper
        y = frame.top - 34
        paper.down(x, frame.top, frame.bottom, style.BASELINE, style.BASELINE_COLOUR)
        paper.text(
            x - 18,
            y,
            self.left,
            style.SMALL,
            style.MUTED,
            "right",
            room=x - EDGE,
        )
        room = paper.width - EDGE - x
        paper.text(
            x + 18,
            y,
            self.right,
            style.SMALL,
            style.MUTED,
            room=room,
        )


def _decimals(marks: Sequence[float], close: float) -> int:
    """The fewest decimals, at most 8, that write every mark to within `close`."""
    for decimals in range(8):
        if all(abs(round(mark, decimals) - mark) < close for mark in marks):
            return decimals
    return 8


def draw_interval(interval: Interval, area: Area, across: Scale) -> None:
    """Draw the interval and the dot of its value, a ring where that is provisional."""
    paper = area.paper
    y = area.y
    shade = style.pale(interval.colour) if interval.provisional else interval.colour
    low = across(max(interval.low, across.low))
    high = across(min(interval.high, across.high))
    value = across(min(max(interval.value, across.low), across.high))
    paper.pill(
        low,
        y - 6,
        high,
        y + 6,
        radius=6,
        colour=style.pale(shade),
    )
    if interval.likely is not None:
        paper.down(across(interval.likely), y - 16, y + 16, 5, shade)
    radius = 15 if interval.asker else 13
    if interval.provisional:
        paper.dot(value, y, radius - 2, style.WHITE, edge=shade, thick=5)
    else:
        paper.dot(value, y, radius, shade, edge=style.WHITE, thick=3)


@dataclass(frozen=True)
class Heat:
    """A cell filled with the colour `ground`; no text where it is ""."""

    ground: str
    text: str = ""
    ink: str = style.INK


@dataclass(frozen=True)
class HeatColumn(Column):
    cells: Sequence[Heat]

    def draw(self, areas: Sequence[Area]) -> None:
        self.draw_head(areas[0], "middle")
        for cell, area in zip(self.cells, areas, strict=True):
            area.inset(1, 1, 1, 1).fill(cell.ground)
            area.text(cell.text, style.LABEL, cell.ink, "middle")


@dataclass(frozen=True)
class Detail:
    """A line at the foot of a row, at the left and at the right."""

    left: str
    right: str = ""


@dataclass(frozen=True)
class Rows:
    """The columns from the left and the height of each row in pixels, which includes its detail.
    `ruled` rows have a line below each; a thick one is between rows of different `groups`."""

    columns: Sequence[Column]
    height: float
    details: Sequence[Detail] = ()
    indent: float = 0  # pixels left of the details
    ruled: bool = False
    groups: Sequence[int] = ()

    @property
    def count(self) -> int:
        return len(self.columns[0].cells)

    def names(self) -> list[str]:
        names: list[str] = []
        for column in self.columns:
            if isinstance(column, NameColumn):
                names += (cell.name for cell in column.cells)
        return names

    def section(self, shown: Mapping[str, str] | None = None) -> Section:
        """The rows as a part of a picture; `shown` has the names as they are drawn
        (`distinct_names`)."""
        if shown is None:
            shown = distinct_names(self.names())
        columns: list[Column] = []
        for column in self.columns:
            if isinstance(column, NameColumn):
                columns.append(column.with_names(shown))
            else:
                columns.append(column)
        above = max(column.above for column in columns)
        below = max(column.below for column in columns)

        def draw(area: Area) -> None:
            self._draw(columns, area.inset(top=above, bottom=below))

        return Section(above + self.count * self.height + below, draw)

    def _draw(self, columns: Sequence[Column], body: Area) -> None:
        rows = list(islice(body.rows(self.height), self.count))
        widths = [column.width_in_pixels() for column in columns]
        foot = _DETAIL if self.details else 0
        cells = [row.inset(bottom=foot).columns(*widths) for row in rows]
        for column, areas in zip(columns, zip(*cells, strict=True), strict=True):
            column.draw(areas)
        for detail, row in zip(self.details, rows, strict=False):
            strip = replace(row, top=row.bottom - foot).inset(self.indent)
            strip.text(detail.left, style.SMALL, style.FAINT, down=10)
            strip.text(detail.right, style.SMALL, style.FAINT, "right", down=10)
        if self.ruled:
            for row in rows:
                row.underline()
        for place, (group, next_group) in enumerate(pairwise(self.groups)):
            if group != next_group:
                rows[place].underline(style.BASELINE, style.BASELINE_COLOUR)


@dataclass(frozen=True)
class RowPicture(Titled):
    """Rows below a sentence in large letters; `legend` and `note` are below the rows."""

    rows: Rows
    sentence: str = ""
    legend: str = ""
    note: str = ""


def draw(chart: RowPicture) -> bytes:
    """A PNG, 1200 pixels wide, as high as its rows need."""
    sections = []
    if chart.rows.count:
        if chart.sentence:
            sections.append(prose(chart.sentence, style.LABEL, style.INK, most=3))
        sections.append(chart.rows.section())
        if chart.legend:
            sections.append(line(chart.legend))
        if chart.note:
            sections.append(prose(chart.note, style.AXIS, most=3))
        sections.append(space(30))
    return titled(chart.title, chart.subtitle, sections)
