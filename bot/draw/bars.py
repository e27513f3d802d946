"""Bars of placings, and their legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot import texts
from bot.draw import glyphs
from bot.draw.layout import ENDS, Area
from bot.draw.style import INK, LOOKED_FOR, MUTED, SMALLEST, WHITE, blend, on, placing_colour


def stacked(area: Area, counts: Sequence[int], size: int) -> None:
    """Draw the shares of 1st, 2nd, ... side by side, each with its percentage where there is room."""
    total, x = sum(counts), area.left
    if total <= 0:
        area.paper.across(area.y, area.left, area.right, 3, "#DDDDDD")
        return
    for place, count in enumerate(counts):
        share = replace(area, left=x, right=x + area.width * count / total)
        ground = placing_colour(place + 1, len(counts))
        if share.width >= 1:
            replace(share, right=max(x + 1, share.right - 2)).fill(ground)
        words = f"{count / total:.0%}"
        if glyphs.width(words, size) + 10 <= share.width:
            share.text(words, size, on(ground), "middle")
        x = share.right


def against(area: Area, counts: Sequence[int], colours: Sequence[str], always: bool = False) -> None:
    """Draw how often each of two was ahead as one bar; a count has room on its part, or stands there
    `always`."""
    split = area.width * counts[0] / sum(counts)
    parts = area.inset(right=area.width - split + 2), area.inset(split + 2)
    for part, count, colour, end in zip(parts, counts, colours, ENDS, strict=True):
        shade, roomy = blend(colour, WHITE, 0.25), part.width >= 90
        if part.width > 0:
            part.fill(shade)
        if roomy or always:
            area.inset(18, right=18).text(str(count), LOOKED_FOR, on(shade) if roomy else INK, end, bold=True)


def legend(area: Area, seats: int) -> None:
    """Draw what the colours of the bars mean."""
    left, y, half = area.left, area.y, SMALLEST * 0.4
    for placing in range(1, seats + 1):
        colour = placing_colour(placing, seats)
        area.paper.pill(left, y - half, left + 2 * half, y + half, radius=6, colour=colour)
        left += SMALLEST + 6
        left += area.paper.text(left, y, texts.placing(placing, seats), SMALLEST, MUTED) + 30
