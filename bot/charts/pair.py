"""対決: two members side by side: a row for each figure, and the course of both ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import GRID_COLOUR, INK, LOOKED_FOR, MUTED, SMALL, WHITE, blend, on
from bot.charts.canvas.unique_names import told_apart
from bot.charts.parts import lines
from bot.charts.parts.curves import Axis, Curve, Lines
from bot.charts.parts.header import BELOW, EDGE, draw_header

AHEAD = "同卓で上だった回数"


@dataclass(frozen=True)
class Side:
    """One of the two members."""

    name: str
    colour: str = INK


@dataclass(frozen=True)
class PairRow:
    """One figure of both members. `better` is 0 (left), 1 (right) or None (neither); the better one is in bold."""

    label: str
    left: str
    right: str
    better: int | None = None


@dataclass(frozen=True)
class PairChart:
    """`ahead` counts the games each finished above the other; `curves` are the two ratings, not drawn where empty."""

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
    curved = any(len(curve.xs) for curve in chart.curves)
    met = sum(chart.ahead) > 0
    y = BELOW + 20.0
    high = y + 110 + (150 if met else 0) + 78 * len(chart.rows) + (620 if curved else 30)
    paper = Paper(1200, max(560, int(high)))
    draw_header(paper, chart.title, chart.subtitle)
    _names(paper, chart, y)
    y += 110
    if met:
        _ahead(paper, chart, y)
        y += 150
    for row in chart.rows:
        _row(paper, row, y)
        y += 78
    if curved:
        lines.plot(paper, Lines("", "", chart.curves, chart.baseline, chart.axis), y + 60, y + 520)
    return paper.png()


def _names(paper: Paper, chart: PairChart, y: float) -> None:
    middle, room = paper.width / 2, paper.width / 2 - EDGE - 60
    paper.pill(EDGE, y, middle - 10, y + 88, radius=16, colour=chart.left.colour)
    paper.pill(middle + 10, y, paper.width - EDGE, y + 88, radius=16, colour=chart.right.colour)
    left, right = chart.left, chart.right
    shown = told_apart((left.name, right.name))
    paper.text(
        EDGE + 24, y + 44, shown[left.name], 48, on(left.colour), bold=True, room=room, least=LOOKED_FOR
    )
    x = paper.width - EDGE - 24
    paper.text(
        x,
        y + 44,
        shown[right.name],
        48,
        colour=on(right.colour),
        anchor="right",
        bold=True,
        room=room,
        least=LOOKED_FOR,
    )


def _ahead(paper: Paper, chart: PairChart, y: float) -> None:
    """Draw how often each finished above the other, as one bar."""
    ours, theirs = chart.ahead
    left, right = EDGE, paper.width - EDGE
    split = left + (right - left) * ours / (ours + theirs)
    paper.text(paper.width / 2, y + 26, AHEAD, SMALL, colour=MUTED, anchor="middle")
    for start, end, side in ((left, split - 2, chart.left), (split + 2, right, chart.right)):
        if end > start:
            paper.box(start, y + 54, end, y + 118, blend(side.colour, WHITE, 0.3))
    mine, other = (blend(side.colour, WHITE, 0.3) for side in (chart.left, chart.right))
    paper.text(left + 24, y + 86, str(ours), 42, on(mine) if split - left > 90 else INK, bold=True)
    paper.text(
        right - 24,
        y + 86,
        str(theirs),
        42,
        colour=on(other) if right - split > 90 else INK,
        anchor="right",
        bold=True,
    )


def _row(paper: Paper, row: PairRow, y: float) -> None:
    room = paper.width / 2 - EDGE - 150
    paper.text(paper.width / 2, y + 39, row.label, SMALL, colour=MUTED, anchor="middle", room=290)
    paper.text(
        EDGE + 24,
        y + 39,
        row.left,
        46,
        INK if row.better != 1 else MUTED,
        bold=row.better == 0,
        room=room,
        least=LOOKED_FOR,
    )
    paper.text(
        paper.width - EDGE - 24,
        y + 39,
        row.right,
        46,
        colour=INK if row.better != 0 else MUTED,
        anchor="right",
        bold=row.better == 1,
        room=room,
        least=LOOKED_FOR,
    )
    paper.across(y + 77, EDGE, paper.width - EDGE, 2, GRID_COLOUR)
