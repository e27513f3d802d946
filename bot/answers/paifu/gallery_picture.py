"""The picture of 名場面集: hands as tiles, each with its points, yaku and day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.draw import glyphs
from bot.draw.layout import Area, Section, Titled, space, titled
from bot.draw.style import AXIS, INK, LOOKED_FOR, MUTED, readable
from bot.draw.tiles import HIGH, draw_tile

# pixels: of the widest tile, between two tiles, of a hand's section and above its tiles
_WIDEST_TILE = 68.0
_TILE_GAP = 3.0
_HAND_HEIGHT = 262
_TILES_DOWN = 142
_CALL_GAP = 0.45  # the gap before a call, in widths of a tile
_YAKUMAN_COLOUR = "#A50026"


@dataclass(frozen=True)
class GalleryHand:
    """A hand as it is drawn: `hand` are the concealed tiles without the winning `tile`."""

    name: str
    colour: str
    points: str
    yaku: str
    when: str
    how: str
    yakuman: bool
    hand: tuple[int, ...]
    tile: int
    calls: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Gallery(Titled):
    """The hands, the best first."""

    hands: Sequence[GalleryHand]


def draw(gallery: Gallery) -> bytes:
    """A PNG, 1200 pixels wide, as high as its hands need."""
    hands = [Section(_HAND_HEIGHT, partial(_draw_hand, hand)) for hand in gallery.hands]
    return titled(gallery.title, gallery.subtitle, [*hands, space(10)], least=0)


def _draw_hand(hand: GalleryHand, area: Area) -> None:
    area.inset(bottom=area.height).underline()
    _draw_text(hand, area)
    _draw_tiles(hand, area)


def _draw_text(hand: GalleryHand, area: Area) -> None:
    """Draw name, day, points and yaku next to a bar in the member's colour."""
    bar, text = area.columns(10, 0, gap=18)
    bar.inset(top=20, bottom=140).plate(hand.colour, 4)
    points_width = text.text(hand.points, LOOKED_FOR, anchor="right", bold=True, down=44)
    line = text.inset(right=points_width + 30)
    name = line.inset(right=glyphs.width(hand.when, AXIS) + 24)
    name_width = name.text(
        hand.name,
        LOOKED_FOR,
        readable(hand.colour),
        bold=True,
        down=44,
    )
    line.inset(name_width + 24).text(hand.when, AXIS, MUTED, down=47)
    ink = INK
    if hand.yakuman:
        ink = _YAKUMAN_COLOUR
    text.text(hand.yaku, LOOKED_FOR, ink, bold=hand.yakuman, down=100)


def _draw_tiles(hand: GalleryHand, area: Area) -> None:
    """Draw the concealed tiles, the winning tile with ツモ or ロン, and the calls."""
    number = len(hand.hand) + 1 + sum(map(len, hand.calls))
    gaps = _CALL_GAP * (len(hand.calls) + 1)
    width = min(_WIDEST_TILE, (area.width - 90 - _TILE_GAP * number) / (number + gaps))
    top = area.top + _TILES_DOWN
    x = _draw_row(hand.hand, area, area.left, top, width)
    x = _draw_row((hand.tile,), area, x + width * _CALL_GAP, top, width)
    x += 8 + area.paper.text(
        x + 8,
        top + width * HIGH / 2,
        hand.how,
        AXIS,
        MUTED,
    )
    for tiles in hand.calls:
        x = _draw_row(tiles, area, x + width * _CALL_GAP, top, width)


def _draw_row(
    tiles: Sequence[int],
    area: Area,
    x: float,
    top: float,
    width: float,
) -> float:
    """Draw tiles side by side. Returns where the next one begins."""
    for tile in tiles:
        draw_tile(area.paper, x, top, width, tile)
        x += width + _TILE_GAP
    return x
