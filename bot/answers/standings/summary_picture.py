"""まとめ: a season's report: the champion, the table, and the best results of the season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.answers.standings import totals_picture as totals
from bot.answers.standings.totals_picture import Total
from bot.draw import facts
from bot.draw.crown import draw_crown
from bot.draw.facts import Fact
from bot.draw.layout import Area, Section, heading, space, titled
from bot.draw.style import INK, on
from bot.draw.unique_names import told_apart

__all__ = ["Champion", "Fact", "SeasonReport", "Total", "draw"]

CHAMPION, FINAL, SO_FAR, RECORDS = "優勝", "最終成績", "ここまでの成績", "シーズンの記録"
_CHAMPION = 300  # pixels of the panel and the space below it


@dataclass(frozen=True)
class Champion:
    """`words` are the figures below the name: `+812.4・平均着順 1.83`. `names` as in Fact, where several
    share the place."""

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
    champion, table = report.champion, report.table
    own = [Fact("", champion.name, names=champion.names)] if champion else []
    shown = told_apart([*(row.name for row in table), *facts.names_of([*report.facts, *own])])
    sections = []
    if champion:
        (told,) = facts.as_drawn(own, shown)
        sections += [Section(_CHAMPION, partial(_champion, replace(champion, name=told.value)))]
    if table:
        rows = [replace(row, name=shown[row.name]) for row in table]
        sections += [heading(FINAL if champion else SO_FAR)]
        sections += [*totals.sections_of(rows, 64 if len(rows) <= 12 else 52, report.decimals), space(20)]
    if report.facts:
        sections += [heading(RECORDS), *facts.grid(facts.as_drawn(report.facts, shown))]
    whole = [space(30), *sections, space(54)] if sections else []
    return titled(report.title, report.subtitle, whole, least=640)


def _champion(champion: Champion, area: Area) -> None:
    """Draw a panel in the champion's colour, with a crown."""
    ink, panel = on(champion.colour), area.inset(bottom=30)
    panel.plate(champion.colour, 28)
    crown, words = panel.columns(290, 0)
    draw_crown(area.paper, crown.left + 150, crown.y, 84)
    words = words.inset(right=30)
    words.text(CHAMPION, 40, ink, down=52)
    words.text(champion.name, 88, ink, bold=True, down=128)
    words.text(champion.words, 40, ink, down=214)
