"""The night's poster: the MVP in the member's own colour, runs that go on, everybody's points, and the day's best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import INK, LOOKED_FOR, MUTED, SMALL, WHITE, on
from bot.charts.canvas.unique_names import told_apart
from bot.charts.parts import facts, member_scores
from bot.charts.parts.crown import GOLD, draw_crown, draw_rays
from bot.charts.parts.facts import Fact, as_drawn, names_in
from bot.charts.parts.header import EDGE
from bot.charts.parts.member_scores import MemberScore

__all__ = ["Fact", "MemberScore", "Mvp", "Poster", "Ribbon", "draw"]

MVP = "MVP"
_BAND, _PLAIN = 520, 236  # pixels of the head with the MVP, and without one
_RIBBON, _NOTE = 112, 64
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
    """`heading` is the league's name, `title` the day, `subtitle` the number of games; `rows` have the best first."""

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
    poster = _told_apart(poster)
    band = _BAND if poster.mvp else _PLAIN
    high = band + _RIBBON * len(poster.ribbons) + 20 + member_scores.height(poster.rows)
    high += 30 + facts.height(poster.facts) if poster.facts else 0
    paper = Paper(1200, high + (_NOTE if poster.note else 0) + 30)
    _head(paper, poster, band)
    y = float(band)
    for ribbon in poster.ribbons:
        _ribbon(paper, ribbon, y)
        y += _RIBBON
    y = member_scores.draw_rows(paper, poster.rows, y + 20)
    if poster.facts:
        y = facts.grid(paper, poster.facts, y + 30, fill=True)
    paper.text(EDGE, y + _NOTE / 2, poster.note, SMALL, MUTED, room=paper.width - 2 * EDGE)
    return paper.png()


def _head(paper: Paper, poster: Poster, band: float) -> None:
    """Draw the day, and below it the MVP with a crown, on rays in the MVP's colour."""
    mvp = poster.mvp
    ground = mvp.colour if mvp else _NIGHT
    ink = on(ground)
    crown = paper.width - EDGE - 130, 150
    draw_rays(paper, *crown, bottom=band, ground=ground)
    room = crown[0] - 2 * EDGE - 110
    y = 62.0
    if poster.heading:
        paper.text(EDGE, y, poster.heading, LOOKED_FOR, ink, room=room)
        y += 70
    y += 10 * (not poster.heading)
    left = EDGE + paper.text(EDGE, y, poster.title, 68, ink, bold=True, room=room, least=LOOKED_FOR) + 30
    paper.text(left, y + 6, poster.subtitle, LOOKED_FOR, ink, room=max(120, room + EDGE - left), least=SMALL)
    if mvp is None:
        return
    draw_crown(paper, *crown, 96)
    wide = paper.width - 2 * EDGE
    paper.pill(EDGE, 216, EDGE + 150, 278, radius=31, colour=ink)
    paper.text(EDGE + 75, 246, MVP, 46, ground, anchor="middle", bold=True)
    paper.text(EDGE, 352, mvp.name, 124, ink, bold=True, room=wide, least=56)
    paper.text(EDGE, 460, mvp.words, 56, ink, bold=True, room=wide, least=SMALL)


def _ribbon(paper: Paper, ribbon: Ribbon, top: float) -> None:
    paper.box(0, top, paper.width, top + _RIBBON - 4, INK)
    paper.box(0, top, 20, top + _RIBBON - 4, GOLD)
    y = top + _RIBBON / 2 - 2
    left = EDGE + paper.text(EDGE, y, ribbon.name, 56, GOLD, bold=True, room=460, least=LOOKED_FOR) + 30
    paper.text(left, y, ribbon.words, 56, WHITE, bold=True, room=paper.width - EDGE - left, least=SMALL)


def _told_apart(poster: Poster) -> Poster:
    """The poster with every name as it is drawn: the same everywhere, no two alike."""
    mvp = poster.mvp
    names = [row.name for row in poster.rows] + [ribbon.name for ribbon in poster.ribbons]
    names += [name for fact in poster.facts for name in names_in(fact.value, fact.names)]
    names += names_in(mvp.name, mvp.names) if mvp else ()
    shown = told_apart(names)
    return replace(
        poster,
        mvp=mvp and replace(mvp, name=as_drawn(mvp.name, mvp.names, shown), names=()),
        ribbons=[replace(ribbon, name=shown[ribbon.name]) for ribbon in poster.ribbons],
        rows=[replace(row, name=shown[row.name]) for row in poster.rows],
        facts=[
            replace(
                fact, value=as_drawn(fact.value, fact.names, shown), names=tuple(shown[n] for n in fact.names)
            )
            for fact in poster.facts
        ],
    )
