"""Tile faces of strokes, discs and characters, to be read at a third of their size. A tile is 0-135
as in `rating.paifu.tiles`; red fives are all red with a dot in a corner."""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any, Literal, Protocol

from bot.draw.style import WHITE, blend
from rating.paifu.tiles import RED_FIVES

HIGH = 1.36  # a tile's height, in widths
FACE = "#FFFDF6"
EDGE = "#8C8778"
SIDE = "#D9CFB4"
BLACK = "#1E1E1E"
RED = "#C8102E"
GREEN = "#0B7A43"
BLUE = "#1F4E9E"
NUMBERS = "一二三四五六七八九"
HONOURS = (
    ("東", BLACK),
    ("南", BLACK),
    ("西", BLACK),
    ("北", BLACK),
    ("", BLUE),
    ("發", GREEN),
    ("中", RED),
)

# The discs of pin: x, y (-1 to 1) and colour of each. `_RADIUS` below is their radius for each
# number.
_ROW = (-0.62, 0.0, 0.62)
_PAIR = (-0.42, 0.42)
Disc = tuple[float, float, str]


def _discs(
    xs: Sequence[float],
    ys: Sequence[float],
    colour: str,
) -> tuple[Disc, ...]:
    """Discs of one colour in rows, at each of `xs` in each of the heights `ys`."""
    return tuple((x, y, colour) for y in ys for x in xs)


PIN: tuple[tuple[Disc, ...], ...] = (
    ((0, 0, RED),),
    ((0, -0.5, GREEN), (0, 0.5, BLUE)),
    (
        (-0.58, -0.62, BLUE),
        (0, 0, RED),
        (0.58, 0.62, GREEN),
    ),
    (
        (-0.53, -0.5, BLUE),
        (0.53, -0.5, GREEN),
        (-0.53, 0.5, GREEN),
        (0.53, 0.5, BLUE),
    ),
    (
        (-0.55, -0.62, BLUE),
        (0.55, -0.62, GREEN),
        (-0.55, 0.62, GREEN),
        (0.55, 0.62, BLUE),
        (0, 0, RED),
    ),
    (
        *_discs(_PAIR, [-0.66], GREEN),
        *_discs(_PAIR, [0.12, 0.68], RED),
    ),
    (
        (-0.62, -0.76, GREEN),
        (0, -0.54, GREEN),
        (0.62, -0.32, GREEN),
        *_discs(_PAIR, [0.22, 0.74], RED),
    ),
    _discs(_PAIR, [-0.76, -0.25, 0.25, 0.76], BLUE),
    (
        *_discs(_ROW, [-0.66], GREEN),
        *_discs(_ROW, [0], RED),
        *_discs(_ROW, [0.66], BLUE),
    ),
)
_RADIUS = (0.76, 0.52, 0.4, 0.44, 0.37, 0.36, 0.29, 0.3, 0.29)

# The canes of sou: centre, half length, colour. One and eight have functions of their own.
Cane = tuple[float, float, float, str]


def _canes(
    xs: Sequence[float],
    ys: Sequence[float],
    half: float,
) -> tuple[Cane, ...]:
    """Green canes in rows, at each of `xs` in each of the heights `ys`."""
    return tuple((x, y, half, GREEN) for y in ys for x in xs)


SOU: tuple[tuple[Cane, ...], ...] = (
    (),
    ((0, -0.46, 0.27, GREEN), (0, 0.46, 0.27, GREEN)),
    (
        (0, -0.46, 0.27, GREEN),
        (-0.45, 0.46, 0.27, GREEN),
        (0.45, 0.46, 0.27, GREEN),
    ),
    _canes(_PAIR, [-0.46, 0.46], 0.27),
    (
        *_canes([-0.64, 0.64], [-0.48, 0.48], 0.26),
        (0, 0, 0.3, RED),
    ),
    _canes(_ROW, [-0.46, 0.46], 0.27),
    (
        (0, -0.72, 0.15, RED),
        *_canes(_ROW, [-0.08, 0.62], 0.17),
    ),
    (),
    (
        *_canes([-0.62, 0.62], [-0.66, 0, 0.66], 0.15),
        (0, -0.66, 0.15, RED),
        (0, 0, 0.15, RED),
        (0, 0.66, 0.15, RED),
    ),
)


class Surface(Protocol):
    """What a tile is drawn on: a Paper, or the page's SVG."""

    def pill(
        self, left: float, top: float, right: float, bottom: float, radius: float, colour: str
    ) -> None:
        """Draw a filled rectangle with round corners."""

    def dot(self, x: float, y: float, radius: float, colour: str) -> None:
        """Draw a filled circle."""

    def line(
        self,
        xs: Sequence[float],
        ys: Sequence[float],
        thick: float,
        colour: str,
    ) -> None:
        """Draw joined straight strokes."""

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        colour: str,
        anchor: Literal["middle"],
        bold: bool,
    ) -> Any:
        """Draw a line of text with its optical middle at (x, y)."""


def draw_tile(
    paper: Surface, left: float, top: float, width: float, tile: int, pale: bool = False
) -> None:
    """Draw a tile with its upper left corner at (left, top), `width` pixels wide; `pale` in faded
    colours.
    """
    high = width * HIGH
    rim = max(1.5, width * 0.03)
    thick = width * 0.07
    for inset, bottom, radius, colour in (
        (0.0, top + high, 0.13, _faded(EDGE, pale)),
        (rim, top + high - rim, 0.11, _faded(SIDE, pale)),
        (rim, top + high - rim - thick, 0.11, FACE),
    ):
        paper.pill(
            left + inset,
            top + inset,
            left + width - inset,
            bottom,
            width * radius,
            colour,
        )
    face = _Face(
        paper,
        left + width / 2,
        top + (high - thick) / 2,
        width,
        tile in RED_FIVES,
        pale,
    )
    face.draw(tile // 4)


def _faded(colour: str, pale: bool) -> str:
    return blend(colour, WHITE, 0.55) if pale else colour


class _Face:
    """Draws the face of a tile around its middle (x, y)."""

    def __init__(
        self, paper: Surface, x: float, y: float, width: float, red: bool, pale: bool
    ) -> None:
        self.paper = paper
        self.x = x
        self.y = y
        self.width = width
        self.red = red
        self.pale = pale
        self.across = width * 0.4
        self.down = width * 0.55

    def ink(self, colour: str) -> str:
        return _faded(RED if self.red else colour, self.pale)

    def draw(self, kind: int) -> None:
        suit, number = divmod(kind, 9)
        if suit == 0:
            self.word(NUMBERS[number], 0.62, -0.29, BLACK)
            self.word("萬", 0.56, 0.31, RED)
        elif suit == 1:
            self.discs(number)
        elif suit == 2:
            self.canes(number)
        else:
            self.honour(number)
        if self.red:
            self.spot(0.93, -0.93, 0.07, RED)

    def word(self, sign: str, size: float, down: float, colour: str) -> None:
        y = self.y + down * self.width
        pixels = round(size * self.width)
        self.paper.text(
            self.x,
            y,
            sign,
            pixels,
            self.ink(colour),
            "middle",
            bold=True,
        )

    def honour(self, number: int) -> None:
        sign, colour = HONOURS[number]
        if sign:
            return self.word(sign, 0.84, 0.0, colour)
        x = self.x
        y = self.y
        half = 0.3 * self.width
        high = 0.44 * self.width
        thick = 0.07 * self.width
        xs = [x - half, x + half, x + half, x - half, x - half]
        ys = [y - high, y - high, y + high, y + high, y - high]
        return self.paper.line(xs, ys, thick, self.ink(colour))

    def discs(self, number: int) -> None:
        radius = _RADIUS[number] * self.across
        for across, down, colour in PIN[number]:
            x = self.x + across * self.across
            y = self.y + down * self.down
            self.paper.dot(x, y, radius, self.ink(colour))
            if number < 6:
                self.paper.dot(x, y, radius * 0.62, FACE)
                self.paper.dot(x, y, radius * 0.36, self.ink(colour))
        if number == 0:
            for step in range(8):
                turn = step * pi / 4
                x = self.x + cos(turn) * radius * 0.82
                y = self.y + sin(turn) * radius * 0.82
                self.paper.dot(x, y, radius * 0.09, FACE)

    def canes(self, number: int) -> None:
        if number == 0:
            return self.bird()
        if number == 7:
            return self.eight()
        for across, down, half, colour in SOU[number]:
            self.cane(across, down - half, across, down + half, colour)
        return None

    def cane(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        colour: str,
    ) -> None:
        self.stroke(x0, y0, x1, y1, thick=0.14, colour=colour)
        self.spot((x0 + x1) / 2, (y0 + y1) / 2, 0.03, FACE)

    def eight(self) -> None:
        """Draw the eight canes: an M above a W."""
        for turn in (-1, 1):
            for x in (-0.75, 0.75):
                self.cane(x, 0.82 * turn, x, 0.2 * turn, GREEN)
                self.cane(x * 0.55, 0.28 * turn, x * 0.18, 0.7 * turn, GREEN)

    def bird(self) -> None:
        """Draw one of sou: a bird that looks to the right, its tail to the left."""
        feathers = [(-0.95, 0.35), (-0.75, 0.72), (-0.38, 0.95)]
        for x, y in feathers:
            self.stroke(0.05, 0.0, x, y, thick=0.1, colour=GREEN)
            self.spot(x, y, 0.075, BLUE)
        self.stroke(-0.05, 0.12, 0.3, -0.3, thick=0.3, colour=GREEN)
        self.stroke(0.3, -0.3, 0.42, -0.6, thick=0.14, colour=GREEN)
        self.spot(0.42, -0.66, 0.13, RED)
        self.stroke(0.55, -0.66, 0.86, -0.56, thick=0.06, colour=RED)
        self.spot(0.45, -0.69, 0.035, FACE)
        for x in (0.12, 0.42):
            self.stroke(x, 0.3, x + 0.1, 0.92, thick=0.05, colour=RED)

    def stroke(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        thick: float,
        colour: str,
    ) -> None:
        xs = [self.x + x0 * self.across, self.x + x1 * self.across]
        ys = [self.y + y0 * self.down, self.y + y1 * self.down]
        self.paper.line(xs, ys, thick * self.width, self.ink(colour))

    def spot(self, x: float, y: float, radius: float, colour: str) -> None:
        place = self.x + x * self.across, self.y + y * self.down
        self.paper.dot(
            *place,
            radius * self.width,
            colour if colour == FACE else self.ink(colour),
        )
