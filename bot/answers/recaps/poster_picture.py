"""The picture of a night: the MVP, runs, a row of points for each member, facts and a story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.answers.common.story import StoryLines, curves, turning_line
from bot.answers.recaps.scores import MemberScore, ScoreHeads, score_sections
from bot.draw import parts
from bot.draw.layout import Area, Section, line, picture, space
from bot.draw.names import distinct_names
from bot.draw.parts import GOLD, Fact, draw_crown, draw_rays
from bot.draw.style import INK, LOOKED_FOR, SMALL, WHITE, on

HEADS = ScoreHeads("着順", "点数", "レート", "順位")
NIGHT = "#1F2A44"  # of a head that is nobody's
_CURVES = 250  # pixels of the story's curves
# pixels of the head with the MVP, of the head without one, and of a run
_WITH_MVP = 520
_PLAIN = 236
_RIBBON = 112


@dataclass(frozen=True)
class Poster:
    """`title` is the day; `ribbons` are members and their runs; `rows` have the best first; `story`
    is that of one game, where a record has one."""

    heading: str
    title: str
    subtitle: str
    mvp: Fact | None = None
    ribbons: Sequence[Fact] = ()
    rows: Sequence[MemberScore] = ()
    facts: Sequence[Fact] = ()
    story: Sequence[StoryLines] = ()
    note: str = ""


def draw(poster: Poster) -> bytes:
    """A PNG, 1200 pixels wide, as high as its parts need."""
    drawn_names = distinct_names(_names(poster))
    sections = [_head(poster, drawn_names)]
    ribbons = parts.as_drawn(poster.ribbons, drawn_names)
    sections += [Section(_RIBBON, partial(_draw_ribbon, ribbon)) for ribbon in ribbons]
    sections += [space(20), *score_sections(poster.rows, HEADS, drawn_names)]
    if poster.facts:
        facts = parts.as_drawn(poster.facts, drawn_names)
        sections += [space(30), *parts.fact_grid(facts, fill=True)]
    for story in poster.story:
        sections += [space(10), line(story.title, height=50)]
        sections += [*turning_line(story), curves(story, _CURVES)]
    if poster.note:
        sections.append(line(poster.note))
    return picture([*sections, space(30)])


def _names(poster: Poster) -> list[str]:
    """The names on the whole poster, because `distinct_names` needs them together."""
    facts = [*poster.ribbons, *poster.facts]
    if poster.mvp:
        facts.append(poster.mvp)
    return [row.name for row in poster.rows] + parts.names_of(facts)


def _head(poster: Poster, drawn_names: Mapping[str, str]) -> Section:
    """The head, which is lower where there is no MVP."""
    if poster.mvp is None:
        return Section(_PLAIN, partial(_draw_head, poster))
    mvp = parts.fact_as_drawn(poster.mvp, drawn_names)
    return Section(_WITH_MVP, partial(_draw_head, replace(poster, mvp=mvp)))


def _draw_head(poster: Poster, area: Area) -> None:
    mvp = poster.mvp
    ground = mvp.colour if mvp else NIGHT
    ink = on(ground)
    words = area.inset(right=288)
    x = area.right - 130
    y = 150
    draw_rays(area.paper, x, y, bottom=area.bottom, ground=ground)
    words.text(poster.heading, LOOKED_FOR, ink, down=62)
    down = 132 if poster.heading else 72
    taken = words.text(poster.title, 68, ink, bold=True, down=down) + 30
    right_of_title = words.inset(min(taken, words.width - 120))
    right_of_title.text(poster.subtitle, LOOKED_FOR, ink, down=down + 6)
    if mvp is None:
        return
    draw_crown(area.paper, x, y, 96)
    badge = Area(area.paper, area.left, 216, area.left + 150, 278)
    badge.plate(ink, 31)
    badge.text(mvp.label, 46, ground, "middle", bold=True)
    area.text(mvp.value, 124, ink, bold=True, down=352)
    area.text(mvp.detail, 56, ink, bold=True, down=460, least=SMALL)


def _draw_ribbon(ribbon: Fact, area: Area) -> None:
    strip = area.inset(bottom=4)
    strip.band(INK)
    strip.paper.box(0, strip.top, 20, strip.bottom, GOLD)
    name = strip.inset(right=strip.width - 460)
    taken = name.text(ribbon.value, 56, GOLD, bold=True)
    strip.inset(taken + 30).text(
        ribbon.detail,
        56,
        WHITE,
        bold=True,
        least=SMALL,
    )
