"""まとめ: the report of a season: champion, race, final table and best results, with pictures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot import texts
from bot.answers.common.members import People, check_members, people_of
from bot.answers.common.model_names import course_model
from bot.answers.common.ratings import Ratings, ratings_of
from bot.answers.common.scope import Scope, is_over, offered, scopes_of, season_choices, seat_choices
from bot.answers.forecast.season_review import review_facts
from bot.answers.standings.balance import Balance, balance_table, balances, chips_left_out
from bot.answers.standings.best_results import best_results_of
from bot.answers.standings.race import race_of
from bot.answers.standings.ratings import picture_of, ratings_table
from bot.charts.canvas import style
from bot.charts.parts.facts import Fact
from bot.charts.season import Champion, SeasonReport, Total, draw
from bot.chat.command import BY_SEASON, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Part, Picture, Reply, Row, Table, UserError
from rating.standings import places

MOST_LINES = 12  # members up to whom the ratings' picture has room, too, on two screens of a phone


def answer(question: Question) -> Reply:
    """The report of the season asked for."""
    scopes, people = scopes_of(question), people_of(question)
    check_members(people, scopes[0].games)
    head, *pictures = season_report(question, people, scopes[0])
    others = tuple(_other_table(people, scope) for scope in scopes[1:])
    return Reply((*others, head, *pictures), _choices(question, scopes[0]))


def season_report(question: Question, people: People, scope: Scope) -> tuple[Part, ...]:
    """The report of one season or of all: its result in words below the race, the ratings' picture while there is no
    champion and there are few members, and the poster last.
    """
    over = is_over(question, scope)
    ratings = _ratings(question, scope)
    everyone = [b for b in balances(people.snapshot, scope) if b.player in people.order]
    facts = best_results_of(people, scope, ratings) + (review_facts(question, people, scope) if over else [])
    table = balance_table(people, scope)
    title = f"{scope.title}のまとめ" + ("" if over or scope.season is None else "（途中経過）")
    alt = _alt(people, scope, title, everyone, over=over)
    rows = tuple(Row(fact.label, fact.value, detail=fact.detail, colour="") for fact in facts)
    final = Table(title, table.rows, heads=table.heads, subtitle=table.subtitle, note=table.note, alt=alt)
    records = Table("シーズンの記録" if scope.season else "通算の記録", rows, subtitle=scope.subtitle)
    picture = Picture(
        _chart(people, scope, title, everyone, facts=facts, over=over), draw, alt, (final, records)
    )
    course: tuple[Part, ...] = ()
    if ratings is not None and not over and len(everyone) <= MOST_LINES:
        course = (picture_of(question, people, ratings, ratings_table(people, ratings)),)
    # The poster has every row of the table, which stands only where the poster can't.
    result = alt.partition("：")[2]
    note = f"{result}。" * bool(result) + table.note
    brief = replace(final, rows=(), heads=(), note=note, hero=race_of(people, scope))
    return (brief, *course, picture)


def _other_table(people: People, scope: Scope) -> Table:
    """The final table of the games with the other number of seats."""
    table = balance_table(people, scope)
    return replace(table, title=f"{scope.title}のまとめ　{texts.SEATS[scope.seats]}")


def _ratings(question: Question, scope: Scope) -> Ratings | None:
    try:
        return ratings_of(question, scope, course_model(question.snapshot.league.model))
    except UserError:
        return None


def _first(everyone: list[Balance]) -> list[Balance]:
    """Those who share the first place. `everyone` is best first."""
    return [b for b, place in zip(everyone, places([b.total for b in everyone]), strict=True) if place == 1]


def _alt(people: People, scope: Scope, title: str, everyone: list[Balance], over: bool) -> str:
    if not everyone:
        return title
    names = people.named([b.player for b in _first(everyone)])
    word = "優勝" if over else "首位"
    without = chips_left_out(people.snapshot, scope.games).short
    figures = "、".join(filter(None, (texts.points(everyone[0].total), without)))
    return f"{title}：{word}は{names}（{figures}）"


def _chart(
    people: People, scope: Scope, title: str, everyone: list[Balance], facts: list[Fact], over: bool
) -> Any:
    champion = None
    if over and everyone:
        best = _first(everyone)
        placings = "と".join(f"{b.tally.mean_placing:.2f}" for b in best)
        words = texts.points(best[0].total) + (f"・平均着順 {placings}" if len(best) <= people.NAMED else "")
        colour = people.colour(best[0].player) if len(best) == 1 else style.INK
        players = [b.player for b in best]
        champion = Champion(people.named(players), colour, words, people.joined(players))
    table = tuple(Total(people.shown(b.player), b.total, people.colour(b.player)) for b in everyone)
    without = chips_left_out(people.snapshot, scope.games).short
    subtitle = "　".join(filter(None, (scope.subtitle, without)))
    return SeasonReport(title, subtitle, champion, table, tuple(facts))


def _choices(question: Question, scope: Scope) -> tuple[Choice, ...]:
    season = scope.option
    return offered(
        choice("収支", Ask.SUM, season=season),
        choice("着順", Ask.RANK, season=season),
        choice("優勝確率", Ask.FORECAST, season=season),
        *season_choices(question, season),
        *seat_choices(question, scope),
        choice("レーティング", Ask.RATING, season=season),
        choice("チーム", Ask.TEAM, season=season),
        choice("個人", Ask.PLAYER),
        choice("書き出し", Ask.EXPORT),
    )


SPECS = (
    Spec(
        name=Ask.SUMMARY,
        title="まとめ",
        help="シーズンの成績と記録をまとめて出します",
        answer=answer,
        words=("まとめ", "総括", "シーズンまとめ"),
        takes=BY_SEASON,
        instead=Ask.RECAP,
        group=MenuGroup.GAMES,
        daily=True,
        slow=True,
    ),
)
