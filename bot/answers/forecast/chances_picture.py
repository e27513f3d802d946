"""優勝確率: everybody's chance of being champion over the season, and below it the chance of every place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.draw import lines
from bot.draw.curves import Curve, Lines
from bot.draw.layout import Area, Section, heading, name_column, space, titled
from bot.draw.style import AXIS, INK, LABEL, MUTED, PANEL, UP, WHITE, blend, on, readable
from bot.draw.unique_names import told_apart

PLACES = "最終順位の確率（%）"
_PITCH = 68
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
    """The values of the curves are per cents. Without `places` (a season that is over) there are only the
    curves."""

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
    turn = chart.turn
    plotted = ChanceLines("", "", curves, 0.0, turned=turn.at if turn else None)
    if not lines.curves_of(plotted):
        return titled(chart.title, chart.subtitle, [])
    sections = [Section(84, partial(_turn, turn)) if turn else space(30)]
    high = max(560, _A_LABEL * len(curves))
    sections += [Section(high + 84, lambda area: lines.plot(area.inset(bottom=84), plotted))]
    if chart.places:
        sections += [*_places(chart.places), space(30)]
    return titled(chart.title, chart.subtitle, sections)


def _turn(turn: Turn, area: Area) -> None:
    area.text(turn.words, LABEL, readable(turn.colour), bold=True, down=34)


def columns(places: int) -> list[tuple[int, int]]:
    """The places in each column, from 1, as (first, last): one each, or ever more of them where there are
    many places."""
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


def _places(rows: Sequence[PlaceRow]) -> list[Section]:
    """A row of cells for each member, the darker the greater the chance."""
    shown = told_apart(row.name for row in rows)
    groups = columns(len(rows[0].chances))
    widths = (name_column(shown.values()), *([0] * len(groups)))
    words = [f"{first}位" if first == last else f"{first}-{last}" for first, last in groups]

    def head(area: Area) -> None:
        for cell, word in zip(area.columns(*widths)[1:], words, strict=True):
            cell.text(word, AXIS, MUTED, "middle", down=14)

    def draw(row: PlaceRow, area: Area) -> None:
        if row.asker:
            area.band()
        name, *cells = area.columns(*widths)
        name.inset(right=20).member(shown[row.name], row.colour, row.asker)
        for cell, (first, last) in zip(cells, groups, strict=True):
            _cell(sum(row.chances[first - 1 : last]), cell)

    return [heading(PLACES), Section(48, head), *(Section(_PITCH, partial(draw, row)) for row in rows)]


def _cell(chance: float, cell: Area) -> None:
    ground = blend(PANEL, UP, 0.9 * chance**0.75) if chance >= 0.005 else PANEL
    cell.inset(1, 1, 1, 1).fill(ground)
    if chance >= 0.005:
        ink = on(ground) if chance >= 0.1 else blend(INK, WHITE, 0.25)
        cell.text(f"{100 * chance:.0f}", LABEL, ink, "middle")
