"""The rich menu's picture: up to six large buttons with symbols, and a strip of tabs above them where there
are tabs.

The picture and the tap areas both use `areas`, so that they always agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin

from bot.draw.paper import Paper
from bot.draw.style import INK, MUTED, WHITE, blend, palette


@dataclass(frozen=True)
class Brush:
    """Draws in a square around the point (x, y) of the sheet: -1 to 1 in both directions, y downwards. `half`
    is half the square's side in pixels; every length below is a multiple of it, angles are in radians."""

    paper: Paper
    x: float
    y: float
    half: float
    colour: str

    def line(self, *points: tuple[float, float], thick: float = 0.17) -> None:
        xs, ys = [self.x + self.half * a for a, _ in points], [self.y + self.half * b for _, b in points]
        self.paper.line(xs, ys, thick * self.half, self.colour)

    def dot(self, x: float, y: float, radius: float, colour: str | None = None) -> None:
        place = self.x + self.half * x, self.y + self.half * y
        self.paper.dot(*place, radius * self.half, colour or self.colour)

    def ring(self, x: float, y: float, radius: float, thick: float = 0.17) -> None:
        self.arc(x, y, radius, 0, end=2 * pi, thick=thick)

    def arc(self, x: float, y: float, radius: float, start: float, end: float, thick: float = 0.17) -> None:
        steps = [start + (end - start) * i / 40 for i in range(41)]
        self.line(*((x + radius * cos(step), y + radius * sin(step)) for step in steps), thick=thick)

    def box(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        round_by: float = 0.1,
        colour: str | None = None,
    ) -> None:
        xs, ys = (
            (self.x + self.half * left, self.x + self.half * right),
            (self.y + self.half * top, self.y + self.half * bottom),
        )
        self.paper.pill(xs[0], ys[0], xs[1], ys[1], radius=round_by * self.half, colour=colour or self.colour)

    def shape(self, points: Sequence[tuple[float, float]]) -> None:
        placed = [(self.x + self.half * a, self.y + self.half * b) for a, b in points]
        self.paper.shape(placed, self.colour, self.colour, 0.1 * self.half)


def _rating(brush: Brush) -> None:
    brush.line((-0.85, -0.85), (-0.85, 0.8), (0.9, 0.8), thick=0.13)
    brush.line((-0.55, 0.4), (-0.15, -0.05), (0.15, 0.2), (0.75, -0.6))
    brush.dot(0.75, -0.6, 0.18)


def _points(brush: Brush) -> None:
    """Three point sticks (点棒)."""
    for place, dots in enumerate((1, 5, 2)):
        y = -0.6 + 0.6 * place
        brush.box(-0.95, y - 0.2, 0.95, y + 0.2, 0.2)
        for dot in range(dots):
            brush.dot((dot - (dots - 1) / 2) * 0.24, y, 0.085, WHITE)


def _chips(brush: Brush) -> None:
    """One chip from above, with marks on its rim."""
    brush.dot(0, 0, 0.9)
    for mark in range(8):
        turn = pi / 8 + mark * pi / 4
        brush.dot(0.74 * cos(turn), 0.74 * sin(turn), 0.11, WHITE)
    brush.dot(0, 0, 0.5, WHITE)
    brush.dot(0, 0, 0.34)


def _placings(brush: Brush) -> None:
    brush.box(-0.92, 0.05, -0.36, 0.85)
    brush.box(-0.28, -0.5, 0.28, 0.85)
    brush.box(0.36, 0.3, 0.92, 0.85)
    brush.dot(0, -0.78, 0.2)


def _player(brush: Brush) -> None:
    brush.dot(0, -0.42, 0.4)
    turns = [pi + pi * i / 24 for i in range(25)]
    brush.shape([(0.72 * cos(turn), 0.85 + 0.72 * sin(turn)) for turn in turns])


def _me(brush: Brush) -> None:
    """A person with a tick."""
    brush.dot(-0.18, -0.45, 0.34)
    brush.box(-0.78, 0.08, 0.42, 0.88, 0.4)
    brush.dot(0.52, 0.5, 0.44, WHITE)
    brush.line((0.24, 0.5), (0.46, 0.72), (0.84, 0.28), thick=0.16)


def _pair(brush: Brush) -> None:
    """An arrow each way."""
    brush.line((-0.85, -0.35), (0.85, -0.35), thick=0.18)
    brush.line((0.45, -0.75), (0.85, -0.35), (0.45, 0.05), thick=0.18)
    brush.line((0.85, 0.45), (-0.85, 0.45), thick=0.18)
    brush.line((-0.45, 0.05), (-0.85, 0.45), (-0.45, 0.85), thick=0.18)


def _team(brush: Brush) -> None:
    """One person in front of two."""
    for x in (-0.66, 0.66):
        brush.dot(x, -0.28, 0.22)
        brush.box(x - 0.32, 0.05, x + 0.32, 0.7, 0.3)
    brush.dot(0, -0.45, 0.38, WHITE)
    brush.box(-0.52, -0.02, 0.52, 0.9, round_by=0.4, colour=WHITE)
    brush.dot(0, -0.45, 0.3)
    brush.box(-0.44, 0.06, 0.44, 0.82, 0.36)


def _today(brush: Brush) -> None:
    brush.box(-0.85, -0.7, 0.85, 0.85, 0.14)
    brush.box(-0.68, -0.25, 0.68, 0.68, round_by=0.06, colour=WHITE)
    for x in (-0.42, 0.42):
        brush.line((x, -0.92), (x, -0.6), thick=0.16)
    brush.line((-0.36, 0.2), (-0.08, 0.46), (0.4, -0.02))


def _recent(brush: Brush) -> None:
    brush.ring(0, 0, 0.82)
    brush.line((0, -0.48), (0, 0.05), (0.36, 0.28))


def _season(brush: Brush) -> None:
    """A crown."""
    brush.shape(
        [(-0.85, -0.4), (-0.42, 0.08), (0, -0.68), (0.42, 0.08), (0.85, -0.4), (0.66, 0.7), (-0.66, 0.7)]
    )
    for x, y in ((-0.85, -0.46), (0.0, -0.76), (0.85, -0.46)):
        brush.dot(x, y, 0.13)


def _records(brush: Brush) -> None:
    """A cup."""
    brush.shape([(-0.5, -0.8), (0.5, -0.8), (0.42, -0.1), (0.18, 0.18), (-0.18, 0.18), (-0.42, -0.1)])
    brush.arc(-0.5, -0.48, 0.3, pi / 2, end=3 * pi / 2, thick=0.13)
    brush.arc(0.5, -0.48, 0.3, -pi / 2, end=pi / 2, thick=0.13)
    brush.line((0, 0.18), (0, 0.6))
    brush.box(-0.45, 0.6, 0.45, 0.85, 0.06)


def _compare(brush: Brush) -> None:
    """A pair of scales."""
    brush.line((0, -0.75), (0, 0.75), thick=0.13)
    brush.line((-0.4, 0.8), (0.4, 0.8), thick=0.15)
    brush.line((-0.7, -0.45), (0.7, -0.65), thick=0.13)
    for x, y in ((-0.7, -0.45), (0.7, -0.65)):
        brush.line((x - 0.28, y + 0.55), (x, y), (x + 0.28, y + 0.55), thick=0.07)
        brush.arc(x, y + 0.55, 0.28, 0, end=pi, thick=0.13)


def _matrix(brush: Brush) -> None:
    for row in range(3):
        for column in range(3):
            if row != column:
                x, y = -0.56 + 0.56 * column, -0.56 + 0.56 * row
                brush.box(x - 0.24, y - 0.24, x + 0.24, y + 0.24, 0.06)


def _paifu(brush: Brush) -> None:
    """A tile with one circle."""
    brush.box(-0.62, -0.9, 0.62, 0.9, 0.16)
    brush.box(-0.48, -0.76, 0.48, 0.66, round_by=0.08, colour=WHITE)
    brush.ring(0, -0.05, 0.32, 0.12)
    brush.dot(0, -0.05, 0.13)


def _export(brush: Brush) -> None:
    brush.line((0, -0.85), (0, 0.3))
    brush.line((-0.42, -0.1), (0, 0.32), (0.42, -0.1))
    brush.line((-0.8, 0.35), (-0.8, 0.82), (0.8, 0.82), (0.8, 0.35))


def _help(brush: Brush) -> None:
    brush.ring(0, 0, 0.85, 0.15)
    brush.arc(0, -0.2, 0.28, pi, end=2.5 * pi, thick=0.16)
    brush.line((0, 0.08), (0, 0.2), thick=0.16)
    brush.dot(0, 0.5, 0.11)


def _more(brush: Brush) -> None:
    for place in range(9):
        brush.dot(-0.6 + 0.6 * (place % 3), -0.6 + 0.6 * (place // 3), 0.18)


SYMBOLS: dict[str, Callable[[Brush], None]] = {
    "rating": _rating,
    "points": _points,
    "chips": _chips,
    "placings": _placings,
    "player": _player,
    "me": _me,
    "pair": _pair,
    "team": _team,
    "today": _today,
    "recent": _recent,
    "season": _season,
    "records": _records,
    "compare": _compare,
    "matrix": _matrix,
    "paifu": _paifu,
    "export": _export,
    "help": _help,
    "more": _more,
}


WIDTH, HEIGHT, TAB = 2500, 1686, 206
_COLUMNS, _ROWS = 3, 2
_GROUND, _SEAM = "#F2F3F5", 12
_TINTS = [palette(7)[i] for i in (1, 2, 3, 4, 5, 6)]

Area = tuple[int, int, int, int]
"""Left, top, width, height."""


@dataclass(frozen=True)
class RichMenuTab:
    """`buttons` are up to six (symbol, label); `tabs` are all labels, `active` the index of this one."""

    buttons: Sequence[tuple[str, str]]
    tabs: Sequence[str] = ()
    active: int = 0


def areas(menu: RichMenuTab) -> tuple[list[Area], list[Area]]:
    """The places of the buttons and of the tabs. With six buttons they cover the picture without overlap."""
    top = TAB if menu.tabs else 0
    xs = [WIDTH * column // _COLUMNS for column in range(_COLUMNS + 1)]
    ys = [top + (HEIGHT - top) * row // _ROWS for row in range(_ROWS + 1)]
    cells = [
        (xs[c], ys[r], xs[c + 1] - xs[c], ys[r + 1] - ys[r]) for r in range(_ROWS) for c in range(_COLUMNS)
    ]
    edges = [WIDTH * tab // max(1, len(menu.tabs)) for tab in range(len(menu.tabs) + 1)]
    tabs = [(a, 0, b - a, TAB) for a, b in pairwise(edges)]
    return cells[: len(menu.buttons)], tabs


def draw(menu: RichMenuTab) -> bytes:
    """A PNG of 2500 x 1686 pixels. Raises ValueError for seven buttons, KeyError for an unknown symbol."""
    if len(menu.buttons) > _COLUMNS * _ROWS:
        raise ValueError(f"a rich menu has {_COLUMNS * _ROWS} buttons, not {len(menu.buttons)}")
    paper = Paper(WIDTH, HEIGHT)
    paper.box(0, 0, WIDTH, HEIGHT, _GROUND)
    buttons, tabs = areas(menu)
    for place, (area, label) in enumerate(zip(tabs, menu.tabs, strict=True)):
        _tab(paper, area, label, place == menu.active)
    for place, (area, (symbol, label)) in enumerate(zip(buttons, menu.buttons, strict=True)):
        _button(paper, area, symbol, label, _TINTS[place])
    return paper.png()


def _tab(paper: Paper, area: Area, label: str, active: bool) -> None:
    left, top, wide, high = area
    ink = INK if active else MUTED
    if active:
        paper.pill(
            left + _SEAM, top + _SEAM, left + wide - _SEAM, top + high - _SEAM / 2, radius=36, colour=WHITE
        )
        paper.pill(
            left + wide * 0.3,
            top + high - 30,
            left + wide * 0.7,
            top + high - 18,
            radius=6,
            colour=palette(7)[1],
        )
    paper.text(
        left + wide / 2, top + high / 2, label, 84, colour=ink, anchor="middle", bold=active, room=wide - 80
    )


def _button(paper: Paper, area: Area, symbol: str, label: str, tint: str) -> None:
    left, top, wide, high = area
    paper.pill(left + _SEAM, top + _SEAM, left + wide - _SEAM, top + high - _SEAM, radius=44, colour=WHITE)
    x, disc = left + wide / 2, min(wide, high) * 0.27
    y = top + high * 0.40
    paper.dot(x, y, disc, blend(tint, WHITE, 0.84))
    SYMBOLS[symbol](Brush(paper, x, y, disc * 0.56, blend(tint, INK, 0.12)))
    paper.text(
        x, top + high * 0.82, label, 112, colour=INK, anchor="middle", bold=True, room=wide - 90, least=64
    )
