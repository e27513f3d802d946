"""実力と運: each member's points told apart, what strength lets expect and what luck added, as two bars about
zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.draw.header import EDGE
from bot.draw.layout import WIDTH, Area, Section, name_column, prose, space, titled
from bot.draw.scale import Scale, number
from bot.draw.style import BASELINE, BASELINE_COLOUR, INK, LABEL, MUTED, WHITE, blend
from bot.draw.unique_names import told_apart

SKILL, LUCK = "実力", "運"
_WORDS, _PITCH = 290, 108


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
    if not chart.rows:
        return titled(chart.title, chart.subtitle, [])
    shown = told_apart(row.name for row in chart.rows)
    values = [0.0, *(value for row in chart.rows for value in (row.skill, row.luck))]
    low, high = min(values), max(values)
    start, end = EDGE + name_column(shown.values()), WIDTH - EDGE - _WORDS
    across = Scale(low, high if high > low else low + 1, start, end)
    rows = [Section(_PITCH, partial(_row, row, shown[row.name], across)) for row in chart.rows]
    sections = [prose(chart.sentence, LABEL, INK, most=3), *rows, space(40)]
    return titled(chart.title, chart.subtitle, sections)


def _row(row: SkillRow, name: str, across: Scale, area: Area) -> None:
    """Draw the bar of skill in the member's colour, and below it the paler bar of luck."""
    if row.asker:
        area.band()
    names, _, words = area.columns(across.start - EDGE, 0, _WORDS - 20)
    names.inset(right=20).member(name, row.colour, row.asker)
    soft = blend(row.colour, WHITE, 0.6)
    halves = area.height / 2 - 22, area.height / 2 + 22
    for down, word, value, fill in zip(
        halves, (SKILL, LUCK), (row.skill, row.luck), (row.colour, soft), strict=True
    ):
        area.paper.box(across(0.0), area.top + down - 16, across(value), area.top + down + 16, fill)
        ink = INK if word == SKILL else MUTED
        words.text(word, LABEL, ink, down=down)
        words.text(number(round(value), signed=True), LABEL, ink, "right", down=down)
    area.paper.down(across(0.0), area.top, area.bottom, BASELINE, BASELINE_COLOUR)
