"""The picture of 順位推移: the courses of the members' places, which cross."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.draw import glyphs, style
from bot.draw.layout import Area, Scale, Section, Titled, line as text_line, titled
from bot.draw.paper import Paper
from bot.draw.rows import Column, NameColumn, RowName, Rows, WordColumn, Words

ROW = 100  # pixels between places, of up to USUAL members
LEAST_ROW = 46
USUAL = 10
COLOURED = 12  # with more members only some lines have their colour
_NUMBERS = 56  # pixels for the places' numbers
_WIDER = 26  # pixels by which the names may be nearer to the sheet's edge than other text
_MOVES = 96  # pixels for ▲12


@dataclass(frozen=True)
class RankLine:
    """A member's places on the days shown, None before the first game; `moved`: the places won on
    the last day.
    """

    member: RowName
    places: Sequence[int | None]
    dash: style.Dash = ()
    moved: int = 0


@dataclass(frozen=True)
class RankCurves(Titled):
    """The lines, the best now first; `days` are the labels of the days, `note` says of which day
    the moves are.
    """

    days: Sequence[str]
    lines: Sequence[RankLine]
    note: str = ""


def draw(chart: RankCurves) -> bytes:
    """A PNG, 1200 pixels wide and as high as its places need, 1200 at most for nine."""
    count = len(chart.lines)
    if not count or not chart.days:
        return titled(chart.title, chart.subtitle, [])
    height = ROW if count <= USUAL else max(LEAST_ROW, ROW * USUAL // count)
    rows = Rows(columns_of(chart), height).section()

    def draw_rows(area: Area) -> None:
        rows.draw(area.inset(right=-_WIDER))

    note = text_line(chart.note, "right", 40)
    return titled(chart.title, chart.subtitle, [note, Section(rows.height, draw_rows)])


def columns_of(chart: RankCurves) -> list[Column]:
    """The places, the courses between the first and the last day, the names, and the moves."""
    shown = coloured(chart.lines)
    numbers = []
    names = []
    for place, rank_line in enumerate(chart.lines, 1):
        ink = style.INK if place == 1 else style.MUTED
        numbers.append(Words(str(place), colour=ink))
        member = rank_line.member
        if rank_line not in shown:
            member = replace(member, colour=style.FAINT)
        names.append(member)
    moves = [rank_line.moved for rank_line in chart.lines]
    columns: list[Column] = [
        WordColumn(numbers, anchor="left", width=_NUMBERS),
        CourseColumn(chart.lines, chart.days, shown),
        NameColumn(names, banded=False),
    ]
    if any(moves):
        columns.append(MoveColumn(moves, width=_MOVES))
    return columns


def coloured(lines: Sequence[RankLine]) -> Sequence[RankLine]:
    """The lines in colour: all, or of more than COLOURED the first and the asker's with both
    neighbours, else the first three."""
    if len(lines) <= COLOURED:
        return lines
    middle = next((place for place, line in enumerate(lines) if line.member.asker), 1)
    first = min(max(middle - 1, 0), len(lines) - 3)
    return (lines[0], *lines[first : first + 3])


class _Point(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True)
class CourseColumn(Column):
    """The lines over the days, from the first at the left to the last at the right."""

    cells: Sequence[RankLine]
    days: Sequence[str]
    coloured: Sequence[RankLine]

    @property
    def below(self) -> float:
        return 90

    def draw(self, areas: Sequence[Area]) -> None:
        paper = areas[0].paper
        for area in areas:
            paper.across(area.y, area.left, area.right, style.GRID, style.GRID_COLOUR)
        left = areas[0].left + 10
        right = areas[0].right - 28
        across = Scale(0, max(1, len(self.days) - 1), left, right)
        _draw_days(paper, self.days, across, areas[-1].y + 70)
        heights = [area.y for area in areas]
        coloured_last = sorted(self.cells, key=lambda line: line in self.coloured)
        asker_last = sorted(coloured_last, key=lambda line: line.member.asker)
        for line in asker_last:
            points = [
                _Point(across(day), heights[place - 1])
                for day, place in enumerate(line.places)
                if place is not None
            ]
            if points:
                _draw_course(paper, line, points, line in self.coloured)


def _draw_course(paper: Paper, line: RankLine, points: Sequence[_Point], in_colour: bool) -> None:
    """Draw a line with dots at its ends; the asker's has a white edge."""
    colour = style.CONTEXT
    thick = style.CONTEXT_LINE
    dash: style.Dash = ()
    if in_colour:
        colour = line.member.colour
        thick = style.LINE
        dash = line.dash
    xs = [point.x for point in points]
    ys = [point.y for point in points]
    if line.member.asker:
        thick = style.ASKER_LINE
    if len(points) > 1:
        if line.member.asker:
            paper.line(xs, ys, thick + 6, style.WHITE)
        paper.line(xs, ys, thick, colour, dash)
    for point in (points[0], points[-1]):
        paper.dot(
            point.x,
            point.y,
            thick + 5,
            colour,
            edge=style.WHITE,
            thick=3,
        )


def _draw_days(paper: Paper, days: Sequence[str], across: Scale, y: float) -> None:
    """Write the days at the height `y`. The last is always written; another is left out where it is
    too near to its neighbours, or another game of the same day."""
    widths = [glyphs.width(day, style.AXIS) for day in days]
    last = len(days) - 1
    start_of_last = across(last) - widths[last] / 2
    end = -1e9
    for number, (day, width) in enumerate(zip(days, widths, strict=True)):
        x = across(number)
        start = x - width / 2
        repeated = number > 0 and day == days[number - 1]
        crowded = start < end + 24 or start + width > start_of_last - 24
        if repeated or (crowded and number < last):
            continue
        paper.text(
            max(x, width / 2 + 4),
            y,
            day,
            style.AXIS,
            style.MUTED,
            "middle",
        )
        end = start + width


@dataclass(frozen=True)
class MoveColumn(Column):
    """Places won (▲2) or lost (▼1); nothing for 0."""

    cells: Sequence[int]

    def draw(self, areas: Sequence[Area]) -> None:
        for moved, area in zip(self.cells, areas, strict=True):
            if moved:
                _draw_move(moved, area)


def _draw_move(moved: int, area: Area) -> None:
    colour = style.UP if moved > 0 else style.DOWN
    half = 13 if moved > 0 else -13  # from the middle to the tip
    width = area.text(str(abs(moved)), style.AXIS + 2, colour, "right")
    left = area.right - width - 34
    base = area.y + half
    tip = (left + 13, area.y - half)
    area.paper.shape(
        [(left, base), (left + 26, base), tip],
        colour,
    )
