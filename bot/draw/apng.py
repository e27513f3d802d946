"""Frames as an animated PNG (https://www.w3.org/TR/png-3/#apng-frame-based-animation) of one palette.

Each frame holds only what differs from the one before; the rest is transparent. Pillow's writer cuts frames
to their changed rectangle and no more, which takes 1.7 times the bytes. The last frame is also the default
image: a reader that knows no animation shows the end.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.draw.png import SIGNATURE, chunk

Pixels = NDArray[np.uint8]
CLEAR = 255  # the palette's transparent entry
_SOURCE, _OVER = 0, 1  # a frame replaces what is there, or is laid over it
_LEVEL = 9
_HEAD = 1200  # bytes before the pixels, and after them, at most


@dataclass(frozen=True)
class AnimationFrame:
    """A picture of palette entries (height x width, each under CLEAR), and the milliseconds for which it
    stands."""

    pixels: Pixels
    delay: int


class AnimationTooLarge(Exception):
    """An animation has more bytes than it may have. `frames` is how many of its frames fitted."""

    def __init__(self, frames: int) -> None:
        super().__init__(f"no more than {frames} frames fit")
        self.frames = frames


def encode(frames: Iterable[AnimationFrame], colours: Sequence[tuple[int, int, int]], limit: int) -> bytes:
    """The animated PNG of at least one frame, played again and again, of at most `limit` bytes.

    `colours` are the palette, at most 255; frames that are made while they are encoded may add some. Raises
    AnimationTooLarge as soon as the bytes are too many.
    """
    parts: list[bytes] = []
    size = _HEAD
    before: Pixels | None = None
    for number, frame in enumerate(frames):
        region, left, top = _region(frame.pixels, before)
        high, wide = region.shape
        blend = _SOURCE if before is None else _OVER
        at = struct.pack(">IIIIIHHBB", 2 * number, wide, high, left, top, frame.delay, 1000, 0, blend)
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
    return b"".join((_head(before, len(parts) // 2, colours), image, *parts, chunk(b"IEND", b"")))


def _head(pixels: Pixels, frames: int, colours: Sequence[tuple[int, int, int]]) -> bytes:
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
    """The rectangle that changes, and its left and top edge.

    In each row the pixels from the first to the last changed one are whole, the others clear: fewer bytes
    than only the changed ones, of which text that moves leaves a pattern of two texts.
    """
    if before is None:
        return pixels, 0, 0
    changed = pixels != before
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(rows):
        return pixels[:1, :1], 0, 0
    inside = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    changed = changed[inside]
    begun = np.logical_or.accumulate(changed, axis=1)
    to_come = np.logical_or.accumulate(changed[:, ::-1], axis=1)[:, ::-1]
    region = np.where(begun & to_come, pixels[inside], np.uint8(CLEAR))
    return region, int(columns[0]), int(rows[0])


def _packed(pixels: Pixels) -> bytes:
    """The rows, each behind its filter type 0 (none), compressed."""
    rows = np.zeros((pixels.shape[0], pixels.shape[1] + 1), np.uint8)
    rows[:, 1:] = pixels
    return zlib.compress(rows.tobytes(), _LEVEL)
