"""まとめ: a season's report: the champion, the table, and the best results of the season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import INK, SMALL, on
from bot.charts.canvas.unique_names import told_apart
from bot.charts.parts import facts
from bot.charts.parts.crown import draw_crown
from bot.charts.parts.facts import Fact
from bot.charts.parts.header import BELOW, EDGE, draw_empty, draw_header
from bot.charts.parts.lines import NO_GAMES, NO_GAMES_HINT
from bot.charts.totals import Total, draw_totals

__all__ = ["Champion", "Fact", "SeasonReport", "Total", "draw"]

CHAMPION, FINAL, SO_FAR, RECORDS = "優勝", "最終成績", "ここまでの成績", "シーズンの記録"
_CHAMPION = 300  # pixels of the panel and the space below it


@dataclass(frozen=True)
class Champion:
    """`words` are the figures below the name: `+812.4・平均着順 1.83`. `names` as in Fact, where several share the place."""

    name: str
    colour: str = INK
    words: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class SeasonReport:
    """`champion` is None while the season runs; `table` has the best first; `facts` are the best results."""

    title: str
    subtitle: str
    champion: Champion | None
    table: Sequence[Total] = ()
    facts: Sequence[Fact] = ()
    decimals: int = 1


def draw(report: SeasonReport) -> bytes:
    """A PNG, 1200 pixels wide, as high as its parts need."""
    pitch = 64 if len(report.table) <= 12 else 52
    high = BELOW + 30 + (_CHAMPION if report.champion else 0)
    high += 90 + pitch * len(report.table) if report.table else 0
    high += 84 + facts.height(report.facts) if report.facts else 0
    paper = Paper(1200, max(640, high + 40))
    report = _told_apart(report)
    draw_header(paper, report.title, report.subtitle)
    if not (report.champion or report.table or report.facts):
        draw_empty(paper, NO_GAMES, NO_GAMES_HINT)
        return paper.png()
    y = BELOW + 30.0
    if report.champion:
        _champion(paper, report.champion, y)
        y += _CHAMPION
    if report.table:
        facts.heading(paper, y + 30, FINAL if report.champion else SO_FAR)
        y = draw_totals(paper, report.table, y + 70, pitch, report.decimals) + 20
    if report.facts:
        facts.heading(paper, y + 30, RECORDS)
        facts.grid(paper, report.facts, y + 70)
    return paper.png()


def _told_apart(report: SeasonReport) -> SeasonReport:
    """The report with every name as it is drawn: the same in table, facts and champion, no two alike."""
    champion = report.champion
    names = [row.name for row in report.table]
    names += [name for fact in report.facts for name in facts.names_in(fact.value, fact.names)]
    names += facts.names_in(champion.name, champion.names) if champion else ()
    shown = told_apart(names)
    return replace(
        report,
        champion=champion
        and replace(champion, name=facts.as_drawn(champion.name, champion.names, shown), names=()),
        table=[replace(row, name=shown[row.name]) for row in report.table],
        facts=[
            replace(
                fact,
                value=facts.as_drawn(fact.value, fact.names, shown),
                names=tuple(shown[name] for name in fact.names),
            )
            for fact in report.facts
        ],
    )


def _champion(paper: Paper, champion: Champion, top: float) -> None:
    """Draw a panel in the champion's colour, with a crown."""
    right, ink = paper.width - EDGE, on(champion.colour)
    paper.pill(EDGE, top, right, top + 270, radius=28, colour=champion.colour)
    draw_crown(paper, EDGE + 150, top + 135, 84)
    x, room = EDGE + 290, right - EDGE - 320
    paper.text(x, top + 52, CHAMPION, 40, ink)
    paper.text(x, top + 128, champion.name, 88, ink, bold=True, room=room, least=48)
    paper.text(x, top + 214, champion.words, 40, ink, room=room, least=SMALL)
