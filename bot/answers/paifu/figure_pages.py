"""The pages of 牌譜成績: 和了, 放銃, リーチ, 副露・流局 and 役, of all members or of one, each figure with its cases and interval."""

from __future__ import annotations

from bot.answers.common.members import People, token
from bot.answers.paifu.figure_words import (
    FIGURES,
    FigurePage,
    cases_words,
    figures_of,
    interval_words,
    value_words,
)
from bot.answers.paifu.standing import PaifuStanding
from bot.charts.paifu.figures import FigurePanels, FigureRow, PanelValue, draw
from bot.chat.command import Ask, data_of
from bot.chat.replies import Part, Picture, Row, Table
from rating.paifu.play_figures import PlayFigure, yaku_shares
from rating.paifu.tally import PaifuTally

FEW_CASES = 30
MOST_YAKU = 15
CASES_NOTE = f"横線：95%区間　縦線：全員の値　薄い字：{FEW_CASES}回に満たない"
LOWER_FIRST = frozenset(("deal_in",))
IN_LINE = 2  # details below a member in the table of all


def page_of_all(people: People, chosen: PaifuStanding, page: FigurePage) -> tuple[Part, ...]:
    """The figures of all members: a table of those that the picture does not show, and the picture."""
    title = f"{page.title}　{chosen.title}"
    every = {player: figures_of(tally) for player, tally in chosen.tallies.items()}
    first = page.panels[0]
    sign = 1 if first in LOWER_FIRST else -1
    order = sorted(every, key=lambda player: (sign * (every[player][first].value or 0.0), player))
    together = figures_of(total_of(chosen))
    rows = tuple(
        FigureRow(
            people.shown(player),
            people.colour(player),
            asker=people.is_asker(player),
            values=tuple(panel_value(name, every[player][name]) for name in page.panels),
        )
        for player in order
    )
    heads = tuple(FIGURES[name][0] for name in page.panels)
    middles = tuple(together[name].value for name in page.panels)
    alt = f"{title}：{heads[0]} " + "、".join(
        f"{people.shown(player)} {value_words(first, every[player][first].value)}" for player in order[:3]
    )
    panels = FigurePanels(title, chosen.subtitle, heads, middles, rows, CASES_NOTE)
    table = _table(people, chosen, page, every, order=order, alt=alt)
    in_words = _table(
        people,
        chosen,
        page._replace(columns=page.panels, details=page.columns),
        every,
        order=order,
        alt=alt,
    )
    return table, Picture(panels, draw, alt, (in_words,))


def _table(
    people: People,
    chosen: PaifuStanding,
    page: FigurePage,
    every: dict[str, dict[str, PlayFigure]],
    order: list[str],
    alt: str,
) -> Table:
    rows = []
    for player in order:
        found = every[player]
        value, *extra = (value_words(name, found[name].value) for name in page.columns)
        details = (
            f"{FIGURES[name][0]} {value_words(name, found[name].value)}" for name in page.details[:IN_LINE]
        )
        tap = data_of(Ask.PAIFU, player=token(player), seats=chosen.seats, show=page.name)
        rows.append(people.row(player, value, 0, tuple(extra), detail="　".join(details), data=tap))
    heads = tuple(FIGURES[name][0] for name in page.columns)
    return Table(f"{page.title}　{chosen.title}", tuple(rows), heads=heads, alt=alt, even=True)


def panel_value(name: str, figure: PlayFigure) -> PanelValue | None:
    if figure.value is None:
        return None
    low, high = (figure.value if end is None else end for end in (figure.low, figure.high))
    return PanelValue(
        figure.value,
        low,
        high,
        value_words(name, figure.value),
        short_cases(name, figure),
        few=figure.cases < FEW_CASES,
    )


def short_cases(name: str, figure: PlayFigure) -> str:
    """The cases as they fit beside a value in the picture: 13/54, 536回, 2千."""
    if figure.cases >= 1000:
        return f"{figure.cases // 1000}千"
    return cases_words(name, figure) if figure.cases < 100 else f"{figure.cases}回"


def total_of(chosen: PaifuStanding) -> PaifuTally:
    """The members' tallies together."""
    total = PaifuTally()
    for tally in chosen.tallies.values():
        total += tally
    return total


def page_of_one(people: People, chosen: PaifuStanding, page: FigurePage, player: str) -> tuple[Part, ...]:
    """One member's figures, one a row, each with its cases and its interval."""
    found = figures_of(chosen.tallies[player])
    rows = []
    for name in page.every:
        figure = found[name]
        few = "暫定" * (0 < figure.cases < FEW_CASES)
        parts = (cases_words(name, figure), interval_words(name, figure), few)
        detail = "　".join(filter(None, parts))
        rows.append(Row(FIGURES[name][0], value_words(name, figure.value), detail=detail))
    title = f"{people.shown(player)}　{page.title}"
    alt = f"{title}：" + "、".join(f"{row.name} {row.value}" for row in rows[:3])
    return (Table(title, tuple(rows), subtitle=chosen.subtitle_of(player), alt=alt),)


def yaku_page(people: People, chosen: PaifuStanding, player: str = "") -> tuple[Part, ...]:
    """The most frequent yaku of all members, or of one beside all."""
    every = yaku_shares(total_of(chosen).play)
    shown = yaku_shares(chosen.tallies[player].play) if player else every
    rows = []
    for name, figure in list(shown.items())[:MOST_YAKU]:
        usual = every[name].value or 0.0
        extra = (f"{figure.counted}回", f"全員{usual:.0%}") if player else (f"{figure.counted}回",)
        rows.append(Row(name.split(" ")[-1], f"{figure.value or 0.0:.1%}", extra=extra))
    title = f"{people.shown(player)}　役" if player else f"役　{chosen.title}"
    wins = next(iter(shown.values())).cases if shown else 0
    alt = f"{title}：" + "、".join(f"{row.name} {row.value}" for row in rows[:3])
    subtitle = f"{chosen.subtitle_of(player) if player else chosen.subtitle}　和了{wins}回に占める割合"
    return (Table(title, tuple(rows), subtitle=subtitle, alt=alt),)
