"""Text as pixels: what can be drawn, how wide it is, its mask; sentences broken into lines.

The font is IPAex Gothic, with DejaVu Sans for symbols it lacks. A lock guards it, because two
threads must not use a FreeType font at once; finished masks are cached."""

from __future__ import annotations

import os
import re
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

if TYPE_CHECKING:
    from matplotlib.ft2font import FT2Font

MISSING = "〓"
ELLIPSIS = "…"
_LOCK = threading.RLock()
# Skin tones: they only change the emoji before them.
_SKINS = {chr(code) for code in range(0x1F3FB, 0x1F400)}
_DROPPED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# IPAex Gothic. The package is found without being imported: it would load matplotlib.
FONT = (
    Path(str(getattr(find_spec("matplotlib_fontja"), "origin", ""))).parent / "fonts" / "ipaexg.ttf"
)


@dataclass(frozen=True, eq=False)
class Stamp:
    """A text's mask (rows x columns, 0 to 255), its first column's distance from the pen's start,
    the baseline's row."""

    mask: NDArray[np.uint8]
    left: int
    baseline: int


@lru_cache(1)
def _faces() -> tuple[FT2Font, ...]:
    """The font with its fallback, then both alone, for looking up.

    Loads matplotlib: half a second.
    """
    import matplotlib
    from matplotlib.font_manager import get_font
    from matplotlib.ft2font import FT2Font

    paths = (FONT, Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf")
    return get_font(paths), *(FT2Font(str(path)) for path in paths)


# A font reads its file bit by bit, and processes that forked share the position in an open file.
# Without this, of four processes that measure 3,000 glyphs at once, each fails at 55 to 72 and
# none has the right widths; with it, all have the same ones.
os.register_at_fork(after_in_child=_faces.cache_clear)


@lru_cache(4096)
def has(char: str) -> bool:
    with _LOCK:
        return any(face.get_char_index(ord(char)) for face in _faces()[1:])


@lru_cache(4096)
def drawable(text: str) -> str:
    """The text in characters that have glyphs, without control marks. Others are replaced by
    similar ones; a run without any replacement becomes one 〓."""
    glyphs: list[str] = []
    for char in unicodedata.normalize("NFC", text):
        glyph = _drawable(char)
        repeated = glyph == MISSING and glyphs[-1:] == [MISSING]
        if glyph and not repeated:
            glyphs.append(glyph)
    return "".join(glyphs).strip(" ")


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
    if has(char):
        return char
    return like(char) or MISSING


@lru_cache(4096)
def width(text: str, size: int) -> float:
    """The width in pixels of a text (as `drawable` returns it) at a font size of `size` pixels."""
    if not text:
        return 0.0
    with _LOCK:
        return _set(text, size).get_width_height()[0] / 64


@lru_cache(320)
def stamp(text: str, size: int, bold: bool) -> Stamp:
    """The mask of a text (as `drawable` returns it).

    Bold thickens the strokes of the font's one weight.
    """
    with _LOCK:
        font = _set(text, size)
        font.draw_glyphs_to_bitmap(antialiased=True)
        mask = np.array(font.get_image(), dtype=np.uint8)
        left = int(font.get_bitmap_offset()[0] // 64)
        descent = ceil(font.get_descent() / 64)
    rows = mask.shape[0]
    if bold:
        for _ in range(max(1, round(size / 26))):
            mask = np.maximum(
                np.pad(mask, ((0, 0), (0, 1))),
                np.pad(mask, ((0, 0), (1, 0))),
            )
        mask = np.maximum(
            np.pad(mask, ((0, 1), (0, 0))),
            np.pad(mask, ((1, 0), (0, 0))),
        )
    return Stamp(mask, left, rows - descent)


def fit(
    text: str,
    size: int,
    room: float,
    least: int,
) -> tuple[str, int]:
    """The drawable text and size that fit into `room` pixels: smaller down to `least`, then cut."""
    text = drawable(text)
    full = width(text, size)
    if full <= room:
        return text, size
    smaller = size
    if full:
        smaller = max(least, int(size * room / full))
    while smaller > least and width(text, smaller) > room:
        smaller -= 1
    if width(text, smaller) <= room:
        return text, smaller
    kept = bisect_right(
        range(1, len(text)),
        room,
        key=lambda end: width(text[:end] + ELLIPSIS, smaller),
    )
    if not kept:
        return "", smaller
    return text[:kept].rstrip() + ELLIPSIS, smaller


def _set(text: str, size: int) -> FT2Font:
    from matplotlib.ft2font import LoadFlags

    font = _faces()[0]
    font.clear()
    font.set_size(size, 72)
    font.set_text(text, 0.0, flags=LoadFlags.NO_HINTING)
    return font


# Kanji of names by the form the font has; it holds all 303 rare ones of JIS X 0213.
_USUAL = dict(zip("𠮷槗𩵋𫝆𥙿𤋮𨺓囯壄", "吉橋魚今裕熙隆国野", strict=True))

_STANDS = (
    "♥:💓💔💕💖💗💘💙💚💛💜💝💞🖤🤍🤎🧡🩵🩷 ★:⭐🌟🌠 ✧:✨ ✿:🌸🌺🌼🌻🌹🌷💐💮 ☘:🍀 ☀:🌞 ☾:🌙🌛🌜 "
    "♪:🎵🎼 ♫:🎶 ♛:👑 ⚀:🎲 ○:⭕ ●:🔴🔵 ×:❌ 100:💯 OK:🆗"
)
_SIGNS: dict[str, str] = {}
for _replacement, _emoji in (group.split(":") for group in _STANDS.split()):
    _SIGNS.update(dict.fromkeys(_emoji, _replacement))
_FACES = "東南西北中發白一二三四五六七八九１２３４５６７８９①②③④⑤⑥⑦⑧⑨"
# Tiles as players write them: characters in kanji, bamboo in figures, circles in circled
# figures.
_TILES = {chr(0x1F000 + place): face for place, face in enumerate(_FACES)}

_LETTER = re.compile(r"(?=.*(?:LATIN|INDICATOR) ).*\b(?P<letter>[A-Z])$")
_SYLLABLES = range(0xAC00, 0xD7A4)
_SYLLABLE = 588
_INITIALS, _VOWELS, _FINALS = (
    ["" if part == "-" else part for part in parts.split()]
    for parts in (
        "g kk n d tt r m b pp s ss - j jj ch k t p h",
        "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i",
        "- k k k n n n t l k m l l l p l m p p t t ng t t k t p t",
    )
)
"""Hangul in letters by the Revised Romanization of Korean (Ministry of Culture, 2000), syllable by
syllable."""


def like(char: str) -> str:
    """A replacement that has a glyph, or the sound of a Hangul syllable; "" where there is none."""
    letter = _LETTER.match(unicodedata.name(char, ""))  # squared, circled or a regional indicator
    replacements = (
        _USUAL.get(char, ""),
        _SIGNS.get(char, ""),
        _TILES.get(char, ""),
        unicodedata.normalize("NFKC", char),
        letter["letter"] if letter else "",
        unicodedata.normalize("NFKD", char)[0],
    )
    for replacement in replacements:
        if replacement and all(map(_has_glyph, replacement)):
            return replacement
    return _sound(char)


def _has_glyph(char: str) -> bool:
    """Whether the font draws a character that is no mark, space or control character."""
    return unicodedata.category(char)[0] not in "MZC" and has(char)


def _sound(char: str) -> str:
    """A Korean syllable, or a single consonant or vowel, in Latin letters."""
    if ord(char) in _SYLLABLES:
        initial, rest = divmod(ord(char) - _SYLLABLES[0], _SYLLABLE)
        return _INITIALS[initial] + _VOWELS[rest // 28] + _FINALS[rest % 28]
    part = ord(unicodedata.normalize("NFKC", char)[0])
    if 0x1100 <= part < 0x1100 + len(_INITIALS):
        return _INITIALS[part - 0x1100]
    if 0x1161 <= part < 0x1161 + len(_VOWELS):
        return _VOWELS[part - 0x1161]
    return ""


LEADING = 1.35  # from one line to the next, in font sizes
_PIECES = re.compile(r"[!-~]+|.", re.DOTALL)
_NOT_LAST = set("「『（【([")
_NOT_FIRST = set("、。，．）」』】！？ー…ぁぃぅぇぉっゃゅょァィゥェォッャュョ)]!?,.")


def wrap(text: str, size: int, room: float, most: int) -> list[str]:
    """At most `most` lines of about `room` pixels, the last with an ellipsis if cut. Latin words
    stay whole; no line begins with a closing sign (it may stick out) or ends with an opening one.
    """
    lines: list[str] = []
    line = ""
    for piece in _PIECES.findall(drawable(text)):
        if line and width(line + piece, size) > room and piece[0] not in _NOT_FIRST:
            opening = ""
            if line[-1] in _NOT_LAST and len(line) > 1:
                opening = line[-1]
            lines.append(line.removesuffix(opening))
            line = opening
        if line or piece != " ":
            line += piece
    if line:
        lines.append(line)
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1] + ELLIPSIS]
    return lines
