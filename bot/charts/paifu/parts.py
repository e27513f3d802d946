"""Parts shared by the pages of a paifu's report: danger colours, a tile with its danger, headings, bars and the key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bot.charts.canvas import glyphs
from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import DOWN, INK, MUTED, PANEL, SUBTITLE, UP, blend, on
from bot.charts.paifu.words import whole_percent
from bot.charts.parts.header import EDGE, draw_header
from bot.charts.parts.tiles import HIGH, draw_tile
from rating.paifu.deal_in_rate import DealInRate
from rating.paifu.rons import DealInCount

WIDTH = 1200
TALLEST = 1900
SMALLEST = 34  # font size in pixels: 11 points on a phone's whole screen
TILE = 62  # the width of a tile at which its characters have that size
SAFE, MILD, HIGH_DANGER, EXTREME = "#CFE3F1", "#F7E3CF", "#F0A868", DOWN
DEALT_IN, TO_OTHERS = "#A50026", "#6B6B6B"  # frames of a deal-in: to a player in riichi, and to another
GAP = 8


class Section(NamedTuple):
    """A part of a page: its height in pixels, and what draws it on a sheet from a y downwards."""

    height: float
    draw: Callable[[Paper, float], object]


def draw_title(paper: Paper, title: str, subtitle: str) -> None:
    """Draw the header, whose subtitle is cut rather than made smaller than what can be read."""
    draw_header(paper, title, glyphs.fit(subtitle, SUBTITLE, WIDTH - 2 * EDGE, SMALLEST)[0])


def band(words: str, right: str = "") -> Section:
    """A heading across the page, with some room below."""
    return Section(84, lambda paper, top: draw_band(paper, top, words, right))


def stacked(sections: Sequence[Section], paper: Paper, top: float) -> float:
    """Draw the sections one below the other; return the first free y below."""
    for section in sections:
        section.draw(paper, top)
        top += section.height
    return top


def height_of(sections: Sequence[Section]) -> float:
    """The height of all sections together."""
    return sum(section.height for section in sections)


def danger_colour(chance: DealInRate) -> str:
    """The colour of a chance to deal in: blue for none, then orange, deeper from 5.5 and from 7.5 per cent."""
    if not chance.high:
        return SAFE
    return MILD if chance.rate < 0.055 else HIGH_DANGER if chance.rate < 0.075 else EXTREME


def frame_of(dealt: DealInCount) -> str:
    """The colour of the frame of a discard that these wins took; "" for none."""
    return DEALT_IN if dealt.to_riichi else TO_OTHERS if dealt.to_others else ""


def tile_height(width: float) -> float:
    """The height in pixels of a tile with its danger below it."""
    return width * HIGH + width * 0.62


def draw_danger_tile(
    paper: Paper,
    left: float,
    top: float,
    width: float,
    tile: int,
    chance: DealInRate,
    pale: bool = False,
    frame: str = "",
) -> None:
    """Draw a tile (0-135) with its chance to deal in (per cent) in a coloured field below; `frame` is a colour of `frame_of`."""
    if frame:
        paper.pill(left - 6, top - 6, left + width + 6, top + tile_height(width) + 4, radius=10, colour=frame)
    draw_tile(paper, left, top, width, tile=tile, pale=pale)
    y = top + width * (HIGH + 0.08)
    colour = frame or danger_colour(chance)
    if pale and not frame:
        colour = blend(colour, "#FFFFFF", 0.5)
    paper.pill(left, y, left + width, y + width * 0.54, radius=width * 0.12, colour=colour)
    ink = MUTED if pale and not frame else on(colour)
    paper.text(
        left + width / 2,
        y + width * 0.27,
        whole_percent(chance),
        max(SMALLEST, round(width * 0.5)),
        colour=ink,
        anchor="middle",
        bold=not pale,
    )


def draw_robbed_tile(paper: Paper, left: float, top: float, width: float, tile: int) -> None:
    """Draw the tile (0-135) of a kan that a player in riichi robbed: framed as a deal-in, without a chance."""
    paper.pill(left - 6, top - 6, left + width + 6, top + width * HIGH + 6, radius=10, colour=DEALT_IN)
    draw_tile(paper, left, top, width, tile=tile)


def draw_band(paper: Paper, top: float, words: str, right: str = "") -> float:
    """Draw a heading across the page; return the first free y below."""
    paper.box(0, top, WIDTH, top + 70, PANEL)
    room = WIDTH - 2 * EDGE - (520 if right else 0)
    paper.text(EDGE, top + 35, words, 44, INK, bold=True, room=room, least=SMALLEST)
    if right:
        paper.text(
            WIDTH - EDGE, top + 35, right, SMALLEST, colour=MUTED, anchor="right", room=500, least=SMALLEST
        )
    return top + 70


def draw_bar(paper: Paper, left: float, y: float, width: float, share: float, colour: str = UP) -> None:
    """Draw a share (0 to 1) as a bar on a grey track."""
    paper.pill(left, y - 12, left + width, y + 12, radius=12, colour="#E9E9E9")
    if share > 0:
        paper.pill(left, y - 12, left + max(24.0, width * min(1.0, share)), y + 12, radius=12, colour=colour)


def draw_key(paper: Paper, top: float) -> float:
    """Draw what the danger colours and the numbers mean; return the first free y below."""
    left = float(EDGE)
    for colour, words in (
        (SAFE, "0 安全"),
        (MILD, "5%以下"),
        (HIGH_DANGER, "6〜7%"),
        (EXTREME, "8%以上 危険"),
    ):
        paper.pill(left, top + 8, left + 44, top + 44, radius=8, colour=colour)
        left += 56 + paper.text(left + 56, top + 26, words, SMALLEST, MUTED) + 26
    paper.text(WIDTH - EDGE, top + 26, "放銃率（目安）", SMALLEST, MUTED, anchor="right")
    return top + 60
