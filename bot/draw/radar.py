"""A radar of standard scores: the mean of all as an even polygon, a member's own shape over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from bot.draw.paper import Paper, Point
from bot.draw.style import (
    BASELINE_COLOUR,
    GRID,
    GRID_COLOUR,
    LINE,
    LOOKED_FOR,
    MUTED,
    PANEL,
    SMALL,
    WHITE,
    blend,
    readable,
)

RADIUS = 180  # pixels of the outermost ring
LEFT_OUT = 3  # with fewer axes there is no shape
_LOW, _HIGH, _MEAN = 20.0, 80.0, 50.0  # scores in the middle, at the outermost ring, and of the mean
_RINGS = (35.0, 65.0, 80.0)
_WORDS = 100  # pixels from the outermost ring to the middle of the words above and below it
HEIGHT = 2 * (RADIUS + _WORDS)
"""The pixels of `draw_radar`."""


@dataclass(frozen=True)
class RadarAxis:
    """One axis: its name, the value in words, and the standard score (50 is the mean, 10 a standard
    deviation)."""

    name: str
    value: str
    score: float


def draw_radar(
    paper: Paper, axes: Sequence[RadarAxis], x: float, y: float, colour: str, pale: bool = False
) -> None:
    """Draw the axes around the point (x, y), clockwise from the top; `pale` for a shape of few games."""
    for ring in _RINGS:
        _outline(paper, _polygon(len(axes), x, y, [ring] * len(axes)), GRID, GRID_COLOUR)
    mean = _polygon(len(axes), x, y, [_MEAN] * len(axes))
    paper.shape(mean, PANEL, BASELINE_COLOUR, 3)
    for point in _polygon(len(axes), x, y, [_HIGH] * len(axes)):
        paper.line([x, point[0]], [y, point[1]], GRID, GRID_COLOUR)
    shape = _polygon(len(axes), x, y, [axis.score for axis in axes])
    edge = blend(colour, WHITE, 0.5) if pale else colour
    if not pale:
        paper.shape(shape, blend(colour, WHITE, 0.72))
        _outline(paper, mean, 3, BASELINE_COLOUR)
    _outline(paper, shape, LINE, edge)
    for point in shape:
        paper.dot(*point, 9, edge, edge=WHITE, thick=2)
    for number, axis in enumerate(axes):
        _label(paper, axis, _turn(number, len(axes)), x, y, colour=MUTED if pale else readable(colour))


def _turn(number: int, count: int) -> float:
    """The angle of an axis in radians, clockwise from the top."""
    return 2 * pi * number / count


def _polygon(count: int, x: float, y: float, scores: Sequence[float]) -> list[Point]:
    points = []
    for number, score in enumerate(scores):
        far = RADIUS * (min(max(score, _LOW + 2), _HIGH) - _LOW) / (_HIGH - _LOW)
        turn = _turn(number, count)
        points.append((x + far * sin(turn), y - far * cos(turn)))
    return points


def _outline(paper: Paper, points: Sequence[Point], thick: float, colour: str) -> None:
    around = [*points, points[0]]
    paper.line([x for x, _ in around], [y for _, y in around], thick, colour)


def _label(paper: Paper, axis: RadarAxis, turn: float, x: float, y: float, colour: str) -> None:
    """Write an axis's name and value outside the outermost ring: beside it, or above and below."""
    side, up = sin(turn), cos(turn)
    if abs(side) < 0.1:
        middle = y - (RADIUS + 56) * up
        paper.text(x, middle - 22, axis.name, SMALL, colour=MUTED, anchor="middle")
        paper.text(x, middle + 22, axis.value, LOOKED_FOR, colour=colour, anchor="middle", bold=True)
        return
    left, middle = x + (RADIUS + 18) * side, y - (RADIUS + 18) * up
    if side > 0:
        paper.text(left, middle - 22, axis.name, SMALL, MUTED)
        paper.text(left, middle + 22, axis.value, LOOKED_FOR, colour, bold=True)
    else:
        paper.text(left, middle - 22, axis.name, SMALL, colour=MUTED, anchor="right")
        paper.text(left, middle + 22, axis.value, LOOKED_FOR, colour=colour, anchor="right", bold=True)
