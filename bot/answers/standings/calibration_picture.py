"""Calibration plot of a rating system: predicted chances against what happened, for first and for last
places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, sqrt

from bot.draw import glyphs
from bot.draw.axes import Frame
from bot.draw.header import BELOW, draw_header
from bot.draw.layout import titled
from bot.draw.paper import Paper
from bot.draw.scale import Scale, ticks
from bot.draw.style import (
    BASELINE_COLOUR,
    DOWN,
    GRID,
    GRID_COLOUR,
    LABEL,
    MUTED,
    SMALL,
    UP,
    WHITE,
    blend,
)

NO_BINS = "まだ予想できる対局がありません"
_SIDE, _TOP = 470, BELOW + 116


@dataclass(frozen=True)
class CalibrationPoint:
    """A group of seats with similar predictions.

    `predicted` is the mean prediction; `observed` is the share that came true, `low` and `high` its 95 %
    interval (all 0 to 1); `count` is the number of seats.
    """

    predicted: float
    observed: float
    low: float
    high: float
    count: int


@dataclass(frozen=True)
class CalibrationChart:
    """`first` and `last` are the groups for first and for last places."""

    title: str
    subtitle: str
    first: Sequence[CalibrationPoint]
    last: Sequence[CalibrationPoint]


def draw(chart: CalibrationChart) -> bytes:
    """A PNG of 1200 x 890 pixels: squares for first and for last places; larger dots, more seats."""
    bins = [*chart.first, *chart.last]
    if not bins:
        return titled(chart.title, chart.subtitle, [], 890, (NO_BINS, ""))
    paper = Paper(1200, 890)
    draw_header(paper, chart.title, chart.subtitle)
    edges = [edge for b in bins for edge in (b.predicted, b.observed, b.low, b.high) if isfinite(edge)]
    low, high = max(0.0, min(edges) - 0.03), min(1.0, max(edges) + 0.03)
    most = max(b.count for b in bins)
    for words, part, colour, left in (
        ("トップの確率", chart.first, UP, 120),
        ("ラスの確率", chart.last, DOWN, 682),
    ):
        frame = Frame(left, _TOP, left + _SIDE, _TOP + _SIDE)
        across, up = Scale(low, high, frame.left, frame.right), Scale(low, high, frame.bottom, frame.top)
        paper.text(left, BELOW + 34, words, LABEL, colour, bold=True)
        _ground(paper, frame, across, up)
        _counts(paper, part, frame, across)
        for group in part:
            _bin(paper, group, across, up, colour=colour, most=most)
    paper.text(120, _TOP + _SIDE + 92, "横：予想　縦：実際　斜線：ぴったり　円と上の数：件数", SMALL, MUTED)
    return paper.png()


def _ground(paper: Paper, frame: Frame, across: Scale, up: Scale) -> None:
    for mark in ticks(across.low, across.high, 4):
        paper.across(up(mark), frame.left, frame.right, GRID, GRID_COLOUR)
        paper.down(across(mark), frame.top, frame.bottom, GRID, GRID_COLOUR)
        paper.text(frame.left - 12, up(mark), f"{mark:.0%}", SMALL, colour=MUTED, anchor="right")
        paper.text(across(mark), frame.bottom + 32, f"{mark:.0%}", SMALL, colour=MUTED, anchor="middle")
    paper.line((frame.left, frame.right), (frame.bottom, frame.top), 4, BASELINE_COLOUR, (3.0, 2.0))


def _counts(paper: Paper, part: Sequence[CalibrationPoint], frame: Frame, across: Scale) -> None:
    """Write each dot's count above the square; a count that would touch the one before it is left out."""
    end = frame.left - 20
    for group in sorted(part, key=lambda group: group.predicted):
        words = f"{group.count}"
        half = glyphs.width(words, SMALL) / 2
        x = min(max(across(group.predicted), frame.left + half), frame.right - half)
        if x - half >= end + 10:
            paper.text(x, frame.top - 24, words, SMALL, colour=MUTED, anchor="middle")
            end = x + half


def _bin(paper: Paper, group: CalibrationPoint, across: Scale, up: Scale, colour: str, most: int) -> None:
    if not all(map(isfinite, (group.predicted, group.observed))) or group.count <= 0:
        return
    x, radius = across(group.predicted), 7 + 17 * sqrt(group.count / most)
    if isfinite(group.low) and isfinite(group.high):
        paper.pill(
            x - 3,
            up(min(group.high, across.high)),
            x + 3,
            up(max(group.low, across.low)),
            radius=3,
            colour=blend(colour, WHITE, 0.5),
        )
    paper.dot(x, up(group.observed), radius, colour, edge=WHITE, thick=3)
