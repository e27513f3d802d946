"""The page's own view: every member by every figure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.answers.common.figures import (
    SHORT_OF,
    WORDS,
    boards_with_values,
    careers_of,
    of_cases,
    written,
)
from bot.answers.common.members import (
    check_members,
    people_of,
)
from bot.answers.common.ratings import Ratings, known_ratings
from bot.answers.common.scope import (
    scope_of,
    seat_choices,
)
from bot.chat.command import Question
from bot.page.parts import Cell, Grid, GridGroup, GridRow, PageContent
from rating.statistics import (
    STATISTICS,
    Statistic,
    qualifying_games,
    ranking,
)
from rating.tallies import Career


def figures_view(question: Question) -> PageContent:
    """Every member by every figure that has a board; members with too few games for a rate form a
    group of their own.
    """
    scope = scope_of(question)
    people = people_of(question)
    check_members(people, scope.games)
    ratings = known_ratings(question, scope)
    careers = careers_of(people, scope, ratings)
    minimum = qualifying_games(question.snapshot.league.rules.qualifying, careers)
    keys = boards_with_values(scope, careers)
    ranked: list[GridRow] = []
    short: list[GridRow] = []
    for player, _, _ in ranking(STATISTICS["mean"], careers, minimum):
        career = careers[player]
        cells = tuple(_cell(STATISTICS[key], career, minimum, ratings) for key in keys)
        row = GridRow(people.row(player, ""), cells)
        if career.tally.games < minimum:
            short.append(row)
        else:
            ranked.append(row)
    grid = Grid(
        title=f"成績　{scope.title}",
        subtitle=scope.subtitle,
        note="",
        heads=tuple((key, WORDS[key].name) for key in keys),
        groups=_groups(ranked, short, minimum),
    )
    return PageContent((grid,), seat_choices(question, scope))


def _groups(
    ranked: Sequence[GridRow], short: Sequence[GridRow], minimum: int
) -> tuple[GridGroup, ...]:
    """The ranked members, and below them those who are short of `minimum` games."""
    groups = [GridGroup("", tuple(ranked))]
    if short:
        groups.append(GridGroup(SHORT_OF.format(minimum), tuple(short)))
    return tuple(groups)


def _cell(statistic: Statistic, career: Career, minimum: int, ratings: Ratings | None) -> Cell:
    """A figure's cell. A figure of too few game records is shown, but has no value to rank by."""
    figure = statistic.counted(career)
    if figure is None:
        return Cell(None, "")
    text = written(statistic.key, figure.value, ratings)
    if not statistic.records:
        return Cell(figure.value, text)
    text = f"{text}（{of_cases(figure)}）"
    if statistic.qualifies(career, minimum):
        return Cell(figure.value, text)
    return Cell(None, text)
