"""着順: each player's placings as a bar of shares, with the mean placing; the best mean at the top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.charts.canvas import glyphs
from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import ASKER_ROW, FAINT, INK, LABEL, MUTED, SMALL, ink
from bot.charts.canvas.unique_names import told_apart
from bot.charts.parts import bars
from bot.charts.parts.ends import PROVISIONAL
from bot.charts.parts.header import BELOW, EDGE, draw_empty, draw_header
from bot.charts.parts.lines import NO_GAMES, NO_GAMES_HINT

_NAMES, _MEAN = 260, 130
_NAMES_AND_GAMES = 370  # name and games on one line, where many rows leave no room for two


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
    pitch = 96 if len(rows) <= 12 else 66
    top = BELOW + 90
    paper = Paper(1200, max(560, top + pitch * len(rows) + 40))
    draw_header(paper, chart.title, chart.subtitle)
    if not rows:
        draw_empty(paper, NO_GAMES, NO_GAMES_HINT)
        return paper.png()
    left = EDGE + (_NAMES if pitch > 80 else _NAMES_AND_GAMES)
    bars.legend(paper, max(len(row.counts) for row in rows), left, BELOW + 44)
    paper.text(paper.width - EDGE, BELOW + 44, "平均", SMALL, colour=MUTED, anchor="right")
    for place, row in enumerate(rows):
        _row(paper, row, left, top + pitch * (place + 0.5), pitch)
    return paper.png()


def _row(paper: Paper, row: PlacingRow, left: float, y: float, pitch: int) -> None:
    if row.asker:
        paper.box(0, y - pitch / 2, paper.width, y + pitch / 2, ASKER_ROW)
    tall = pitch > 80
    colour = ink(row.colour, row.provisional)
    under = f"{row.games()}戦" + (f" {PROVISIONAL}" if row.provisional else "")
    room = left - EDGE - 22
    if tall:
        paper.text(EDGE, y - 15, row.name, LABEL - 2, colour, bold=row.asker, room=room, least=26)
        paper.text(EDGE, y + 25, under, 28, FAINT)
    else:
        room -= glyphs.width(under, 26) + 10
        taken = paper.text(EDGE, y, row.name, 34, colour, bold=row.asker, room=room, least=24)
        paper.text(EDGE + taken + 10, y + 3, under, 26, FAINT)
    bars.stacked(
        paper, row.counts, left, paper.width - EDGE - _MEAN, y=y, thick=pitch * 0.66, size=34 if tall else 30
    )
    words = FAINT if row.provisional else INK
    paper.text(
        paper.width - EDGE, y, f"{row.mean():.2f}", LABEL, colour=words, anchor="right", bold=row.asker
    )
