"""A member's last games: a dot for each, numbered and coloured by placing, on a height of its own for each placing."""

from __future__ import annotations

from collections.abc import Sequence

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.scale import Scale
from bot.charts.canvas.style import CONTEXT, CONTEXT_LINE, SMALLEST, WHITE, on, placing_colour
from bot.charts.parts.header import EDGE

MOST = 20  # games that have room
PITCH = 54  # pixels between two placings
_RADIUS = 25


def height(seats: int) -> int:
    """The height of `draw_form` in pixels."""
    return PITCH * (seats - 1) + 2 * _RADIUS


def draw_form(paper: Paper, placings: Sequence[int], seats: int, top: float) -> None:
    """Draw the placings (from 1) of up to MOST games, oldest first, the newest at the right edge."""
    across = Scale(0, MOST - 1, EDGE + _RADIUS, paper.width - EDGE - _RADIUS)
    first = MOST - len(placings)
    xs = [across(first + number) for number in range(len(placings))]
    ys = [top + _RADIUS + PITCH * (placing - 1) for placing in placings]
    if len(placings) > 1:
        paper.line(xs, ys, CONTEXT_LINE, CONTEXT)
    for placing, x, y in zip(placings, xs, ys, strict=True):
        ground = placing_colour(placing, seats)
        paper.dot(x, y, _RADIUS, ground, edge=WHITE, thick=3)
        paper.text(x, y - 1, str(placing), SMALLEST, colour=on(ground), anchor="middle")
