"""A member's last games: a dot for each, numbered and coloured by placing, on a height of its own for each
placing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.draw.layout import Area, Section
from bot.draw.scale import Scale
from bot.draw.style import CONTEXT, CONTEXT_LINE, SMALLEST, WHITE, on, placing_colour

MOST = 20  # games that have room
PITCH = 54  # pixels between two placings
_RADIUS = 25


def section_of(placings: Sequence[int], seats: int) -> Section:
    """The placings (from 1) of up to MOST games, oldest first, the newest at the right edge."""
    return Section(PITCH * (seats - 1) + 2 * _RADIUS + 24, partial(_draw, placings, seats))


def _draw(placings: Sequence[int], seats: int, area: Area) -> None:
    paper = area.paper
    across = Scale(0, MOST - 1, area.left + _RADIUS, area.right - _RADIUS)
    first = MOST - len(placings)
    xs = [across(first + number) for number in range(len(placings))]
    ys = [area.top + _RADIUS + PITCH * (placing - 1) for placing in placings]
    if len(placings) > 1:
        paper.line(xs, ys, CONTEXT_LINE, CONTEXT)
    for placing, x, y in zip(placings, xs, ys, strict=True):
        ground = placing_colour(placing, seats)
        paper.dot(x, y, _RADIUS, ground, edge=WHITE, thick=3)
        paper.text(x, y - 1, str(placing), SMALLEST, on(ground), "middle")
