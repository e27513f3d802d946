"""週報 and 月報: a period's podium and everybody's points in a picture, its trophies in a table."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from bot import texts
from bot.answers.common.members import People, people_of
from bot.answers.common.model_names import course_model
from bot.answers.common.period_faults import NO_DATES
from bot.answers.common.periods import Period, month_of, week_of
from bot.answers.common.ratings import Ratings, ratings_of
from bot.answers.common.scope import Scope, offered, period_choices, scope_of, seat_choices
from bot.answers.recaps.trophy_words import trophies_of, trophy_row
from bot.answers.standings.balance import Balance, balances, chips_left_out
from bot.charts.recap import MemberScore, Recap, draw
from bot.chat.command import BY_PERIOD, Ask, Command, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Row, Table, UserError
from rating.standings import places

MONTH = "month"
SO_FAR = "（途中経過）"
NO_TROPHIES = "トロフィーはまだありません。対局が増えると出ます。"


def answer(question: Question) -> Reply:
    """The recap of the period asked for, else of this week or month, or of the last one with games."""
    if not (question.option("from") or question.option("to")):
        question = _of_latest(question)
    scope, people = scope_of(question), people_of(question)
    assert scope.period is not None
    ratings = _ratings(question, scope)
    own = [b for b in balances(people.snapshot, scope) if b.player in people.order]
    title = _title(question, scope.period)
    left_out = chips_left_out(people.snapshot, scope.games)
    rows = tuple(trophy_row(people, scope, each) for each in trophies_of(people, scope, ratings))
    alt = _alt(people, scope, title, own, rows)
    played = f"{scope.count}　{len({game.day for game in scope.games})}日"
    note = NO_TROPHIES * (not rows) + left_out.sentence * bool(own)
    table = Table(title, rows, subtitle=played, note=note, alt=alt, plain=True)
    if not own:
        return Reply((table,), _choices(question, scope))
    chart = Recap(
        people.snapshot.league.name,
        title,
        played,
        tuple(_row(people, ratings, b, place) for b, place in _placed(own)),
        left_out.sentence,
    )
    return Reply(
        (table, Picture(chart, draw, alt, (_instead(people, scope, own, alt), table))),
        _choices(question, scope),
    )


def _of_latest(question: Question) -> Question:
    """The question for this week (or month), or for the last one with games, of the season where one is asked for.

    Raises UserError where no game has a day.
    """
    days, today = _days(question), question.now.date()
    if not days:
        raise UserError(NO_DATES if question.snapshot.all_games() else texts.NO_GAMES, offered())
    of = month_of if question.option("of") == MONTH else week_of
    period = of(today) if any(day in of(today) for day in days) else of(days[-1])
    options = {name: value for name, value in question.command.options.items() if name != "of"}
    return replace(question, command=Command(Ask.RECAP, {**options, **period.options}))


def _days(question: Question) -> list[date]:
    """The days of play of the season asked for, else of all."""
    snapshot = question.snapshot
    number = next((s.number for s in snapshot.seasons if str(s.number) == question.option("season")), None)
    return sorted({game.day for game in snapshot.all_games(number) if game.day})


def _title(question: Question, period: Period) -> str:
    """月報　2026年6月, 週報　7/6〜7/12 (with the year where it is not this one), else まとめ and the period."""
    years = period.first.year != question.now.year
    so_far = SO_FAR if question.now.date() <= period.last else ""
    if period.is_month:
        return f"月報　{period.title}{so_far}"
    if period == week_of(period.first):
        return f"週報　{texts.span(period.first, period.last, years)}{so_far}"
    return f"まとめ　{period.title}{so_far}"


def _ratings(question: Question, scope: Scope) -> Ratings | None:
    try:
        return ratings_of(question, scope, course_model(question.snapshot.league.model))
    except UserError:
        return None


def _placed(own: list[Balance]) -> list[tuple[Balance, int]]:
    return list(zip(own, places([b.total for b in own]), strict=True))


def _row(people: People, ratings: Ratings | None, balance: Balance, place: int) -> MemberScore:
    line = ratings.history.get(balance.player) if ratings else None
    moved = ratings is not None and line is not None and bool(line.games)
    return MemberScore(
        str(place),
        people.shown(balance.player),
        people.colour(balance.player),
        texts.points(balance.total),
        counted=f"{balance.tally.games}戦",
        rating=ratings.words(line.last) if moved and ratings and line else "",
        change=texts.change(ratings.words(line.last - line.start, True))
        if moved and ratings and line
        else "",
    )


def _alt(people: People, scope: Scope, title: str, own: list[Balance], rows: tuple[Row, ...]) -> str:
    top = "、".join(
        f"{place}位 {people.shown(b.player)} {texts.points(b.total)}" for b, place in _placed(own)[:3]
    )
    won = f"、トロフィー{len(rows)}個" if rows else ""
    return f"{title}　{scope.count}：{top}{won}"


def _instead(people: People, scope: Scope, own: list[Balance], alt: str) -> Table:
    """Everybody's 収支, for where the picture can't be sent."""
    rows = tuple(
        people.row(b.player, texts.points(b.total), place, (f"{b.tally.games}戦",))
        for b, place in _placed(own)
    )
    return Table(scope.title, rows, ("収支", "対局"), scope.subtitle, alt=alt)


def _choices(question: Question, scope: Scope) -> tuple[Choice, ...]:
    """The periods beside this one, the month of a week or the week's recap, and the same games in other answers."""
    assert scope.period is not None
    month = month_of(scope.period.last)
    other = choice("週報", Ask.RECAP) if scope.period.is_month else choice("月報", Ask.RECAP, **month.options)
    here = scope.options
    return offered(
        *period_choices(question, scope)[:-1],
        other,
        choice("収支", Ask.SUM, **here),
        *seat_choices(question, scope),
        choice("ランキング", Ask.RANKING, **here),
        choice("着順", Ask.RANK, **here),
        choice("ポスター", Ask.POSTER),
        choice("期間", Ask.PERIOD, of=Ask.RECAP),
    )


SPECS = (
    Spec(
        name=Ask.RECAP,
        title="週報・月報",
        help="今週・先月などの成績とトロフィーを出します（「月報」も）",
        answer=answer,
        words=("週報", "しゅうほう", "週間まとめ", "トロフィー"),
        shortcuts={word: {"of": MONTH} for word in ("月報", "げっぽう", "月間まとめ")},
        takes=BY_PERIOD,
        group=MenuGroup.GAMES,
        daily=True,
    ),
)
