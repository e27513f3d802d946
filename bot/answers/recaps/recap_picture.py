"""The picture of a recap: the podium, and a row of points for each member."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot import texts
from bot.answers.recaps.scores import MemberScore, ScoreHeads, score_sections
from bot.draw.layout import Area, Section, line, picture, space
from bot.draw.names import distinct_names
from bot.draw.parts import draw_crown, draw_rays
from bot.draw.style import LOOKED_FOR, SMALL, WHITE, on

HEADS = ScoreHeads("対局", "収支", "レート")
PLACE = "{place}位"
_BAND = 640
_GROUND = "#1F2A44"
_HIGHEST = 236  # pixels of the podium's steps
_STEPS = (_HIGHEST, 190, 156)


@dataclass(frozen=True)
class Recap:
    """`title` is the period; `rows` have the best first, and make the podium too."""

    heading: str
    title: str
    subtitle: str
    rows: Sequence[MemberScore] = ()
    note: str = ""


def draw(recap: Recap) -> bytes:
    """A PNG, 1200 pixels wide, as high as its rows need."""
    shown = distinct_names(row.name for row in recap.rows)
    first = recap.rows[: len(_STEPS)]
    podium = [replace(row, name=shown[row.name]) for row in first]
    sections = [
        Section(_BAND, partial(_draw_podium, recap, podium)),
        space(20),
        *score_sections(recap.rows, HEADS, shown),
    ]
    if recap.note:
        sections.append(line(recap.note))
    return picture([*sections, space(30)])


def _draw_podium(recap: Recap, podium: Sequence[MemberScore], area: Area) -> None:
    """Draw the first in the middle, the second at the left, the third at the right."""
    draw_rays(area.paper, area.x, 250, bottom=area.bottom, ground=_GROUND)
    area.text(recap.title, 68, WHITE, bold=True, down=62)
    subtitle = texts.joined(recap.heading, recap.subtitle)
    area.text(subtitle, LOOKED_FOR, WHITE, down=128)
    side = area.width / 2 - 522
    steps = area.inset(side, right=side)
    left, middle, right = steps.columns(0, 0, 0, gap=12)
    columns = (middle, left, right)
    for score, column, high in zip(podium, columns, _STEPS, strict=False):
        _draw_step(score, column.inset(top=area.height - high))
    if podium:
        draw_crown(area.paper, middle.x, area.height - _HIGHEST - 146, 54)


def _draw_step(score: MemberScore, step: Area) -> None:
    ink = on(score.colour)
    middle = step.height / 2
    step.inset(bottom=-40).plate(score.colour, 18)
    step.inset(top=step.height, bottom=-40).fill(WHITE)
    step.inset(5, right=5).text(
        score.name,
        56,
        WHITE,
        "middle",
        bold=True,
        down=-40,
    )
    place = PLACE.format(place=score.place)
    step.text(place, SMALL + 6, ink, "middle", bold=True, down=middle - 34)
    step.inset(15, right=15).text(
        score.points,
        64,
        ink,
        "middle",
        bold=True,
        down=middle + 28,
    )
