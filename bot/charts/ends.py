"""The last values and names at the ends of the lines: they are the legend."""

from __future__ import annotations

from collections.abc import Sequence

from bot.charts import glyphs
from bot.charts.axes import Frame
from bot.charts.curves import Curve, Lines
from bot.charts.header import EDGE
from bot.charts.labels import separate
from bot.charts.paper import Paper
from bot.charts.scale import Scale
from bot.charts.style import FAINT, LABEL, readable

PROVISIONAL = "暫定"
_GAP = 46
_SWATCH = 22


def margin(paper: Paper, chart: Lines, curves: Sequence[Curve]) -> float:
    """What the longest label takes at the right: 22 to 32 % of the sheet."""
    values = max(glyphs.width(chart.last(curve), LABEL) for curve in curves)
    names = max(glyphs.width(glyphs.drawable(curve.name), LABEL) for curve in curves)
    return min(max(values + names + 14 + _SWATCH + EDGE, 0.22 * paper.width), 0.32 * paper.width)


def draw_ends(paper: Paper, chart: Lines, frame: Frame, up: Scale, curves: Sequence[Curve]) -> None:
    """The last values and names, best at the top as they stand, pushed apart where they would meet."""
    ranked = curves[::-1]
    low, high = frame.top - 6, frame.bottom - 8
    gap = min(_GAP, (high - low) / max(1, len(ranked) - 1))
    size = min(LABEL, max(10, int(gap * 0.9)))
    places = separate([up(curve.ys[-1]) for curve in ranked], gap, low, high)
    start = frame.right + _SWATCH
    column = start + max(glyphs.width(chart.last(curve), size) for curve in ranked)
    for curve, y in zip(ranked, places, strict=True):
        ink = FAINT if curve.provisional else readable(curve.colour)
        paper.pill(frame.right + 2, y - size * 0.36, frame.right + 11, y + size * 0.36, 4, curve.shade())
        paper.text(column, y, chart.last(curve), size, ink, "right", bold=curve.asker)
        room = paper.width - 14 - column - 14
        taken = paper.text(
            column + 14, y, curve.name, size, ink, bold=curve.asker, room=room, least=size * 7 // 10
        )
        small = size * 3 // 4
        if curve.provisional and taken + 10 + glyphs.width(PROVISIONAL, small) <= room:
            paper.text(column + 24 + taken, y, PROVISIONAL, small, ink)
