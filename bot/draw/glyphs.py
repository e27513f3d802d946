"""Text as pixels: which characters can be drawn, how wide a text is, and its mask.

The font is IPAex Gothic, with DejaVu Sans for symbols it lacks. A FreeType font must not be used by two
threads at once, so a lock guards it. Finished masks are cached, because the same names and figures are in
many pictures.
"""

from __future__ import annotations

import os
import threading
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bot.draw.lookalikes import like

if TYPE_CHECKING:
    from matplotlib.ft2font import FT2Font, LoadFlags

MISSING = "〓"
ELLIPSIS = "…"
_LOCK = threading.RLock()
_SKINS = set(map(chr, range(0x1F3FB, 0x1F400)))  # skin tones: they only change the emoji before them
_DROPPED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
FONT = Path(str(find_spec("matplotlib_fontja").origin)).parent / "fonts" / "ipaexg.ttf"  # type: ignore[union-attr]
"""IPAex Gothic. The package is found without being imported: it would load matplotlib."""


@dataclass(frozen=True, eq=False)
class Stamp:
    """A text's mask (rows x columns, coverage 0 to 255).

    `left` is the first column's distance from the pen's start, `baseline` the baseline's row.
    """

    mask: NDArray[np.uint8]
    left: int
    baseline: int


@lru_cache(1)
def _faces() -> tuple[FT2Font, ...]:
    """The font with its fallback, then both alone for looking up characters. Loads matplotlib, which takes
    half a second."""
    import matplotlib
    from matplotlib.font_manager import get_font
    from matplotlib.ft2font import FT2Font

    paths = (FONT, Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf")
    return get_font(paths), *(FT2Font(str(path)) for path in paths)


# A font reads its file bit by bit. Processes that forked would share the place in the file, and read each
# other's parts.
os.register_at_fork(after_in_child=_faces.cache_clear)


@lru_cache(4096)
def has(char: str) -> bool:
    """Whether one of the two fonts has a glyph for the character."""
    with _LOCK:
        return any(face.get_char_index(ord(char)) for face in _faces()[1:])


@lru_cache(4096)
def drawable(text: str) -> str:
    """The text in characters that have glyphs.

    Control and direction marks are dropped. A character without a glyph is replaced by a similar one; a run
    of characters without any replacement becomes one 〓.
    """
    kept: list[str] = []
    for char in unicodedata.normalize("NFC", text):
        shown = _drawable(char)
        if shown and not (shown == MISSING and kept and kept[-1] == MISSING):
            kept.append(shown)
    return "".join(kept).strip(" ")


def _drawable(char: str) -> str:
    kind = unicodedata.category(char)
    if char.isspace():
        return "\u3000" if char == "\u3000" else " "
    if kind in ("Mn", "Me") or 0xE0000 <= ord(char) <= 0xE0FFF or char in _SKINS:
        return ""  # stacked combining marks would cover their neighbours
    if kind in ("Cn", "Co"):
        return MISSING
    if kind in _DROPPED:
        return ""
    return char if has(char) else like(char, has) or MISSING


@lru_cache(4096)
def width(text: str, size: int) -> float:
    """The width in pixels of a text (as `drawable` returns it) at a font size of `size` pixels."""
    if not text:
        return 0.0
    with _LOCK:
        return _set(text, size).get_width_height()[0] / 64


@lru_cache(320)
def stamp(text: str, size: int, bold: bool) -> Stamp:
    """The mask of a text (as `drawable` returns it). Bold thickens the strokes, because the font has one
    weight."""
    with _LOCK:
        font = _set(text, size)
        font.draw_glyphs_to_bitmap(antialiased=True)
        mask = np.array(font.get_image(), dtype=np.uint8)
        left = int(font.get_bitmap_offset()[0] // 64)
        descent = ceil(font.get_descent() / 64)
    rows = mask.shape[0]
    if bold:
        for _ in range(max(1, round(size / 26))):
            mask = np.maximum(np.pad(mask, ((0, 0), (0, 1))), np.pad(mask, ((0, 0), (1, 0))))
        mask = np.maximum(np.pad(mask, ((0, 1), (0, 0))), np.pad(mask, ((1, 0), (0, 0))))
    return Stamp(mask, left, rows - descent)


def fit(text: str, size: int, room: float, least: int) -> tuple[str, int]:
    """The drawable text and the size that fit into `room` pixels: smaller down to `least`, then cut with an
    ellipsis."""
    text = drawable(text)
    full = width(text, size)
    if full <= room:
        return text, size
    smaller = max(least, int(size * room / full)) if full else size
    while smaller > least and width(text, smaller) > room:
        smaller -= 1
    if width(text, smaller) <= room:
        return text, smaller
    kept = bisect_right(range(1, len(text)), room, key=lambda end: width(text[:end] + ELLIPSIS, smaller))
    return (text[:kept].rstrip() + ELLIPSIS if kept else ""), smaller


def _set(text: str, size: int) -> FT2Font:
    font = _faces()[0]
    font.clear()
    font.set_size(size, 72)
    font.set_text(text, 0.0, flags=_no_hinting())
    return font


@lru_cache(1)
def _no_hinting() -> LoadFlags:
    from matplotlib.ft2font import LoadFlags

    return LoadFlags.NO_HINTING
