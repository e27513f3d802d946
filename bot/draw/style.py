"""Colours and sizes shared by all pictures, which are 1200 pixels wide. Needs no drawing library.

A phone shows a picture 253 points wide in the chat and 390 full screen: SMALLEST is eleven points
full screen, LOOKED_FOR nine in the chat (`python -m tests.tools.looks` measures it)."""

import colorsys
from collections.abc import Sequence
from functools import lru_cache
from itertools import cycle

# Part of every picture's content hash: raise it when the same data would be drawn differently.
RENDERER_VERSION = "11"

# lengths of strokes and gaps in multiples of the line's width; empty: a whole line
Dash = tuple[float, ...]

# the least sizes in pixels: of anything, and of names, values and titles
SMALLEST = 34
LOOKED_FOR = 43
TITLE = 54
SUBTITLE = 36
LABEL = 44
AXIS = 34
SMALL = 34
LINE = 6
ASKER_LINE = 10
CONTEXT_LINE = 4
GRID = 2
BASELINE = 4

WHITE = "#FFFFFF"
INK = "#222222"
MUTED = "#666666"
FAINT = "#737373"
GRID_COLOUR = "#E6E6E6"
BASELINE_COLOUR = "#999999"
CONTEXT = "#C9C9C9"
PANEL = "#F5F5F5"
ASKER_ROW = "#F1F8E9"
UP = "#0072B2"
DOWN = "#D55E00"
# Colour of 1st, 2nd, 3rd and 4th; with three seats the third takes the last one.
PLACING = ("#0072B2", "#7DB8DA", "#E6B98C", "#D55E00")

_COLOURS = "#C00054 #00B4B4 #E49C00 #8454D8 #18543C #188478 #84780C #780090 #A8A878 #9C84FC #485400 #F03C90"
_PALETTE = _COLOURS.split()
"""Each stands out from white (contrast of 2.2 and more) and from each other for normal, protan,
deutan and tritan eyes (CIEDE2000 of 13 and more); none is near black. `python -m
tests.tools.palette` measures it."""
_DASHES: tuple[Dash, ...] = (
    (2.6, 1.5),
    (5.0, 1.6),
    (0.4, 1.6),
    (4.0, 1.5, 0.5, 1.5),
)


def least(size: int) -> int:
    """How small a text of a size may get: what is larger than LOOKED_FOR stays as large as that."""
    if size > LOOKED_FOR:
        return LOOKED_FOR
    return min(size, SMALLEST)


def palette(players: int) -> list[str]:
    """Colours for so many lines, the same at the beginning of every list; they repeat after
    twelve.
    """
    return [_PALETTE[i % len(_PALETTE)] for i in range(players)]


def colours(members: Sequence[str]) -> dict[str, str]:
    """Each member's own colour, by the position in `members` (the league's fixed order)."""
    return dict(zip(members, palette(len(members)), strict=True))


def every_colour(colours: Sequence[str]) -> list[str]:
    """The colours, and in the place of each "" one that none of the others has."""
    unused = iter(cycle([colour for colour in _PALETTE if colour not in colours] or _PALETTE))
    return [colour or next(unused) for colour in colours]


def dashes(members: Sequence[str]) -> dict[str, Dash]:
    """Each member's own dashes, by the position in `members`."""
    return {name: dash(place) for place, name in enumerate(members)}


def dash(place: int) -> Dash:
    """The dashes of the line at a position, which counts from 0: the first of each colour is
    whole.
    """
    turn = place // len(_PALETTE)
    if not turn:
        return ()
    return _DASHES[(turn - 1) % len(_DASHES)]


def placing_colour(placing: int, seats: int) -> str:
    """The colour of a placing, from 1. The last has the same colour at three and at four seats."""
    if placing >= seats:
        return PLACING[-1]
    return PLACING[placing - 1]


@lru_cache(4096)
def rgb(colour: str) -> tuple[int, int, int]:
    return (
        int(colour[1:3], 16),
        int(colour[3:5], 16),
        int(colour[5:7], 16),
    )


def blend(colour: str, other: str, part: float) -> str:
    """`colour` with a part (0 to 1) of `other` mixed in."""
    channels = zip(rgb(colour), rgb(other), strict=True)
    mixed = (round(a + (b - a) * part) for a, b in channels)
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


@lru_cache(1024)
def pale(colour: str) -> str:
    """The paler colour of a provisional player; light colours fade less, so that a line can still
    be seen.
    """
    part = 0.5
    while part > 0.1 and contrast(blend(colour, WHITE, part)) < 1.45:
        part -= 0.1
    return blend(colour, WHITE, part)


def ink(colour: str, provisional: bool = False) -> str:
    """The colour of a member's name: readable on white, paler where the rating is provisional."""
    return readable(pale(colour) if provisional else colour)


def contrast(colour: str, ground: str = WHITE) -> float:
    """The contrast ratio, 1 to 21, of WCAG (https://www.w3.org/TR/WCAG21/#contrast-minimum)."""
    light, dark = sorted((_luminance(colour), _luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@lru_cache(1024)
def readable(colour: str, least: float = 4.5) -> str:
    """The same hue, darkened until its contrast with white is `least` (4.5 is WCAG's minimum for
    text).
    """
    hue, light, saturation = colorsys.rgb_to_hls(*(channel / 255 for channel in rgb(colour)))
    while contrast(colour) < least:
        light *= 0.96
        channels = colorsys.hls_to_rgb(hue, light, saturation)
        colour = "#" + "".join(f"{round(channel * 255):02X}" for channel in channels)
    return colour


def on(ground: str) -> str:
    """INK or white, whichever has more contrast with `ground`."""
    return INK if contrast(INK, ground) >= contrast(WHITE, ground) else WHITE


def _luminance(colour: str) -> float:
    red, green, blue = map(_linear, rgb(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: int) -> float:
    """The intensity of light, 0 to 1, of a channel of sRGB."""
    share = channel / 255
    if share <= 0.04045:
        return share / 12.92
    return float(((share + 0.055) / 1.055) ** 2.4)
