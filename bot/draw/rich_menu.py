"""The rich menu's picture: up to six large buttons with symbols, and a strip of tabs above them, if
any. The picture and the tap areas both use `areas`."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin
from typing import NamedTuple

from bot.draw import layout
from bot.draw.paper import Paper, Point
from bot.draw.style import INK, MUTED, WHITE, blend, palette

Points = tuple[Point, ...]


class Stroke(NamedTuple):
    """Joined strokes.

    The marks of a symbol lie in a square from -1 to 1 in both directions, y downwards.
    """

    points: Points
    thick: float = 0.17


class Dot(NamedTuple):
    x: float
    y: float
    radius: float
    colour: str = ""


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float
    round_by: float = 0.1
    colour: str = ""


class Outline(NamedTuple):
    points: Points


def _arc(
    x: float, y: float, radius: float, start: float, end: float, thick: float = 0.17
) -> Stroke:
    points = []
    for i in range(41):
        turn = start + (end - start) * i / 40
        points.append((x + radius * cos(turn), y + radius * sin(turn)))
    return Stroke(tuple(points), thick)


Mark = Stroke | Dot | Box | Outline
_TWO = (-0.66, 0.66)
_THREE = (-0.6, 0.0, 0.6)
# The symbols of buttons, by what they stand for: marks of the symbol's colour, or of their own.
SYMBOLS: dict[str, tuple[Mark, ...]] = {
    "rating": (
        Stroke(
            ((-0.85, -0.85), (-0.85, 0.8), (0.9, 0.8)),
            0.13,
        ),
        Stroke(
            (
                (-0.55, 0.4),
                (-0.15, -0.05),
                (0.15, 0.2),
                (0.75, -0.6),
            )
        ),
        Dot(0.75, -0.6, 0.18),
    ),
    "points": (  # three point sticks (点棒)
        *(Box(-0.95, y - 0.2, 0.95, y + 0.2, 0.2) for y in _THREE),
        *(
            Dot((dot - (dots - 1) / 2) * 0.24, y, 0.085, WHITE)
            for y, dots in zip(_THREE, (1, 5, 2), strict=True)
            for dot in range(dots)
        ),
    ),
    "chips": (  # one chip from above, with marks on its rim
        Dot(0, 0, 0.9),
        *(
            Dot(0.74 * cos(turn), 0.74 * sin(turn), 0.11, WHITE)
            for turn in (pi / 8 * n for n in range(1, 17, 2))
        ),
        Dot(0, 0, 0.5, WHITE),
        Dot(0, 0, 0.34),
    ),
    "placings": (
        Box(-0.92, 0.05, -0.36, 0.85),
        Box(-0.28, -0.5, 0.28, 0.85),
        Box(0.36, 0.3, 0.92, 0.85),
        Dot(0, -0.78, 0.2),
    ),
    "player": (
        Dot(0, -0.42, 0.4),
        Outline(
            tuple(
                (0.72 * cos(turn), 0.85 + 0.72 * sin(turn))
                for turn in (pi + pi * i / 24 for i in range(25))
            )
        ),
    ),
    "me": (  # a person with a tick
        Dot(-0.18, -0.45, 0.34),
        Box(-0.78, 0.08, 0.42, 0.88, 0.4),
        Dot(0.52, 0.5, 0.44, WHITE),
        Stroke(((0.24, 0.5), (0.46, 0.72), (0.84, 0.28)), 0.16),
    ),
    "pair": (  # an arrow each way
        Stroke(((-0.85, -0.35), (0.85, -0.35)), 0.18),
        Stroke(
            ((0.45, -0.75), (0.85, -0.35), (0.45, 0.05)),
            0.18,
        ),
        Stroke(((0.85, 0.45), (-0.85, 0.45)), 0.18),
        Stroke(
            ((-0.45, 0.05), (-0.85, 0.45), (-0.45, 0.85)),
            0.18,
        ),
    ),
    "team": (  # one person in front of two
        *(Dot(x, -0.28, 0.22) for x in _TWO),
        *(Box(x - 0.32, 0.05, x + 0.32, 0.7, 0.3) for x in _TWO),
        Dot(0, -0.45, 0.38, WHITE),
        Box(-0.52, -0.02, 0.52, 0.9, 0.4, WHITE),
        Dot(0, -0.45, 0.3),
        Box(-0.44, 0.06, 0.44, 0.82, 0.36),
    ),
    "today": (
        Box(-0.85, -0.7, 0.85, 0.85, 0.14),
        Box(-0.68, -0.25, 0.68, 0.68, 0.06, WHITE),
        Stroke(((-0.42, -0.92), (-0.42, -0.6)), 0.16),
        Stroke(((0.42, -0.92), (0.42, -0.6)), 0.16),
        Stroke(
            (
                (-0.36, 0.2),
                (-0.08, 0.46),
                (0.4, -0.02),
            )
        ),
    ),
    "recent": (
        _arc(0, 0, 0.82, 0, 2 * pi),
        Stroke(
            (
                (0, -0.48),
                (0, 0.05),
                (0.36, 0.28),
            )
        ),
    ),
    "season": (  # a crown
        Outline(
            (
                (-0.85, -0.4),
                (-0.42, 0.08),
                (0, -0.68),
                (0.42, 0.08),
                (0.85, -0.4),
                (0.66, 0.7),
                (-0.66, 0.7),
            )
        ),
        Dot(-0.85, -0.46, 0.13),
        Dot(0.0, -0.76, 0.13),
        Dot(0.85, -0.46, 0.13),
    ),
    "records": (  # a cup
        Outline(
            (
                (-0.5, -0.8),
                (0.5, -0.8),
                (0.42, -0.1),
                (0.18, 0.18),
                (-0.18, 0.18),
                (-0.42, -0.1),
            )
        ),
        _arc(-0.5, -0.48, 0.3, pi / 2, 3 * pi / 2, 0.13),
        _arc(0.5, -0.48, 0.3, -pi / 2, pi / 2, 0.13),
        Stroke(((0, 0.18), (0, 0.6))),
        Box(-0.45, 0.6, 0.45, 0.85, 0.06),
    ),
    "compare": (  # a pair of scales
        Stroke(((0, -0.75), (0, 0.75)), 0.13),
        Stroke(((-0.4, 0.8), (0.4, 0.8)), 0.15),
        Stroke(((-0.7, -0.45), (0.7, -0.65)), 0.13),
        *(
            Stroke(
                (
                    (x - 0.28, y + 0.55),
                    (x, y),
                    (x + 0.28, y + 0.55),
                ),
                0.07,
            )
            for x, y in ((-0.7, -0.45), (0.7, -0.65))
        ),
        _arc(-0.7, -0.45 + 0.55, 0.28, 0, pi, 0.13),
        _arc(0.7, -0.65 + 0.55, 0.28, 0, pi, 0.13),
    ),
    "matrix": tuple(
        Box(x - 0.24, y - 0.24, x + 0.24, y + 0.24, 0.06)
        for y in (-0.56, 0.0, 0.56)
        for x in (-0.56, 0.0, 0.56)
        if x != y
    ),
    "paifu": (  # a tile with one circle
        Box(-0.62, -0.9, 0.62, 0.9, 0.16),
        Box(-0.48, -0.76, 0.48, 0.66, 0.08, WHITE),
        _arc(0, -0.05, 0.32, 0, 2 * pi, 0.12),
        Dot(0, -0.05, 0.13),
    ),
    "export": (
        Stroke(((0, -0.85), (0, 0.3))),
        Stroke(
            (
                (-0.42, -0.1),
                (0, 0.32),
                (0.42, -0.1),
            )
        ),
        Stroke(
            (
                (-0.8, 0.35),
                (-0.8, 0.82),
                (0.8, 0.82),
                (0.8, 0.35),
            )
        ),
    ),
    "help": (
        _arc(0, 0, 0.85, 0, 2 * pi, 0.15),
        _arc(0, -0.2, 0.28, pi, 2.5 * pi, 0.16),
        Stroke(((0, 0.08), (0, 0.2)), 0.16),
        Dot(0, 0.5, 0.11),
    ),
    "more": tuple(Dot(x, y, 0.18) for y in _THREE for x in _THREE),
}


def draw_symbol(
    paper: Paper,
    name: str,
    x: float,
    y: float,
    half: float,
    colour: str,
) -> None:
    """Draw a symbol around (x, y); `half` is half its square's side.

    Raises KeyError for an unknown one.
    """

    def placed(points: Points) -> list[Point]:
        return [(x + half * across, y + half * down) for across, down in points]

    for mark in SYMBOLS[name]:
        match mark:
            case Stroke(points, thick):
                xs, ys = zip(*placed(points), strict=True)
                paper.line(xs, ys, thick * half, colour)
            case Dot(across, down, radius, own):
                paper.dot(x + half * across, y + half * down, radius * half, own or colour)
            case Box(left, top, right, bottom, round_by, own):
                edges = x + half * left, y + half * top, x + half * right, y + half * bottom
                paper.pill(*edges, radius=round_by * half, colour=own or colour)
            case Outline(points):
                paper.shape(placed(points), colour, colour, 0.1 * half)


WIDTH = 2500
HEIGHT = 1686
TAB = 206
_COLUMNS = 3
_ROWS = 2
_GROUND = "#F2F3F5"
_SEAM = 12
_TINTS = palette(7)[1:]

Area = tuple[int, int, int, int]  # left, top, width, height


@dataclass(frozen=True)
class RichMenuTab:
    """`buttons` are up to six (symbol, label); `tabs` are all labels, `active` the index of this
    one.
    """

    buttons: Sequence[tuple[str, str]]
    tabs: Sequence[str] = ()
    active: int = 0


def areas(menu: RichMenuTab) -> tuple[list[Area], list[Area]]:
    """The places of the buttons and of the tabs.

    With six buttons they cover the picture without overlap.
    """
    top = TAB if menu.tabs else 0
    xs = [WIDTH * column // _COLUMNS for column in range(_COLUMNS + 1)]
    ys = [top + (HEIGHT - top) * row // _ROWS for row in range(_ROWS + 1)]
    cells = []
    for upper, lower in pairwise(ys):
        for left, right in pairwise(xs):
            cells.append((left, upper, right - left, lower - upper))
    count = len(menu.tabs)
    edges = [WIDTH * tab // max(1, count) for tab in range(count + 1)]
    tabs = [(a, 0, b - a, TAB) for a, b in pairwise(edges)]
    return cells[: len(menu.buttons)], tabs


def draw(menu: RichMenuTab) -> bytes:
    """A PNG of 2500 x 1686 pixels.

    Raises ValueError for seven buttons, KeyError for an unknown symbol.
    """
    if len(menu.buttons) > _COLUMNS * _ROWS:
        raise ValueError(f"a rich menu has {_COLUMNS * _ROWS} buttons, not {len(menu.buttons)}")
    paper = Paper(WIDTH, HEIGHT)
    paper.box(0, 0, WIDTH, HEIGHT, _GROUND)
    buttons, tabs = areas(menu)
    for place, (area, label) in enumerate(zip(tabs, menu.tabs, strict=True)):
        left, top, wide, high = area
        tab = layout.Area(paper, left, top, left + wide, top + high)
        active = place == menu.active
        if active:
            tab.inset(_SEAM, _SEAM, _SEAM, _SEAM / 2).plate(WHITE, 36)
            tab.inset(wide * 0.3, high - 30, wide * 0.3, 18).plate(
                palette(7)[1],
                6,
            )
        tab.inset(40, right=40).text(
            label,
            84,
            INK if active else MUTED,
            "middle",
            bold=active,
        )
    for area, (symbol, label), tint in zip(
        buttons,
        menu.buttons,
        _TINTS,
        strict=False,
    ):
        left, top, wide, high = area
        button = layout.Area(paper, left, top, left + wide, top + high)
        button.inset(_SEAM, _SEAM, _SEAM, _SEAM).plate(WHITE, 44)
        x = button.x
        y = top + high * 0.40
        disc = min(wide, high) * 0.27
        paper.dot(x, y, disc, blend(tint, WHITE, 0.84))
        draw_symbol(paper, symbol, x, y, disc * 0.56, blend(tint, INK, 0.12))
        button.inset(45, right=45).text(
            label, 112, INK, "middle", bold=True, down=high * 0.82, least=64
        )
    return paper.png()
