"""A sheet to draw on, in pixels from the top left; and a flat one for the frames of an animation.

Agg draws the shapes; text is blended in. matplotlib's Axes and Artists cost more time than the drawing."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from bot.draw import glyphs, png
from bot.draw.style import INK, WHITE, Dash, blend, least as least_of, rgb

if TYPE_CHECKING:
    from matplotlib.backend_bases import GraphicsContextBase
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.path import Path

Anchor = Literal["left", "middle", "right"]
Point = tuple[float, float]
Pixels = NDArray[np.uint8]
_DPI = 72  # one point is one pixel
_RISE = 0.37  # the baseline's distance below the middle of a line of text, in font sizes


@cache
def _library() -> SimpleNamespace:
    """matplotlib, loaded when something is first drawn: others save half a second and 67 MB."""
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.path import Path
    from matplotlib.transforms import IdentityTransform

    return SimpleNamespace(renderer=RendererAgg, path=Path, stay=IdentityTransform())


_KEPT_BYTES = 8_000_000
# The renderer used last: fresh memory costs as much time as the drawing.
_SPARE: deque[RendererAgg] = deque(maxlen=1)


def _renderer(width: int, height: int) -> RendererAgg:
    try:
        agg = _SPARE.pop()  # atomic: two threads never get the same renderer
        if (agg.width, agg.height) == (width, height):
            return agg
    except IndexError:
        pass
    # A Figure and its canvas refer to each other and keep megabytes until the garbage collector runs; a
    # renderer does not.
    made: RendererAgg = _library().renderer(width, height, _DPI)
    return made


def _box(left: float, top: float, right: float, bottom: float) -> tuple[slice, slice]:
    x0, x1 = sorted((max(0, round(left)), max(0, round(right))))
    y0, y1 = sorted((max(0, round(top)), max(0, round(bottom))))
    return slice(y0, y1), slice(x0, x1)


def _placed(
    pixels: Pixels, x: float, y: float, text: str, size: int, anchor: Anchor, bold: bool
) -> tuple[Pixels, Pixels, float]:
    """The part of a sheet's pixels on which a text falls, the text's mask there, and the text's width."""
    width, stamp = glyphs.width(text, size), glyphs.stamp(text, size, bold)
    left = round(x - {"left": 0.0, "middle": width / 2, "right": width}[anchor]) + stamp.left
    top = round(y + _RISE * size) - stamp.baseline
    rows, columns = stamp.mask.shape
    x0, y0 = max(left, 0), max(top, 0)
    under = pixels[y0 : max(top + rows, 0), x0 : max(left + columns, 0)]
    mask = stamp.mask[y0 - top :, x0 - left :]
    return under, mask[: under.shape[0], : under.shape[1]], width


class Paper:
    """A white sheet of `width` x `height` pixels. Colours are #RRGGBB; lengths and sizes are in pixels."""

    def __init__(self, width: int = 1200, height: int = 1200) -> None:
        self.width, self.height = width, height
        self._agg = _renderer(width, height)
        self._pixels: Pixels = np.asarray(self._agg.buffer_rgba())  # type: ignore[no-untyped-call]
        self._pixels[:] = 255
        self._inks: dict[tuple[int, int, int], None] = {}

    def png(self) -> bytes:
        """The finished picture as PNG. Nothing can be drawn afterwards: the sheet is reused."""
        data = png.encode(self._pixels, self._inks)
        if self._pixels.nbytes <= _KEPT_BYTES:
            _SPARE.append(self._agg)
        del self._agg, self._pixels
        return data

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        colour: str = INK,
        anchor: Anchor = "left",
        bold: bool = False,
        room: float | None = None,
        least: int | None = None,
    ) -> float:
        """Draw a line of text with its optical middle at `y`; its width. Wider than `room` it gets smaller
        down to `least` (by default `style.least`), then it is cut."""
        text, size = glyphs.fit(text, size, room if room is not None else 1e9, least or least_of(size))
        if not text.strip():
            return 0.0
        under, mask, width = _placed(self._pixels[:, :, :3], x, y, text, size, anchor, bold)
        ink = np.array(self._ink(colour), np.int32)
        under[:] = under + ((ink - under) * mask[:, :, None].astype(np.int32) + 127) // 255
        return width

    def box(self, left: float, top: float, right: float, bottom: float, colour: str) -> None:
        self._pixels[*_box(left, top, right, bottom), :3] = self._ink(colour)

    def across(self, y: float, left: float, right: float, thick: float, colour: str) -> None:
        top = round(y - thick / 2)
        self.box(left, top, right, top + thick, colour)

    def down(self, x: float, top: float, bottom: float, thick: float, colour: str) -> None:
        left = round(x - thick / 2)
        self.box(left, top, left + thick, bottom, colour)

    def line(
        self, xs: Sequence[float], ys: Sequence[float], thick: float, colour: str, dash: Dash = ()
    ) -> None:
        """Draw joined straight strokes; detail finer than half a pixel is left out."""
        path = _library().path(np.column_stack([xs, self.height - np.asarray(ys, float)]))
        path.simplify_threshold = 0.5
        pen = self._pen(colour, thick)
        if dash:
            pen.set_capstyle("butt" if min(dash) >= 1 else "round")
            pen.set_dashes(0, [length * thick for length in dash])
        self._agg.draw_path(pen, path, _library().stay)  # type: ignore[no-untyped-call]

    def shape(self, points: Sequence[Point], colour: str, edge: str | None = None, thick: float = 0) -> None:
        """Draw a filled polygon; `edge` and `thick` are those of its outline."""
        corners = [(x, self.height - y) for x, y in points]
        self._fill(_library().path([*corners, corners[0]], closed=True), colour, edge, thick)

    def dot(
        self, x: float, y: float, radius: float, colour: str, edge: str | None = None, thick: float = 0
    ) -> None:
        self._fill(_library().path.circle((x, self.height - y), radius), colour, edge, thick)

    def pill(self, left: float, top: float, right: float, bottom: float, radius: float, colour: str) -> None:
        radius = max(0.0, min(radius, (right - left) / 2, (bottom - top) / 2))
        angles = np.linspace(0, np.pi / 2, 9)
        points: list[Point] = []
        for x, y, turn in (
            (right - radius, bottom - radius, 0),
            (left + radius, bottom - radius, 1),
            (left + radius, top + radius, 2),
            (right - radius, top + radius, 3),
        ):
            turned = angles + turn * np.pi / 2
            points += list(zip(x + radius * np.cos(turned), y + radius * np.sin(turned), strict=True))
        self.shape(points, colour)

    def _fill(self, path: Path, colour: str, edge: str | None, thick: float) -> None:
        pen = self._pen(edge or colour, thick if edge else 0)
        red, green, blue = self._ink(colour)
        fill = red / 255, green / 255, blue / 255, 1.0
        self._agg.draw_path(pen, path, _library().stay, fill)  # type: ignore[no-untyped-call]

    def _pen(self, colour: str, thick: float) -> GraphicsContextBase:
        self._ink(colour)
        pen = self._agg.new_gc()
        pen.set_foreground(colour)
        pen.set_linewidth(thick)
        pen.set_joinstyle("round")
        pen.set_capstyle("round")
        pen.set_snap(False)
        return pen

    def _ink(self, colour: str) -> tuple[int, int, int]:
        channels = rgb(colour)
        if colour != WHITE:
            self._inks[channels] = None
        return channels


class Palette:
    """The colours of an animation: white, and each ink in `shades` steps, entered when first used."""

    def __init__(self, shades: int = 4) -> None:
        self.shades = shades
        self.colours: list[tuple[int, int, int]] = [rgb(WHITE)]
        self._tables: dict[str, NDArray[np.uint8]] = {WHITE: np.zeros(256, np.uint8)}

    def entry(self, colour: str) -> int:
        return int(self.table(colour)[255])

    def table(self, colour: str) -> NDArray[np.uint8]:
        """The entry for each coverage of a mask, 0 to 255; 0 (white) where it is too little to be seen."""
        if colour not in self._tables:
            first = len(self.colours)
            for shade in range(1, self.shades + 1):
                self.colours.append(rgb(blend(WHITE, colour, shade / self.shades)))
            steps = np.rint(np.arange(256) * self.shades / 255).astype(int)
            self._tables[colour] = np.where(steps > 0, first + steps - 1, 0).astype(np.uint8)
        return self._tables[colour]


class FlatSheet:
    """A sheet of `width` x `height` pixels. Lengths and font sizes are in pixels, from the top left."""

    def __init__(self, palette: Palette, width: int, height: int) -> None:
        self.palette, self.width, self.height = palette, width, height
        self.pixels: NDArray[np.uint8] = np.zeros((height, width), np.uint8)

    def copy(self) -> FlatSheet:
        other = FlatSheet(self.palette, self.width, self.height)
        other.pixels[:] = self.pixels
        return other

    def box(self, left: float, top: float, right: float, bottom: float, colour: str) -> None:
        self.pixels[_box(left, top, right, bottom)] = self.palette.entry(colour)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        colour: str,
        anchor: Anchor = "left",
        bold: bool = False,
        room: float = 1e9,
        least: int | None = None,
    ) -> None:
        """Draw a line of text with its optical middle at `y`; smaller, down to `least`, or cut where it is
        wider than `room`."""
        text, size = glyphs.fit(text, size, room, least or size)
        if not text.strip():
            return
        under, mask, _ = _placed(self.pixels, x, y, text, size, anchor, bold)
        ink = self.palette.table(colour)[mask]
        under[ink > 0] = ink[ink > 0]
