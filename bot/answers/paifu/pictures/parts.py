"""Parts shared by the pages of a paifu's report: danger colours, a tile with its danger, headings, bars and
the key."""

from __future__ import annotations

from bot.answers.paifu.pictures.words import whole_percent
from bot.draw.layout import Area, Section
from bot.draw.paper import Paper
from bot.draw.style import DOWN, LABEL, MUTED, PANEL, SMALLEST, blend, on
from bot.draw.tiles import HIGH, draw_tile
from rating.paifu.deal_in import DealInCount, DealInRate

TALLEST = 1900
TILE = 62  # the width of a tile at which its characters have that size
SAFE, MILD, HIGH_DANGER, EXTREME = "#CFE3F1", "#F7E3CF", "#F0A868", DOWN
DEALT_IN, TO_OTHERS = "#A50026", "#6B6B6B"  # frames of a deal-in: to a player in riichi, and to another
GAP = 8
_MEANINGS = "0 安全", "5%以下", "6〜7%", "8%以上 危険"


def band(words: str, right: str = "", air: float = 14) -> Section:
    """A heading across the page, with some room below."""

    def draw(area: Area) -> None:
        strip = area.inset(bottom=air)
        strip.band(PANEL)
        strip.inset(right=520 if right else 0).text(words, LABEL, bold=True)
        strip.inset(strip.width - 500).text(right, SMALLEST, MUTED, "right")

    return Section(70 + air, draw)


def danger_colour(chance: DealInRate) -> str:
    """The colour of a chance to deal in: blue for none, then orange, deeper from 5.5 and from 7.5 per
    cent."""
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
    """Draw a tile (0-135) with its chance to deal in (per cent) in a coloured field below; `frame` is a
    colour of `frame_of`."""
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
    """Draw the tile (0-135) of a kan that a player in riichi robbed: framed as a deal-in, without a
    chance."""
    paper.pill(left - 6, top - 6, left + width + 6, top + width * HIGH + 6, radius=10, colour=DEALT_IN)
    draw_tile(paper, left, top, width, tile=tile)


def key() -> Section:
    """What the danger colours and the numbers mean."""

    def draw(area: Area) -> None:
        left, y = area.left, area.top + 26
        for colour, words in zip((SAFE, MILD, HIGH_DANGER, EXTREME), _MEANINGS, strict=True):
            area.paper.pill(left, y - 18, left + 44, y + 18, radius=8, colour=colour)
            left += 82 + area.paper.text(left + 56, y, words, SMALLEST, MUTED)
        area.text("放銃率（目安）", SMALLEST, MUTED, "right", down=26)

    return Section(60, draw)
