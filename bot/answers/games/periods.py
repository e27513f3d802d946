"""期間: the menu of periods for another question: months and weeks, and calendars for a day and for
a from-to."""

from collections.abc import Sequence
from datetime import date

from bot import texts
from bot.answers.common.periods import Period, last_days, month_of, week_of
from bot.answers.common.scope import NO_DATES, days_of, offered, passed_on
from bot.chat.command import Ask, Question, Spec, choice, data_of
from bot.chat.replies import Choice, Menu, Reply, UserError

MONTHS = 3  # months with games that are offered
TITLE = "期間　{command}"
WORDS = "見たい期間を押してください。「収支 先月」「6/1〜6/30の着順」のように送っても出ます。"
ALT = "{title}：{words}"
THIS_WEEK = "今週"
LAST_WEEK = "先週"
THIS_MONTH = "今月"
LAST_MONTH = "先月"
LAST_30_DAYS = "直近30日"
WHOLE_TIME = "全期間"
PICK_DAY = "日を選ぶ"
CALENDARS = {"day": "1日を選ぶ", "from": "期間を選ぶ"}  # by the postback's option `pick`


def pick_day(
    question: Question, days: Sequence[date], day: date | None = None
) -> tuple[Choice, ...]:
    """A calendar to pick a day from, which opens on `day`; none without days of play."""
    if not days:
        return ()
    data = choice("", Ask.TODAY, pick="date").data
    initial = ""
    if day is not None:
        initial = day.isoformat()
    return (Choice(PICK_DAY, data, "date", **_bounds(question, days), initial=initial),)


def _bounds(question: Question, days: Sequence[date]) -> dict[str, str]:
    """The first and the last day of a calendar, as arguments of a Choice."""
    last = max(days[-1], question.now.date())
    return {"earliest": days[0].isoformat(), "latest": last.isoformat()}


def periods(question: Question) -> Reply:
    """The periods as buttons for the command named by `of`.

    Raises UserError when no game has a day.
    """
    spec = _spec_of(question)
    days = days_of(question.snapshot)
    if not days:
        message = texts.NO_GAMES
        if question.snapshot.all_games():
            message = NO_DATES
        raise UserError(message, offered())
    title = TITLE.format(command=spec.title)
    alt = ALT.format(title=title, words=WORDS)
    menu = Menu(title, _buttons(question, spec, days), WORDS, alt)
    return Reply((menu,), offered(*pick_day(question, days)))


def _spec_of(question: Question) -> Spec:
    """The command that the periods are for: one that takes a period."""
    spec = question.catalogue.get(question.option("of"))
    if spec is not None and "period" in spec.takes:
        return spec
    return question.catalogue.get(Ask.SUM) or question.catalogue[Ask.RECENT]


def _periods_with_games(today: date, days: Sequence[date]) -> dict[str, Period]:
    """Periods in which somebody played, by label: those near today, and the last MONTHS other
    months."""
    near = {
        THIS_WEEK: week_of(today),
        LAST_WEEK: week_of(today).moved(-1),
        THIS_MONTH: month_of(today),
        LAST_MONTH: month_of(today).moved(-1),
        LAST_30_DAYS: last_days(30, today),
    }
    with_games = {label: period for label, period in near.items() if _has_games(period, days)}
    months = dict.fromkeys(month_of(day) for day in reversed(days))
    other_months = [month for month in months if month not in with_games.values()]
    for month in other_months[:MONTHS]:
        with_games[month.title] = month
    return with_games


def _has_games(period: Period, days: Sequence[date]) -> bool:
    return any(day in period for day in days)


def _buttons(question: Question, spec: Spec, days: Sequence[date]) -> tuple[Choice, ...]:
    options = passed_on(question)
    options.pop("season", None)  # a period spans seasons
    buttons = []
    for label, period in _periods_with_games(question.now.date(), days).items():
        buttons.append(choice(label, spec.name, **(options | period.options)))
    bounds = _bounds(question, days)
    for pick, label in CALENDARS.items():
        data = data_of(spec.name, **options, pick=pick)
        buttons.append(Choice(label, data, "date", **bounds))
    buttons.append(choice(WHOLE_TIME, spec.name, **options, season="all"))
    return tuple(buttons)


SPECS = (
    Spec(
        name=Ask.PERIOD,
        title="期間",
        help="期間を選んで成績を出します",
        answer=periods,
        words="期間 きかん カレンダー",
        bare=True,
        daily=True,
    ),
)
