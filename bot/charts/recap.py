"""週報 and 月報: the three with the most points on a podium, and everybody's points and ratings below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import LOOKED_FOR, MUTED, SMALL, WHITE, on
from bot.charts.canvas.unique_names import told_apart
from bot.charts.parts import member_scores
from bot.charts.parts.crown import draw_crown, draw_rays
from bot.charts.parts.header import EDGE
from bot.charts.parts.member_scores import MemberScore

__all__ = ["MemberScore", "Recap", "draw"]

STEPS = 3
HEADS = ("対局", "収支", "レート", "", "")
_BAND, _NOTE = 640, 64
_GROUND = "#1F2A44"
_WIDE = 340
_HIGH = (236, 190, 156)  # pixels of the podium's steps, the first's in the middle


@dataclass(frozen=True)
class Recap:
    """`heading` is the league's name, `title` the period; `rows` have the best first and make the podium, too."""

    heading: str
    title: str
    subtitle: str
    rows: Sequence[MemberScore] = ()
    note: str = ""


def draw(recap: Recap) -> bytes:
    """A PNG, 1200 pixels wide, as high as its rows need."""
    shown = told_apart(row.name for row in recap.rows)
    rows = [replace(row, name=shown[row.name]) for row in recap.rows]
    high = _BAND + 20 + member_scores.height(rows) + (_NOTE if recap.note else 0) + 30
    paper = Paper(1200, high)
    draw_rays(paper, paper.width / 2, 250, bottom=_BAND, ground=_GROUND)
    room = paper.width - 2 * EDGE
    paper.text(EDGE, 62, recap.title, 68, WHITE, bold=True, room=room, least=LOOKED_FOR)
    paper.text(
        EDGE,
        128,
        "　".join(filter(None, (recap.heading, recap.subtitle))),
        LOOKED_FOR,
        WHITE,
        room=room,
        least=SMALL,
    )
    for number, row in enumerate(rows[:STEPS]):
        _step(paper, row, number)
    y = member_scores.draw_rows(paper, rows, _BAND + 20, HEADS)
    paper.text(EDGE, y + _NOTE / 2, recap.note, SMALL, MUTED, room=room)
    return paper.png()


def _step(paper: Paper, row: MemberScore, number: int) -> None:
    """Draw a step of the podium: the place and the points on it, the name above, and over the first the crown."""
    x = paper.width / 2 + (0, -1, 1)[number] * (_WIDE + 12)
    top, ink = _BAND - _HIGH[number], on(row.colour)
    paper.pill(x - _WIDE / 2, top, x + _WIDE / 2, _BAND + 40, radius=18, colour=row.colour)
    paper.box(x - _WIDE / 2, _BAND, x + _WIDE / 2, _BAND + 40, WHITE)
    paper.text(
        x, top - 40, row.name, 56, WHITE, anchor="middle", bold=True, room=_WIDE - 10, least=LOOKED_FOR
    )
    middle = (top + _BAND) / 2
    paper.text(x, middle - 34, f"{row.place}位", SMALL + 6, ink, anchor="middle", bold=True)
    paper.text(
        x, middle + 28, row.points, 64, ink, anchor="middle", bold=True, room=_WIDE - 30, least=LOOKED_FOR
    )
    if number == 0:
        draw_crown(paper, x, top - 146, 54)
