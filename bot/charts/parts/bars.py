"""Bars of placings, and their legend."""

from __future__ import annotations

from collections.abc import Sequence

from bot import texts
from bot.charts.canvas import glyphs
from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import MUTED, SMALLEST, on, placing_colour


def stacked(
    paper: Paper, counts: Sequence[int], left: float, right: float, y: float, thick: float, size: int
) -> None:
    """Draw the shares of 1st, 2nd, ... side by side, each with its percentage where there is room."""
    total, x = sum(counts), left
    if total <= 0:
        paper.across(y, left, right, 3, "#DDDDDD")
        return
    for place, count in enumerate(counts):
        end = x + (right - left) * count / total
        ground = placing_colour(place + 1, len(counts))
        if end - x >= 1:
            paper.box(x, y - thick / 2, max(x + 1, end - 2), y + thick / 2, ground)
        words = f"{count / total:.0%}"
        if glyphs.width(words, size) + 10 <= end - x:
            paper.text((x + end) / 2, y, words, size, colour=on(ground), anchor="middle")
        x = end


def legend(paper: Paper, seats: int, left: float, y: float, size: int = SMALLEST) -> None:
    """Draw what the colours of the bars mean."""
    for placing in range(1, seats + 1):
        paper.pill(
            left,
            y - size * 0.4,
            left + size * 0.8,
            y + size * 0.4,
            radius=6,
            colour=placing_colour(placing, seats),
        )
        left += size + 6
        left += paper.text(left, y, texts.placing(placing, seats), size, MUTED) + 30
