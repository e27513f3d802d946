"""順位推移: everybody's place over the season or a period, by 収支 or by rating, as lines that cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot import texts
from bot.answers.common.curves import last_day_start, view_of
from bot.answers.common.figures import chips_left_out
from bot.answers.common.members import check_members, people_of
from bot.answers.common.model_names import course_model, model_title
from bot.answers.common.ratings import Ratings, ratings_of
from bot.answers.common.scope import Scope, offered, period_choices, scope_of, season_choices, seat_choices
from bot.answers.standings.ranks_picture import RankCurves, RankLine, draw
from bot.chat.command import BY_PERIOD, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table
from bot.league.season_past import chip_worth
from rating.games import Game
from rating.standings import History, places
from rating.tallies import totals

RATING = "rating"
POINTS = 20  # days of play that are drawn, evenly chosen, the first and the last among them
TITLE = "順位推移"


def answer(question: Question) -> Reply:
    """A picture of the places after each day of play; the same places in a table where it can't be sent."""
    scope, people = scope_of(question), people_of(question)
    check_members(people, scope.games)
    by_rating = question.option("by") == RATING
    if by_rating:
        model = course_model(question.snapshot.league.model)
        ratings: Ratings | None = ratings_of(question, scope, model)
        assert ratings is not None
        lines, games, what = ratings.history, ratings.games, model_title(model)
    else:
        ratings = None
        chip = chip_worth(question.snapshot)
        lines = totals(scope.games, lambda seat, game: seat.score + chip(seat, game))
        games, what = scope.games, "収支"
    lines = {player: line for player, line in lines.items() if player in people.order and line.games}
    title = f"{what}の{TITLE}　{scope.title}"
    view = view_of(games, scope=scope)
    closing = chosen(list(view.closing))
    ranks = ranks_after(lines, closing, people.order)
    before = ranks_after(lines, [last_day_start(games) - 1, len(games) - 1], people.order)
    order = sorted(lines, key=lambda p: ranks[p][-1] or 0)
    shared = dict(zip(order, places([lines[p].last for p in order]), strict=True))
    moved = {p: _moved(before[p]) for p in order}
    subtitle = scope.subtitle
    if not by_rating and (alone := chips_left_out(people.snapshot, scope.games).short):
        subtitle += f"　{alone}"
    chart = RankCurves(
        title,
        subtitle,
        _labels(games, closing, scope),
        lines=tuple(
            RankLine(
                people.shown(p),
                tuple(ranks[p]),
                colour=people.colour(p),
                dash=people.dash(p),
                asker=people.is_asker(p),
                moved=moved[p],
            )
            for p in order
        ),
        note=f"▲▼は{texts.short_day(games[-1].day)}の動き" if games[-1].day and any(moved.values()) else "",
    )
    rows = tuple(
        people.row(
            p,
            ratings.words(lines[p].last) if ratings else texts.points(lines[p].last),
            shared[p],
            (_arrow(moved[p]),),
        )
        for p in order
    )
    top = "、".join(f"{row.rank}位 {row.name} {row.value}" for row in rows[:3])
    table = Table(title, rows, (what, ""), subtitle, alt=f"{title}：{top}")
    picture = Picture(chart, draw, table.alt, (table,))
    return Reply((table if len(closing) < 2 else picture,), _choices(question, scope, by_rating))


def chosen(closing: list[int]) -> list[int]:
    """At most POINTS of the games after which places are drawn, evenly, the first and the last among them."""
    if len(closing) <= POINTS:
        return closing
    return [closing[round(n * (len(closing) - 1) / (POINTS - 1))] for n in range(POINTS)]


def ranks_after(
    lines: History, closing: Sequence[int], order: Sequence[str]
) -> Mapping[str, list[int | None]]:
    """Each player's place after each of the `closing` games (numbers from 0), None before the first game.

    Each place is somebody's alone: equal values stand in the league's order.
    """
    found: dict[str, list[int | None]] = {player: [] for player in lines}
    at = dict.fromkeys(lines, 0)
    for number in closing:
        values: dict[str, float] = {}
        for player, line in lines.items():
            while at[player] < len(line.games) and line.games[at[player]] <= number:
                at[player] += 1
            if at[player]:
                values[player] = line.values[at[player] - 1]
        ranked = sorted(values, key=lambda p: (-values[p], order.index(p)))
        for player in lines:
            found[player].append(ranked.index(player) + 1 if player in values else None)
    return found


def _moved(ranks: Sequence[int | None]) -> int:
    """The places won between the two, less those lost; 0 for somebody who is new."""
    first, last = ranks[0], ranks[-1]
    return first - last if first is not None and last is not None else 0


def _arrow(moved: int) -> str:
    return f"{'▲' if moved > 0 else '▼'}{abs(moved)}" if moved else ""


def _labels(games: Sequence[Game], closing: Sequence[int], scope: Scope) -> tuple[str, ...]:
    """The days of the games, with their years where these may be several; the games' numbers where they have
    no days."""
    return tuple(texts.short_day(games[number].day, scope.years) or f"{number + 1}戦" for number in closing)


def _choices(question: Question, scope: Scope, by_rating: bool) -> tuple[Choice, ...]:
    here = {**scope.options, "seats": question.option("seats")}
    by = RATING if by_rating else ""
    other = (
        choice("収支の順位", Ask.RANKS, **here)
        if by_rating
        else choice("レートの順位", Ask.RANKS, **here, by=RATING)
    )
    return offered(
        other,
        choice("ランキング", Ask.RANKING, **here),
        choice("レーティング", Ask.RATING, **here),
        *period_choices(question, scope, by=by),
        *season_choices(question, scope, by=by),
        *seat_choices(question, scope, by=by),
        choice("収支", Ask.SUM, **here),
    )


SPECS = (
    Spec(
        name=Ask.RANKS,
        title=TITLE,
        help="順位の動きをグラフで出します",
        answer=answer,
        words=(TITLE, "じゅんいすいい", "順位の推移", "順位変動"),
        takes=BY_PERIOD,
        group=MenuGroup.EVERYBODY,
    ),
)
