"""After a week without a question a chat is offered the recap of a period with new games."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from bot.answers.common.periods import Period, month_of, week_of
from bot.answers.common.scope import days_of
from bot.chat.command import Ask, Question, choice
from bot.chat.feature import Offer

AWAY = timedelta(days=7)  # without a question, after which a recap is offered
LONG_AWAY = timedelta(days=31)  # after which it is the last month's
WELCOME_BACK = "{days}日ぶりですね。{recap}は下のボタンから見られます。"


def recap_since(question: Question, last: date | None) -> Iterator[Offer]:
    """The recap of games since the day `last` of the last question; nothing where it is no week ago
    or there are none.
    """
    if last is None:
        return
    today = question.now.date()
    away = today - last
    if away < AWAY:
        return
    days = [day for day in days_of(question.snapshot) if last < day <= today]
    if not days:
        return
    for label, period in _periods(today, days, away):
        if any(day in period for day in days):
            button = choice(label, Ask.RECAP, **period.options)
            yield Offer(button, WELCOME_BACK.format(days=away.days, recap=label))
            return


def _periods(
    today: date,
    days: Sequence[date],
    away: timedelta,
) -> list[tuple[str, Period]]:
    """The labels and periods that may be offered, the likeliest first."""
    week = week_of(today)
    latest = month_of(days[-1])
    last_month = ("先月のまとめ", month_of(today).moved(-1))
    periods = [
        ("先週のまとめ", week.moved(-1)),
        ("今週のまとめ", week),
        last_month,
        (f"{latest.title}のまとめ", latest),
    ]
    if away >= LONG_AWAY:
        periods.insert(0, last_month)
    return periods
