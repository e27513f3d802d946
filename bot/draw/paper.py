"""A sheet to draw on, in pixels from the top left; a flat one for the frames of an animation; both
as PNGs.

Agg draws the shapes; text is blended in. matplotlib's Axes and Artists cost more time than the
drawing. A palette of at most 128 colours (https://www.w3.org/TR/png-3/) takes a quarter of the
bytes and a fifth of the time of true colour. Of an animation each frame holds only what differs
from the one before (Pillow's writer takes 1.7 times the bytes); its last frame is also the default
image, for readers that know no animation."""

from __future__ import annotations

import struct
import zlib
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from bot.draw import glyphs
from bot.draw.style import INK, WHITE, Dash, blend, least as least_of, rgb

_WHITE = np.uint32(0xFFFFFFFF)
_BINS = 1 << 15
_MOST = 127
_BAND = 128
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def encode(
    pixels: NDArray[np.uint8],
    exact: Iterable[tuple[int, int, int]] = (),
) -> bytes:
    """The PNG of `pixels` (height x width x RGBA, opaque); `exact` colours are kept. Bands of rows
    save memory."""
    height, width = pixels.shape[:2]
    counts = np.zeros(_BINS, np.int64)
    shades = np.zeros(_BINS, np.uint32)
    bands = []
    for top in range(0, height, _BAND):
        band = np.ascontiguousarray(pixels[top : top + _BAND])
        flat: NDArray[np.uint32] = band.view(np.uint32).reshape(-1)
        drawn = np.flatnonzero(flat != _WHITE)
        values = flat[drawn]
        red = values >> 3 & 0x1F
        green = values >> 6 & 0x3E0
        blue = values >> 9 & 0x7C00
        bins = (red | green | blue).astype(np.uint16)
        counts += np.bincount(bins, minlength=_BINS)
        shades[bins] = values
        bands.append((drawn.astype(np.int32), bins))
    table, palette = _palette(counts, shades, exact)
    packer = zlib.compressobj(1, zlib.DEFLATED, 15, 9, zlib.Z_RLE)  # flat rows consist of runs
    data = []
    for place, (where, bins) in enumerate(bands):
        # A row begins with its filter type, 0 (none).
        rows = np.zeros(
            (min(_BAND, height - place * _BAND), width + 1),
            np.uint8,
        )
        rows.reshape(-1)[where + where // width + 1] = table[bins]
        data.append(packer.compress(rows.data))
    data.append(packer.flush())
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (
        (b"IHDR", header),
        (b"PLTE", palette),
        (b"IDAT", b"".join(data)),
        (b"IEND", b""),
    )
    return SIGNATURE + b"".join(chunk(kind, part) for kind, part in parts)


def _palette(
    counts: NDArray[np.int64],
    shades: NDArray[np.uint32],
    exact: Iterable[tuple[int, int, int]],
) -> tuple[NDArray[np.uint8], bytes]:
    """The palette entry of each of the 32 x 32 x 32 bins, and the palette: white, then the most
    frequent colours; other bins take the nearest. `counts` are the pixels in each bin, `shades` a
    colour of each."""
    for red, green, blue in exact:
        place = (red >> 3) | (green >> 3) << 5 | (blue >> 3) << 10
        if counts[place]:
            shades[place] = red | green << 8 | blue << 16
            counts[place] += 1 << 30
    present = np.flatnonzero(counts)
    present = present[np.argsort(-counts[present], kind="stable")]
    columns = [shades[present] >> shift & 0xFF for shift in (0, 8, 16)]
    channels = np.stack(columns, axis=1).astype(np.int32)
    kept = np.vstack([[[255, 255, 255]], channels[:_MOST]])
    table = np.zeros(_BINS, np.uint8)
    table[present[:_MOST]] = np.arange(1, len(kept))
    far = np.zeros(
        (max(0, len(channels) - _MOST), len(kept)),
        np.float32,
    )
    for channel in range(3):  # no matrix product: its threads stay busy longer than this takes
        distance = np.subtract.outer(channels[_MOST:, channel], kept[:, channel])
        far += distance.astype(np.float32) ** 2
    table[present[_MOST:]] = far.argmin(axis=1)
    return table, kept.astype(np.uint8).tobytes()


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG: its length, kind, data and check sum."""
    length = struct.pack(">I", len(data))
    checksum = struct.pack(">I", zlib.crc32(kind + data))
    return length + kind + data + checksum


Pixels = NDArray[np.uint8]
CLEAR = 255  # the palette's transparent entry
# a frame replaces what is there, or is laid over it
_SOURCE = 0
_OVER = 1
_LEVEL = 9
_HEAD = 1200  # bytes before the pixels, and after them, at most


@dataclass(frozen=True)
class AnimationFrame:
    """A picture of palette entries (height x width, each under CLEAR), and its milliseconds."""

    pixels: Pixels
    delay: int


class AnimationTooLarge(Exception):
    """An animation has more bytes than it may have. `frames` is how many of its frames fitted."""

    def __init__(self, frames: int) -> None:
        super().__init__(f"no more than {frames} frames fit")
        self.frames = frames


def encode_animation(
    frames: Iterable[AnimationFrame], colours: Sequence[tuple[int, int, int]], limit: int
) -> bytes:
    """The animated PNG, played again and again. `colours` are the palette, at most 255; frames may
    add some as they are made. Raises AnimationTooLarge for more than `limit` bytes."""
    parts: list[bytes] = []
    size = _HEAD
    before: Pixels | None = None
    for number, frame in enumerate(frames):
        region, left, top = _region(frame.pixels, before)
        high, wide = region.shape
        blend = _SOURCE if before is None else _OVER
        at = struct.pack(
            ">IIIIIHHBB", 2 * number, wide, high, left, top, frame.delay, 1000, 0, blend
        )
        data = struct.pack(">I", 2 * number + 1) + _packed(region)
        parts += (chunk(b"fcTL", at), chunk(b"fdAT", data))
        size += len(parts[-1]) + len(parts[-2])
        if size > limit:
            raise AnimationTooLarge(number)
        before = frame.pixels
    assert before is not None
    image = chunk(b"IDAT", _packed(before))
    if size + len(image) > limit:
        raise AnimationTooLarge(len(parts) // 2 - 1)
    return b"".join(
        (
            _head(before, len(parts) // 2, colours),
            image,
            *parts,
            chunk(b"IEND", b""),
        )
    )


def _head(
    pixels: Pixels,
    frames: int,
    colours: Sequence[tuple[int, int, int]],
) -> bytes:
    """The chunks before the pixels: _HEAD bytes, less than that for fewer than 256 colours."""
    height, width = pixels.shape
    palette = np.zeros((CLEAR + 1, 3), np.uint8)
    palette[: len(colours)] = colours
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"acTL", struct.pack(">II", frames, 0)),
        (b"PLTE", palette.tobytes()),
        (b"tRNS", bytes([255] * CLEAR + [0])),
    )
    return SIGNATURE + b"".join(chunk(kind, data) for kind, data in chunks)


def _region(pixels: Pixels, before: Pixels | None) -> tuple[Pixels, int, int]:
    """The rectangle that changes, its left and top. In a row all from the first to the last changed
    pixel is whole: fewer bytes than the changed ones alone, of which moving text leaves a pattern.
    """
    if before is None:
        return pixels, 0, 0
    changed = pixels != before
    rows = np.flatnonzero(changed.any(axis=1))
    columns = np.flatnonzero(changed.any(axis=0))
    if not len(rows):
        return pixels[:1, :1], 0, 0
    inside = (
        slice(rows[0], rows[-1] + 1),
        slice(columns[0], columns[-1] + 1),
    )
    changed = changed[inside]
    begun = np.logical_or.accumulate(changed, axis=1)
    backwards = np.logical_or.accumulate(changed[:, ::-1], axis=1)
    to_come = backwards[:, ::-1]
    region = np.where(begun & to_come, pixels[inside], np.uint8(CLEAR))
    return region, int(columns[0]), int(rows[0])


def _packed(pixels: Pixels) -> bytes:
    """The rows, each behind its filter type 0 (none), compressed."""
    rows = np.zeros(
        (pixels.shape[0], pixels.shape[1] + 1),
        np.uint8,
    )
    rows[:, 1:] = pixels
    return zlib.compress(rows.tobytes(), _LEVEL)


if TYPE_CHECKING:
    from matplotlib.backend_bases import GraphicsContextBase
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.path import Path

Anchor = Literal["left", "middle", "right"]
Point = tuple[float, float]
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
    # A Figure and its canvas refer to each other and keep megabytes until the garbage collector
    # runs; a renderer does not.
    made: RendererAgg = _library().renderer(width, height, _DPI)
    return made


def _box(
    left: float,
    top: float,
    right: float,
    bottom: float,
) -> tuple[slice, slice]:
    x0, x1 = sorted(
        (
            max(0, round(left)),
            max(0, round(right)),
        )
    )
    y0, y1 = sorted(
        (
            max(0, round(top)),
            max(0, round(bottom)),
        )
    )
    return slice(y0, y1), slice(x0, x1)


def _placed(
    pixels: Pixels,
    x: float,
    y: float,
    text: str,
    size: int,
    anchor: Anchor,
    bold: bool,
) -> tuple[Pixels, Pixels, float]:
    """The part of a sheet's pixels on which a text falls, the text's mask there, and the text's
    width.
    """
    width = glyphs.width(text, size)
    stamp = glyphs.stamp(text, size, bold)
    offsets = {"left": 0.0, "middle": width / 2, "right": width}
    left = round(x - offsets[anchor]) + stamp.left
    top = round(y + _RISE * size) - stamp.baseline
    rows, columns = stamp.mask.shape
    x0 = max(left, 0)
    y0 = max(top, 0)
    y1 = max(top + rows, 0)
    x1 = max(left + columns, 0)
    under = pixels[y0:y1, x0:x1]
    mask = stamp.mask[y0 - top :, x0 - left :]
    return under, mask[: under.shape[0], : under.shape[1]], width


class Paper:
    """A white sheet of `width` x `height` pixels.

    Colours are #RRGGBB; lengths and sizes are in pixels.
    """

    def __init__(self, width: int = 1200, height: int = 1200) -> None:
        self.width = width
        self.height = height
        self._agg = _renderer(width, height)
        self._pixels: Pixels = np.asarray(self._agg.buffer_rgba())  # type: ignore[no-untyped-call]
        self._pixels[:] = 255
        self._inks: dict[tuple[int, int, int], None] = {}

    def png(self) -> bytes:
        """The finished picture as PNG. Nothing can be drawn afterwards: the sheet is reused."""
        data = encode(self._pixels, self._inks)
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
        """Draw a line of text with its optical middle at `y`; its width. Wider than `room` it gets
        smaller down to `least` (by default `style.least`), then it is cut."""
        text, size = glyphs.fit(
            text, size, room if room is not None else 1e9, least or least_of(size)
        )
        if not text.strip():
            return 0.0
        under, mask, width = _placed(
            self._pixels[:, :, :3],
            x,
            y,
            text,
            size,
            anchor,
            bold,
        )
        ink = np.array(self._ink(colour), np.int32)
        coverage = mask[:, :, None].astype(np.int32)
        under[:] = under + ((ink - under) * coverage + 127) // 255
        return width

    def box(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        colour: str,
    ) -> None:
        rows, columns = _box(left, top, right, bottom)
        self._pixels[rows, columns, :3] = self._ink(colour)

    def across(
        self,
        y: float,
        left: float,
        right: float,
        thick: float,
        colour: str,
    ) -> None:
        top = round(y - thick / 2)
        self.box(left, top, right, top + thick, colour)

    def down(
        self,
        x: float,
        top: float,
        bottom: float,
        thick: float,
        colour: str,
    ) -> None:
        left = round(x - thick / 2)
        self.box(left, top, left + thick, bottom, colour)

    def line(
        self,
        xs: Sequence[float],
        ys: Sequence[float],
        thick: float,
        colour: str,
        dash: Dash = (),
    ) -> None:
        """Draw joined straight strokes; detail finer than half a pixel is left out."""
        upwards = self.height - np.asarray(ys, float)
        path = _library().path(np.column_stack([xs, upwards]))
        path.simplify_threshold = 0.5
        pen = self._pen(colour, thick)
        if dash:
            pen.set_capstyle("butt" if min(dash) >= 1 else "round")
            pen.set_dashes(0, [length * thick for length in dash])
        self._agg.draw_path(pen, path, _library().stay)  # type: ignore[no-untyped-call]

    def shape(
        self,
        points: Sequence[Point],
        colour: str,
        edge: str | None = None,
        thick: float = 0,
    ) -> None:
        """Draw a filled polygon; `edge` and `thick` are those of its outline."""
        corners = [(x, self.height - y) for x, y in points]
        self._fill(
            _library().path([*corners, corners[0]], closed=True),
            colour,
            edge,
            thick,
        )

    def dot(
        self,
        x: float,
        y: float,
        radius: float,
        colour: str,
        edge: str | None = None,
        thick: float = 0,
    ) -> None:
        self._fill(
            _library().path.circle((x, self.height - y), radius),
            colour,
            edge,
            thick,
        )

    def pill(
        self, left: float, top: float, right: float, bottom: float, radius: float, colour: str
    ) -> None:
        radius = max(
            0.0,
            min(radius, (right - left) / 2, (bottom - top) / 2),
        )
        angles = np.linspace(0, np.pi / 2, 9)
        points: list[Point] = []
        for x, y, turn in (
            (right - radius, bottom - radius, 0),
            (left + radius, bottom - radius, 1),
            (left + radius, top + radius, 2),
            (right - radius, top + radius, 3),
        ):
            turned = angles + turn * np.pi / 2
            points += list(
                zip(
                    x + radius * np.cos(turned),
                    y + radius * np.sin(turned),
                    strict=True,
                )
            )
        self.shape(points, colour)

    def _fill(
        self,
        path: Path,
        colour: str,
        edge: str | None,
        thick: float,
    ) -> None:
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
    """The colours of an animation: white, and each ink in `shades` steps, entered when first
    used.
    """

    def __init__(self, shades: int = 4) -> None:
        self.shades = shades
        self.colours: list[tuple[int, int, int]] = [rgb(WHITE)]
        self._tables: dict[str, NDArray[np.uint8]] = {
            WHITE: np.zeros(
                256,
                np.uint8,
            )
        }

    def entry(self, colour: str) -> int:
        return int(self.table(colour)[255])

    def table(self, colour: str) -> NDArray[np.uint8]:
        """The entry for each coverage of a mask, 0 to 255; 0 (white) where it is too little to be
        seen.
        """
        if colour not in self._tables:
            first = len(self.colours)
            for shade in range(1, self.shades + 1):
                self.colours.append(rgb(blend(WHITE, colour, shade / self.shades)))
            steps = np.rint(np.arange(256) * self.shades / 255).astype(int)
            entries = np.where(steps > 0, first + steps - 1, 0)
            self._tables[colour] = entries.astype(np.uint8)
        return self._tables[colour]


class FlatSheet:
    """A sheet of `width` x `height` pixels.

    Lengths and font sizes are in pixels, from the top left.
    """

    def __init__(self, palette: Palette, width: int, height: int) -> None:
        self.palette = palette
        self.width = width
        self.height = height
        self.pixels: NDArray[np.uint8] = np.zeros((height, width), np.uint8)

    def copy(self) -> FlatSheet:
        other = FlatSheet(self.palette, self.width, self.height)
        other.pixels[:] = self.pixels
        return other

    def box(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        colour: str,
    ) -> None:
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
        """Draw a line of text with its optical middle at `y`; smaller, down to `least`, or cut
        where it is wider than `room`."""
        text, size = glyphs.fit(text, size, room, least or size)
        if not text.strip():
            return
        under, mask, _ = _placed(self.pixels, x, y, text, size, anchor, bold)
        ink = self.palette.table(colour)[mask]
        under[ink > 0] = ink[ink > 0]
