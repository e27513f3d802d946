"""The periods that a view offers, and the days of the games that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bot.answers.common.members import (
    asked_members,
)
from bot.answers.common.periods import month_of
from bot.answers.common.scope import (
    ALL,
    days_of,
    drawn_days,
    scope_of,
    scope_with,
    season_choices,
)
from bot.chat.command import Ask, Question, choice
from bot.chat.replies import Choice
from bot.draw.lines import Lines
from bot.page.parts import DayEnd, Shown
from bot.page.views import takes
from rating.models import MODELS

PERIOD = ("from", "to", "season", "page")


class PeriodChoice(NamedTuple):
    """A choice of the games of a period. `is_shown`: the page shows these games."""

    choice: Choice
    is_shown: bool


def days_drawn(question: Question, parts: Iterable[Shown]) -> tuple[DayEnd, ...]:
    """The days of the games behind the lines."""
    name = question.command.name
    has_lines = any(isinstance(part, Lines) for part in parts)
    if not has_lines or "period" not in takes(name):
        return ()
    model = question.option("model") or question.snapshot.league.model
    if name == Ask.RATING and MODELS[model].plays == "teams":
        return ()  # matches of two against two, whatever the period
    scope = scope_of(question)
    if name == Ask.PLAYER:
        player = next(iter(asked_members(question)), question.asker.player)
        scope = scope_with(question, player).of(player)
    last = {day: number for number, day in enumerate(drawn_days(scope.games), 1) if day}
    return tuple(DayEnd(number, day) for day, number in last.items())


def periods(question: Question) -> list[PeriodChoice]:
    """This month, the last, the last seasons and all, where they have games."""
    options = takes(question.command.name)
    if "season" not in options or ("day" in options) != ("period" in options):
        return []
    choices = []
    if "period" in options:
        choices += month_periods(question)
    return choices + season_periods(question)


def month_periods(question: Question) -> list[PeriodChoice]:
    same = without_period(question.command.options)
    this_month = month_of(question.now.date())
    days = days_of(question.snapshot)
    choices = []
    for label, month in {"今月": this_month, "先月": this_month.moved(-1)}.items():
        if any(day in month for day in days):
            is_shown = month.options.items() <= question.command.options.items()
            month_choice = choice(label, question.command.name, **same, **month.options)
            choices.append(PeriodChoice(month_choice, is_shown))
    return choices


def season_periods(question: Question) -> list[PeriodChoice]:
    name = question.command.name
    same = without_period(question.command.options)
    shown_first = ""
    if name in (Ask.RECENT, Ask.RECORDS):
        shown_first = ALL
    elif question.snapshot.seasons:
        shown_first = str(question.snapshot.seasons[-1].number)
    season = question.option("season") or shown_first
    current = choice("", name, season=season, **same).data
    choices = []
    for season_choice in season_choices(question, **same):
        is_shown = season_choice.data == current and not question.option("from")
        choices.append(PeriodChoice(season_choice, is_shown))
    return choices


def without_period(options: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in options.items() if name not in PERIOD}
