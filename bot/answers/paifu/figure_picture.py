"""The picture of a page of 牌譜成績: a panel for each figure, in which each member has a dot and an
interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.draw import rows as row_charts
from bot.draw.layout import Area, Scale, Titled
from bot.draw.rows import Column, Interval, NameColumn, RowName, RowPicture, Rows, draw_interval
from bot.draw.style import AXIS, BASELINE_COLOUR, FAINT, INK, LOOKED_FOR, MUTED, SMALLEST, UP

UNKNOWN = "－"
_ROW = 124  # pixels
_NAMES = 250  # pixels of the names
_GAP = 6  # pixels at both sides of a panel
_TEXT = 38  # pixels from a row's top to the words
_DOT = 88  # pixels from a row's top to the dot; the marks are higher
_MARK = 22
_SHADED = "#E4E4E4"


@dataclass(frozen=True)
class PanelValue:
    """One figure of one member: its dot and interval, and in words; of `few` cases it is pale."""

    value: float
    low: float
    high: float
    words: str
    cases: str
    few: bool = False


@dataclass(frozen=True)
class FigureRow:
    name: str
    colour: str
    asker: bool
    values: tuple[PanelValue | None, ...]


@dataclass(frozen=True)
class FigurePanels(Titled):
    """`heads` are above the panels; `middles` are the values of all together, marked by a line;
    `note` is below. With a band (one of `bands`) a panel goes as far to the left as to the
    right of its middle, and what is so near is shaded. `tops` are the top table's means, marked
    too."""

    heads: tuple[str, ...]
    middles: tuple[float | None, ...]
    rows: Sequence[FigureRow]
    note: str
    bands: tuple[float, ...] = ()
    tops: tuple[float | None, ...] = ()


def draw(chart: FigurePanels) -> bytes:
    """A PNG, 1200 pixels wide, as high as its rows need."""
    names = [RowName(row.name, row.colour, row.asker) for row in chart.rows]
    columns: list[Column] = [NameColumn(names, least=SMALLEST, width=_NAMES)]
    for number, head in enumerate(chart.heads):
        panel = PanelColumn(
            [row.values[number] for row in chart.rows],
            colours=[name.colour for name in names],
            middle=chart.middles[number],
            band=chart.bands[number] if chart.bands else 0.0,
            top=chart.tops[number] if chart.tops else None,
            head=head,
        )
        columns.append(panel)
    rows = Rows(columns, _ROW, ruled=True)
    return row_charts.draw(RowPicture(chart.title, chart.subtitle, rows, legend=chart.note))


class _Ends(NamedTuple):
    low: float
    high: float


@dataclass(frozen=True)
class PanelColumn(Column):
    """The values of one figure in words, and below them dots and intervals on one scale."""

    cells: Sequence[PanelValue | None]
    colours: Sequence[str]
    middle: float | None
    band: float
    top: float | None

    def draw(self, areas: Sequence[Area]) -> None:
        inner = [area.inset(_GAP, right=_GAP) for area in areas]
        self.draw_head(inner[0], "left")
        ends = self._ends()
        if ends is None:
            return
        left = inner[0].left + 14
        across = Scale(ends.low, ends.high, left, inner[0].right - 14)
        for cell, colour, area in zip(self.cells, self.colours, inner, strict=True):
            self._draw_marks(area, across)
            if cell is None:
                area.text(UNKNOWN, LOOKED_FOR, FAINT, down=_TEXT)
            else:
                _draw_value(cell, colour, area, across)

    def _ends(self) -> _Ends | None:
        """All values, and intervals of cases enough; None without a value."""
        known = [cell for cell in self.cells if cell is not None]
        if not known:
            return None
        if self.band and self.middle is not None:
            distances = [abs(cell.value - self.middle) for cell in known]
            reach = max(1.5 * self.band, *distances) * 1.05
            return _Ends(self.middle - reach, self.middle + reach)
        values = [mark for mark in (self.middle, self.top) if mark is not None]
        for cell in known:
            values.append(cell.value)
            if not cell.few:
                values += (cell.low, cell.high)
        air = (max(values) - min(values)) * 0.04 or 0.01
        return _Ends(min(values) - air, max(values) + air)

    def _draw_marks(self, area: Area, across: Scale) -> None:
        """Mark the middle with its band, and the top table's mean."""
        paper = area.paper
        start = area.top + _DOT - _MARK
        end = area.top + _DOT + _MARK
        if self.top is not None:
            paper.down(across(self.top), start, end, 5, UP)
        if self.middle is None:
            return
        if self.band:
            low = across(self.middle - self.band)
            high = across(self.middle + self.band)
            paper.box(low, start + 2, high, end - 2, _SHADED)
        paper.down(across(self.middle), start, end, 3, BASELINE_COLOUR)


def _draw_value(value: PanelValue, colour: str, area: Area, across: Scale) -> None:
    ink = FAINT if value.few else INK
    taken = area.text(value.words, LOOKED_FOR, ink, bold=not value.few, down=_TEXT)
    area.inset(taken + 12).text(value.cases, AXIS, MUTED, "right", down=_TEXT + 2)
    interval = Interval(value.value, value.low, value.high, colour, provisional=value.few)
    line = area.inset(top=_DOT - _MARK, bottom=area.height - _DOT - _MARK)
    draw_interval(interval, line, across)
