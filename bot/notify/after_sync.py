"""After a sync that brought games: the day's charts drawn ahead, the digest of the day, the report of a season that ended.

The first tap of the day finds its picture ready; `charts/` in the log folder holds the rating chart as a file. The digest
is pushed once a day to the league's groups where league.toml says `digest = true`; when a new season's first games have
come, the season before gets its まとめ there. Both only while the month's quota of pushes covers the whole group.

Each message to each group is a step by itself: one that fails holds up no other, counts as done only when it is sent, and
is tried again after the next sync. LINE takes the same message once (its retry key), so trying again is safe.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from bot.chat.access import ChatAccess
from bot.chat.command import Asker, Command, Question, Spec, choice
from bot.chat.replies import Picture, Reply, Text, UserError
from bot.dispatch.pictures import Pictures
from bot.league.registry import LeagueRegistry
from bot.line.client import LineClient, LineDown
from bot.line.messages import messages
from bot.notify.digest import day_digest
from bot.runtime.json_log import log_fault
from storage.ports import StateStore, StorageError

AHEAD = ("rating", "sum", "rank", "today")  # what people tap first
CHART = "charts/rating.png"
DAY = 36 * 3600.0  # seconds for which a day's digest counts as sent
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Step:
    """One thing to do: its name in the log, and the work, which raises what went wrong."""

    name: str
    work: Callable[[], None]


class AfterSync:
    """What follows a sync, for the leagues of a service."""

    def __init__(
        self,
        *,
        catalogue: Mapping[str, Spec],
        registry: LeagueRegistry,
        pictures: Pictures,
        access: ChatAccess,
        line: LineClient,
        state: StateStore,
        now: Callable[[], datetime],
    ) -> None:
        self._catalogue = catalogue
        self._registry = registry
        self._pictures = pictures
        self._access = access
        self._line = line
        self._state = state
        self._now = now

    def __call__(self, folder: str, days: Collection[date]) -> bool:
        """Do what follows for one league, which got games of these days; whether all of it is done.

        What fails is logged: the games are safe already.
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
                done = False
            except LineDown as error:
                log.warning("after the sync, %s: %s", step.name, error)
                done = done and not error.later  # what LINE refuses it refuses next time too
            except Exception as error:
                log_fault(f"after the sync, {step.name}", error)
        return done

    def _steps(self, folder: str, days: Collection[date]) -> Iterator[_Step]:
        """Every step; those that need the league's snapshot read it when their turn comes."""
        for name in AHEAD:
            yield _Step(f"drawing {name}", lambda name=name: self._draw(folder, name))  # type: ignore[misc]
        groups = [chat for chat, league in self._access.groups().items() if league == folder]
        for chat in groups:
            yield _Step("digest", lambda chat=chat: self._send_digest(folder, chat, max(days)))  # type: ignore[misc]
        for chat in groups:
            yield _Step(
                "season report",
                lambda chat=chat: self._send_season_report(folder, chat, days),  # type: ignore[misc]
            )

    def _draw(self, folder: str, name: str) -> None:
        """Draw and store what the first taps will ask for; put the rating chart beside the logs."""
        try:
            reply = self._ask(folder, name)
        except UserError:
            return  # nothing to draw yet
        for part in reply.parts:
            if isinstance(part, Picture):
                self._pictures.keep(part)
                if name == "rating":
                    self._registry.league(folder).logs.overwrite(CHART, part.render())

    def _ask(self, folder: str, name: str, **options: str) -> Reply:
        league = self._registry.league(folder)
        snapshot = league.snapshot()
        question = Question(
            Command(name, options), snapshot, league.ratings(snapshot), Asker(""), self._now()
        )
        answer = self._catalogue[name].answer
        assert answer is not None
        return answer(question)

    def _send_digest(self, folder: str, chat: str, day: date) -> None:
        league = self._registry.league(folder)
        snapshot = league.snapshot()
        if not snapshot.league.digest:
            return
        words = day_digest(snapshot, league.ratings(snapshot), day)
        if words:
            reply = Reply((Text(words),), (choice("レーティング", "rating"), choice("今日", "today")))
            key = f"digest:{chat}:{day.isoformat()}"
            self._push_once(chat, key, lambda: reply, f"digest {day}", DAY)

    def _send_season_report(self, folder: str, chat: str, days: Collection[date]) -> None:
        """まとめ of the season before, once, when the first games of a new one have come."""
        snapshot = self._registry.league(folder).snapshot()
        if len(snapshot.seasons) < 2:
            return
        ended, begun = snapshot.seasons[-2:]
        if snapshot.games[begun.number][0].day not in days:
            return
        self._push_once(
            chat,
            f"season:{chat}:{ended.number}",
            lambda: self._ask(folder, "summary", season=str(ended.number)),
            f"season {ended.number}",
        )

    def _push_once(
        self, chat: str, key: str, reply: Callable[[], Reply], what: str, ttl: float | None = None
    ) -> None:
        """Push to a group, unless the key says it was; where the month's quota covers all its members."""
        if self._state.get(key) is not None:
            return
        left = self._line.pushes_left()
        cost = self._line.members(chat)
        if left is not None and left < cost:
            kind = what.partition(" ")[0]
            log.warning("no %s for a group of %d: %d pushes are left this month", kind, cost, left)
            return
        sent = messages(reply(), self._pictures.url)
        self._line.push(chat, sent, str(uuid.uuid5(uuid.NAMESPACE_OID, f"{what} {chat}")))
        self._state.put(key, "1", ttl)
