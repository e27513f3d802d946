"""The lines about an evening in the league's own room, which its groups get at the first game and
after the last where league.toml says `evening = true`."""

from datetime import datetime
from functools import partial
from typing import NamedTuple

from bot import texts
from bot.answers.common.days import DayPart, day_parts
from bot.answers.common.figures import left_out_of_points
from bot.answers.common.members import members
from bot.chat.command import Ask, choice
from bot.chat.feature import Evening, News, UnaskedMessage
from bot.chat.replies import Reply, Text
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game
from rating.same_game import SLACK

STORED = 7 * 86400.0  # seconds for which it is known that a line was sent
FIRST_GAME = "{day}の1戦目：{seats}"
SEAT = "{placing} {name} {points}"
WHOLE = "{day}はここまで全{games}戦。"
BEST = "{played}合計トップ {name} {points}{most}"
PLAYED = "{seats}（{games}戦）："
MOST_FIRSTS = "、最多トップ {names}（{firsts}回）"
RATING = choice("レーティング", Ask.RATING)
TODAY = choice("今日", Ask.TODAY)
POSTER = choice("ポスター", Ask.POSTER)


class StartedGame(NamedTuple):
    start: datetime
    game: Game


def first_game(news: News) -> UnaskedMessage | None:
    """The evening's first game, as the log has it: by hand, if somebody has corrected it."""
    evening = news.evening
    if evening is None:
        return None
    snapshot = news.question.snapshot
    games = _games(snapshot, evening)
    if not games:
        return None
    first_start = evening.first_start
    game = min(games, key=lambda started: abs(started.start - first_start)).game
    seats = []
    for place, seat in enumerate(game.seats, 1):
        placing = texts.placing(place, len(game.seats))
        name = snapshot.league.shown(seat.player)
        points = texts.points(seat.score)
        seats.append(SEAT.format(placing=placing, name=name, points=points))
    day = texts.day(evening.begin.date())
    words = FIRST_GAME.format(day=day, seats="、".join(seats))
    reply = partial(Reply, (Text(words),), (RATING, TODAY))
    return UnaskedMessage("evening", (evening.name, "first"), reply, STORED)


def whole_evening(news: News) -> UnaskedMessage | None:
    """How the evening ended, a line for each number of seats."""
    evening = news.evening
    if evening is None:
        return None
    snapshot = news.question.snapshot
    games = [started.game for started in _games(snapshot, evening)]
    if not games:
        return None
    everyone = members(snapshot)
    parts = day_parts(snapshot, news.question.ratings, games, everyone)
    parts = [part for part in parts if part.results]
    day = texts.day(evening.begin.date())
    lines = [WHOLE.format(day=day, games=len(games))]
    alone = len(parts) == 1
    lines += [_part_line(snapshot, part, alone) for part in parts]
    note = left_out_of_points(snapshot, games).sentence
    if note:
        lines.append(note)
    reply = partial(
        Reply,
        (Text("\n".join(lines)),),
        (POSTER, RATING, TODAY),
    )
    return UnaskedMessage("evening", (evening.name, "last"), reply, STORED)


def _games(snapshot: LeagueSnapshot, evening: Evening) -> list[StartedGame]:
    """The evening's games in the log."""
    games = []
    for game in snapshot.all_games():
        if game.day is None or game.start is None:
            continue
        start = datetime.combine(game.day, game.start)
        if evening.begin - SLACK <= start <= evening.end:
            games.append(StartedGame(start, game))
    return games


def _part_line(snapshot: LeagueSnapshot, part: DayPart, alone: bool) -> str:
    """Who has the most points and the most first places of the games with one number of seats,
    which is named unless it is `alone`.
    """
    shown = snapshot.league.shown
    played = ""
    if not alone:
        played = PLAYED.format(
            seats=texts.SEATS[part.seats],
            games=len(part.games),
        )
    best = part.results[0]
    players, firsts = part.most_firsts
    most = ""
    if firsts:
        most = MOST_FIRSTS.format(names="・".join(map(shown, players)), firsts=firsts)
    points = texts.points(best.tally.points)
    return BEST.format(
        played=played,
        name=shown(best.player),
        points=points,
        most=most,
    )
