"""The report (まとめ) of a season, which the groups get once the next one's first games have
come."""

from dataclasses import replace
from functools import partial

from bot.answers.standings import summary
from bot.chat.command import Ask, Command
from bot.chat.feature import News, UnaskedMessage


def season_report(news: News) -> UnaskedMessage | None:
    """The last season's report, if the new one's first game is of these days."""
    question = news.question
    snapshot = question.snapshot
    if len(snapshot.seasons) < 2:
        return None
    ended, begun = snapshot.seasons[-2:]
    if snapshot.games[begun.number][0].day not in news.days:
        return None
    number = str(ended.number)
    about_ended = replace(question, command=Command(Ask.SUMMARY, {"season": number}))
    return UnaskedMessage("season", (number,), partial(summary.answer, about_ended))
