"""週報 and 月報: the three with the most points on a podium, and everybody's points and ratings below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.draw import member_scores
from bot.draw.crown import draw_crown, draw_rays
from bot.draw.layout import Area, Section, line, picture, space
from bot.draw.member_scores import MemberScore
from bot.draw.style import LOOKED_FOR, SMALL, WHITE, on
from bot.draw.unique_names import told_apart

__all__ = ["MemberScore", "Recap", "draw"]

HEADS = ("対局", "収支", "レート", "", "")
_BAND = 640
_GROUND = "#1F2A44"
_HIGH = (236, 190, 156)  # pixels of the podium's steps, the first's in the middle


@dataclass(frozen=True)
class Recap:
    """`heading` is the league's name, `title` the period; `rows` have the best first and make the podium,
    too."""

    heading: str
    title: str
    subtitle: str
    rows: Sequence[MemberScore] = ()
    note: str = ""


def draw(recap: Recap) -> bytes:
    """A PNG, 1200 pixels wide, as high as its rows need."""
    shown = told_apart(row.name for row in recap.rows)
    rows = [replace(row, name=shown[row.name]) for row in recap.rows]
    band = Section(_BAND, partial(_podium, recap, rows[: len(_HIGH)]))
    note = [line(recap.note)] if recap.note else []
    return picture([band, space(20), *member_scores.sections_of(rows, HEADS), *note, space(30)])


def _podium(recap: Recap, first: Sequence[MemberScore], area: Area) -> None:
    draw_rays(area.paper, area.x, 250, bottom=area.bottom, ground=_GROUND)
    area.text(recap.title, 68, WHITE, bold=True, down=62)
    area.text("　".join(filter(None, (recap.heading, recap.subtitle))), LOOKED_FOR, WHITE, down=128)
    second, middle, third = area.inset(area.width / 2 - 522, right=area.width / 2 - 522).columns(
        0, 0, 0, gap=12
    )
    for row, step, high in zip(first, (middle, second, third), _HIGH, strict=False):
        _step(row, step.inset(top=area.height - high))
        if step == middle:
            draw_crown(area.paper, step.x, area.height - high - 146, 54)


def _step(row: MemberScore, step: Area) -> None:
    """Draw a step of the podium: the place and the points on it, the name above."""
    ink = on(row.colour)
    step.inset(bottom=-40).plate(row.colour, 18)
    step.inset(top=step.height, bottom=-40).fill(WHITE)
    step.inset(5, right=5).text(row.name, 56, WHITE, "middle", bold=True, down=-40)
    step.text(f"{row.place}位", SMALL + 6, ink, "middle", bold=True, down=step.height / 2 - 34)
    step.inset(15, right=15).text(row.points, 64, ink, "middle", bold=True, down=step.height / 2 + 28)
