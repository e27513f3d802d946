"""After a sync that brought games: the day's charts drawn ahead and put beside the logs, and the digest of the day.

The first tap of the day finds its picture ready. `charts/` in the log folder holds the rating chart as a file, for whoever
looks there. When a new season's first games have come, the season before gets its まとめ in the league's groups. The digest is pushed once a day to the league's groups where league.toml says `digest = true`, and only while
the month's quota of pushes covers the whole group.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Collection
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from bot.chat.command import Asker, Command, Question, data_of
from bot.chat.replies import Choice, Picture, Reply, Text, UserError
from bot.line.client import LineDown
from bot.line.messages import Json, messages, quick_reply, text
from bot.notify.digest import digest
from rating.models import MODELS
from rating.models.base import Sequential
from rating.standings import Line
from storage.ports import StorageError

if TYPE_CHECKING:
    from bot.service import Service

AHEAD = ("rating", "sum", "rank", "today")  # what people tap first
DAY = 36 * 3600.0  # seconds for which a day's digest counts as sent
log = logging.getLogger(__name__)


def after_sync(service: Service, league: str, days: Collection[date]) -> None:
    """Charts and digest for one league, which got games of these days. What fails is logged: the games are safe already."""
    if not days:
        return
    service.library(league).stale()
    try:
        _draw_ahead(service, league)
        _send_digest(service, league, max(days))
        _send_season_report(service, league, set(days))
    except (StorageError, UserError, LineDown) as error:
        log.warning("after the sync: %s", error)


def _draw_ahead(service: Service, league: str) -> None:
    """Draw and store what the first taps will ask for; put the rating chart beside the logs."""
    for name in AHEAD:
        try:
            reply = _ask(service, league, name)
        except UserError:
            continue
        for part in reply.parts:
            if isinstance(part, Picture):
                service.pictures.keep(part)
                if name == "rating":
                    service.open_logs(league).overwrite("charts/rating.png", part.render())


def _ask(service: Service, league: str, name: str, **options: str) -> Reply:
    from bot.answers.catalogue import SPECS

    library = service.library(league)
    question = Question(Command(name, options), library, library.snapshot(), Asker(""), service.now())
    return SPECS[name].answer(question)


def _send_digest(service: Service, league: str, day: date) -> None:
    snapshot = service.library(league).snapshot()
    if not snapshot.league.digest:
        return
    words = day_digest(service, league, day)
    if not words:
        return
    for chat, folder in service.leagues.groups().items():
        if folder == league and service.state.add(f"digest:{chat}:{day.isoformat()}", "1", DAY):
            buttons = (Choice("レーティング", data_of("rating")), Choice("今日", data_of("today")))
            message = {**text(Text(words)), "quickReply": quick_reply(buttons)}
            _push(service, chat, [message], f"digest {day}")


def _send_season_report(service: Service, league: str, days: set[date]) -> None:
    """まとめ of the season before, once, when the first games of a new one have come."""
    snapshot = service.library(league).snapshot()
    if len(snapshot.seasons) < 2:
        return
    ended, begun = snapshot.seasons[-2:]
    if snapshot.games[begun.number][0].day not in days:
        return
    for chat, folder in service.leagues.groups().items():
        if folder == league and service.state.add(f"season:{chat}:{ended.number}", "1"):
            reply = _ask(service, league, "summary", season=str(ended.number))
            _push(service, chat, messages(reply, service.pictures.url), f"season {ended.number}")


def day_digest(service: Service, league: str, day: date) -> str:
    """The text of the day's digest, empty where nobody played."""
    library = service.library(league)
    snapshot = library.snapshot()
    seasons = [s for s in snapshot.seasons if any(game.day == day for game in snapshot.games[s.number])]
    if not seasons:
        return ""
    model = snapshot.league.model
    if not issubclass(MODELS[model], Sequential) or MODELS[model].plays != "games":
        model = (
            "tenhou"  # the digest tells how ratings moved: a system fitted to all games at once has no before
        )
    after, history, games = library.replayed(model, seasons[-1].number)
    first = next((index for index, game in enumerate(games) if game.day == day), len(games))
    before = {
        player: replace(rating, value=value)
        for player, rating in after.items()
        if (value := _value_before(history[player], first)) is not None
    }
    played = [game for game in games if game.day == day]
    return "\n".join(digest(day, played, before, after, snapshot.league.shown))


def _value_before(line: Line, game: int) -> float | None:
    """The rating before game number `game` of the season; None for who had not played yet."""
    earlier = [value for at, value in zip(line.games, line.values, strict=True) if at < game]
    return earlier[-1] if earlier else None


def _push(service: Service, chat: str, sent: list[Json], what: str) -> None:
    """Push to a group, where the month's quota covers all its members; once, however often it is tried."""
    left = service.line.pushes_left()
    cost = service.line.members(chat)
    if left is not None and left < cost:
        log.warning("no %s for a group of %d: %d pushes are left this month", what.split()[0], cost, left)
        return
    service.line.push(chat, sent, str(uuid.uuid5(uuid.NAMESPACE_OID, f"{what} {chat}")))
