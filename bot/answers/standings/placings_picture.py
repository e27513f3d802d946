"""着順: each player's placings as a bar of shares, with the mean placing; the best mean at the top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.draw import bars
from bot.draw.layout import Area, Section, line, name_column, space, titled
from bot.draw.style import FAINT, INK, LABEL, LOOKED_FOR, MUTED, SMALL
from bot.draw.unique_names import told_apart
from bot.texts import SIGN_MEANS

_MEAN = 130  # pixels for the mean placing


@dataclass(frozen=True)
class PlacingRow:
    """`counts` are the games that ended first, second, third (and fourth)."""

    name: str
    counts: Sequence[int]
    colour: str = INK
    provisional: bool = False
    asker: bool = False

    def games(self) -> int:
        return sum(self.counts)

    def mean(self) -> float:
        return sum((place + 1) * count for place, count in enumerate(self.counts)) / max(1, self.games())


@dataclass(frozen=True)
class PlacingChart:
    """Rows in any order; players without games are left out."""

    title: str
    subtitle: str
    rows: Sequence[PlacingRow]


def draw(chart: PlacingChart) -> bytes:
    """A PNG, 1200 pixels wide, as high as its rows need."""
    names = told_apart(row.name for row in chart.rows)
    played = (replace(row, name=names[row.name]) for row in chart.rows if row.games() > 0)
    rows = sorted(played, key=lambda row: row.mean())
    if not rows:
        return titled(chart.title, chart.subtitle, [])
    pitch = 80 if len(rows) <= 12 else 64
    column = name_column((row.name for row in rows), signed=True)
    few = any(row.provisional for row in rows)
    sections = [
        Section(90, partial(_legend, max(len(row.counts) for row in rows), column)),
        *(Section(pitch, partial(_row, row, column)) for row in rows),
        line(SIGN_MEANS, "right", 70) if few else space(30),
    ]
    return titled(chart.title, chart.subtitle, sections)


def _legend(seats: int, column: int, area: Area) -> None:
    bars.legend(area.inset(column), seats)
    area.text("平均", SMALL, MUTED, "right")


def _row(row: PlacingRow, column: int, area: Area) -> None:
    if row.asker:
        area.band()
    name, bar, mean = area.columns(column, 0, _MEAN)
    name.inset(right=16).member(row.name, row.colour, row.asker, row.provisional)
    bars.stacked(bar.inset(top=0.14 * area.height, bottom=0.14 * area.height), row.counts, LOOKED_FOR)
    mean.text(f"{row.mean():.2f}", LABEL, FAINT if row.provisional else INK, "right", bold=row.asker)
