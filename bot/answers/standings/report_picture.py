"""The picture of まとめ: the champion's panel, everybody's total as a bar, the best results."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.draw import parts
from bot.draw.layout import Area, Section, Titled, heading, number, space, titled
from bot.draw.names import distinct_names
from bot.draw.parts import Fact, draw_crown
from bot.draw.rows import (
    Bar,
    BarColumn,
    Detail,
    NameColumn,
    RowName,
    Rows,
    WordColumn,
    Words,
    row_height,
)
from bot.draw.style import FAINT, SMALL, on
from rating.standings import places

RECORDS = "シーズンの記録"
_CHAMPION = 300  # pixels of the panel and the space below it
_RANK = 56  # pixels for the place before the name


@dataclass(frozen=True)
class SeasonReport(Titled):
    """`champion`: the leader, or the winner of a season that is over; `totals`, the best first;
    `facts`, the best results.
    """

    champion: Fact | None
    totals: Rows
    facts: Sequence[Fact] = ()


def total_rows(
    names: Sequence[RowName],
    totals: Sequence[float],
    details: Sequence[Detail] = (),
    decimals: int = 1,
) -> Rows:
    """A bar for each total, in the order given, best first. Equal values share a place."""
    ranks = []
    bars = []
    values = []
    for name, total, place in zip(names, totals, places(totals), strict=True):
        ranks.append(Words(str(place), colour=FAINT))
        bars.append((Bar(0.0, total, name.colour),))
        values.append(Words(number(total, decimals, signed=True)))
    columns = (
        WordColumn(tuple(ranks), SMALL, "left", width=_RANK),
        NameColumn(tuple(names)),
        BarColumn(tuple(bars)),
        WordColumn(tuple(values)),
    )
    height = row_height(len(names), roomy=100, narrow=96)
    return Rows(columns, height, tuple(details), indent=_RANK)


def draw(report: SeasonReport) -> bytes:
    """A PNG, 1200 pixels wide, as high as its parts need."""
    champion = [report.champion] if report.champion else []
    names = report.totals.names()
    names += parts.names_of([*report.facts, *champion])
    shown = distinct_names(names)
    sections = [
        Section(_CHAMPION, partial(_draw_champion, fact))
        for fact in parts.as_drawn(champion, shown)
    ]
    if report.totals.count:
        sections += [report.totals.section(shown), space(20)]
    if report.facts:
        facts = parts.as_drawn(report.facts, shown)
        sections += [heading(RECORDS), *parts.fact_grid(facts)]
    if sections:
        sections = [space(30), *sections, space(54)]
    return titled(report.title, report.subtitle, sections, least=640)


def _draw_champion(champion: Fact, area: Area) -> None:
    ink = on(champion.colour)
    panel = area.inset(bottom=30)
    panel.plate(champion.colour, 28)
    crown, words = panel.columns(290, 0)
    draw_crown(area.paper, crown.left + 150, crown.y, 84)
    words = words.inset(right=30)
    words.text(champion.label, 40, ink, down=52)
    words.text(champion.value, 88, ink, bold=True, down=128)
    words.text(champion.detail, 40, ink, down=214)
