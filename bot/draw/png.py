"""Pixels as a palette PNG (https://www.w3.org/TR/png-3/), and frames as an animated one.

A palette of at most 128 colours takes a quarter of the bytes and a fifth of the time of true colour. Of an
animation each frame holds only what differs from the one before (Pillow's writer takes 1.7 times the bytes).
The last frame is also the default image, for readers that know no animation."""

import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_WHITE = np.uint32(0xFFFFFFFF)
_BINS = 1 << 15
_MOST, _BAND = 127, 128
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def encode(pixels: NDArray[np.uint8], exact: Iterable[tuple[int, int, int]] = ()) -> bytes:
    """The PNG of `pixels` (height x width x RGBA, opaque); `exact` colours are kept. Bands of rows save
    memory."""
    height, width = pixels.shape[:2]
    counts, shades = np.zeros(_BINS, np.int64), np.zeros(_BINS, np.uint32)
    bands = []
    for top in range(0, height, _BAND):
        flat: NDArray[np.uint32] = np.ascontiguousarray(pixels[top : top + _BAND]).view(np.uint32).reshape(-1)
        drawn = np.flatnonzero(flat != _WHITE)
        values = flat[drawn]
        bins = (values >> 3 & 0x1F | values >> 6 & 0x3E0 | values >> 9 & 0x7C00).astype(np.uint16)
        counts += np.bincount(bins, minlength=_BINS)
        shades[bins] = values
        bands.append((drawn.astype(np.int32), bins))
    table, palette = _palette(counts, shades, exact)
    packer = zlib.compressobj(1, zlib.DEFLATED, 15, 9, zlib.Z_RLE)  # flat rows consist of runs
    data = []
    for place, (where, bins) in enumerate(bands):
        # A row begins with its filter type, 0 (none).
        rows = np.zeros((min(_BAND, height - place * _BAND), width + 1), np.uint8)
        rows.reshape(-1)[where + where // width + 1] = table[bins]
        data.append(packer.compress(rows.data))
    data.append(packer.flush())
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", b"".join(data)), (b"IEND", b""))
    return SIGNATURE + b"".join(chunk(kind, part) for kind, part in parts)


def _palette(
    counts: NDArray[np.int64], shades: NDArray[np.uint32], exact: Iterable[tuple[int, int, int]]
) -> tuple[NDArray[np.uint8], bytes]:
    """The palette entry of each of the 32 x 32 x 32 bins, and the palette: white, then the most frequent
    colours; other bins take the nearest. `counts` are the pixels in each bin, `shades` a colour of each."""
    for red, green, blue in exact:
        place = (red >> 3) | (green >> 3) << 5 | (blue >> 3) << 10
        if counts[place]:
            shades[place] = red | green << 8 | blue << 16
            counts[place] += 1 << 30
    present = np.flatnonzero(counts)
    present = present[np.argsort(-counts[present], kind="stable")]
    channels = np.stack([shades[present] >> shift & 0xFF for shift in (0, 8, 16)], axis=1).astype(np.int32)
    kept = np.vstack([[[255, 255, 255]], channels[:_MOST]])
    table = np.zeros(_BINS, np.uint8)
    table[present[:_MOST]] = np.arange(1, len(kept))
    far = np.zeros((max(0, len(channels) - _MOST), len(kept)), np.float32)
    for channel in range(3):  # no matrix product: its threads stay busy longer than this takes
        far += np.subtract.outer(channels[_MOST:, channel], kept[:, channel]).astype(np.float32) ** 2
    table[present[_MOST:]] = far.argmin(axis=1)
    return table, kept.astype(np.uint8).tobytes()


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG: its length, kind, data and check sum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


Pixels = NDArray[np.uint8]
CLEAR = 255  # the palette's transparent entry
_SOURCE, _OVER = 0, 1  # a frame replaces what is there, or is laid over it
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
    """The animated PNG, played again and again. `colours` are the palette, at most 255; frames may add some
    as they are made. Raises AnimationTooLarge for more than `limit` bytes."""
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
    """The rectangle that changes, its left and top. In a row all from the first to the last changed pixel is
    whole: fewer bytes than the changed ones alone, of which moving text leaves a pattern."""
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
