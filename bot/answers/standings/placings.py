"""着順: the members' placings, the lowest mean first, as a table and as bars."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot import texts
from bot.answers.common.figures import careers_of, placing_counts, written
from bot.answers.common.members import (
    WHOLE,
    People,
    beside_picture,
    check_members,
    people_of,
    table_way,
)
from bot.answers.common.scope import DRAWN, Scope, below, scope_of
from bot.chat.command import BY_PERIOD, Ask, Below, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table
from bot.draw import rows as row_charts
from bot.draw.rows import NameColumn, PlacingColumn, RowPicture, Rows, WordColumn, Words, row_height
from bot.draw.style import FAINT, INK
from rating.standings import PROVISIONAL_GAMES
from rating.statistics import STATISTICS, ranking
from rating.tallies import Tally

TITLE = "着順　{scope}"
NOTIFICATION = "{title}：平均着順 {leaders}"
HEADS = ("平均着順", "1-2-3着", "対局")
MEAN = "平均"
LEAST_ROWS = 3  # members from which bars say more than a table

_MEAN = 130  # pixels for the mean placing


@dataclass(frozen=True)
class MemberPlacings:
    """A member's games by their placing; the place of members with equal means is the same."""

    player: str
    place: int
    mean: float
    tally: Tally

    @property
    def provisional(self) -> bool:
        return self.tally.games < PROVISIONAL_GAMES


def answer(question: Question) -> Reply:
    scope = scope_of(question)
    people = people_of(question)
    check_members(people, scope.games)
    figures = _figures(people, scope)
    table = _table(people, scope, figures)
    buttons = _buttons(question, scope)
    few = len(figures) < LEAST_ROWS or len(scope.games) < DRAWN
    if few or question.option("show") == WHOLE:
        return Reply((table,), buttons)
    means = [placings.mean for placings in figures]
    brief = beside_picture(table, means, "{:.2f}".format)
    return Reply((brief, _picture(people, figures, table)), buttons)


def _figures(people: People, scope: Scope) -> list[MemberPlacings]:
    """The placings of each member, the lowest mean first."""
    careers = careers_of(people, scope)
    figures = []
    for ranked in ranking(STATISTICS["mean"], careers, 0):
        tally = careers[ranked.player].tally
        figures.append(MemberPlacings(ranked.player, ranked.place, ranked.value, tally))
    return figures


def _table(people: People, scope: Scope, figures: Sequence[MemberPlacings]) -> Table:
    rows = []
    for placings in figures:
        games = texts.played(placings.tally.games, placings.provisional)
        cells = (placing_counts(placings.tally), games)
        mean = written("mean", placings.mean)
        rows.append(people.row(placings.player, mean, placings.place, cells))
    title = TITLE.format(scope=scope.title)
    leaders = "、".join(f"{row.name} {row.value}" for row in rows[:3])
    note = scope.until
    if any(placings.provisional for placings in figures):
        note += f"{texts.SIGN_MEANS}。"
    alt = NOTIFICATION.format(title=title, leaders=leaders)
    return Table(title, tuple(rows), HEADS, scope.subtitle, note, alt)


def _picture(people: People, figures: Sequence[MemberPlacings], table: Table) -> Picture:
    names = []
    means = []
    for placings in figures:
        name = people.row_name(placings.player, placings.provisional)
        colour = FAINT if placings.provisional else INK
        names.append(name)
        means.append(Words(f"{placings.mean:.2f}", colour=colour, bold=name.asker))
    columns = (
        NameColumn(tuple(names), signed=True),
        PlacingColumn(tuple(placings.tally.placings for placings in figures)),
        WordColumn(tuple(means), head=MEAN, width=_MEAN),
    )
    note = ""
    if any(name.provisional for name in names):
        note = texts.SIGN_MEANS
    rows = Rows(columns, row_height(len(figures)))
    chart = RowPicture(table.title, table.subtitle, rows, note=note)
    return Picture(chart, row_charts.draw, table.notification, (table,))


def _buttons(question: Question, scope: Scope) -> tuple[Choice, ...]:
    return below(question, scope, table_way(question))


SPECS = (
    Spec(
        name=Ask.RANK,
        title="着順",
        help="着順の割合と平均を出します",
        answer=answer,
        words=(
            "着順 順位 ちゃくじゅん 平均着順 平均順位 着順の回数 1着2着3着の回数 123着の回数 2着率 "
            "2着回数 2着多い 着順分布"
        ),
        takes=BY_PERIOD,
        figure="mean",
        below=(
            Ask.SUM,
            Ask.MATCHUP,
            Ask.RANKING,
            Below.AGAIN,
            Ask.RATING,
            choice("個人", Ask.PLAYER),
        ),
    ),
)
