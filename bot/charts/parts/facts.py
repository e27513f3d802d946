"""Blocks of facts, each with a label above and a detail below: a row of large figures, and a grid of panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from bot.charts.canvas import glyphs
from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import INK, LABEL, LOOKED_FOR, MUTED, PANEL, SMALL, readable
from bot.charts.canvas.unique_names import told_apart
from bot.charts.parts.header import EDGE

JOINT = "・"  # between several names
_GAP, _HIGH, _PAD = 16, 160, 14


@dataclass(frozen=True)
class Fact:
    """For example `最長連勝`, `7連勝`, `6/12〜6/19`. `colour` is the member's where the value is a name.

    `names` are those at the beginning of a value that names several, such as みどり・白發中 or みどり ほか2人.
    """

    label: str
    value: str
    detail: str = ""
    colour: str = INK
    names: tuple[str, ...] = ()


def names_in(value: str, names: Sequence[str]) -> Sequence[str]:
    """The names that a value consists of: `names` where it has several, else the value itself."""
    return names or (value,)


def as_drawn(value: str, names: Sequence[str], shown: Mapping[str, str]) -> str:
    """The value with its names as they are drawn: `shown` has them by name (`told_apart`)."""
    if not names:
        return shown[value]
    return JOINT.join(shown[name] for name in names) + value[len(JOINT.join(names)) :]


def heading(paper: Paper, y: float, words: str) -> None:
    """Draw the heading of a block, its middle at `y`."""
    paper.text(EDGE, y, words, LABEL, INK, bold=True, room=paper.width - 2 * EDGE)


def figures(paper: Paper, facts: Sequence[Fact], top: float) -> float:
    """Draw up to four large figures side by side; return the first free y below."""
    if not facts:
        return top
    wide = (paper.width - 2 * EDGE) / len(facts)
    for place, fact in enumerate(facts):
        x, room = EDGE + wide * place, wide - 24
        paper.text(x, top + 22, fact.label, SMALL, MUTED, room=room)
        paper.text(x, top + 82, fact.value, 64, readable(fact.colour), bold=True, room=room, least=LOOKED_FOR)
        paper.text(x, top + 138, fact.detail, SMALL, MUTED, room=room)
    return top + 176


def height(facts: Sequence[Fact]) -> int:
    """The height of `grid` in pixels."""
    return ceil(len(facts) / 2) * (_HIGH + _GAP)


def grid(paper: Paper, facts: Sequence[Fact], top: float, fill: bool = False) -> float:
    """Draw the facts, two panels in a row; return the first free y below. `fill`: one that is left over takes a whole row."""
    half = (paper.width - 2 * EDGE - _GAP) / 2
    shown = told_apart(name for fact in facts for name in names_in(fact.value, fact.names))
    for place, fact in enumerate(facts):
        alone = fill and place == len(facts) - 1 and place % 2 == 0
        left = EDGE + (half + _GAP) * (place % 2)
        right = paper.width - EDGE if alone else left + half
        panel(paper, fact, left, right, top + (_HIGH + _GAP) * (place // 2), shown)
    return top + height(facts)


def column(facts: Sequence[Fact]) -> int:
    """The height of the facts as panels one below the other, in pixels."""
    return len(facts) * (_HIGH + _GAP)


def panel(paper: Paper, fact: Fact, left: float, right: float, top: float, shown: Mapping[str, str]) -> float:
    """Draw a fact on a panel of its own, with its names as in `shown`; return the first free y below."""
    room, x, ink = right - left - 2 * _PAD, left + _PAD, readable(fact.colour)
    paper.pill(left, top, right, top + _HIGH, radius=16, colour=PANEL)
    value = as_drawn(fact.value, fact.names, shown)
    label, detail, lines = 32, 128, [(80, 46, value)]
    if len(fact.names) > 1 and glyphs.width(glyphs.drawable(value), LOOKED_FOR) > room:
        first = shown[fact.names[0]] + JOINT
        label, detail, lines = 24, 141, [(62, LOOKED_FOR, first), (104, LOOKED_FOR, value[len(first) :])]
    paper.text(x, top + label, fact.label, SMALL, MUTED, room=room)
    for y, size, words in lines:
        paper.text(x, top + y, words, size, ink, bold=True, room=room, least=LOOKED_FOR)
    paper.text(x, top + detail, fact.detail, SMALL, MUTED, room=room)
    return top + _HIGH + _GAP
