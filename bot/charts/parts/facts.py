"""Blocks of facts, each with a label above and a detail below: a row of large figures, and a grid of panels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import INK, MUTED, PANEL, SMALL, readable
from bot.charts.canvas.unique_names import told_apart
from bot.charts.parts.header import EDGE

_GAP, _HIGH, _PAD = 20, 166, 26


@dataclass(frozen=True)
class Fact:
    """For example `最長連勝`, `7連勝`, `6/12〜6/19`. `colour` is the member's where the value is a name."""

    label: str
    value: str
    detail: str = ""
    colour: str = INK


def heading(paper: Paper, y: float, words: str) -> None:
    """Draw the heading of a block, its middle at `y`."""
    paper.text(EDGE, y, words, 38, INK, bold=True, room=paper.width - 2 * EDGE)


def figures(paper: Paper, facts: Sequence[Fact], top: float) -> float:
    """Draw up to four large figures side by side; return the first free y below."""
    if not facts:
        return top
    wide = (paper.width - 2 * EDGE) / len(facts)
    for place, fact in enumerate(facts):
        x, room = EDGE + wide * place, wide - 24
        paper.text(x, top + 22, fact.label, SMALL + 2, MUTED, room=room)
        paper.text(x, top + 82, fact.value, 64, readable(fact.colour), bold=True, room=room, least=34)
        paper.text(x, top + 138, fact.detail, SMALL, MUTED, room=room)
    return top + 176


def height(facts: Sequence[Fact]) -> int:
    """The height of `grid` in pixels."""
    return ceil(len(facts) / 2) * (_HIGH + _GAP)


def grid(paper: Paper, facts: Sequence[Fact], top: float) -> float:
    """Draw the facts, two panels in a row; return the first free y below."""
    wide = (paper.width - 2 * EDGE - _GAP) / 2
    shown = told_apart(fact.value for fact in facts)
    for place, fact in enumerate(facts):
        left = EDGE + (wide + _GAP) * (place % 2)
        upper = top + (_HIGH + _GAP) * (place // 2)
        room = wide - 2 * _PAD
        paper.pill(left, upper, left + wide, upper + _HIGH, radius=16, colour=PANEL)
        paper.text(left + _PAD, upper + 34, fact.label, SMALL, MUTED, room=room)
        value, ink = shown[fact.value], readable(fact.colour)
        paper.text(left + _PAD, upper + 83, value, 44, ink, bold=True, room=room, least=28)
        paper.text(left + _PAD, upper + 132, fact.detail, SMALL, MUTED, room=room, least=24)
    return top + height(facts)
