"""Totals as bars to the left and right of zero, one row for each player or team."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.draw import glyphs
from bot.draw.header import EDGE
from bot.draw.layout import WIDTH, Area, Section, name_column
from bot.draw.scale import Scale, number
from bot.draw.style import BASELINE_COLOUR, FAINT, INK, LABEL, SMALL
from bot.draw.unique_names import told_apart
from rating.standings import places

_RANK = 56  # pixels for the place before the name


@dataclass(frozen=True)
class Total:
    """`detail` is a small line under the bar, such as the members of a team and their totals."""

    name: str
    value: float
    colour: str = INK
    detail: str = ""


def sections_of(rows: Sequence[Total], pitch: float, decimals: int = 1) -> list[Section]:
    """A row of `pitch` pixels for each total, in the order given, the best first. Equal values share a
    place."""
    names = told_apart(row.name for row in rows)
    words = [number(row.value, decimals, signed=True) for row in rows]
    figures = max((glyphs.width(word, LABEL) for word in words), default=0.0)
    left, right = _RANK + name_column(names.values()) + 10, figures + 24
    values = [0.0, *(row.value for row in rows)]
    low, high = min(values), max(values)
    across = Scale(low, high if high > low else low + 1, EDGE + left, WIDTH - EDGE - right)
    placed = zip(rows, words, places([row.value for row in rows]), strict=True)
    return [
        Section(pitch, partial(_row, replace(row, name=names[row.name]), word, place, across))
        for row, word, place in placed
    ]


def _row(row: Total, word: str, place: int, across: Scale, area: Area) -> None:
    line = area.inset(bottom=36 if row.detail else 0)
    rank, name, _ = line.columns(44, across.start - EDGE - _RANK, 0, gap=_RANK - 44)
    rank.text(str(place), SMALL, FAINT, "right")
    name.inset(right=10).member(row.name, row.colour)
    half, zero, end = min(23, area.height * 0.3), across(0.0), across(row.value)
    arm = half + 10 if row.detail else area.height / 2
    area.paper.down(zero, line.y - arm, line.y + arm, 3, BASELINE_COLOUR)
    if abs(end - zero) >= 1:
        left, right = sorted((zero, end))
        area.paper.pill(left, line.y - half, right, line.y + half, radius=6, colour=row.colour)
    line.text(word, LABEL, anchor="right")
    area.inset(_RANK).text(row.detail, SMALL, FAINT, down=line.height / 2 + 48)
