"""Line pictures: the curves, a grid, and each curve's last value and name at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.draw import glyphs
from bot.draw.axes import Frame, draw_feet, draw_values
from bot.draw.curves import Curve, Lines
from bot.draw.ends import draw_ends, ends_of
from bot.draw.header import BELOW, EDGE
from bot.draw.layout import WIDTH, Area, Section, space, titled
from bot.draw.paper import Paper
from bot.draw.scale import Scale, finite, step_for, ticks, ticks_about
from bot.draw.style import (
    ASKER_LINE,
    AXIS,
    BASELINE,
    BASELINE_COLOUR,
    CONTEXT,
    CONTEXT_LINE,
    LINE,
    WHITE,
    pale,
)
from bot.draw.unique_names import told_apart

MOST = 12  # lines in colour; with more all but a few are grey
_LEADERS = 5  # lines in colour where the asker has none


def draw(chart: Lines) -> bytes:
    """A PNG, 1200 pixels wide and high."""
    plotted = Section(WIDTH - BELOW - 30, lambda area: plot(area.inset(bottom=84), chart))
    sections = [space(30), plotted] if curves_of(chart) else []
    return titled(chart.title, chart.subtitle, sections, least=WIDTH)


def curves_of(chart: Lines) -> list[Curve]:
    """The curves that have something to draw, the worst first, with their names as they are drawn."""
    names = told_apart(curve.name for curve in chart.curves)
    curves = [curve for curve in (_finite(curve, names[curve.name]) for curve in chart.curves) if curve.xs]
    return sorted(curves, key=lambda curve: curve.ys[-1])


def plot(area: Area, chart: Lines) -> None:
    """Draw the curves over the height of the area, if there are any."""
    paper, top, bottom = area.paper, area.top, area.bottom
    curves = curves_of(chart)
    if not curves:
        return
    low, high = _range(chart, curves)
    marks = _marks(chart, low, high, max(2, int((bottom - top) / 140)))
    words = max((glyphs.width(chart.tick(mark), AXIS) for mark in marks), default=0)
    named = _named(curves)
    ends = ends_of(paper, chart, named)
    frame = Frame(EDGE + 16 + words, top, paper.width - ends.width, bottom)
    across, up = _across(curves, frame), Scale(low, high, frame.bottom, frame.top)
    draw_values(paper, chart, frame, up, marks)
    draw_feet(paper, chart, frame, across)
    if chart.marked is not None:
        paper.down(across(chart.marked), frame.top, frame.bottom, BASELINE, BASELINE_COLOUR)
    for curve in curves:
        if curve not in named:
            xs, ys = [across(x) for x in curve.xs], [up(y) for y in curve.ys]
            paper.line(xs, ys, CONTEXT_LINE, CONTEXT)
    for curve in sorted(named, key=lambda curve: (curve.asker, not curve.provisional)):
        _stroke(paper, curve, across, up, frame=frame, thin=_thin(named))
    draw_ends(paper, chart, frame, up, ends)


def _named(curves: Sequence[Curve]) -> Sequence[Curve]:
    """The curves (worst first) that have colour and a name: all, or of more than MOST the first, the last,
    and the asker's with its neighbours; the leaders where the asker has none.
    """
    if len(curves) <= MOST:
        return curves
    own = next((place for place, curve in enumerate(curves) if curve.asker), None)
    first = len(curves) - 1
    near = range(first - _LEADERS + 1, first) if own is None else range(own - 1, own + 2)
    return [curves[place] for place in sorted({0, *near, first}) if 0 <= place <= first]


def _finite(curve: Curve, name: str) -> Curve:
    xs, ys = finite(curve.xs, curve.ys)
    return replace(curve, name=name, xs=xs, ys=ys)


def _range(chart: Lines, curves: Sequence[Curve]) -> tuple[float, float]:
    """The ends of the value axis: data and baseline, at least 20 units of the last decimal, with a margin of
    3 %."""
    low, high = min(min(c.ys) for c in curves), max(max(c.ys) for c in curves)
    if chart.baseline is not None:
        low, high = min(low, chart.baseline), max(high, chart.baseline)
    least = 10.0**-chart.decimals * 20
    if high - low < least:
        low, high = (low + high - least) / 2, (low + high + least) / 2
    air = (high - low) * 0.03
    return low - air, high + air


def _marks(chart: Lines, low: float, high: float, most: int) -> list[float]:
    """Round values, counted from the baseline where it lies midway between two of them."""
    marks, base = ticks(low, high, most), chart.baseline
    if base is None or base in marks or not (base / step_for(high - low, most) * 2).is_integer():
        return marks
    return ticks_about(base, low, high, most)


def _across(curves: Sequence[Curve], frame: Frame) -> Scale:
    first, last = min(min(c.xs) for c in curves), max(max(c.xs) for c in curves)
    return Scale(first if first < last else last - 1, last, frame.left + 8, frame.right - 14)


def _thin(curves: Sequence[Curve]) -> int:
    """The thickness of the lines: thinner where there are many, and beside the asker's."""
    return LINE - (len(curves) > 9) - any(curve.asker for curve in curves)


def _stroke(paper: Paper, curve: Curve, across: Scale, up: Scale, frame: Frame, thin: int) -> None:
    """Draw a line with a dot at its end, or a ring for a provisional member.

    The asker's line has a white edge, so that crossings can be seen.
    """
    xs, ys = [across(x) for x in curve.xs], [up(y) for y in curve.ys]
    thick = ASKER_LINE if curve.asker else thin - 1 if curve.provisional else thin
    if xs[-1] < frame.right - 40:
        paper.across(ys[-1], xs[-1], frame.right - 14, 2, pale(curve.colour))
    if len(xs) > 1:
        if curve.asker:
            paper.line(xs, ys, thick + 6, WHITE)
        paper.line(xs, ys, thick, curve.shade(), curve.dash)
    if curve.provisional:
        paper.dot(xs[-1], ys[-1], thick + 4, WHITE)
        paper.dot(xs[-1], ys[-1], thick + 2, WHITE, edge=curve.shade(), thick=4)
    else:
        paper.dot(xs[-1], ys[-1], thick + 3, curve.shade(), edge=WHITE, thick=3)
