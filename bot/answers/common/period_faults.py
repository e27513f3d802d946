"""What is said of a period that can't be read, has no end yet, or has no games: a sentence with buttons that
lead on."""

from __future__ import annotations

from collections.abc import Iterable

from bot import texts
from bot.answers.common.periods import Period, month_of, of_options
from bot.chat.command import Ask, Question, choice
from bot.chat.replies import Choice, Menu, Reply, UserError
from rating.games import Game

NO_PERIOD = "期間を読み取れませんでした。「先月」「6月」「6/1〜6/30」のように送ってください。"
LAST_DAY = "{}からいつまでを見ますか？最後の日を選んでください。"
NO_GAMES = "{}の対局はありません。記録があるのは{}です。"
NO_GAMES_THEN = "{}の対局はありません。下のボタンから選んでください。"
NO_SUCH_DAY = "その日の対局はありません。下のボタンから選んでください。"
NO_DATES = "日付のある対局がないので、期間では見られません。"
PASSED_ON = (
    "player",
    "other",
    "model",
    "seats",
    "season",
    "by",
    "show",
)  # options that stay with another period


def passed_on(question: Question) -> dict[str, object]:
    """The question's options besides its period."""
    return {name: question.option(name) for name in PASSED_ON if question.option(name)}


def check_both_ends(question: Question, found: Period | None, first: str, last: str) -> None:
    """Raises UserError for a period that can't be read, and asks for the last day of one that has none."""
    name, options = question.command.name, passed_on(question)
    if found is None:
        raise UserError(NO_PERIOD, (choice("期間を選ぶ", Ask.PERIOD, of=name, **options), _menu()))
    if not last:
        ways = last_day_ways(question, found.first.isoformat(), options)
        sentence = LAST_DAY.format(texts.day_with_year(found.first))
        asked = UserError(sentence)
        asked.reply = Reply((Menu("最後の日", ways, sentence, sentence),), (_menu(),))
        raise asked


def last_day_ways(question: Question, first: str, options: dict[str, object]) -> tuple[Choice, ...]:
    """The ways to say the last day of a period that begins on the day `first`."""
    name, today = question.command.name, question.now.date().isoformat()
    here = {**options, "from": first}
    pick = Choice("最後の日を選ぶ", choice("", name, **here, pick="to").data, "date", least=first, most=today)
    whole = choice("今日まで", name, **here, to=max(today, first))
    return (pick if first < today else whole, whole, choice("この日だけ", name, **here, to=first))


def no_games_in(question: Question, period: Period, games: Iterable[Game], season: str = "") -> UserError:
    """The error of a period without games: when there are games (of the season, if it names one), with the
    nearest months."""
    name, options = question.command.name, passed_on(question)
    days = sorted({game.day for game in games if game.day})
    if not days:
        return UserError(NO_DATES, (choice(season or "全シーズン", name, **options), _menu()))
    before = [day for day in days if day < period.first][-1:]
    after = [day for day in days if day > period.last][:1]
    months = dict.fromkeys(month_of(day) for day in (*before, *after, days[-1]))
    ways = [choice(month.title, name, **(options | month.options)) for month in months]
    there = texts.period(days[0], days[-1])
    what = f"{season}の{there}" if season else there
    return UserError(
        NO_GAMES.format(period.title, what), (*ways, choice("期間", Ask.PERIOD, of=name, **options), _menu())
    )


def no_such_day(wanted: str) -> str:
    """Says that there are no games on the day (ISO), by its name where it is one."""
    asked = of_options(wanted, wanted)
    return NO_GAMES_THEN.format(asked.title) if asked else NO_SUCH_DAY


def _menu() -> Choice:
    return choice("メニュー", Ask.MENU)
