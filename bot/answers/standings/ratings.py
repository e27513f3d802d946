"""レーティング: everybody's rating by one system, as a picture and as a table."""

from __future__ import annotations

from bot.answers.common.curves import RECENT, change_today, curves_of, day_word, last_day_start, view_of
from bot.answers.common.members import People, people_of
from bot.answers.common.model_names import baseline
from bot.answers.common.ratings import APART, Ratings, model_choices, ratings_of
from bot.answers.common.scope import (
    model_of,
    offered,
    period_choices,
    scope_of,
    season_choices,
    seat_choices,
)
from bot.answers.standings import strengths
from bot.charts import forest, matrix
from bot.charts.parts import lines
from bot.charts.parts.curves import Lines
from bot.chat.command import Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table
from rating.models import MODELS
from rating.standings import Rating

INTERVAL = "誤差は95%の範囲です。"
GOES_ON = "期間の前のレートから続けて計算しています。"
ALONE = "この期間の対局だけで計算しています。"


def answer(question: Question) -> Reply:
    """A picture and a table of the ratings asked for."""
    found = ratings_of(question, scope_of(question), model_of(question))
    people = people_of(question)
    table = ratings_table(people, found)
    picture = picture_of(question, people, found, table)
    return Reply((picture, table), _choices(question, found))


def ratings_table(people: People, found: Ratings) -> Table:
    """Each member's rank, rating and games; below them 暫定, the change on the last day of play, and the interval.

    Members who never met, directly or through others, are ranked apart.
    """
    first = last_day_start(found.games)
    rows = tuple(
        people.row(
            player,
            found.words(found.standings[player].value),
            place.place,
            (f"{found.games_of(player)}戦",),
            "　".join(_details(found, player, found.standings[player], first)),
        )
        for player, place in found.places.items()
    )
    best = [row for row, place in zip(rows, found.places.values(), strict=True) if place.group == 1][:3]
    top = "、".join(f"{row.rank}位 {row.name} {row.value}" for row in best)
    return Table(
        found.title,
        rows,
        heads=("", "対局"),
        subtitle=found.subtitle,
        note=_note(found),
        alt=f"{found.title}：{top}",
    )


def _note(found: Ratings) -> str:
    intervals = any(map(found.interval, found.standings.values()))
    period = "" if found.scope.period is None else GOES_ON if found.by_games else ALONE
    return MODELS[found.model].meaning + period + INTERVAL * intervals + APART * found.apart


def _details(found: Ratings, player: str, rating: Rating, first: int) -> list[str]:
    words = [f"グループ{found.places[player].group}"] if found.apart else []
    words += ["暫定"] if rating.provisional else []
    if player in found.history:
        moved = change_today(found.history[player], first)
        when = day_word(found.games, found.chosen.years)
        if found.scope.period is not None:
            moved, when = found.history[player].last - found.history[player].start, "期間中"
        words += [f"{when} {found.words(moved, True)}"] if moved is not None else []
    if interval := found.interval(rating):
        words.append(f"誤差 {interval}")
    return words


def picture_of(question: Question, people: People, found: Ratings, table: Table) -> Picture:
    """Lines for a system that learns game by game, else a heat map if its matchups are shown, else intervals."""
    if found.by_games:
        return Picture(rating_chart(question, people, found), lines.draw, table.alt, (table,))
    if MODELS[found.model].has_matchups and strengths.shows_matchups(found):
        return Picture(strengths.matchup_chart(people, found), matrix.draw, table.alt, (table,))
    return Picture(strengths.forest_chart(people, found), forest.draw, table.alt, (table,))


def rating_chart(question: Question, people: People, found: Ratings) -> Lines:
    """Everybody's line. A point is a day of play, or a game when only the last RECENT or very few days are shown."""
    view = view_of(found.games, question.option("axis"), question.option("span"), found.chosen)
    provisional = {player: rating.provisional for player, rating in found.standings.items()}
    return Lines(
        found.title + (f"　直近{RECENT}戦" if view.recent else ""),
        view.subtitle,
        curves=curves_of(people, found.history, list(found.standings), view, provisional),
        baseline=baseline(found.model),
        axis=view.axis,
        decimals=MODELS[found.model].decimals,
    )


def _choices(question: Question, found: Ratings) -> tuple[Choice, ...]:
    """The same ratings with another span, axis, season, number of seats or system."""
    scope, model = found.scope, found.model
    own = model == question.snapshot.league.model
    same = {"model": "" if own else model}
    if question.option("seats"):
        same["seats"] = str(scope.seats)
    here = {**scope.options, **same}
    result: list[Choice] = []
    if found.by_games:
        if question.option("span") or question.option("axis"):
            result.append(choice("全対局", "rating", **here))
        if not question.option("span") and len(found.games) > RECENT:
            result.append(choice(f"直近{RECENT}戦", "rating", span=RECENT, **here))
        if question.option("axis") != "date":
            result.append(choice("日付で見る", "rating", axis="date", **here))
    ways = (
        *period_choices(question, scope, **same),
        choice("順位推移", "ranks", **scope.options, by="rating"),
    )
    seasons = () if MODELS[model].plays == "teams" else season_choices(question, scope, **same)
    return offered(*result, *ways, *seasons, *seat_choices(question, scope), *model_choices(scope, model))


SPECS = (
    Spec(
        name="rating",
        title="レーティング",
        help="みんなのレートをグラフで出します",
        answer=answer,
        words=("レーティング", "レート", "れーてぃんぐ", "れーと", "ぐらふ", "グラフ", "rating"),
        plain=True,
        periods=True,
    ),
)
