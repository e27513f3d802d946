"""Figures of all members side by side: a panel for each figure, with its value, its cases and its 95 %
interval about the mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.draw.glyphs import told_apart
from bot.draw.layout import Area, Section, line, titled
from bot.draw.scale import Scale
from bot.draw.style import (
    AXIS,
    BASELINE_COLOUR,
    FAINT,
    INK,
    LOOKED_FOR,
    MUTED,
    WHITE,
    pale,
    readable,
)

_NAMES, _GAP = 238, 12


@dataclass(frozen=True)
class PanelValue:
    """One figure of one member: where its dot and interval stand, and in words; `few`: of few cases, so it is
    pale."""

    value: float
    low: float
    high: float
    words: str
    cases: str
    few: bool = False


@dataclass(frozen=True)
class FigureRow:
    """A member's values, one for each panel; None where there is none."""

    name: str
    colour: str
    asker: bool
    values: tuple[PanelValue | None, ...]


@dataclass(frozen=True)
class FigurePanels:
    """`heads` stand above the panels; `middles` are the values of all together, marked by a line; `note`
    stands below.

    With a band (one of `bands`) a panel goes as far to the left as to the right of its middle, and what is so
    near is shaded.
    """

    title: str
    subtitle: str
    heads: tuple[str, ...]
    middles: tuple[float | None, ...]
    rows: Sequence[FigureRow]
    note: str
    bands: tuple[float, ...] = ()


def draw(chart: FigurePanels) -> bytes:
    """A PNG, 1200 pixels wide, as high as its rows need."""
    names = told_apart(row.name for row in chart.rows)
    bands = chart.bands or (0.0,) * len(chart.heads)
    panels = [
        (middle, band, _ends([row.values[number] for row in chart.rows], middle, band))
        for number, (middle, band) in enumerate(zip(chart.middles, bands, strict=True))
    ]
    widths = _NAMES, *([0] * len(chart.heads))

    def heads(area: Area) -> None:
        for cell, head in zip(area.columns(*widths, gap=_GAP)[1:], chart.heads, strict=True):
            cell.text(head, LOOKED_FOR, bold=True, down=30)

    def draw_row(row: FigureRow, area: Area) -> None:
        if row.asker:
            area.band()
        name, *cells = area.columns(*widths, gap=_GAP)
        name.text(names[row.name], LOOKED_FOR, readable(row.colour), bold=row.asker)
        area.underline()
        for cell, one, (middle, band, ends) in zip(cells, row.values, panels, strict=True):
            if ends:
                _cell(cell, one, row.colour, middle, band, Scale(*ends, cell.left + 14, cell.right - 14))

    rows = [Section(124, partial(draw_row, row)) for row in chart.rows]
    return titled(chart.title, chart.subtitle, [Section(66, heads), *rows, line(chart.note)], least=0)


def _cell(
    cell: Area, one: PanelValue | None, colour: str, middle: float | None, band: float, across: Scale
) -> None:
    """Draw a value with its cases above the interval."""
    paper, top = cell.paper, cell.top
    if middle is not None:
        if band:
            paper.box(across(middle - band), top + 68, across(middle + band), top + 108, "#E4E4E4")
        paper.down(across(middle), top + 66, top + 110, 3, BASELINE_COLOUR)
    if one is None:
        cell.text("－", LOOKED_FOR, FAINT, down=38)
        return
    taken = cell.text(one.words, LOOKED_FOR, FAINT if one.few else INK, bold=not one.few, down=38)
    cell.inset(taken + 12).text(one.cases, AXIS, MUTED, "right", down=40)
    shade, y = pale(colour) if one.few else colour, top + 88
    low, value, high = (
        across(min(max(end, across.low), across.high)) for end in (one.low, one.value, one.high)
    )
    paper.pill(low, y - 6, high, y + 6, radius=6, colour=pale(shade))
    paper.dot(value, y, 14, shade, edge=WHITE, thick=3)


def _ends(
    values: Sequence[PanelValue | None], middle: float | None, band: float
) -> tuple[float, float] | None:
    """The ends of a panel's scale: all values and the intervals of those with cases enough; None without a
    value."""
    known = [one for one in values if one is not None]
    if not known:
        return None
    if band and middle is not None:
        reach = max(1.5 * band, *(abs(one.value - middle) for one in known)) * 1.05
        return middle - reach, middle + reach
    ends = [end for one in known for end in ((one.value,) if one.few else (one.low, one.value, one.high))]
    ends += [middle] if middle is not None else []
    air = (max(ends) - min(ends)) * 0.04 or 0.01
    return min(ends) - air, max(ends) + air
