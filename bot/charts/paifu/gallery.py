"""名場面集: the best hands of a league as pictures of their tiles, with winner, yaku, points and date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.charts.canvas import glyphs
from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import AXIS, GRID_COLOUR, INK, LABEL, MUTED, readable
from bot.charts.parts.header import BELOW, EDGE, draw_header
from bot.charts.parts.layout import WIDTH
from bot.charts.parts.tiles import HIGH, draw_tile

_NAME = 44  # nine points in a thread
_BLOCK = 262
_WIDEST, _BETWEEN, _APART = (
    68.0,
    3.0,
    0.45,
)  # of tiles: most pixels, pixels between, and the gap before a call in widths
_BAR = 10
YAKUMAN = "#A50026"


@dataclass(frozen=True)
class GalleryHand:
    """A hand as it is drawn: `hand` are the concealed tiles without the winning `tile`, `calls` those of each call."""

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
    paper = Paper(WIDTH, BELOW + _BLOCK * len(gallery.hands) + 10)
    draw_header(paper, gallery.title, gallery.subtitle)
    for place, hand in enumerate(gallery.hands):
        _hand(paper, hand, BELOW + _BLOCK * place)
    return paper.png()


def _hand(paper: Paper, hand: GalleryHand, top: float) -> None:
    right = WIDTH - EDGE
    paper.across(top, EDGE, right, 2, GRID_COLOUR)
    paper.pill(EDGE, top + 20, EDGE + _BAR, top + 122, radius=4, colour=hand.colour)
    left = EDGE + _BAR + 18
    points = paper.text(right, top + 44, hand.points, _NAME, colour=INK, anchor="right", bold=True)
    room = right - points - 30 - left
    name_room = room - glyphs.width(hand.when, AXIS) - 24
    name = paper.text(
        left, top + 44, hand.name, _NAME, readable(hand.colour), bold=True, room=name_room, least=AXIS
    )
    paper.text(left + name + 24, top + 47, hand.when, AXIS, MUTED, room=room - name - 24)
    ink = YAKUMAN if hand.yakuman else INK
    paper.text(left, top + 100, hand.yaku, LABEL, ink, bold=hand.yakuman, room=right - left, least=AXIS)
    _tiles(paper, hand, top + 142)


def _tiles(paper: Paper, hand: GalleryHand, top: float) -> None:
    """Draw the concealed tiles, the calls, and apart from them the winning tile with ツモ or ロン beside it."""
    number = len(hand.hand) + 1 + sum(map(len, hand.calls))
    word = 90.0
    room = WIDTH - 2 * EDGE - word
    gaps = _APART * (len(hand.calls) + 1)
    width = min(_WIDEST, (room - _BETWEEN * number) / (number + gaps))
    x = float(EDGE)
    for tile in hand.hand:
        draw_tile(paper, x, top, width, tile)
        x += width + _BETWEEN
    x += width * _APART
    draw_tile(paper, x, top, width, hand.tile)
    x += width + _BETWEEN
    x += 8 + paper.text(x + 8, top + width * HIGH / 2, hand.how, AXIS, MUTED)
    for call in hand.calls:
        x += width * _APART
        for tile in call:
            draw_tile(paper, x, top, width, tile)
            x += width + _BETWEEN
