"""The digest of a day of play, which the groups get after a sync, with the night's poster, where
league.toml says `digest = true`."""

from datetime import date
from functools import partial

from bot import texts
from bot.answers.common.days import DayPart, DayResult, day_parts
from bot.answers.common.figures import left_out_of_points
from bot.answers.common.members import members
from bot.chat.command import Ask, Question, choice
from bot.chat.feature import News, UnaskedMessage
from bot.chat.replies import Picture, Reply, Text
from bot.league.ratings import LeagueRatings
from bot.league.snapshot import LeagueSnapshot
from storage.results import RETENTION

STORED = RETENTION.total_seconds()  # a sent digest, for as long as games of its day may still come
RESULTS = "{day}の結果（{games}戦）"
MOST_FIRSTS = "最多トップ：{names}（{firsts}回）"
RESULT = "{name} {points} ({placings})"
RATED_RESULT = "{name} {points} ({placings}) R{rating} ({change})"
FIRST_RATED_RESULT = "{name} {points} ({placings}) R{rating} (初 {change})"


def digest(news: News) -> UnaskedMessage | None:
    """The digest of the last of the new games' days."""
    question = news.question
    snapshot = question.snapshot
    if not snapshot.league.digest:
        return None
    day = max(news.days)
    text = day_digest(snapshot, question.ratings, day)
    if not text:
        return None
    reply = partial(_digest_reply, question, day, text)
    return UnaskedMessage("digest", (day.isoformat(),), reply, STORED)


def _digest_reply(question: Question, day: date, text: str) -> Reply:
    poster = question.answer_of(Ask.POSTER, date=day.isoformat())
    pictures: list[Picture] = []
    if poster is not None:
        pictures = [part for part in poster.parts if isinstance(part, Picture)]
    buttons = [choice("この日の対局", Ask.TODAY, date=day), choice("レーティング", Ask.RATING)]
    if question.snapshot.league.quiz:
        buttons.append(choice("今日の何切る", Ask.QUIZ))
    return Reply((Text(text), *pictures), tuple(buttons))


def day_digest(snapshot: LeagueSnapshot, ratings: LeagueRatings, day: date) -> str:
    """The text of the day's digest, a part for three and for four players, empty if nobody played.
    Its figures are those of the answer 今日, to the digit.
    """
    games = [game for game in snapshot.all_games() if game.day == day]
    parts = day_parts(snapshot, ratings, games, members(snapshot))
    parts = [part for part in parts if part.results]
    paragraphs = []
    for part in parts:
        lines = _part_lines(snapshot, part, day)
        if len(parts) > 1:
            lines.insert(0, texts.SEATS[part.seats])
        paragraphs.append("\n".join(lines))
    return "\n\n".join(paragraphs)


def _part_lines(snapshot: LeagueSnapshot, part: DayPart, day: date) -> list[str]:
    """The lines about the day's games with one number of seats."""
    shown = snapshot.league.shown
    lines = [
        RESULTS.format(
            day=texts.day(day),
            games=len(part.games),
        )
    ]
    players, firsts = part.most_firsts
    if firsts:
        names = "、".join(map(shown, players))
        lines.append(MOST_FIRSTS.format(names=names, firsts=firsts))
    lines += [_result_line(shown(result.player), result) for result in part.results]
    note = left_out_of_points(snapshot, part.games).sentence
    if note:
        lines.append(note)
    return lines


def _result_line(name: str, result: DayResult) -> str:
    """A member's day: `みどり +52.0 (トップ2 2着0 ラス1) R1650 (+12)`; 初 marks the first games."""
    counts = result.tally.placings
    placings = [
        f"{texts.placing(place, len(counts))}{games}" for place, games in enumerate(counts, 1)
    ]
    points = texts.points(result.tally.points)
    if result.moved is None:
        return RESULT.format(name=name, points=points, placings=" ".join(placings))
    rating, change = result.moved.words
    template = RATED_RESULT
    if result.moved.first:
        template = FIRST_RATED_RESULT
    return template.format(
        name=name, points=points, placings=" ".join(placings), rating=rating, change=change
    )
