"""実力と運: each member's points told apart, what strength lets expect and what luck added, as two bars about zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.scale import Scale, number
from bot.charts.canvas.style import (
    ASKER_ROW,
    BASELINE,
    BASELINE_COLOUR,
    INK,
    LABEL,
    LOOKED_FOR,
    MUTED,
    WHITE,
    blend,
    readable,
)
from bot.charts.canvas.unique_names import told_apart
from bot.charts.canvas.wrap import paragraph, wrap
from bot.charts.parts.header import BELOW, EDGE, draw_empty, draw_header
from bot.charts.parts.lines import NO_GAMES, NO_GAMES_HINT
from bot.charts.parts.names import column

SKILL, LUCK = "実力", "運"
_WORDS, _PITCH, _LINE = 290, 108, 54


@dataclass(frozen=True)
class SkillRow:
    """`skill` and `luck` are points in thousands, which add up to the member's points."""

    name: str
    skill: float
    luck: float
    colour: str = INK
    asker: bool = False


@dataclass(frozen=True)
class SkillChart:
    """Rows in the order they are drawn; `sentence` stands above them."""

    title: str
    subtitle: str
    sentence: str
    rows: Sequence[SkillRow]


def draw(chart: SkillChart) -> bytes:
    """A PNG, 1200 pixels wide, as high as its rows need."""
    room = 1200 - 2 * EDGE
    top = BELOW + 20 + _LINE * len(wrap(chart.sentence, LABEL, room, 3)) + 20
    paper = Paper(1200, max(560, top + _PITCH * len(chart.rows) + 40))
    draw_header(paper, chart.title, chart.subtitle)
    if not chart.rows:
        draw_empty(paper, NO_GAMES, NO_GAMES_HINT)
        return paper.png()
    paragraph(paper, EDGE, BELOW + 34, chart.sentence, size=LABEL, colour=INK, room=room, most=3)
    shown = told_apart(row.name for row in chart.rows)
    values = [value for row in chart.rows for value in (row.skill, row.luck)]
    low, high = min(0.0, *values), max(0.0, *values)
    names = column(shown.values())
    across = Scale(low, high if high > low else low + 1, EDGE + names, paper.width - EDGE - _WORDS)
    for place, row in enumerate(chart.rows):
        _row(paper, replace(row, name=shown[row.name]), across, top + _PITCH * place)
    paper.down(across(0.0), top, top + _PITCH * len(chart.rows), BASELINE, BASELINE_COLOUR)
    return paper.png()


def _row(paper: Paper, row: SkillRow, across: Scale, top: float) -> None:
    """Draw the bar of skill in the member's colour, and below it the paler bar of luck."""
    if row.asker:
        paper.box(0, top, paper.width, top + _PITCH, ASKER_ROW)
    middle, colour = top + _PITCH / 2, readable(row.colour)
    paper.text(
        EDGE, middle, row.name, LABEL, colour, bold=row.asker, room=across.start - EDGE - 20, least=LOOKED_FOR
    )
    soft = blend(row.colour, WHITE, 0.6)
    for y, word, value, fill in (
        (middle - 22, SKILL, row.skill, row.colour),
        (middle + 22, LUCK, row.luck, soft),
    ):
        left, right = sorted((across(0.0), across(value)))
        paper.box(left, y - 16, right, y + 16, fill)
        ink = INK if word == SKILL else MUTED
        paper.text(paper.width - EDGE - _WORDS + 20, y, word, LABEL, ink)
        paper.text(paper.width - EDGE, y, number(round(value), signed=True), LABEL, ink, anchor="right")
