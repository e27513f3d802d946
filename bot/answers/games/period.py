"""期間: the menu of periods for another question: months and weeks, and calendars for a day and for a
from-to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from bot import texts
from bot.answers.common.period_faults import NO_DATES, passed_on
from bot.answers.common.periods import Period, last_days, month_of, week_of
from bot.answers.common.scope import days_of, offered
from bot.answers.games.games import pick_day
from bot.chat.command import Ask, Catalogue, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Menu, Reply, UserError

WORDS = "見たい期間を押してください。「収支 先月」「6/1〜6/30の着順」のように送っても出ます。"
MONTHS = 3  # months with games that are offered


def menu(catalogue: Mapping[str, Spec], question: Question) -> Reply:
    """The periods as buttons for the command named by `of`. Raises UserError when no game has a day."""
    spec = catalogue.get(question.option("of"))
    if spec is None or "period" not in spec.takes:
        spec = catalogue[Ask.SUM]
    days = days_of(question.snapshot)
    options = passed_on(question)
    if not days:
        raise UserError(NO_DATES if question.snapshot.all_games() else texts.NO_GAMES, offered())
    options.pop("season", None)  # a period spans seasons

    def ask(label: str, period: Period) -> Choice:
        return choice(label, spec.name, **(options | period.options))

    today = question.now.date()
    near = {
        "今週": week_of(today),
        "先週": week_of(today).moved(-1),
        "今月": month_of(today),
        "先月": month_of(today).moved(-1),
        "直近30日": last_days(30, today),
    }
    played = {label: period for label, period in near.items() if any(day in period for day in days)}
    months = dict.fromkeys(month_of(day) for day in reversed(days))
    past = [month for month in months if month not in played.values()][:MONTHS]
    bounds = {"least": days[0].isoformat(), "most": max(days[-1], today).isoformat()}
    calendars = (
        Choice("1日を選ぶ", choice("", spec.name, **options, pick="day").data, "date", **bounds),
        Choice("期間を選ぶ", choice("", spec.name, **options, pick="from").data, "date", **bounds),
    )
    buttons = (
        *(ask(label, period) for label, period in played.items()),
        *(ask(month.title, month) for month in past),
        *calendars,
        choice("全期間", spec.name, **options, season="all"),
    )
    title = f"期間　{spec.title}"
    return Reply((Menu(title, buttons, WORDS, f"{title}：{WORDS}"),), offered(*pick_day(question, days)))


def specs_of(catalogue: Catalogue) -> tuple[Spec, ...]:
    """The command 期間. It reads the catalogue when it is asked, so that may still grow."""
    return (
        Spec(
            name=Ask.PERIOD,
            title="期間",
            help="期間を選んで成績を出します",
            answer=partial(menu, catalogue),
            words=("期間", "きかん", "カレンダー"),
            group=MenuGroup.EVERYBODY,
            place=1,
            daily=True,
        ),
    )
