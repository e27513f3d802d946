"""A sheet of palette entries for frames of an animation: boxes and text in few shades, without soft shapes.

A frame takes a millisecond, where a `Paper` takes ten.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.draw import glyphs
from bot.draw.paper import Anchor
from bot.draw.style import WHITE, blend, rgb

_RISE = 0.37  # the baseline's distance below the middle of a line of text, in font sizes


class Palette:
    """The colours of an animation: white, and each ink in `shades` steps from pale to full, entered when
    first used."""

    def __init__(self, shades: int = 4) -> None:
        self.shades = shades
        self.colours: list[tuple[int, int, int]] = [rgb(WHITE)]
        self._tables: dict[str, NDArray[np.uint8]] = {WHITE: np.zeros(256, np.uint8)}

    def entry(self, colour: str) -> int:
        """The entry of a full colour."""
        return int(self.table(colour)[255])

    def table(self, colour: str) -> NDArray[np.uint8]:
        """The entry for each coverage of a mask, 0 to 255; 0 (white) where the coverage is too little to be
        seen."""
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
        """A sheet with the same drawing and palette."""
        other = FlatSheet(self.palette, self.width, self.height)
        other.pixels[:] = self.pixels
        return other

    def box(self, left: float, top: float, right: float, bottom: float, colour: str) -> None:
        """Draw a filled rectangle on whole pixels."""
        x0, x1 = sorted((max(0, round(left)), max(0, round(right))))
        y0, y1 = sorted((max(0, round(top)), max(0, round(bottom))))
        self.pixels[y0:y1, x0:x1] = self.palette.entry(colour)

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
        """Draw one line of text with its optical middle at `y`; cut or smaller, down to `least`, where it is
        wider than `room`."""
        text, size = glyphs.fit(text, size, room, least or size)
        if not text.strip():
            return
        width = glyphs.width(text, size)
        stamp = glyphs.stamp(text, size, bold)
        left = round(x - {"left": 0.0, "middle": width / 2, "right": width}[anchor]) + stamp.left
        top = round(y + _RISE * size) - stamp.baseline
        rows, columns = stamp.mask.shape
        x0, y0, x1, y1 = (
            max(left, 0),
            max(top, 0),
            min(left + columns, self.width),
            min(top + rows, self.height),
        )
        if x0 >= x1 or y0 >= y1:
            return
        ink = self.palette.table(colour)[stamp.mask[y0 - top : y1 - top, x0 - left : x1 - left]]
        under = self.pixels[y0:y1, x0:x1]
        under[ink > 0] = ink[ink > 0]
