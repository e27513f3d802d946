"""A picture is sections, one below the other: each knows its height, and draws itself on its own
area of the sheet. What is written on an area is never wider; how small a text may get is held by
`style.least`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import ceil, floor, isfinite, log10
from typing import NamedTuple

from bot.draw import glyphs, style
from bot.draw.glyphs import LEADING, wrap
from bot.draw.paper import Anchor, Paper
from bot.texts import SIGN

_DAY_STEPS = (1, 2, 5, 7, 14)
_MONTH_STEPS = (1, 2, 3, 6, 12, 24, 60, 120)


@dataclass(frozen=True)
class Scale:
    """Maps values from `low` to `high` to pixels from `start` to `end`, or all of them to the
    middle.
    """

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        if self.high <= self.low:
            return (self.start + self.end) / 2
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def step_for(span: float, most: int) -> float:
    """The smallest of 1, 2, 5 (or 25, 250, ...) x 10^n that divides `span` into at most `most`
    parts.
    """
    if span <= 0 or not isfinite(span):
        return 1.0
    power = 10.0 ** floor(log10(span / most))
    leads: list[float] = [1, 2, 5, 10, 20]
    if power >= 10:
        leads = [1, 2, 2.5, 5, 10, 20]
    return next(power * lead for lead in leads if span / (power * lead) <= most)


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round values from `low` to `high`, at most `most` + 1 of them."""
    step = step_for(high - low, most)
    first = ceil(low / step - 1e-9)
    last = floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def ticks_about(
    centre: float,
    low: float,
    high: float,
    most: int,
    least: int = 3,
) -> list[float]:
    """About `most` round steps up and down from `centre`, closer where fewer than `least` lie
    between the ends."""
    marks: list[float] = []
    for parts in range(most, most + 2 * least + 2):
        marks = [centre + mark for mark in ticks(low - centre, high - centre, parts)]
        if len(marks) >= least:
            break
    return marks


def days(
    low: float,
    high: float,
    most: int,
) -> list[tuple[float, str]]:
    """The days (ordinals) that get a label, about `most`, and their labels: 7/12, 7月, or the
    year.
    """
    first = _date_of(int(low))
    last = _date_of(ceil(high))
    span = last.toordinal() - first.toordinal()
    for step in _DAY_STEPS:
        if span <= step * most and span <= 62:
            end = min(last.toordinal(), floor(high + 0.5)) + 1
            marks = [date.fromordinal(day) for day in range(first.toordinal(), end, step)]
            return [(day.toordinal(), f"{day.month}/{day.day}") for day in marks]
    for step in _MONTH_STEPS:
        marks = _months(first, last, step)
        if len(marks) <= most:
            break
    if step == 1 and len(marks) < 3:
        middles = _months(first, last, 1, 15)
        if len(marks) + len(middles) <= most + 1:
            marks = sorted([*marks, *middles])
    return [(day.toordinal(), _month_label(day)) for day in marks]


def _date_of(ordinal: int) -> date:
    """The date of an ordinal, or the first or last date that there is."""
    return date.fromordinal(min(max(ordinal, 1), date.max.toordinal()))


def _month_label(day: date) -> str:
    if day.day > 1:
        return f"{day.month}/{day.day}"
    if day.month > 1:
        return f"{day.month}月"
    return f"{day.year}年"


def _months(
    first: date,
    last: date,
    step: int,
    on: int = 1,
) -> list[date]:
    """Day `on` of every `step`-th month, from `first` to `last`."""
    begin = first.year * 12 + first.month - 1
    end = last.year * 12 + last.month - 1
    months = range(-(-begin // step) * step, end + 1, step)
    firsts = (date(month // 12, month % 12 + 1, on) for month in months)
    return [day for day in firsts if first <= day <= last]


def number(value: float, decimals: int = 0, signed: bool = False) -> str:
    """A number as text (1672, 12,345, +1,752.0, −4): a true minus sign, never −0."""
    text = f"{abs(value):,.{decimals}f}"
    if not signed and len(text.split(".")[0]) <= 5:
        text = text.replace(",", "")
    if not text.strip("0.,"):
        return text
    if value < 0:
        return "−" + text
    if signed:
        return "+" + text
    return text


def finite(
    xs: Sequence[float],
    ys: Sequence[float],
) -> tuple[list[float], list[float]]:
    finite_xs = []
    finite_ys = []
    for x, y in zip(xs, ys, strict=True):
        if isfinite(x) and isfinite(y):
            finite_xs.append(float(x))
            finite_ys.append(float(y))
    return finite_xs, finite_ys


EDGE = 48
BELOW = 158  # the first row of pixels that is free below a header
_PART_GAP = "\u3000"


def draw_header(paper: Paper, title: str, subtitle: str) -> None:
    """Draw title and subtitle. A long title is cut before its last part (the season)."""
    room = paper.width - 2 * EDGE
    title = glyphs.drawable(title)
    head, gap, tail = title.rpartition(_PART_GAP)
    left = room - glyphs.width(gap + tail, style.LOOKED_FOR)
    if head and left >= 300 and glyphs.width(head, style.LOOKED_FOR) > left:
        title = glyphs.fit(head, style.LOOKED_FOR, left, style.LOOKED_FOR)[0] + gap + tail
    paper.text(
        EDGE,
        58,
        title,
        style.TITLE,
        style.INK,
        bold=True,
        room=room,
    )
    draw_subtitle(paper, subtitle, (107, 146), 120)


def draw_subtitle(
    paper: Paper,
    words: str,
    lines: tuple[float, float],
    middle: float,
    colour: str = style.MUTED,
) -> None:
    """Draw a subtitle at the height `middle`; a long one as two lines, its last part below, at
    `lines`.
    """
    room = paper.width - 2 * EDGE
    first, _, last = glyphs.drawable(words).rpartition(_PART_GAP)
    if first and glyphs.width(glyphs.drawable(words), style.SMALLEST) > room:
        for y, part in zip(lines, (first, last), strict=True):
            paper.text(EDGE, y, part, style.SMALLEST, colour, room=room)
    else:
        paper.text(EDGE, middle, words, style.SUBTITLE, colour, room=room)


def draw_empty(paper: Paper, words: str, hint: str = "") -> None:
    """Say in the middle of the picture that there is no data yet."""
    middle = paper.height / 2
    centre = paper.width / 2
    bars = ((70, "#E6E6E6"), (120, "#DADADA"), (95, "#E6E6E6"))
    for offset, (height, shade) in enumerate(bars):
        left = centre - 87 + offset * 62
        paper.pill(
            left,
            middle - 70 - height,
            left + 50,
            middle - 70,
            radius=8,
            colour=shade,
        )
    room = paper.width - 2 * EDGE
    paper.text(centre, middle, words, 44, style.MUTED, "middle", room=room)
    paper.text(
        centre,
        middle + 66,
        hint,
        style.SMALLEST,
        style.FAINT,
        "middle",
        room=room,
    )


WIDTH = 1200
NO_GAMES = "まだ対局がありません"
NO_GAMES_HINT = "1戦目の結果が入ると、ここに線が現れます"
ENDS: tuple[Anchor, Anchor] = ("left", "right")
# pixels of names; eight kanji, the longest names on Tenhou, fit into the most
_LEAST = 180
_MOST = 364


@dataclass(frozen=True)
class Area:
    """A rectangle of the sheet, in pixels from the top left."""

    paper: Paper
    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def x(self) -> float:
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        return (self.top + self.bottom) / 2

    def text(
        self,
        words: str,
        size: int,
        colour: str = style.INK,
        anchor: Anchor = "left",
        bold: bool = False,
        down: float | None = None,
        least: int | None = None,
    ) -> float:
        """Write a line at the left, middle or right, `down` pixels below the top or halfway; its
        width.
        """
        xs = {"left": self.left, "middle": self.x, "right": self.right}
        y = self.y if down is None else self.top + down
        return self.paper.text(
            xs[anchor],
            y,
            words,
            size,
            colour,
            anchor,
            bold,
            self.width,
            least,
        )

    def inset(
        self,
        left: float = 0,
        top: float = 0,
        right: float = 0,
        bottom: float = 0,
    ) -> Area:
        """The area without so many pixels at its sides."""
        return Area(
            self.paper,
            self.left + left,
            self.top + top,
            self.right - right,
            self.bottom - bottom,
        )

    def columns(self, *widths: float, gap: float = 0) -> list[Area]:
        """Areas side by side, of these widths; those of width 0 share what is left."""
        rest = self.width - sum(widths) - gap * (len(widths) - 1)
        shared = rest / max(1, widths.count(0))
        left = self.left
        areas = []
        for width in widths:
            areas.append(replace(self, left=left, right=left + (width or shared)))
            left = areas[-1].right + gap
        return areas

    def rows(self, height: float) -> Iterator[Area]:
        """Areas one below the other, as many as are asked for."""
        top = self.top
        while True:
            yield replace(self, top=top, bottom=top + height)
            top += height

    def fill(self, colour: str) -> None:
        self.paper.box(self.left, self.top, self.right, self.bottom, colour)

    def plate(self, colour: str, radius: float = 16) -> None:
        self.paper.pill(
            self.left,
            self.top,
            self.right,
            self.bottom,
            radius=radius,
            colour=colour,
        )

    def band(self, colour: str = style.ASKER_ROW) -> None:
        """Fill the height of the area from edge to edge of the sheet: by default the asker's
        row.
        """
        self.paper.box(0, self.top, self.paper.width, self.bottom, colour)

    def underline(self, thick: float = 2, colour: str = style.GRID_COLOUR) -> None:
        self.paper.across(self.bottom, self.left, self.right, thick, colour)

    def member(
        self,
        name: str,
        colour: str,
        asker: bool = False,
        provisional: bool = False,
        least: int | None = None,
    ) -> None:
        """Write a member's name, with the sign of a provisional rating behind it."""
        shade = style.ink(colour, provisional)
        sign = SIGN if provisional else ""
        room = self.inset(right=glyphs.width(sign, style.SMALL))
        taken = room.text(name, style.LABEL, shade, bold=asker, least=least)
        self.paper.text(self.left + taken, self.y, sign, style.SMALL, shade)


class Section(NamedTuple):
    """A part of a picture: its height in pixels, and what draws it on an area of that height."""

    height: float
    draw: Callable[[Area], object]


def height_of(sections: Iterable[Section]) -> float:
    return sum(section.height for section in sections)


def stacked(sections: Iterable[Section], area: Area) -> None:
    """Draw the sections one below the other from the top of the area, as wide as it is."""
    top = area.top
    for section in sections:
        section.draw(replace(area, top=top, bottom=top + section.height))
        top += section.height


def picture(sections: Sequence[Section], least: int = 0) -> bytes:
    """A PNG of the sections, 1200 pixels wide, as high as they need."""
    paper = Paper(WIDTH, max(least, round(height_of(sections))))
    stacked(sections, Area(paper, EDGE, 0, WIDTH - EDGE, paper.height))
    return paper.png()


@dataclass(frozen=True)
class Titled:
    """The data of a picture: what stands above it, and then all that it shows."""

    title: str
    subtitle: str


def titled(
    title: str,
    subtitle: str,
    sections: Sequence[Section],
    least: int = 560,
    empty: tuple[str, str] = (NO_GAMES, NO_GAMES_HINT),
) -> bytes:
    """The picture of the sections below a title; of `empty` where there are none."""
    header = Section(BELOW, lambda area: draw_header(area.paper, title, subtitle))
    blank = Section(least - BELOW, lambda area: draw_empty(area.paper, *empty))
    return picture([header, *(sections or [blank])], least)


def space(height: float) -> Section:
    return Section(height, lambda area: None)


def heading(words: str, right: str = "") -> Section:
    """The heading of a block, with some words at the right."""

    def draw(area: Area) -> None:
        area.text(words, style.LABEL, bold=True, down=30)
        area.text(right, style.SMALL, style.MUTED, "right", down=30)

    return Section(70, draw)


def line(
    words: str, anchor: Anchor = "left", height: float = 64, colour: str = style.MUTED
) -> Section:
    return Section(height, lambda area: area.text(words, style.SMALL, colour, anchor))


def prose(
    words: str,
    size: int = style.SMALL,
    colour: str = style.MUTED,
    most: int = 2,
    air: float = 20,
) -> Section:
    """Sentences in at most so many lines, with `air` above and below."""
    high = size * LEADING
    lines = len(wrap(words, size, WIDTH - 2 * EDGE, most))

    def draw(area: Area) -> None:
        paragraph(
            area.paper,
            area.left,
            area.top + air + high / 2,
            words,
            size,
            colour,
            area.width,
            most,
        )

    return Section(lines * high + 2 * air, draw)


def name_column(names: Iterable[str], signed: bool = False) -> int:
    """The pixels for names (as `distinct_names` returns them); `signed`: some have the sign of a
    rating.
    """
    sign = glyphs.width(SIGN, style.SMALL) if signed else 0.0
    widest = max((glyphs.width(name, style.LABEL) for name in names), default=0.0)
    return int(min(max(widest + sign + 24, _LEAST), _MOST + sign))


def paragraph(
    paper: Paper,
    x: float,
    y: float,
    text: str,
    size: int,
    colour: str,
    room: float,
    most: int = 2,
) -> float:
    """Draw the text in lines, the middle of the first at `y`; return the height taken in pixels."""
    lines = wrap(text, size, room, most)
    for place, line in enumerate(lines):
        paper.text(x, y + place * size * LEADING, line, size, colour, room=room)
    return len(lines) * size * LEADING
