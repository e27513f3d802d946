"""Do what follows a sync that brought games: draw charts, push the day's digest and the report of an ended
season.

The charts that members ask for first are drawn and stored ahead; the rating chart is also put into the log
folder as `charts/rating.png`. The digest of a day is pushed once, with the night's poster, to the league's
groups if league.toml says `digest = true`. When the first games of a new season have come, the groups get the
report (まとめ) of the season before. A push is sent only if the month's quota covers all members of the
group.

Each message to each group is a step of its own. A step that fails does not stop the others, and is tried
again after the next sync.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from bot.chat.command import Ask, choice
from bot.chat.replies import Reply, Text
from bot.dispatch.ahead import FIRST, Ahead
from bot.dispatch.pictures import Pictures
from bot.league.registry import LeagueRegistry
from bot.line.client import LineDown
from bot.notify.digest import day_digest
from bot.notify.group_push import GroupPush
from bot.runtime.json_log import log_fault
from bot.sync.league_job import OWED
from storage.ports import Denied, StorageError

CHART = "charts/rating.png"
REMEMBERED = (OWED + timedelta(days=2)).total_seconds()  # a sent digest, longer than anything is tried again
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Step:
    """One thing to do: its name for the log, and the work, which raises an error when it fails."""

    name: str
    work: Callable[[], None]


class AfterSync:
    """Does what follows a sync, for the leagues of a service."""

    def __init__(
        self,
        *,
        registry: LeagueRegistry,
        pictures: Pictures,
        ahead: Ahead,
        push: GroupPush,
    ) -> None:
        self._registry = registry
        self._pictures = pictures
        self._ahead = ahead
        self._push = push

    def __call__(self, folder: str, days: Collection[date]) -> bool:
        """Do what follows for one league, which got games of these days; False if something should be tried
        again.

        Errors are logged, not raised: the games are already in the log.
        """
        if not days:
            return True
        self._registry.league(folder).expire()
        done = True
        for step in self._steps(folder, days):
            try:
                step.work()
            except StorageError as error:
                log.warning("after the sync, %s: %s", step.name, error)
                done = done and isinstance(error, Denied)  # what is forbidden now, is so the next time too
            except LineDown as error:
                log.warning("after the sync, %s: %s", step.name, error)
                done = done and not error.later  # what LINE refuses, it will refuse the next time too
            except Exception as error:
                log_fault(f"after the sync, {step.name}", error)
        self._registry.keep_good()
        return done

    def games_came(self, folder: str) -> None:
        """Draw the first pictures of a league whose own room has told games, so that the next tap is warm.

        Raises StorageError when the league's folder cannot be reached.
        """
        self._registry.known(folder).expire()
        self._ahead.prepare(folder)
        self._registry.settle()

    def _steps(self, folder: str, days: Collection[date]) -> Iterator[_Step]:
        """Yield every step. A step reads the league's snapshot only when its turn comes."""
        for name in FIRST:
            yield _Step(f"drawing {name}", lambda name=name: self._draw(folder, name))  # type: ignore[misc]
        groups = self._push.groups(folder)
        for chat in groups:
            yield _Step("digest", lambda chat=chat: self._send_digest(folder, chat, max(days)))  # type: ignore[misc]
        for chat in groups:
            yield _Step(
                "season report",
                lambda chat=chat: self._send_season_report(folder, chat, days),  # type: ignore[misc]
            )

    def _draw(self, folder: str, name: str) -> None:
        """Draw and store the pictures of an answer; put the rating chart into the log folder too."""
        for picture in self._ahead.pictures_of(folder, name):
            drawn = picture.render() if name == "rating" else None  # once, for both places
            self._pictures.keep(picture, drawn)
            if drawn is not None:
                self._registry.league(folder).logs.overwrite(CHART, drawn)

    def _send_digest(self, folder: str, chat: str, day: date) -> None:
        league = self._registry.league(folder)
        snapshot = league.snapshot()
        if not snapshot.league.digest:
            return
        words = day_digest(snapshot, league.ratings(snapshot), day)
        if words:
            key = f"digest:{chat}:{day.isoformat()}"
            self._push.once(chat, key, lambda: self._digest(folder, words, day), f"digest {day}", REMEMBERED)

    def _digest(self, folder: str, words: str, day: date) -> Reply:
        """The day in words, with its poster."""
        posters = self._ahead.pictures_of(folder, "poster", date=day.isoformat())
        ways = choice("この日の対局", Ask.TODAY, date=day), choice("レーティング", Ask.RATING)
        return Reply((Text(words), *posters), ways)

    def _send_season_report(self, folder: str, chat: str, days: Collection[date]) -> None:
        """Push the report (まとめ) of the season before, once, if the newest season's first game is of these
        days."""
        snapshot = self._registry.league(folder).snapshot()
        if len(snapshot.seasons) < 2:
            return
        ended, begun = snapshot.seasons[-2:]
        if snapshot.games[begun.number][0].day not in days:
            return
        self._push.once(
            chat,
            f"season:{chat}:{ended.number}",
            lambda: self._ahead.ask(folder, "summary", season=str(ended.number)),
            f"season {ended.number}",
        )
