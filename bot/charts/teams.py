"""チーム: each team's total, and below it the total of each member."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.scale import number
from bot.charts.canvas.style import INK
from bot.charts.canvas.unique_names import told_apart
from bot.charts.parts.header import BELOW, draw_empty, draw_header
from bot.charts.parts.lines import NO_GAMES, NO_GAMES_HINT
from bot.charts.totals import Total, draw_totals


@dataclass(frozen=True)
class TeamBar:
    """`members` are (name, total); totals in thousands of points."""

    name: str
    total: float
    members: Sequence[tuple[str, float]] = ()
    colour: str = INK


@dataclass(frozen=True)
class TeamChart:
    """Teams in any order; `decimals` are those of the figures."""

    title: str
    subtitle: str
    teams: Sequence[TeamBar]
    decimals: int = 1


def draw(chart: TeamChart) -> bytes:
    """A PNG, 1200 pixels wide, the best team at the top."""
    teams = sorted(chart.teams, key=lambda team: -team.total)
    paper = Paper(1200, max(560, BELOW + 60 + 140 * len(teams)))
    draw_header(paper, chart.title, chart.subtitle)
    if not teams:
        draw_empty(paper, NO_GAMES, NO_GAMES_HINT)
        return paper.png()
    rows = [Total(team.name, team.total, team.colour) for team in teams]
    names = told_apart(name for team in teams for name, _ in team.members)
    rows = [
        replace(row, detail=_detail(team, names, chart.decimals))
        for row, team in zip(rows, teams, strict=True)
    ]
    draw_totals(paper, rows, BELOW + 30, 140, chart.decimals)
    return paper.png()


def _detail(team: TeamBar, names: dict[str, str], decimals: int) -> str:
    members = sorted(team.members, key=lambda member: -member[1])
    return "　".join(f"{names[name]} {number(value, decimals, signed=True)}" for name, value in members)
