"""順位推移: everybody's place over the season or a period, by 収支 or by rating, as lines that
cross.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot import texts
from bot.answers.common.figures import chips_left_out
from bot.answers.common.members import People, check_members, people_of
from bot.answers.common.ratings import course_model, model_title, ratings_of
from bot.answers.common.scope import (
    Scope,
    last_day_start,
    offered,
    period_choices,
    scope_of,
    season_choices,
    seat_choices,
    view_of,
)
from bot.answers.standings import ranks_picture
from bot.answers.standings.ranks_picture import RankCurves, RankLine
from bot.chat.command import BY_PERIOD, Ask, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table
from bot.league.balances import balance_worth
from rating.standings import History, places
from rating.tallies import totals

NAME = "順位推移"
TITLE = f"{{ranked_by}}の{NAME}　{{scope}}"
BALANCE = "収支"
SUBTITLE_WITHOUT = "{subtitle}　{without}"
MOVES = "▲▼は{day}の動き"
GAMES = "{games}戦"
UP = "▲{places}"
DOWN = "▼{places}"
MOST_DAYS = 20  # days of play that are drawn, evenly chosen, the first and the last among them


class RankedBy(StrEnum):
    """What places are by: an option of the question."""

    BALANCE = ""
    RATING = "rating"


@dataclass(frozen=True)
class RankFigures:
    """Each member's values after each game. `name` and `words` are those of the values, `games`
    those that count; `order` is the league's."""

    name: str
    words: Callable[[float], str]
    lines: History
    games: Sequence[Any]
    order: Sequence[str]
    without: str = ""

    @property
    def ranked(self) -> list[str]:
        """The members by their last places."""
        last = ranks_after(self.lines, [len(self.games) - 1], self.order)
        return sorted(self.lines, key=lambda player: last[player][-1] or 0)

    @property
    def moves(self) -> dict[str, int]:
        """The places won on the last day, less those lost; 0 for a new member."""
        ends = [last_day_start(self.games) - 1, len(self.games) - 1]
        moves = {}
        ranks = ranks_after(self.lines, ends, self.order)
        for player, (before, after) in ranks.items():
            moves[player] = before - after if before and after else 0
        return moves


def answer(question: Question) -> Reply:
    """A picture of the places after each day of play; the same places in a table where it can't be
    sent.
    """
    scope = scope_of(question)
    people = people_of(question)
    check_members(people, scope.games)
    figures = _figures(question, people, scope)
    table = _table(people, scope, figures)
    buttons = _buttons(question, scope)
    closing = view_of(figures.games, scope=scope).closing
    if len(closing) < 2:
        return Reply((table,), buttons)
    picture = _picture(people, scope, figures, table, chosen_days(closing))
    return Reply((picture,), buttons)


def _figures(question: Question, people: People, scope: Scope) -> RankFigures:
    """The members' ratings or totals over time, as the question requests."""
    if question.option("by") == RankedBy.RATING:
        ratings = ratings_of(question, scope, course_model(question.snapshot.league.model))
        name = model_title(ratings.model)
        lines = _members_lines(people, ratings.history)
        return RankFigures(name, ratings.words, lines, ratings.games, people.order)
    chip = balance_worth(question.snapshot)
    history = totals(scope.games, lambda seat, game: seat.score + chip(seat, game))
    without = chips_left_out(people.snapshot, scope.games).short
    lines = _members_lines(people, history)
    return RankFigures(BALANCE, texts.points, lines, scope.games, people.order, without)


def _members_lines(people: People, history: History) -> History:
    return {
        player: line for player, line in history.items() if player in people.order and line.games
    }


def ranks_after(
    lines: History, closing: Sequence[int], order: Sequence[str]
) -> Mapping[str, list[int | None]]:
    """Each player's place after each of the `closing` games (numbers from 0), None before the first
    game; of equal values the league's order decides."""
    ranks: dict[str, list[int | None]] = {player: [] for player in lines}
    for number in closing:
        values = {}
        for player, line in lines.items():
            count = bisect_right(line.games, number)
            if count:
                values[player] = line.values[count - 1]
        in_order = sorted(values, key=order.index)
        ranked = sorted(in_order, key=values.__getitem__, reverse=True)
        for player in lines:
            ranks[player].append(ranked.index(player) + 1 if player in values else None)
    return ranks


def chosen_days(closing: Sequence[int]) -> list[int]:
    """At most MOST_DAYS of the games after which places are drawn, evenly, the first and the last
    among them.
    """
    if len(closing) <= MOST_DAYS:
        return list(closing)
    last = len(closing) - 1
    return [closing[round(n * last / (MOST_DAYS - 1))] for n in range(MOST_DAYS)]


def _table(people: People, scope: Scope, figures: RankFigures) -> Table:
    moves = figures.moves
    ranked = figures.ranked
    values = [figures.lines[player].last for player in ranked]
    rows = []
    for place, player, value in zip(places(values), ranked, values, strict=True):
        arrow = arrow_of(moves[player])
        rows.append(people.row(player, figures.words(value), place, (arrow,)))
    title = TITLE.format(ranked_by=figures.name, scope=scope.title)
    subtitle = scope.subtitle
    if figures.without:
        subtitle = SUBTITLE_WITHOUT.format(subtitle=subtitle, without=figures.without)
    return Table(title, tuple(rows), (figures.name, ""), subtitle)


def arrow_of(places_won: int) -> str:
    if places_won > 0:
        return UP.format(places=places_won)
    if places_won < 0:
        return DOWN.format(places=-places_won)
    return ""


def _picture(
    people: People, scope: Scope, figures: RankFigures, table: Table, closing: Sequence[int]
) -> Picture:
    """The places after each of the `closing` games."""
    days = []
    for number in closing:
        day = texts.short_day(figures.games[number].day, scope.years)
        days.append(day or GAMES.format(games=number + 1))
    ranks = ranks_after(figures.lines, closing, figures.order)
    moves = figures.moves
    lines = []
    for player in figures.ranked:
        name = people.row_name(player)
        dash = people.dash(player)
        lines.append(RankLine(name, tuple(ranks[player]), dash, moves[player]))
    note = ""
    last_day = figures.games[-1].day
    if last_day and any(moves.values()):
        note = MOVES.format(day=texts.short_day(last_day))
    chart = RankCurves(table.title, table.subtitle, tuple(days), tuple(lines), note)
    return Picture(chart, ranks_picture.draw, table.notification, (table,))


def _buttons(question: Question, scope: Scope) -> tuple[Choice, ...]:
    """The places by the other value, in other games, and other answers of the same games."""
    options = {**scope.options, "seats": question.option("seats")}
    other = choice("レートの順位", Ask.RANKS, **options, by=RankedBy.RATING)
    same = {"by": RankedBy.BALANCE}
    if question.option("by") == RankedBy.RATING:
        other = choice("収支の順位", Ask.RANKS, **options)
        same = {"by": RankedBy.RATING}
    return offered(
        other,
        choice("ランキング", Ask.RANKING, **options),
        choice("レーティング", Ask.RATING, **options),
        *period_choices(question, scope, **same),
        *season_choices(question, scope, **same),
        *seat_choices(question, scope, **same),
        choice("収支", Ask.SUM, **options),
    )


SPECS = (
    Spec(
        name=Ask.RANKS,
        title=NAME,
        help="順位の動きをグラフで出します",
        answer=answer,
        words=f"{NAME} じゅんいすいい 順位の推移 順位変動",
        shortcuts={"レートの順位": {"by": RankedBy.RATING}, "収支の順位": {}},
        takes=BY_PERIOD,
    ),
)
