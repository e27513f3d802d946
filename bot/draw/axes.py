"""The frame of a line picture, its value lines, and the labels of its lower axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.draw import glyphs
from bot.draw.curves import Lines
from bot.draw.paper import Paper
from bot.draw.scale import Scale, days, number, ticks
from bot.draw.style import AXIS, BASELINE, BASELINE_COLOUR, GRID, GRID_COLOUR, INK, MUTED


@dataclass(frozen=True)
class Frame:
    """The plot's edges on the sheet, in pixels from the top left."""

    left: float
    top: float
    right: float
    bottom: float


def draw_values(paper: Paper, chart: Lines, frame: Frame, up: Scale, marks: Sequence[float]) -> None:
    """Draw a line and a label for each of `marks`, and the baseline."""
    for mark in marks:
        main = mark == chart.baseline
        thick, colour = (BASELINE, BASELINE_COLOUR) if main else (GRID, GRID_COLOUR)
        paper.across(up(mark), frame.left, frame.right, thick, colour)
        paper.text(
            frame.left - 16, up(mark), chart.tick(mark), AXIS, colour=INK if main else MUTED, anchor="right"
        )
    if chart.baseline is not None and chart.baseline not in marks:
        paper.across(up(chart.baseline), frame.left, frame.right, BASELINE, BASELINE_COLOUR)


def draw_feet(paper: Paper, chart: Lines, frame: Frame, across: Scale) -> None:
    """Draw the lower axis with its labels (games or dates); a label too near to the one before it is left
    out."""
    most = max(2, int((frame.right - frame.left) / 150))
    if chart.axis == "date":
        marks = days(across.low, across.high, most)
    else:
        whole = [
            mark for mark in ticks(across.low, across.high, most) if mark == int(mark) and mark >= across.low
        ]
        marks = [(mark, f"{number(mark)}戦" if mark else "0") for mark in whole] or [
            (across.high, f"{across.high:g}戦")
        ]
    end = -1e9
    for value, words in marks:
        x, half = across(value), glyphs.width(words, AXIS) / 2
        x = max(x, half + 4)
        if x - half < end + 18 or x + half > frame.right + 60:
            continue
        paper.down(across(value), frame.bottom, frame.bottom + 12, GRID, BASELINE_COLOUR)
        paper.text(x, frame.bottom + 40, words, AXIS, colour=MUTED, anchor="middle")
        end = x + half
    paper.across(frame.bottom, frame.left, frame.right, GRID, BASELINE_COLOUR)
