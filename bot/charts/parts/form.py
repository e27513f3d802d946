"""A member's last games: a grey line of the rating, with a dot for each game, coloured and numbered by placing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.scale import Scale
from bot.charts.canvas.style import CONTEXT, CONTEXT_LINE, SMALLEST, WHITE, on, placing_colour
from bot.charts.parts.header import EDGE


@dataclass(frozen=True)
class FormGame:
    """The rating (or total) after a game, and the placing in it, from 1."""

    value: float
    placing: int


def draw_form(paper: Paper, games: Sequence[FormGame], seats: int, top: float, bottom: float) -> None:
    """Draw the games (oldest first), the newest at the right edge; more than 20 get small dots without numbers."""
    games = [game for game in games if isfinite(game.value)]
    if not games:
        return
    radius = 25 if len(games) <= 20 else 12
    values = [game.value for game in games]
    up = Scale(min(values), max(values), bottom - radius, top + radius)
    places = range(max(0, 20 - len(games)), max(20, len(games)))
    across = Scale(0, places[-1], EDGE + radius, paper.width - EDGE - radius)
    xs, ys = [across(place) for place in places], [up(value) for value in values]
    if len(games) > 1:
        paper.line(xs, ys, CONTEXT_LINE + 2, CONTEXT)
    for game, x, y in zip(games, xs, ys, strict=True):
        ground = placing_colour(game.placing, seats)
        paper.dot(x, y, radius, ground, edge=WHITE, thick=3)
        if radius > 20:
            paper.text(x, y - 1, str(game.placing), SMALLEST, colour=on(ground), anchor="middle")
