"""週報 and 月報: a period's podium and everybody's points in a picture, its trophies in a table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from bot import texts
from bot.answers.common import figures as statistics
from bot.answers.common.members import People, people_of
from bot.answers.common.periods import Period, month_of, week_of
from bot.answers.common.ratings import Ratings, known_ratings
from bot.answers.common.scope import NO_DATES, Scope, below, offered, period_choices, scope_of
from bot.answers.recaps import recap_picture, trophy_rows
from bot.answers.recaps.recap_picture import Recap
from bot.answers.recaps.scores import MemberScore
from bot.chat.command import BY_PERIOD, Ask, Below, Command, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Row, Table, UserError, leading
from rating.standings import places
from rating.statistics import STATISTICS
from rating.tallies import Career
from rating.trophies import Trophy

WEEK_TITLE = "週報　{period}"
MONTH_TITLE = "月報　{period}"
PERIOD_TITLE = "まとめ　{period}"
SO_FAR = "{title}（途中経過）"
PLAYED = "{games}　{days}日"
NOTIFICATION = "{title}　{games}：{leaders}"
NOTIFICATION_WITH_TROPHIES = "{title}　{games}：{leaders}、トロフィー{trophies}個"
NO_TROPHIES = "トロフィーはまだありません。対局が増えると出ます。"
BALANCE_HEADS = ("収支", "対局")
WEEK_BUTTON = "週報"
MONTH_BUTTON = "月報"
SEASON_BUTTON = "まとめ"


class RecapOf(StrEnum):
    """The kind of the latest period, where the question names none: the option `of`."""

    WEEK = ""
    MONTH = "month"


@dataclass(frozen=True)
class RecapFigures:
    """The members' careers in the period, the best first, and the trophies won in it."""

    careers: Sequence[Career]
    trophies: Sequence[Trophy]
    ratings: Ratings | None

    @property
    def ranks(self) -> list[int]:
        return places([career.total for career in self.careers])


def answer(question: Question) -> Reply:
    """The recap of the period asked for, else of this week or month, or of the last one with
    games.
    """
    if not (question.option("from") or question.option("to")):
        question = _of_latest(question)
    scope = scope_of(question)
    assert scope.period is not None
    people = people_of(question)
    figures = _figures(question, people, scope)
    rows = _rows(people, figures)
    title = _title(question, scope.period)
    table = _table(people, scope, figures, title, leading(rows))
    buttons = _buttons(question, scope, scope.period)
    if not figures.careers:
        return Reply((table,), buttons)
    balance = Table(scope.title, rows, BALANCE_HEADS, scope.subtitle, alt=table.alt)
    return Reply((table, _picture(people, scope, figures, table, balance)), buttons)


def _of_latest(question: Question) -> Question:
    """The question for this week (or month), or for the last one with games, of the season asked
    for.
    """
    snapshot = question.snapshot
    wanted = question.option("season")
    season = next(
        (season.number for season in snapshot.seasons if str(season.number) == wanted), None
    )
    days = sorted({game.day for game in snapshot.all_games(season) if game.day})
    if not days:
        raise UserError(NO_DATES if snapshot.all_games() else texts.NO_GAMES, offered())
    period_of: Callable[[date], Period] = week_of
    if question.option("of") == RecapOf.MONTH:
        period_of = month_of
    period = period_of(question.now.date())
    if not any(day in period for day in days):
        period = period_of(days[-1])
    options = {name: value for name, value in question.command.options.items() if name != "of"}
    return replace(question, command=Command(Ask.RECAP, {**options, **period.options}))


def _figures(question: Question, people: People, scope: Scope) -> RecapFigures:
    ratings = known_ratings(question, scope)
    careers = statistics.by_total(statistics.careers_of(people, scope, ratings))
    return RecapFigures(careers, trophy_rows.trophies_of(people, scope, careers), ratings)


def _rows(people: People, figures: RecapFigures) -> tuple[Row, ...]:
    """The members' 収支 and games, the best first."""
    rows = []
    for career, place in zip(figures.careers, figures.ranks, strict=True):
        values = _values(career, figures.ratings)
        games = values["games"]
        rows.append(people.row(career.player, values["total"], place, (games,)))
    return tuple(rows)


def _values(career: Career, ratings: Ratings | None) -> Mapping[str, str]:
    """The member's total, games, rating and its rise in words; "" for what is not known."""
    values = {}
    for key in ("total", "games", "rating", "rise"):
        value = STATISTICS[key].value(career)
        values[key] = "" if value is None else statistics.written(key, value, ratings)
    return values


def _title(question: Question, period: Period) -> str:
    """月報 2026年6月, 週報 7/6〜7/12 (its year where it is not this one), else まとめ and the
    period.
    """
    title = PERIOD_TITLE.format(period=period.title)
    if period.is_month:
        title = MONTH_TITLE.format(period=period.title)
    elif period == week_of(period.first):
        years = period.first.year != question.now.year
        title = WEEK_TITLE.format(period=texts.span(period.first, period.last, years))
    if question.now.date() <= period.last:
        return SO_FAR.format(title=title)
    return title


def _table(
    people: People,
    scope: Scope,
    figures: RecapFigures,
    title: str,
    leaders: str,
) -> Table:
    """A row for each trophy."""
    trophies = figures.trophies
    template = NOTIFICATION_WITH_TROPHIES if trophies else NOTIFICATION
    alt = template.format(
        title=title,
        games=scope.count,
        leaders=leaders,
        trophies=len(trophies),
    )
    notes = []
    if not trophies:
        notes.append(NO_TROPHIES)
    if figures.careers:
        notes.append(_left_out(people, scope))
    rows = tuple(trophy_rows.trophy_row(people, scope, trophy) for trophy in trophies)
    return Table(
        title,
        rows,
        (),
        _played(scope),
        "".join(notes),
        alt,
        plain=True,
    )


def _played(scope: Scope) -> str:
    """The numbers of games and of days of play."""
    days = {game.day for game in scope.games}
    return PLAYED.format(games=scope.count, days=len(days))


def _left_out(people: People, scope: Scope) -> str:
    return statistics.chips_left_out(people.snapshot, scope.games).sentence


def _picture(
    people: People, scope: Scope, figures: RecapFigures, table: Table, balance: Table
) -> Picture:
    """The podium and everybody's points; the table `balance` where the picture can't be sent."""
    remarks = _remarks(people, figures)
    scores = []
    for career, place in zip(figures.careers, figures.ranks, strict=True):
        values = _values(career, figures.ratings)
        score = MemberScore(
            place=str(place),
            name=people.shown(career.player),
            colour=people.colour(career.player),
            points=values["total"],
            counted=values["games"],
            rating=values["rating"],
            change=texts.change(values["rise"]),
            remark=remarks[career.player],
        )
        scores.append(score)
    chart = Recap(
        heading=people.snapshot.league.name,
        title=table.title,
        subtitle=table.subtitle,
        rows=tuple(scores),
        note=_left_out(people, scope),
    )
    return Picture(chart, recap_picture.draw, table.alt, (balance, table))


def _remarks(people: People, figures: RecapFigures) -> Mapping[str, str]:
    """The trophies that each member has won, else what the member is best at."""
    remarks = statistics.strong_points(people.snapshot, figures.careers, figures.ratings)
    for player in remarks:
        names = [
            trophy_rows.NAMES[trophy.name]
            for trophy in figures.trophies
            if player in trophy_rows.holders_of(trophy)
        ]
        if names:
            remarks[player] = "・".join(names)
    return remarks


def _buttons(question: Question, scope: Scope, period: Period) -> tuple[Choice, ...]:
    """The neighbouring periods, the month or the week, and the same games in other answers."""
    other = choice(MONTH_BUTTON, Ask.RECAP, **month_of(period.last).options)
    if period.is_month:
        other = choice(WEEK_BUTTON, Ask.RECAP)
    season = choice(SEASON_BUTTON, Ask.SUMMARY, season=scope.within)
    return below(question, scope, season, *period_choices(question, scope)[:-1], other)


SPECS = (
    Spec(
        name=Ask.RECAP,
        without_offers=True,
        title="週報・月報",
        help="今週・先月などの成績とトロフィーを出します（「月報」も）",
        answer=answer,
        words="週報 しゅうほう 週間まとめ トロフィー",
        shortcuts={
            word: {"of": RecapOf.MONTH}
            for word in ("月報", "げっぽう", "月間まとめ", "月報・まとめ")
        },
        takes=BY_PERIOD,
        below=(
            *(Below.OWN, Ask.SUM, Below.SEATS, Ask.RANKING, Ask.RANK),
            *(
                choice("ポスター", Ask.POSTER),
                choice(
                    "期間",
                    Ask.PERIOD,
                    of=Ask.RECAP,
                ),
            ),
        ),
        daily=True,
    ),
)
