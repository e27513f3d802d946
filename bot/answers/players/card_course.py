"""The line of one member's rating on the card, with its highest value and its last one marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.draw import glyphs
from bot.draw.header import EDGE
from bot.draw.layout import Area
from bot.draw.paper import Paper
from bot.draw.scale import Scale, number, ticks, ticks_about
from bot.draw.style import (
    ASKER_LINE,
    AXIS,
    BASELINE,
    BASELINE_COLOUR,
    GRID,
    GRID_COLOUR,
    LOOKED_FOR,
    MUTED,
    WHITE,
    blend,
    pale,
    readable,
)

HIGH = 396  # pixels
_ABOVE, _BELOW = 84, 62  # for the words of the highest value, and for the days
_DOT = 15


@dataclass(frozen=True)
class CardCourse:
    """A rating over the member's games: `places` are numbers of games, `days` the words of the first and the
    last one.

    `peak` is the index of the highest value, `peak_words` what is written above it. `baseline` is a value to
    mark.
    """

    places: Sequence[float]
    values: Sequence[float]
    peak: int
    peak_words: str
    days: tuple[str, str]
    baseline: float | None = None
    decimals: int = 0
    signed: bool = False


def draw_course(course: CardCourse, colour: str, few: bool, area: Area) -> None:
    """Draw the line, HIGH pixels high, from the top of the area; `few` games in a paler colour."""
    paper, top = area.paper, area.top
    values = course.values
    low, high = min(values), max(values)
    base = course.baseline
    if base is not None:
        low, high = min(low, base), max(high, base)
    least = 20 * 10.0**-course.decimals
    if high - low < least:
        low, high = (low + high - least) / 2, (low + high + least) / 2
    marks = ticks(low, high, 3) if base is None else ticks_about(base, low, high, 3, least=2)
    words = {mark: number(mark, 0 if mark == int(mark) else course.decimals, course.signed) for mark in marks}
    left = EDGE + max((glyphs.width(word, AXIS) for word in words.values()), default=0) + 20
    right, bottom = paper.width - EDGE - _DOT, top + HIGH - _BELOW
    up = Scale(low, high, bottom, top + _ABOVE)
    first, last = course.places[0], course.places[-1]
    across = Scale(first, max(last, first + 1), left + 10, right)
    xs, ys = [across(place) for place in course.places], [up(value) for value in values]
    line = pale(colour) if few else colour
    paper.shape([(xs[0], bottom), *zip(xs, ys, strict=True), (xs[-1], bottom)], blend(line, WHITE, 0.88))
    for mark in marks:
        thick, shade = (BASELINE, BASELINE_COLOUR) if mark == base else (GRID, GRID_COLOUR)
        paper.across(up(mark), left, right + _DOT, thick, shade)
        paper.text(left - 16, up(mark), words[mark], AXIS, colour=MUTED, anchor="right")
    paper.line(xs, ys, ASKER_LINE, line)
    paper.dot(xs[-1], ys[-1], _DOT, line, edge=WHITE, thick=4)
    _peak(paper, course, xs[course.peak], ys[course.peak], left=left, colour=line)
    for word, x, anchor in ((course.days[0], left, "left"), (course.days[1], right + _DOT, "right")):
        paper.text(x, bottom + 38, word, AXIS, colour=MUTED, anchor=anchor)  # type: ignore[arg-type]


def _peak(paper: Paper, course: CardCourse, x: float, y: float, left: float, colour: str) -> None:
    """Mark the highest value with a ring, and write what it was above it."""
    paper.dot(x, y, _DOT, WHITE, edge=colour, thick=7)
    half = glyphs.width(glyphs.drawable(course.peak_words), LOOKED_FOR) / 2
    middle = min(max(x, left + half), paper.width - EDGE - half)
    ink = readable(colour)
    paper.text(middle, y - 48, course.peak_words, LOOKED_FOR, colour=ink, anchor="middle", bold=True)
