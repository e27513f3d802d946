"""The picture of 優勝確率: the course of everybody's chance, and the chances of all places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.draw import lines
from bot.draw.layout import Area, Section, heading, space, titled
from bot.draw.lines import ChanceLines, Curve, PictureWithLines
from bot.draw.rows import Column, Heat, HeatColumn, NameColumn, RowName, Rows
from bot.draw.style import INK, LABEL, PANEL, UP, WHITE, blend, on, readable

PLACES = "最終順位の確率（%）"
PLACE = "{place}位"
PLACE_RANGE = "{first}-{last}"
_ROW = 68  # pixels
# places that have a column each; columns where there are more places
_SINGLE = 10
_MOST = 8
_LABEL_HEIGHT = 48  # pixels for a curve's name
_HIGH = 560  # pixels of the curves at the least
_FEET = 84  # pixels of the curves' lower axis
_LEAST_SHOWN = 0.005  # of a chance in words
_PLAIN = 0.1  # a smaller chance is written in a paler ink


@dataclass(frozen=True)
class Turn:
    """The day that turned the season: its place on the axis, and a sentence in a colour."""

    at: float
    sentence: str
    colour: str = INK


@dataclass(frozen=True)
class ChancesChart(PictureWithLines):
    """The curves' values are per cents; there are no `places` of a season that is over."""

    curves: Sequence[Curve]
    places: Rows | None = None
    turn: Turn | None = None

    def as_lines(self) -> ChanceLines:
        curves = [curve for curve in self.curves if len(curve.xs)]
        curves.sort(key=lambda curve: -curve.ys[-1])
        return ChanceLines(self.title, self.subtitle, curves, 0.0)


def draw(chart: ChancesChart) -> bytes:
    """A PNG, 1200 pixels wide, as high as its curves and rows need."""
    curves = [curve for curve in chart.curves if len(curve.xs)]
    turn = chart.turn
    plotted = ChanceLines("", "", curves, 0.0, turned=turn.at if turn else None)
    if not lines.curves_of(plotted):
        return titled(chart.title, chart.subtitle, [])

    def draw_curves(area: Area) -> None:
        lines.plot(area.inset(bottom=_FEET), plotted)

    high = max(_HIGH, _LABEL_HEIGHT * len(curves))
    sections = [_turn_section(turn) if turn else space(30), Section(high + _FEET, draw_curves)]
    if chart.places is not None:
        sections += [heading(PLACES), chart.places.section(), space(30)]
    return titled(chart.title, chart.subtitle, sections)


def _turn_section(turn: Turn) -> Section:
    def draw_turn(area: Area) -> None:
        area.text(turn.sentence, LABEL, readable(turn.colour), bold=True, down=34)

    return Section(84, draw_turn)


class PlaceRange(NamedTuple):
    """The places, from 1, of a column."""

    first: int
    last: int


def place_ranges(places: int) -> list[PlaceRange]:
    """The places in each column: one each, or ever more where there are many."""
    if places <= _SINGLE:
        return [PlaceRange(place, place) for place in range(1, places + 1)]
    single = _MOST // 2
    ranges = [PlaceRange(place, place) for place in range(1, single + 1)]
    for columns in range(_MOST - single, 0, -1):
        first = ranges[-1].last + 1
        size = (places - first + 1) // columns
        ranges.append(PlaceRange(first, first + size - 1))
    return ranges


def place_rows(names: Sequence[RowName], chances: Sequence[Sequence[float]]) -> Rows:
    """A row for each member with the chance (0 to 1) of each place, the first place first; the
    darker a cell, the greater the chance."""
    columns: list[Column] = [NameColumn(tuple(names))]
    for places in place_ranges(len(chances[0])):
        head = PLACE.format(place=places.first)
        if places.first != places.last:
            head = PLACE_RANGE.format(first=places.first, last=places.last)
        shown = slice(places.first - 1, places.last)
        cells = tuple(_heat(sum(row[shown])) for row in chances)
        columns.append(HeatColumn(cells, head=head))
    return Rows(tuple(columns), _ROW)


def _heat(chance: float) -> Heat:
    if chance < _LEAST_SHOWN:
        return Heat(PANEL)
    ground = blend(PANEL, UP, 0.9 * chance**0.75)
    ink = on(ground) if chance >= _PLAIN else blend(INK, WHITE, 0.25)
    return Heat(ground, f"{100 * chance:.0f}", ink)
