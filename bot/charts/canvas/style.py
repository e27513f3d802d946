"""The one visual language of every picture: colours by member, sizes, greys. Needs no drawing library.

Pictures are 1200 px wide and seen 275 to 390 points wide, so every size here still reads at a third of itself.
The palettes keep their colours apart for normal, deutan, protan and tritan eyes (CIEDE2000 of 12 and more).
"""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from functools import lru_cache

RENDERER_VERSION = "3"
"""Part of every picture's content hash: raise it when the same data would be drawn differently."""

Dash = tuple[float, ...]
"""Lengths of strokes and gaps in multiples of the line's width; empty: a whole line."""

WIDTH = 1200
TITLE, SUBTITLE, LABEL, AXIS, SMALL = 54, 35, 40, 34, 30
LINE, ASKER_LINE, CONTEXT_LINE, GRID, BASELINE = 6, 10, 4, 2, 4

WHITE, INK, MUTED, FAINT = "#FFFFFF", "#222222", "#666666", "#737373"
GRID_COLOUR, BASELINE_COLOUR, CONTEXT, PANEL = "#E6E6E6", "#999999", "#C9C9C9", "#F5F5F5"
ASKER_ROW = "#F1F8E9"
UP, DOWN = "#0072B2", "#D55E00"
PLACING = ("#0072B2", "#7DB8DA", "#E6B98C", "#D55E00")
"""Colour of 1st, 2nd, 3rd and 4th; with three seats the third takes the last one."""

_SEVEN = ["#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
_NINE = ["#CC6677", "#332288", "#DDCC77", "#117733", "#88CCEE", "#882255", "#44AA99", "#999933", "#AA4499"]
_TWELVE = [
    "#606652",
    "#242365",
    "#AA6AFF",
    "#5F010D",
    "#C66818",
    "#392632",
    "#A65D9E",
    "#A82B17",
    "#9F858F",
    "#405E66",
    "#5506C9",
    "#479C62",
]
_DASHES: tuple[Dash, ...] = ((2.6, 1.5), (5.0, 1.6), (0.4, 1.6), (4.0, 1.5, 0.5, 1.5))
_DASHED_FROM = 7


def palette(players: int) -> list[str]:
    """The safest colours for so many lines; past twelve they come again, told apart by their dashes."""
    base = _SEVEN if players <= 7 else _NINE if players <= 9 else _TWELVE
    return [base[i % len(base)] for i in range(players)]


def colours(members: Sequence[str]) -> dict[str, str]:
    """Each member's own colour, by the place in the league's fixed member order."""
    return dict(zip(members, palette(len(members)), strict=True))


def dashes(members: Sequence[str]) -> dict[str, Dash]:
    """Each member's own line: whole for the first seven, dashed from the eighth."""
    return {name: dash(place) for place, name in enumerate(members)}


def dash(place: int) -> Dash:
    if place < _DASHED_FROM:
        return ()
    return _DASHES[(place - _DASHED_FROM + place // 12) % len(_DASHES)]


def placing_colour(placing: int, seats: int) -> str:
    """`placing` counts from 1; the last place has one colour at tables of three and of four."""
    return PLACING[-1] if placing >= seats else PLACING[placing - 1]


@lru_cache(4096)
def rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def blend(colour: str, other: str, part: float) -> str:
    """`part` of `other` mixed into `colour`."""
    mixed = (round(a + (b - a) * part) for a, b in zip(rgb(colour), rgb(other), strict=True))
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


@lru_cache(1024)
def pale(colour: str) -> str:
    """For provisional players; light colours get only so pale that a line in them is still seen."""
    part = 0.5
    while part > 0.1 and contrast(blend(colour, WHITE, part)) < 1.45:
        part -= 0.1
    return blend(colour, WHITE, part)


def ink(colour: str, provisional: bool = False) -> str:
    """What a member's name is written in: his colour as text reads, paler where his rating is provisional."""
    return readable(pale(colour) if provisional else colour)


def contrast(colour: str, ground: str = WHITE) -> float:
    """WCAG 2 contrast ratio, 1 to 21."""
    light, dark = sorted((_luminance(colour), _luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@lru_cache(1024)
def readable(colour: str, least: float = 4.5) -> str:
    """The same hue, darkened until text in it reads on white."""
    hue, light, saturation = colorsys.rgb_to_hls(*(channel / 255 for channel in rgb(colour)))
    while contrast(colour) < least:
        light *= 0.96
        channels = colorsys.hls_to_rgb(hue, light, saturation)
        colour = "#" + "".join(f"{round(channel * 255):02X}" for channel in channels)
    return colour


def on(ground: str) -> str:
    """Black or white, whichever reads better on `ground`."""
    return INK if contrast(INK, ground) >= contrast(WHITE, ground) else WHITE


def _luminance(colour: str) -> float:
    linear = [
        (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for c in (v / 255 for v in rgb(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
