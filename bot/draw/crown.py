"""The winner's crown, and rays behind it."""

from __future__ import annotations

from math import cos, hypot, pi, sin

from bot.draw.paper import Paper
from bot.draw.style import WHITE, blend, on

GOLD = "#E8B923"
_RAYS = 18  # light ones, and as many gaps between them
_LIGHT = 0.12  # of the ground's opposite mixed into a ray


def draw_crown(paper: Paper, x: float, y: float, half: float) -> None:
    """Draw a gold crown on a white disc."""
    paper.dot(x, y, half * 1.25, WHITE)
    points = [(-1, -0.42), (-0.5, 0.1), (0, -0.68), (0.5, 0.1), (1, -0.42), (0.78, 0.62), (-0.78, 0.62)]
    scale = half * 0.82
    paper.shape([(x + scale * a, y + scale * b) for a, b in points], GOLD, GOLD, 8)
    for a, b in ((-1, -0.48), (0, -0.74), (1, -0.48)):
        paper.dot(x + scale * a, y + scale * b, scale * 0.13, GOLD)
    paper.box(x - scale * 0.62, y + scale * 0.36, x + scale * 0.62, y + scale * 0.46, WHITE)


def draw_rays(paper: Paper, x: float, y: float, bottom: float, ground: str) -> None:
    """Fill the sheet down to `bottom` with the ground's colour and with rays from the point (x, y)."""
    paper.box(0, 0, paper.width, bottom, ground)
    ray = blend(ground, WHITE if on(ground) == WHITE else "#000000", _LIGHT)
    far, step = hypot(paper.width, bottom), pi / _RAYS
    for number in range(_RAYS):
        turns = (2 * number * step, (2 * number + 1) * step)
        paper.shape([(x, y), *((x + far * cos(turn), y + far * sin(turn)) for turn in turns)], ray)
    paper.box(0, bottom, paper.width, paper.height, WHITE)
