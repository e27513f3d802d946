"""ポスター: one picture of a night worth forwarding. It comes by itself with the first 今日 of a day in each chat."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from bot import texts
from bot.answers.common.members import People, people_of
from bot.answers.common.period_faults import NO_DATES, no_such_day
from bot.answers.common.scope import days_of, offered
from bot.answers.recaps.night import Night, nights
from bot.answers.recaps.night_words import poster_of, sentence
from bot.charts.poster import draw
from bot.chat.command import BY_DAY, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table, UserError

NO_MEMBERS = "{}は、メンバーの対局がないのでポスターはありません。下のボタンから選んでください。"


def answer(question: Question) -> Reply:
    """The poster of the day asked for, else of the last day of play; one for each number of seats, the commonest last."""
    days = days_of(question.snapshot)
    if not days:
        raise UserError(NO_DATES if question.snapshot.all_games() else texts.NO_GAMES, offered())
    wanted = question.option("date") or days[-1].isoformat()
    day = next((day for day in days if day.isoformat() == wanted), None)
    if day is None:
        raise UserError(no_such_day(wanted), _choices(question, days, None))
    people = people_of(question)
    found = _nights(question, people, day)
    title = _title(question, day)
    if not found:
        raise UserError(NO_MEMBERS.format(title), _choices(question, days, day))
    return Reply(_pictures(question, people, found, title), _choices(question, days, day))


def posters(question: Question, day: date) -> tuple[Picture, ...]:
    """The posters of a day, for an answer that shows them beside its own; none where no member played."""
    people = people_of(question)
    return _pictures(question, people, _nights(question, people, day), _title(question, day))


def _nights(question: Question, people: People, day: date) -> list[Night]:
    """The day's nights, the one with the most games last."""
    games = [game for game in question.snapshot.all_games() if game.day == day]
    found = nights(question.snapshot, question.ratings, games, people.order)
    return sorted(found, key=lambda night: (len(night.part.games), -night.part.seats))


def _pictures(question: Question, people: People, found: Sequence[Night], title: str) -> tuple[Picture, ...]:
    made = []
    for night in found:
        kind = texts.SEATS[night.part.seats] if len(found) > 1 else ""
        chart = poster_of(people, night, title, f"{kind}全{len(night.part.games)}戦")
        alt = f"{title}の{kind}{sentence(people, night)}"
        made.append(Picture(chart, draw, alt, (_instead(people, night, title, alt),)))
    return tuple(made)


def _instead(people: People, night: Night, title: str, alt: str) -> Table:
    """What the poster shows, for where it can't be sent."""
    rows = tuple(
        people.row(
            result.player, texts.points(result.tally.points), result.place, (f"{result.tally.games}戦",)
        )
        for result in night.part.results
    )
    return Table(title, rows, ("点数", "対局"), sentence(people, night), alt=alt)


def _title(question: Question, day: date) -> str:
    return f"{'' if day.year == question.now.year else f'{day.year}年'}{texts.day(day)}"


def _choices(question: Question, days: Sequence[date], day: date | None) -> tuple[Choice, ...]:
    """The day's games, the posters of the days beside it, and the recaps."""
    ways = (
        [choice("今日" if day == question.now.date() else "この日の対局", Ask.TODAY, date=day)] if day else []
    )
    at = days.index(day) if day in days else len(days)
    if at > 0:
        ways.append(choice("前の日", Ask.POSTER, date=days[at - 1]))
    if at + 1 < len(days):
        ways.append(choice("次の日", Ask.POSTER, date=days[at + 1]))
    return offered(
        *ways,
        choice("週報", Ask.RECAP),
        choice("月報", Ask.RECAP, of="month"),
        choice("レーティング", Ask.RATING),
    )


def button(day: date) -> Choice:
    """The button that shows the poster of a day."""
    return choice("ポスター", Ask.POSTER, date=day)


SPECS = (
    Spec(
        name=Ask.POSTER,
        title="ポスター",
        help="その日のMVP・連勝・最接戦などを1枚の絵にします",
        answer=answer,
        words=("ポスター", "今夜のポスター", "今夜のまとめ", "今日のまとめ", "今日のポスター"),
        takes=BY_DAY,
        instead=Ask.RECAP,
        group=MenuGroup.GAMES,
        daily=True,
    ),
)
