"""まとめ: the report of a season: champion, race, final table, best results, and what decided
it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.answers.common.figures import (
    by_total,
    careers_of,
    chips_left_out,
    strong_points,
    written,
)
from bot.answers.common.members import People, check_members, people_of
from bot.answers.common.ratings import Ratings, known_ratings
from bot.answers.common.scope import Scope, below, is_over, scope_of
from bot.answers.standings import report_picture
from bot.answers.standings.balance import balance_table
from bot.answers.standings.race import race_of
from bot.answers.standings.report_facts import best_results_of, review_facts
from bot.answers.standings.report_picture import RECORDS, SeasonReport, total_rows
from bot.chat.command import BY_SEASON, Ask, Below, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Row, Table
from bot.draw.parts import Fact
from bot.draw.rows import Detail
from bot.draw.style import INK
from rating.standings import places
from rating.tallies import Career

TITLE = "{scope}のまとめ"
TITLE_SO_FAR = "{scope}のまとめ（途中経過）"
CHAMPION = "優勝"
LEADER = "首位"
RESULT = "{role}は{names}（{points}）"
RESULT_WITHOUT = "{role}は{names}（{points}、{without}）"
RESULT_NOTE = "{result}。{note}"
NOTIFICATION = "{title}：{result}"
WITH_MEAN = "{points}・平均着順 {mean}"
SUBTITLE_WITHOUT = "{subtitle}　{without}"
RECORDS_OF_ALL = "通算の記録"
FACTS = 4  # most facts in the report


@dataclass(frozen=True)
class SeasonFigures:
    """The members' careers in the scope; `ordered` has the best first, `first` those who share the
    first place. `without` says in short what 収支 leaves out."""

    over: bool
    careers: Mapping[str, Career]
    ordered: Sequence[Career]
    first: Sequence[Career]
    ratings: Ratings | None
    facts: Sequence[Fact]
    without: str

    @property
    def role(self) -> str:
        return CHAMPION if self.over else LEADER

    @property
    def first_players(self) -> list[str]:
        return [career.player for career in self.first]


def answer(question: Question) -> Reply:
    """The report of one season or of all: its result in words below the race, and the poster."""
    scope = scope_of(question)
    people = people_of(question)
    check_members(people, scope.games)
    figures = _figures(question, people, scope)
    title = _title(scope, figures)
    final = final_table(people, scope, figures, title)
    brief = _brief(people, scope, figures, final)
    picture = _picture(people, scope, figures, final)
    return Reply((brief, picture), _buttons(question, scope))


def _figures(question: Question, people: People, scope: Scope) -> SeasonFigures:
    ratings = known_ratings(question, scope)
    careers = careers_of(people, scope, ratings)
    ordered = by_total(careers)
    ranks = places([career.total for career in ordered])
    over = is_over(question, scope)
    facts = best_results_of(people, scope, careers)
    if over:
        facts = [*review_facts(question, people, scope), *facts]
    return SeasonFigures(
        over=over,
        careers=careers,
        ordered=ordered,
        first=ordered[: ranks.count(1)],
        ratings=ratings,
        facts=facts[:FACTS],
        without=chips_left_out(people.snapshot, scope.games).short,
    )


def _title(scope: Scope, figures: SeasonFigures) -> str:
    template = TITLE
    if scope.season is not None and not figures.over:
        template = TITLE_SO_FAR
    return template.format(scope=scope.title)


def _result(people: People, figures: SeasonFigures) -> str:
    """Who is the champion, or leads, and with how many points."""
    template = RESULT_WITHOUT if figures.without else RESULT
    return template.format(
        role=figures.role,
        names=people.named(figures.first_players),
        points=written("total", figures.first[0].total),
        without=figures.without,
    )


def final_table(people: People, scope: Scope, figures: SeasonFigures, title: str) -> Table:
    table = balance_table(people, scope, figures.ordered)
    alt = NOTIFICATION.format(title=title, result=_result(people, figures))
    return replace(table, title=title, alt=alt)


def _brief(people: People, scope: Scope, figures: SeasonFigures, final: Table) -> Table:
    """The result below the race. The poster has every row of the table, which is sent only where
    the poster can't be."""
    note = RESULT_NOTE.format(result=_result(people, figures), note=final.note)
    race = race_of(people, scope)
    return replace(final, rows=(), heads=(), note=note, hero=race)


def _picture(people: People, scope: Scope, figures: SeasonFigures, final: Table) -> Picture:
    subtitle = scope.subtitle
    if figures.without:
        subtitle = SUBTITLE_WITHOUT.format(subtitle=subtitle, without=figures.without)
    strong = strong_points(people.snapshot, figures.ordered, figures.ratings)
    names = []
    totals = []
    details = []
    for career in figures.ordered:
        names.append(replace(people.row_name(career.player), asker=False))
        totals.append(career.total)
        details.append(Detail(strong[career.player]))
    report = SeasonReport(
        final.title,
        subtitle,
        champion_of(people, figures),
        total_rows(names, totals, details),
        tuple(figures.facts),
    )
    records = records_table(scope, figures.facts)
    return Picture(report, report_picture.draw, final.notification, (final, records))


def champion_of(people: People, figures: SeasonFigures) -> Fact:
    """The panel of those who share the first place."""
    players = figures.first_players
    detail = written("total", figures.first[0].total)
    if len(players) <= people.NAMED:
        means = [written("mean", career.tally.mean_placing) for career in figures.first]
        detail = WITH_MEAN.format(points=detail, mean="と".join(means))
    colour = people.colour(players[0]) if len(players) == 1 else INK
    return Fact(figures.role, people.named(players), detail, colour, people.joined(players))


def records_table(scope: Scope, facts: Sequence[Fact]) -> Table:
    rows = [Row(fact.label, fact.value, detail=fact.detail) for fact in facts]
    title = RECORDS if scope.season else RECORDS_OF_ALL
    return Table(title, tuple(rows), subtitle=scope.subtitle)


def _buttons(question: Question, scope: Scope) -> tuple[Choice, ...]:
    return below(question, scope)


SPECS = (
    Spec(
        name=Ask.SUMMARY,
        title="まとめ",
        help="シーズンの成績と記録をまとめて出します",
        answer=answer,
        words="まとめ 総括 シーズンまとめ 総まとめ サマリー シーズンのまとめ",
        takes=BY_SEASON,
        instead=Ask.RECAP,
        below=(
            Ask.SUM,
            Ask.RANK,
            Ask.FORECAST,
            Below.AGAIN,
            Ask.RATING,
            Ask.TEAM,
            Ask.YEAR,
            choice("個人", Ask.PLAYER),
            choice("ページ", Ask.PAGE),
            choice("書き出し", Ask.EXPORT),
        ),
        daily=True,
        slow=True,
    ),
)
