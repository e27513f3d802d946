"""優勝確率: everybody's chance of being champion over the season, and below it the chance of every place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import (
    ASKER_ROW,
    AXIS,
    INK,
    LABEL,
    LOOKED_FOR,
    MUTED,
    PANEL,
    UP,
    WHITE,
    blend,
    on,
    readable,
)
from bot.charts.canvas.unique_names import told_apart
from bot.charts.parts import facts, lines
from bot.charts.parts.curves import Curve, Lines
from bot.charts.parts.header import BELOW, EDGE, draw_empty, draw_header
from bot.charts.parts.lines import NO_GAMES, NO_GAMES_HINT
from bot.charts.parts.names import column

PLACES = "最終順位の確率（%）"
_PITCH, _HEAD = 68, 118
_SINGLE, _MOST = 10, 8  # places that have a column each; columns where there are more places
_A_LABEL = 48  # pixels of height for a curve's name


@dataclass(frozen=True)
class PlaceRow:
    """A member's chance (0 to 1) of each place, the first place first."""

    name: str
    chances: Sequence[float]
    colour: str = INK
    asker: bool = False


@dataclass(frozen=True)
class Turn:
    """The day that turned the season: its place on the axis, and words in a colour."""

    at: float
    words: str
    colour: str = INK


@dataclass(frozen=True)
class ChancesChart:
    """The values of the curves are per cents. Without `places` (a season that is over) there are only the curves."""

    title: str
    subtitle: str
    curves: Sequence[Curve]
    places: Sequence[PlaceRow] = ()
    turn: Turn | None = None


@dataclass(frozen=True)
class ChanceLines(Lines):
    """Lines whose values are per cents; `turned` is a place on the lower axis to mark."""

    turned: float | None = None

    def tick(self, mark: float) -> str:
        return f"{mark:.0f}%"

    def last(self, curve: Curve) -> str:
        value = curve.ys[-1]
        if 0 < value < 0.5:
            return "<1%"
        return ">99%" if 99.5 <= value < 100 else f"{value:.0f}%"

    @property
    def marked(self) -> float | None:
        return self.turned


def draw(chart: ChancesChart) -> bytes:
    """A PNG, 1200 pixels wide, as high as its curves and rows need."""
    curves = [curve for curve in chart.curves if len(curve.xs)]
    plot = max(560, _A_LABEL * len(curves))
    top = BELOW + (84 if chart.turn else 30)
    below = top + plot + 84
    rows = _HEAD + _PITCH * len(chart.places) + 30 if chart.places else 0
    paper = Paper(1200, below + rows)
    draw_header(paper, chart.title, chart.subtitle)
    turned = chart.turn.at if chart.turn else None
    if not lines.plot(paper, ChanceLines("", "", curves, 0.0, turned=turned), top, top + plot):
        draw_empty(paper, NO_GAMES, NO_GAMES_HINT)
        return paper.png()
    if chart.turn:
        colour, room = readable(chart.turn.colour), paper.width - 2 * EDGE
        paper.text(EDGE, BELOW + 34, chart.turn.words, LABEL, colour, bold=True, room=room, least=LOOKED_FOR)
    if chart.places:
        _places(paper, chart.places, below)
    return paper.png()


def columns(places: int) -> list[tuple[int, int]]:
    """The places in each column, from 1, as (first, last): one each, or ever more of them where there are many places."""
    if places <= _SINGLE:
        return [(place, place) for place in range(1, places + 1)]
    single = _MOST // 2
    found = [(place, place) for place in range(1, single + 1)]
    left, start = places - single, single + 1
    for parts in range(_MOST - single, 0, -1):
        size = left // parts
        found.append((start, start + size - 1))
        start, left = start + size, left - size
    return found


def _places(paper: Paper, rows: Sequence[PlaceRow], top: float) -> None:
    """Draw a row of cells for each member, the darker the greater the chance."""
    shown = told_apart(row.name for row in rows)
    rows = [replace(row, name=shown[row.name]) for row in rows]
    facts.heading(paper, top + 20, PLACES)
    groups = columns(len(rows[0].chances))
    left = EDGE + column(shown.values())
    side = (paper.width - EDGE - left) / len(groups)
    for number, (first, last) in enumerate(groups):
        words = f"{first}位" if first == last else f"{first}-{last}"
        x = left + side * (number + 0.5)
        paper.text(x, top + 84, words, AXIS, colour=MUTED, anchor="middle", room=side, least=AXIS)
    for place, row in enumerate(rows):
        y = top + _HEAD + _PITCH * place
        if row.asker:
            paper.box(0, y, paper.width, y + _PITCH, ASKER_ROW)
        ink, room = readable(row.colour), left - EDGE - 20
        paper.text(EDGE, y + _PITCH / 2, row.name, LABEL, ink, bold=row.asker, room=room, least=LOOKED_FOR)
        for number, (first, last) in enumerate(groups):
            chance = sum(row.chances[first - 1 : last])
            _cell(paper, chance, left + side * number, y, side)


def _cell(paper: Paper, chance: float, left: float, top: float, side: float) -> None:
    ground = blend(PANEL, UP, 0.9 * chance**0.75) if chance >= 0.005 else PANEL
    paper.box(left + 1, top + 1, left + side - 1, top + _PITCH - 1, ground)
    if chance >= 0.005:
        ink = on(ground) if chance >= 0.1 else blend(INK, WHITE, 0.25)
        x, y = left + side / 2, top + _PITCH / 2
        paper.text(
            x, y, f"{100 * chance:.0f}", LABEL, colour=ink, anchor="middle", room=side, least=LOOKED_FOR
        )
