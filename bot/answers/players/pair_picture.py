"""対決: two members side by side: a row for each figure, and the course of both ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.draw import bars, lines
from bot.draw.curves import Axis, Curve, Lines
from bot.draw.layout import ENDS, Area, Section, space, titled
from bot.draw.style import INK, MUTED, SMALL, on
from bot.draw.unique_names import told_apart

AHEAD = "同卓で上だった回数"


@dataclass(frozen=True)
class Side:
    """One of the two members."""

    name: str
    colour: str = INK


@dataclass(frozen=True)
class PairRow:
    """One figure of both members. `better` is 0 (left), 1 (right) or None (neither); the better one is in
    bold."""

    label: str
    left: str
    right: str
    better: int | None = None


@dataclass(frozen=True)
class PairChart:
    """`ahead` counts the games each finished above the other; `curves` are the two ratings, not drawn where
    empty."""

    title: str
    subtitle: str
    left: Side
    right: Side
    rows: Sequence[PairRow]
    ahead: tuple[int, int] = (0, 0)
    curves: Sequence[Curve] = ()
    baseline: float | None = 1500
    axis: Axis = "games"


def draw(chart: PairChart) -> bytes:
    """A PNG, 1200 pixels wide, as high as its parts need."""
    sections = [space(20), Section(110, partial(_names, chart))]
    sections += [Section(150, partial(_ahead, chart))] * (sum(chart.ahead) > 0)
    sections += [Section(78, partial(_row, row)) for row in chart.rows]
    curved = any(len(curve.xs) for curve in chart.curves)
    sections += [Section(620, partial(_courses, chart))] if curved else [space(30)]
    return titled(chart.title, chart.subtitle, sections)


def _names(chart: PairChart, area: Area) -> None:
    shown = told_apart((chart.left.name, chart.right.name))
    halves = area.inset(bottom=22).columns(0, 0, gap=20)
    for side, plate, end in zip((chart.left, chart.right), halves, ENDS, strict=True):
        plate.plate(side.colour)
        plate.inset(24, right=24).text(shown[side.name], 48, on(side.colour), end, bold=True)


def _ahead(chart: PairChart, area: Area) -> None:
    """Draw how often each finished above the other."""
    area.text(AHEAD, SMALL, MUTED, "middle", down=26)
    colours = chart.left.colour, chart.right.colour
    bars.against(area.inset(top=54, bottom=32), chart.ahead, colours, always=True)


def _row(row: PairRow, area: Area) -> None:
    left, middle, right = area.inset(24, right=24).columns(0, 290, 0, gap=20)
    middle.text(row.label, SMALL, MUTED, "middle")
    for place, (cell, words) in enumerate(((left, row.left), (right, row.right))):
        shade = MUTED if row.better == 1 - place else INK
        cell.text(words, 46, shade, ENDS[place], bold=row.better == place)
    area.underline()


def _courses(chart: PairChart, area: Area) -> None:
    lines.plot(area.inset(top=60, bottom=100), Lines("", "", chart.curves, chart.baseline, chart.axis))
