"""個人: one member's card: large figures such as the rating, the last games, the placings, and a grid of facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import INK, MUTED, SMALLEST
from bot.charts.parts import bars, facts
from bot.charts.parts.facts import Fact
from bot.charts.parts.form import FormGame, draw_form
from bot.charts.parts.header import BELOW, EDGE, draw_empty, draw_header
from bot.charts.parts.lines import NO_GAMES, NO_GAMES_HINT

__all__ = ["Fact", "FormGame", "PlayerCard", "draw"]

FORM, PLACINGS = "最近の成績", "着順"


@dataclass(frozen=True)
class PlayerCard:
    """`title` is the member's name; `figures` are up to four large figures, such as rating ± error and rank.

    `form` holds the last games, oldest first; `counts` the games that ended 1st, 2nd, ...; `facts` the grid below.
    """

    title: str
    subtitle: str
    colour: str = INK
    figures: Sequence[Fact] = ()
    form: Sequence[FormGame] = ()
    counts: Sequence[int] = ()
    facts: Sequence[Fact] = ()


def draw(card: PlayerCard) -> bytes:
    """A PNG, 1200 pixels wide, as high as its parts need."""
    formed, placed = bool(card.form), sum(card.counts) > 0
    high = BELOW + 20 + (190 if card.figures else 0) + (360 if formed else 0) + (190 if placed else 0)
    paper = Paper(1200, max(640, high + facts.height(card.facts) + 40))
    paper.box(0, 0, paper.width, 14, card.colour)
    draw_header(paper, card.title, card.subtitle)
    if not (card.figures or formed or placed or card.facts):
        draw_empty(paper, NO_GAMES, NO_GAMES_HINT)
        return paper.png()
    y: float = BELOW + 20
    if card.figures:
        y = facts.figures(paper, card.figures, y) + 14
    if formed:
        facts.heading(paper, y + 28, FORM)
        paper.text(
            paper.width - EDGE,
            y + 30,
            f"{len(card.form)}戦・右が最新",
            SMALLEST,
            colour=MUTED,
            anchor="right",
        )
        draw_form(paper, card.form, len(card.counts) or 4, y + 74, y + 324)
        y += 360
    if placed:
        facts.heading(paper, y + 28, PLACINGS)
        bars.legend(paper, len(card.counts), EDGE + 130, y + 30)
        bars.stacked(paper, card.counts, EDGE, paper.width - EDGE, y=y + 106, thick=70, size=40)
        y += 180
    facts.grid(paper, card.facts, y)
    return paper.png()
