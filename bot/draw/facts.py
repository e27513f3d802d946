"""Blocks of facts, each with a label above and a detail below: a row of large figures, and a grid of
panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.draw import glyphs
from bot.draw.layout import Area, Section
from bot.draw.style import INK, LABEL, LOOKED_FOR, MUTED, PANEL, SMALL, readable

JOINT = "・"  # between several names
_GAP, _HIGH, _PAD = 16, 160, 14


@dataclass(frozen=True)
class Fact:
    """For example `最長連勝`, `7連勝`, `6/12〜6/19`. `colour` is the member's where the value is a name.

    `names` are those at the beginning of a value that names several, such as みどり・白發中 or みどり
    ほか2人.
    """

    label: str
    value: str
    detail: str = ""
    colour: str = INK
    names: tuple[str, ...] = ()


def names_of(facts: Sequence[Fact]) -> list[str]:
    """All names in the values of the facts."""
    return [name for fact in facts for name in fact.names or (fact.value,)]


def as_drawn(facts: Sequence[Fact], shown: Mapping[str, str]) -> list[Fact]:
    """The facts with their names as they are drawn: `shown` has them by name (`told_apart`)."""
    drawn = []
    for fact in facts:
        names = tuple(shown[name] for name in fact.names)
        rest = fact.value[len(JOINT.join(fact.names)) :]
        drawn.append(
            replace(fact, value=JOINT.join(names) + rest if names else shown[fact.value], names=names)
        )
    return drawn


def figures(facts: Sequence[Fact]) -> Section:
    """Up to four large figures side by side."""

    def draw(area: Area) -> None:
        for fact, cell in zip(facts, area.columns(*([0] * len(facts))), strict=True):
            cell = cell.inset(right=24)
            cell.text(fact.label, SMALL, MUTED, down=22)
            cell.text(fact.value, 64, readable(fact.colour), bold=True, down=82)
            cell.text(fact.detail, SMALL, MUTED, down=138)

    return Section(200, draw)


def grid(facts: Sequence[Fact], fill: bool = False) -> list[Section]:
    """The facts, two panels in a row. `fill`: one that is left over takes a whole row."""
    return [Section(_HIGH + _GAP, partial(_pair, facts[at : at + 2], fill)) for at in range(0, len(facts), 2)]


def _pair(facts: Sequence[Fact], fill: bool, area: Area) -> None:
    columns = [area] if fill and len(facts) == 1 else area.columns(0, 0, gap=_GAP)
    for fact, cell in zip(facts, columns, strict=False):
        draw_panel(fact, cell)


def column(facts: Sequence[Fact]) -> list[Section]:
    """The facts as panels one below the other."""
    return [Section(_HIGH + _GAP, partial(draw_panel, fact)) for fact in facts]


def draw_panel(fact: Fact, area: Area) -> None:
    """Draw a fact on a panel; several names that are too long for a line take two."""
    panel, ink = area.inset(bottom=_GAP), readable(fact.colour)
    panel.plate(PANEL)
    panel = panel.inset(_PAD, right=_PAD)
    label, detail, lines = 32, 128, [(80, 46, fact.value)]
    if len(fact.names) > 1 and glyphs.width(glyphs.drawable(fact.value), LOOKED_FOR) > panel.width:
        first = fact.names[0] + JOINT
        label, detail, lines = 24, 141, [(62, LABEL, first), (104, LABEL, fact.value[len(first) :])]
    panel.text(fact.label, SMALL, MUTED, down=label)
    for down, size, words in lines:
        panel.text(words, size, ink, bold=True, down=down)
    panel.text(fact.detail, SMALL, MUTED, down=detail)
