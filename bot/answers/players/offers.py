"""A member's own year in its last week, and the season that has just ended, are offered once in
each chat."""

from collections.abc import Iterator
from datetime import date, timedelta

from bot.answers.common.periods import year_of
from bot.answers.common.scope import Scope, is_over
from bot.chat.command import Ask, Question, choice
from bot.chat.feature import Offer

LAST_WEEK = (12, 25)  # month and day from which the year is offered
ENDED = timedelta(days=30)  # after a season's last game, in which everybody's own is offered
OWN_YEAR = "自分の{year}"


def own_years(question: Question, last: date | None) -> Iterator[Offer]:
    """The asker's own year, and their own season where one ended within a month."""
    today = question.now.date()
    snapshot = question.snapshot
    newest = snapshot.all_games()[-1:]
    year = year_of(today)
    if (today.month, today.day) >= LAST_WEEK and newest and newest[0].day in year:
        label = OWN_YEAR.format(year=year.title)
        yield Offer(choice(label, Ask.YEAR, **year.options), mark=f"year:{year.title}")
    for season in snapshot.seasons[-2:]:
        scope = Scope(season, snapshot.all_games(season.number), 0)
        last_day = scope.games[-1].day
        if last_day and today - last_day <= ENDED and is_over(question, scope):
            title = question.catalogue[Ask.YEAR].title
            button = choice(title, Ask.YEAR, season=season.number)
            yield Offer(button, mark=f"year:s{season.number}")
