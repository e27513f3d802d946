"""The night's poster: the MVP in the member's own colour, runs that go on, everybody's points, and the day's
best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.draw import facts, member_scores
from bot.draw.crown import GOLD, draw_crown, draw_rays
from bot.draw.facts import Fact
from bot.draw.layout import Area, Section, line, picture, space
from bot.draw.member_scores import MemberScore
from bot.draw.style import INK, LOOKED_FOR, SMALL, WHITE, on
from bot.draw.unique_names import told_apart

__all__ = ["Fact", "MemberScore", "Mvp", "Poster", "Ribbon", "draw"]

MVP = "MVP"
_BAND, _PLAIN = 520, 236  # pixels of the head with the MVP, and without one
_NIGHT = "#1F2A44"  # of a head that is nobody's


@dataclass(frozen=True)
class Mvp:
    """`words` are the figures below the name; `names` as in Fact, where several share it."""

    name: str
    words: str
    colour: str = _NIGHT
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ribbon:
    """A member's run: `15戦連続ラス回避！`."""

    name: str
    words: str


@dataclass(frozen=True)
class Poster:
    """`heading` is the league's name, `title` the day, `subtitle` the number of games; `rows` have the best
    first."""

    heading: str
    title: str
    subtitle: str
    mvp: Mvp | None = None
    ribbons: Sequence[Ribbon] = ()
    rows: Sequence[MemberScore] = ()
    facts: Sequence[Fact] = ()
    note: str = ""


def draw(poster: Poster) -> bytes:
    """A PNG, 1200 pixels wide, as high as its parts need."""
    mvp = poster.mvp
    best = [Fact("", mvp.name, names=mvp.names)] if mvp else []
    names = [row.name for row in poster.rows] + [ribbon.name for ribbon in poster.ribbons]
    shown = told_apart([*names, *facts.names_of([*poster.facts, *best])])
    rows = [replace(row, name=shown[row.name]) for row in poster.rows]
    sections = [Section(_BAND if mvp else _PLAIN, partial(_head, poster))]
    if mvp:
        (told,) = facts.as_drawn(best, shown)
        sections = [Section(_BAND, partial(_head, replace(poster, mvp=replace(mvp, name=told.value))))]
    sections += [Section(112, partial(_ribbon, replace(one, name=shown[one.name]))) for one in poster.ribbons]
    sections += [space(20), *member_scores.sections_of(rows)]
    if poster.facts:
        sections += [space(30), *facts.grid(facts.as_drawn(poster.facts, shown), fill=True)]
    return picture([*sections, *([line(poster.note)] if poster.note else []), space(30)])


def _head(poster: Poster, area: Area) -> None:
    """Draw the day, and below it the MVP with a crown, on rays in the MVP's colour."""
    mvp = poster.mvp
    ground = mvp.colour if mvp else _NIGHT
    ink = on(ground)
    words = area.inset(right=288)
    x, y = area.right - 130, 150
    draw_rays(area.paper, x, y, bottom=area.bottom, ground=ground)
    words.text(poster.heading, LOOKED_FOR, ink, down=62)
    down = 132 if poster.heading else 72
    taken = words.text(poster.title, 68, ink, bold=True, down=down) + 30
    words.inset(min(taken, words.width - 120)).text(poster.subtitle, LOOKED_FOR, ink, down=down + 6)
    if mvp is None:
        return
    draw_crown(area.paper, x, y, 96)
    badge = Area(area.paper, area.left, 216, area.left + 150, 278)
    badge.plate(ink, 31)
    badge.text(MVP, 46, ground, "middle", bold=True)
    area.text(mvp.name, 124, ink, bold=True, down=352)
    area.text(mvp.words, 56, ink, bold=True, down=460, least=SMALL)


def _ribbon(ribbon: Ribbon, area: Area) -> None:
    strip = area.inset(bottom=4)
    strip.band(INK)
    strip.paper.box(0, strip.top, 20, strip.bottom, GOLD)
    taken = strip.inset(right=strip.width - 460).text(ribbon.name, 56, GOLD, bold=True)
    strip.inset(taken + 30).text(ribbon.words, 56, WHITE, bold=True, least=SMALL)
