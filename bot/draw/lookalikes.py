"""Replacements for characters without a glyph: a plain letter, the usual form of a kanji, a similar sign, the
sound."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

_USUAL = dict(zip("𠮷槗𩵋𫝆𥙿𤋮𨺓囯壄", "吉橋魚今裕熙隆国野", strict=True))
"""Kanji of names by the form the font has; it holds all 303 rare ones of JIS X 0213."""

_SIGNS = {
    sign: stands
    for stands, signs in {
        "♥": "💓💔💕💖💗💘💙💚💛💜💝💞🖤🤍🤎🧡🩵🩷",
        "★": "⭐🌟🌠",
        "✧": "✨",
        "✿": "🌸🌺🌼🌻🌹🌷💐💮",
        "☘": "🍀",
        "☀": "🌞",
        "☾": "🌙🌛🌜",
        "♪": "🎵🎼",
        "♫": "🎶",
        "♛": "👑",
        "⚀": "🎲",
        "○": "⭕",
        "●": "🔴🔵",
        "×": "❌",
        "100": "💯",
        "OK": "🆗",
    }.items()
    for sign in signs
}
_TILES = dict(
    zip(
        map(chr, range(0x1F000, 0x1F022)),
        "東南西北中發白一二三四五六七八九１２３４５６７８９①②③④⑤⑥⑦⑧⑨",
        strict=True,
    )
)
"""Tiles as players write them: characters in kanji, bamboo in figures, circles in circled figures."""

_LETTER = re.compile(r"(?=.*(?:LATIN|INDICATOR) ).*\b(?P<letter>[A-Z])$")
_SYLLABLES, _SYLLABLE = range(0xAC00, 0xD7A4), 588
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


def like(char: str, has: Callable[[str], bool]) -> str:
    """A replacement that can be drawn (`has` says so), or the sound of a Hangul syllable; "" where there is
    none."""
    ways = (
        _USUAL.get(char, ""),
        _SIGNS.get(char, ""),
        _TILES.get(char, ""),
        unicodedata.normalize("NFKC", char),
        _letter(char),
        unicodedata.normalize("NFKD", char)[0],
    )
    return next(
        (way for way in ways if way and all(_plain(part) and has(part) for part in way)), ""
    ) or _sound(char)


def _plain(char: str) -> bool:
    """Whether the character is no combining mark, space or control sign."""
    return unicodedata.category(char)[0] not in "MZC"


def _letter(char: str) -> str:
    """The plain letter of a squared, circled or regional indicator letter."""
    found = _LETTER.match(unicodedata.name(char, ""))
    return found["letter"] if found else ""


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
