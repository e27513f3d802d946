"""名場面集: the best hands of a league as pictures of their tiles, with winner, yaku, points and date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.draw import glyphs
from bot.draw.layout import Area, Section, space, titled
from bot.draw.style import AXIS, INK, LOOKED_FOR, MUTED, readable
from bot.draw.tiles import HIGH, draw_tile

_WIDEST, _BETWEEN = 68.0, 3.0  # most pixels of a tile, and pixels between two
_APART = 0.45  # the gap before a call, in widths of a tile
YAKUMAN = "#A50026"


@dataclass(frozen=True)
class GalleryHand:
    """A hand as it is drawn: `hand` are the concealed tiles without the winning `tile`, `calls` those of each
    call."""

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
class Gallery:
    """The hands, the best first."""

    title: str
    subtitle: str
    hands: Sequence[GalleryHand]


def draw(gallery: Gallery) -> bytes:
    """A PNG, 1200 pixels wide, as high as its hands need."""
    hands = [Section(262, partial(_hand, hand)) for hand in gallery.hands]
    return titled(gallery.title, gallery.subtitle, [*hands, space(10)], least=0)


def _hand(hand: GalleryHand, area: Area) -> None:
    area.inset(bottom=area.height).underline()
    bar, words = area.columns(10, 0, gap=18)
    bar.inset(top=20, bottom=140).plate(hand.colour, 4)
    taken = words.text(hand.points, LOOKED_FOR, anchor="right", bold=True, down=44)
    upper = words.inset(right=taken + 30)
    name = upper.inset(right=glyphs.width(hand.when, AXIS) + 24)
    taken = name.text(hand.name, LOOKED_FOR, readable(hand.colour), bold=True, down=44)
    upper.inset(taken + 24).text(hand.when, AXIS, MUTED, down=47)
    ink = YAKUMAN if hand.yakuman else INK
    words.text(hand.yaku, LOOKED_FOR, ink, bold=hand.yakuman, down=100)
    _tiles(hand, area.inset(top=142))


def _tiles(hand: GalleryHand, area: Area) -> None:
    """Draw the concealed tiles, the calls, and apart from them the winning tile with ツモ or ロン beside
    it."""
    number = len(hand.hand) + 1 + sum(map(len, hand.calls))
    room = area.width - 90 - _BETWEEN * number
    width = min(_WIDEST, room / (number + _APART * (len(hand.calls) + 1)))
    x = area.left

    def place(tiles: Sequence[int]) -> None:
        nonlocal x
        for tile in tiles:
            draw_tile(area.paper, x, area.top, width, tile)
            x += width + _BETWEEN

    place(hand.hand)
    x += width * _APART
    place([hand.tile])
    x += 8 + area.paper.text(x + 8, area.top + width * HIGH / 2, hand.how, AXIS, MUTED)
    for call in hand.calls:
        x += width * _APART
        place(call)
