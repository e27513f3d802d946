"""Figures of all members side by side: a panel for each figure, with its value, its cases and its 95 % interval about the mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.scale import Scale
from bot.charts.canvas.style import (
    ASKER_ROW,
    AXIS,
    BASELINE_COLOUR,
    FAINT,
    GRID_COLOUR,
    INK,
    LABEL,
    MUTED,
    WHITE,
    pale,
    readable,
)
from bot.charts.canvas.unique_names import told_apart
from bot.charts.parts.header import BELOW, EDGE, draw_header
from bot.charts.parts.layout import WIDTH

_NAME = 44  # nine points in a thread
_NAMES, _GAP, _PITCH, _HEAD, _FOOT = 250, 20, 124, 66, 66


@dataclass(frozen=True)
class PanelValue:
    """One figure of one member: where its dot and interval stand, and in words; `few`: of few cases, so it is pale."""

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
    """`heads` stand above the panels; `middles` are the values of all together, marked by a line; `note` stands below.

    With a band (one of `bands`) a panel goes as far to the left as to the right of its middle, and what is so near is shaded.
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
    top = BELOW + _HEAD
    bottom = top + _PITCH * len(chart.rows)
    paper = Paper(WIDTH, bottom + _FOOT)
    draw_header(paper, chart.title, chart.subtitle)
    names = told_apart(row.name for row in chart.rows)
    for place, row in enumerate(chart.rows):
        y = top + _PITCH * place
        if row.asker:
            paper.box(0, y, WIDTH, y + _PITCH, ASKER_ROW)
        paper.text(
            EDGE,
            y + _PITCH / 2,
            names[row.name],
            _NAME,
            readable(row.colour),
            bold=row.asker,
            room=_NAMES - 20,
            least=AXIS,
        )
        paper.across(y + _PITCH, EDGE, WIDTH - EDGE, 2, GRID_COLOUR)
    wide = (WIDTH - 2 * EDGE - _NAMES) / len(chart.heads)
    for number, head in enumerate(chart.heads):
        left = EDGE + _NAMES + wide * number
        values = [row.values[number] for row in chart.rows]
        _panel(
            paper,
            chart,
            head,
            values,
            middle=chart.middles[number],
            band=chart.bands[number] if chart.bands else 0.0,
            left=left,
            right=left + wide - _GAP * (number < len(chart.heads) - 1),
        )
    paper.text(EDGE, bottom + 36, chart.note, AXIS, MUTED, room=WIDTH - 2 * EDGE, least=AXIS)
    return paper.png()


def _panel(
    paper: Paper,
    chart: FigurePanels,
    head: str,
    values: Sequence[PanelValue | None],
    middle: float | None,
    band: float,
    left: float,
    right: float,
) -> None:
    """Draw a column: its head, and for each row the value with its cases above the interval."""
    top = BELOW + _HEAD
    paper.text(left, BELOW + 30, head, LABEL, INK, bold=True, room=right - left, least=AXIS)
    across = _scale(values, middle, band, left, right)
    if across is None:
        return
    for place, one in enumerate(values):
        y = top + _PITCH * place
        if band and middle is not None:
            low, high = across(middle - band), across(middle + band)
            paper.box(low, y + 68, high, y + 108, "#E4E4E4")
        if middle is not None:
            paper.down(across(middle), y + 66, y + 110, 3, BASELINE_COLOUR)
        if one is None:
            paper.text(left, y + 38, "－", LABEL, FAINT)
            continue
        colour = chart.rows[place].colour
        ink = FAINT if one.few else INK
        taken = paper.text(left, y + 38, one.words, LABEL, ink, bold=not one.few, room=right - left)
        paper.text(
            right, y + 40, one.cases, AXIS, colour=MUTED, anchor="right", room=right - left - taken - 12
        )
        _interval(paper, one, across, y + 88, pale(colour) if one.few else colour)


def _interval(paper: Paper, one: PanelValue, across: Scale, y: float, colour: str) -> None:
    low, high = (across(min(max(end, across.low), across.high)) for end in (one.low, one.high))
    paper.pill(low, y - 6, high, y + 6, radius=6, colour=pale(colour))
    x = across(min(max(one.value, across.low), across.high))
    paper.dot(x, y, 14, colour, edge=WHITE, thick=3)


def _scale(
    values: Sequence[PanelValue | None], middle: float | None, band: float, left: float, right: float
) -> Scale | None:
    """The panel's scale: all values and the intervals of those with cases enough; None without a value."""
    known = [one for one in values if one is not None]
    if not known:
        return None
    ends = [end for one in known for end in ((one.value,) if one.few else (one.low, one.value, one.high))]
    if band and middle is not None:
        reach = max(1.5 * band, *(abs(one.value - middle) for one in known)) * 1.05
        return Scale(middle - reach, middle + reach, left + 14, right - 14)
    low, high = min([*ends, *([middle] if middle is not None else [])]), max(ends)
    high = max(high, middle) if middle is not None else high
    air = (high - low) * 0.04 or 0.01
    return Scale(low - air, high + air, left + 14, right - 14)
