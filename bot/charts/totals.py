"""Totals as bars to the left and right of zero, one row for each player or team."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.charts.canvas import glyphs
from bot.charts.canvas.paper import Paper
from bot.charts.canvas.scale import number
from bot.charts.canvas.style import BASELINE_COLOUR, FAINT, INK, LABEL, LOOKED_FOR, SMALL, readable
from bot.charts.canvas.unique_names import told_apart
from bot.charts.parts.header import EDGE
from bot.charts.parts.names import column
from rating.standings import places

_RANK = 56  # pixels for the place before the name


@dataclass(frozen=True)
class Total:
    """`detail` is a small line under the bar, such as the members of a team and their totals."""

    name: str
    value: float
    colour: str = INK
    detail: str = ""


def draw_totals(paper: Paper, rows: Sequence[Total], top: float, pitch: float, decimals: int = 1) -> float:
    """Draw the rows in the order given, the best first; return the first free y below them.

    Equal values share a place. `pitch` is the height of a row in pixels.
    """
    if not rows:
        return top
    names = told_apart(row.name for row in rows)
    words = [number(row.value, decimals, signed=True) for row in rows]
    figures = max(glyphs.width(word, LABEL) for word in words)
    room = column(names.values())
    left, right = EDGE + _RANK + room + 10, paper.width - EDGE - figures - 24
    low, high = min(0.0, *(row.value for row in rows)), max(0.0, *(row.value for row in rows))
    span = high - low or 1.0
    zero = left + (right - left) * (0 - low) / span
    shared = places([row.value for row in rows])
    for index, (row, word) in enumerate(zip(rows, words, strict=True)):
        y = top + pitch * (index + 0.5) - (18 if row.detail else 0)
        paper.text(EDGE + 40, y, str(shared[index]), SMALL, colour=FAINT, anchor="right")
        ink = readable(row.colour)
        paper.text(EDGE + _RANK, y, names[row.name], LABEL, ink, room=room, least=LOOKED_FOR)
        end = zero + (right - left) * row.value / span
        thick = min(46, pitch * 0.6)
        arm = thick / 2 + 10 if row.detail else pitch / 2
        paper.down(zero, y - arm, y + arm, 3, BASELINE_COLOUR)
        if abs(end - zero) >= 1:
            paper.pill(
                min(zero, end), y - thick / 2, max(zero, end), y + thick / 2, radius=6, colour=row.colour
            )
        paper.text(paper.width - EDGE, y, word, LABEL, colour=INK, anchor="right")
        paper.text(EDGE + _RANK, y + 48, row.detail, SMALL, FAINT, room=paper.width - 2 * EDGE - _RANK)
    return top + pitch * len(rows)
