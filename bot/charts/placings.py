"""着順: each player's placings as a bar of shares, with the mean placing; the best mean at the top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.charts.canvas import glyphs
from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import ASKER_ROW, FAINT, INK, LABEL, LOOKED_FOR, MUTED, SMALL, SMALLEST, ink
from bot.charts.canvas.unique_names import told_apart
from bot.charts.parts import bars
from bot.charts.parts.header import BELOW, EDGE, draw_empty, draw_header
from bot.charts.parts.lines import NO_GAMES, NO_GAMES_HINT
from bot.charts.parts.names import column
from bot.texts import SIGN, SIGN_MEANS

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
    pitch = 80 if len(rows) <= 12 else 64
    top = BELOW + 90
    few = any(row.provisional for row in rows)
    paper = Paper(1200, max(560, top + pitch * len(rows) + (70 if few else 30)))
    draw_header(paper, chart.title, chart.subtitle)
    if not rows:
        draw_empty(paper, NO_GAMES, NO_GAMES_HINT)
        return paper.png()
    left = EDGE + column((row.name for row in rows), glyphs.width(SIGN, SMALLEST))
    bars.legend(paper, max(len(row.counts) for row in rows), left, BELOW + 44)
    paper.text(paper.width - EDGE, BELOW + 44, "平均", SMALL, colour=MUTED, anchor="right")
    for place, row in enumerate(rows):
        _row(paper, row, left, top + pitch * (place + 0.5), pitch)
    if few:
        paper.text(paper.width - EDGE, paper.height - 36, SIGN_MEANS, SMALL, MUTED, anchor="right")
    return paper.png()


def _row(paper: Paper, row: PlacingRow, left: float, y: float, pitch: int) -> None:
    if row.asker:
        paper.box(0, y - pitch / 2, paper.width, y + pitch / 2, ASKER_ROW)
    colour = ink(row.colour, row.provisional)
    sign = SIGN * row.provisional
    room = left - EDGE - 16 - glyphs.width(sign, SMALLEST)
    taken = paper.text(EDGE, y, row.name, LABEL, colour, bold=row.asker, room=room, least=LOOKED_FOR)
    paper.text(EDGE + taken, y, sign, SMALLEST, colour)
    bars.stacked(
        paper, row.counts, left, paper.width - EDGE - _MEAN, y=y, thick=pitch * 0.72, size=LOOKED_FOR
    )
    words = FAINT if row.provisional else INK
    paper.text(
        paper.width - EDGE, y, f"{row.mean():.2f}", LABEL, colour=words, anchor="right", bold=row.asker
    )
