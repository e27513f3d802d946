"""Line pictures: the curves over games or days, their axes, and each curve's last value and
name.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bot.draw import glyphs, style
from bot.draw.layout import (
    BELOW,
    EDGE,
    WIDTH,
    Area,
    Scale,
    Section,
    Titled,
    days,
    finite,
    number,
    space,
    step_for,
    ticks,
    ticks_about,
    titled,
)
from bot.draw.names import distinct_names
from bot.texts import SIGN, SIGN_MEANS, chance


def separate(
    wanted: Sequence[float],
    gap: float,
    low: float,
    high: float,
) -> list[float]:
    """Places near `wanted` (ascending), at least `gap` apart, between `low` and `high`, the squared
    moves least: with i gaps taken from the i-th value, isotonic regression
    (https://en.wikipedia.org/wiki/Isotonic_regression). Where the frame is too short, the gaps
    shrink evenly.
    """
    count = len(wanted)
    if count > 1:
        gap = min(gap, (high - low) / (count - 1))
    pools: list[tuple[float, int]] = []
    for place, wish in enumerate(wanted):
        total = wish - place * gap
        members = 1
        while pools and pools[-1][0] / pools[-1][1] > total / members:
            earlier, more = pools.pop()
            total = total + earlier
            members = members + more
        pools.append((total, members))
    last = max(low, high - (count - 1) * gap)
    shared = [
        min(
            max(total / members, low),
            last,
        )
        for total, members in pools
        for _ in range(members)
    ]
    return [value + place * gap for place, value in enumerate(shared)]


Axis = Literal["games", "date"]


@dataclass(frozen=True)
class Curve:
    """The line of a member or team.

    `xs` are game numbers, or days as `date.toordinal()` with fractions.
    """

    name: str
    xs: Sequence[float]
    ys: Sequence[float]
    colour: str = style.INK
    dash: style.Dash = ()
    provisional: bool = False
    asker: bool = False

    def shade(self) -> str:
        return style.pale(self.colour) if self.provisional else self.colour

    def ink(self) -> str:
        return style.ink(self.colour, self.provisional)


@dataclass(frozen=True)
class Lines(Titled):
    """A line picture. `baseline` is a value to mark, `feet` places on the lower axis with words, in
    place of games or dates."""

    curves: Sequence[Curve]
    baseline: float | None = None
    axis: Axis = "games"
    decimals: int = 0
    signed: bool = False
    feet: Sequence[tuple[float, str]] = ()

    def tick(self, mark: float) -> str:
        decimals = 0 if mark == int(mark) else max(1, self.decimals)
        return number(mark, decimals, self.signed)

    def last(self, curve: Curve) -> str:
        return number(curve.ys[-1], self.decimals, self.signed)

    @property
    def marked(self) -> tuple[float, float] | None:
        """The part of the lower axis, or the place, that is marked from top to bottom; None for
        none.
        """
        return None


_SHORT = SIGN_MEANS.partition("（")[0]
_GAP = 48  # between two labels at the ends of lines
# of the sheet's width, for the labels
_LEAST = 0.22
_MOST = 0.41
_SWATCH = 22  # pixels for a bar of the line's colour
# between value and name, and at the sheet's right edge
_AIR = 14
_EDGE = 22
MOST = 12  # lines with names; with more all but a few are grey
CROWD = 6  # lines of which only the asker's and its neighbours' are in colour
_LEADERS = 5  # lines in colour where the asker has none


@dataclass(frozen=True)
class ChanceLines(Lines):
    """Lines whose values are per cents; `turned` is a place on the lower axis to mark."""

    turned: float | None = None

    def tick(self, mark: float) -> str:
        return f"{mark:.0f}%"

    def last(self, curve: Curve) -> str:
        return chance(curve.ys[-1] / 100)

    @property
    def marked(self) -> tuple[float, float] | None:
        return None if self.turned is None else (self.turned, self.turned)


@dataclass(frozen=True)
class PictureWithLines(Titled):
    """The data of a picture that shows lines and more."""

    def as_lines(self) -> Lines:
        """The lines alone, those that end highest first."""
        raise NotImplementedError


def draw_values(frame: Area, chart: Lines, up: Scale, marks: Sequence[float]) -> None:
    for mark in marks:
        thick = style.GRID
        colour = style.GRID_COLOUR
        ink = style.MUTED
        if mark == chart.baseline:
            thick = style.BASELINE
            colour = style.BASELINE_COLOUR
            ink = style.INK
        frame.paper.across(up(mark), frame.left, frame.right, thick, colour)
        frame.paper.text(
            frame.left - 16,
            up(mark),
            chart.tick(mark),
            style.AXIS,
            ink,
            "right",
        )
    if chart.baseline is not None and chart.baseline not in marks:
        frame.paper.across(
            up(chart.baseline), frame.left, frame.right, style.BASELINE, style.BASELINE_COLOUR
        )


def draw_feet(frame: Area, chart: Lines, across: Scale) -> None:
    """Draw the lower axis (games or dates), without labels too near to the one before."""
    most = max(2, int(frame.width / 150))
    if chart.feet:
        marks = list(chart.feet)
    elif chart.axis == "date":
        marks = days(across.low, across.high, most)
    else:
        whole = _whole_ticks(across, most)
        marks = [(mark, f"{number(mark)}戦" if mark else "0") for mark in whole]
        marks = marks or [(across.high, f"{across.high:g}戦")]
    end = -1e9
    for value, words in marks:
        half = glyphs.width(words, style.AXIS) / 2
        x = max(across(value), half + 4)
        if x - half < end + 18 or x + half > frame.right + 60:
            continue
        frame.paper.down(
            across(value), frame.bottom, frame.bottom + 12, style.GRID, style.BASELINE_COLOUR
        )
        frame.paper.text(
            x,
            frame.bottom + 40,
            words,
            style.AXIS,
            style.MUTED,
            "middle",
        )
        end = x + half
    frame.paper.across(
        frame.bottom,
        frame.left,
        frame.right,
        style.GRID,
        style.BASELINE_COLOUR,
    )


def _whole_ticks(across: Scale, most: int) -> list[float]:
    """The whole numbers of games that get a label, about `most`."""
    marks = ticks(across.low, across.high, most)
    return [mark for mark in marks if mark == int(mark) and mark >= across.low]


def ends_of(chart: Lines, curves: Sequence[Curve]) -> tuple[float, float]:
    """The widths of the values and the names at the ends of `curves`; a too long name is cut."""
    values = max(glyphs.width(chart.last(curve), style.LABEL) for curve in curves)
    least, most = (share * WIDTH - _SWATCH - values - _AIR - _EDGE for share in (_LEAST, _MOST))
    needed = least
    for curve in curves:
        wide = glyphs.width(curve.name, style.LABEL)
        if curve.provisional:
            wide += glyphs.width(SIGN, style.SMALL)
        needed = max(needed, wide)
    return values, min(needed, most)


def draw_ends(
    frame: Area,
    chart: Lines,
    up: Scale,
    curves: Sequence[Curve],
    values: float,
    names: float,
) -> None:
    """Draw the last values and names of `curves` (worst first) by the ends of their lines, moved
    apart.
    """
    paper = frame.paper
    left = frame.right
    ranked = curves[::-1]
    column = left + _SWATCH + values
    wanted = [up(curve.ys[-1]) for curve in ranked]
    heights = separate(wanted, _GAP, frame.top - 6, frame.bottom - 8)
    for curve, y in zip(ranked, heights, strict=True):
        half = style.LABEL * 0.36
        paper.pill(
            left + 2,
            y - half,
            left + 11,
            y + half,
            radius=4,
            colour=curve.shade(),
        )
        paper.text(
            column,
            y,
            chart.last(curve),
            style.LABEL,
            curve.ink(),
            "right",
            curve.asker,
        )
        name = Area(paper, column + _AIR, y, column + _AIR + names, y)
        name.member(curve.name, curve.colour, curve.asker, curve.provisional, style.LOOKED_FOR)
    if any(curve.provisional for curve in ranked):
        room = paper.width - _EDGE - left - 64
        words = SIGN_MEANS
        if glyphs.width(SIGN_MEANS, style.SMALL) > room:
            words = _SHORT
        paper.text(
            paper.width - _EDGE,
            frame.bottom + 40,
            words,
            style.SMALL,
            style.MUTED,
            "right",
            room=room,
        )


def draw(chart: Lines) -> bytes:
    """A PNG, 1200 pixels wide and high."""
    plotted = Section(
        WIDTH - BELOW - 30,
        lambda area: plot(area.inset(bottom=84), chart),
    )
    sections = []
    if curves_of(chart):
        sections = [space(30), plotted]
    return titled(chart.title, chart.subtitle, sections, least=WIDTH)


def curves_of(chart: Lines) -> list[Curve]:
    """The curves that have something to draw, the worst first, with their names as they are
    drawn.
    """
    names = distinct_names(curve.name for curve in chart.curves)
    curves = []
    for curve in chart.curves:
        xs, ys = finite(curve.xs, curve.ys)
        if xs:
            curves.append(
                replace(
                    curve,
                    name=names[curve.name],
                    xs=xs,
                    ys=ys,
                )
            )
    return sorted(curves, key=lambda curve: curve.ys[-1])


def plot(area: Area, chart: Lines) -> None:
    """Draw the curves over the height of the area, if there are any."""
    curves = curves_of(chart)
    paper = area.paper
    if not curves:
        return
    low, high = value_range(chart, [value for curve in curves for value in curve.ys])
    margin = (high - low) * 0.03
    low -= margin
    high += margin
    marks = _value_marks(chart, low, high, max(2, int(area.height / 140)))
    named = coloured(_named(curves))
    values, names = ends_of(chart, named)
    words = max(
        (glyphs.width(chart.tick(mark), style.AXIS) for mark in marks),
        default=0,
    )
    right = _SWATCH + values + _AIR + names + _EDGE
    frame = replace(area, left=EDGE + 16 + words, right=paper.width - right)
    first = min(min(curve.xs) for curve in curves)
    last = max(max(curve.xs) for curve in curves)
    if first >= last:
        first = last - 1
    across = Scale(first, last, frame.left + 8, frame.right - 14)
    up = Scale(low, high, frame.bottom, frame.top)
    if chart.marked is not None:
        left, right = map(across, chart.marked)
        _draw_marked(frame, left, right)
    draw_values(frame, chart, up, marks)
    draw_feet(frame, chart, across)
    for curve in curves:
        if curve.name not in {each.name for each in named}:
            paper.line(
                list(map(across, curve.xs)),
                list(map(up, curve.ys)),
                style.CONTEXT_LINE,
                style.CONTEXT,
            )
    thin = _thickness(named)
    for curve in sorted(named, key=lambda curve: (curve.asker, not curve.provisional)):
        _stroke(frame, curve, across, up, thin)
    draw_ends(frame, chart, up, named, values, names)


def _value_marks(chart: Lines, low: float, high: float, most: int) -> list[float]:
    """The marks of the value axis: round values, about the baseline where it lies midway between
    two."""
    base = chart.baseline
    marks = ticks(low, high, most)
    if base is None or base in marks:
        return marks
    steps = base / step_for(high - low, most)
    if (steps * 2).is_integer():
        return ticks_about(base, low, high, most)
    return marks


def _draw_marked(frame: Area, left: float, right: float) -> None:
    """Mark the part from `left` to `right` from top to bottom, or the place where they are equal."""
    middle = (left + right) / 2
    half = max(style.BASELINE / 2, (right - left) / 2)
    colour = style.BASELINE_COLOUR if left == right else style.PANEL
    frame.paper.box(middle - half, frame.top, middle + half, frame.bottom, colour)


def _thickness(curves: Sequence[Curve]) -> int:
    """How thick lines are: thinner where there are many, and where one is the asker's."""
    thickness = style.LINE
    if len(curves) > 9:
        thickness -= 1
    if any(curve.asker for curve in curves):
        thickness -= 1
    return thickness


def _named(curves: Sequence[Curve]) -> Sequence[Curve]:
    """The curves (worst first) with colour and name: all, or of more than MOST the first, the last,
    and the asker's with its neighbours, else the leaders."""
    if len(curves) <= MOST:
        return curves
    own = next((place for place, curve in enumerate(curves) if curve.asker), None)
    first = len(curves) - 1
    if own is None:
        near = range(first - _LEADERS + 1, first)
    else:
        near = range(own - 1, own + 2)
    places = sorted({0, *near, first})
    return [curves[place] for place in places if 0 <= place <= first]


def coloured(curves: Sequence[Curve]) -> Sequence[Curve]:
    """The curves (worst first) as drawn: from CROWD on only the asker's and its neighbours' in
    colour; of two with one colour the second gets a free one."""
    own = next((place for place, curve in enumerate(curves) if curve.asker), None)
    found: list[Curve] = []
    free = [
        colour for colour in style.palette(MOST) if colour not in {curve.colour for curve in curves}
    ]
    for place, curve in enumerate(curves):
        if own is not None and len(curves) >= CROWD and abs(place - own) > 1:
            curve = replace(curve, colour=style.CONTEXT, dash=())
        elif free and curve.colour in {other.colour for other in found}:
            curve = replace(curve, colour=free.pop(0), dash=())
        found.append(curve)
    return found


def value_range(chart: Lines, values: Sequence[float]) -> tuple[float, float]:
    """The ends of the value axis: data and baseline, 20 units of the last decimal at least."""
    low = min(values)
    high = max(values)
    if chart.baseline is not None:
        low = min(low, chart.baseline)
        high = max(high, chart.baseline)
    least = 10.0**-chart.decimals * 20
    if high - low < least:
        return (low + high - least) / 2, (low + high + least) / 2
    return low, high


def _stroke(
    frame: Area,
    curve: Curve,
    across: Scale,
    up: Scale,
    thin: int,
) -> None:
    """Draw a line with a dot at its end (a ring if provisional); the asker's has a white edge."""
    paper = frame.paper
    xs = list(map(across, curve.xs))
    ys = list(map(up, curve.ys))
    thick = thin
    if curve.asker:
        thick = style.ASKER_LINE
    elif curve.provisional:
        thick = thin - 1
    if xs[-1] < frame.right - 40:
        paper.across(
            ys[-1],
            xs[-1],
            frame.right - 14,
            2,
            style.pale(curve.colour),
        )
    if len(xs) > 1:
        if curve.asker:
            paper.line(xs, ys, thick + 6, style.WHITE)
        paper.line(xs, ys, thick, curve.shade(), curve.dash)
    if curve.provisional:
        paper.dot(xs[-1], ys[-1], thick + 4, style.WHITE)
        paper.dot(
            xs[-1],
            ys[-1],
            thick + 2,
            style.WHITE,
            edge=curve.shade(),
            thick=4,
        )
    else:
        paper.dot(
            xs[-1],
            ys[-1],
            thick + 3,
            curve.shade(),
            edge=style.WHITE,
            thick=3,
        )


def warm() -> None:
    """Load the drawing library and the font and draw once, so that the first answer does not wait
    for it.
    """
    curve = Curve("雀録", (0.0, 1.0, 2.0), (1500.0, 1510.0, 1490.0))
    draw(Lines("レーティング", "0123456789 戦", (curve,)))
