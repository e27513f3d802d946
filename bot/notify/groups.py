"""Push what features announce to a league's groups, once each, after a sync that brought games.

After a sync the charts that members ask for first are drawn and stored ahead; the rating chart is
also put into the log folder as `charts/rating.png`. Each message to each group is a step of its
own: one that fails does not stop the others, and is tried again after the next sync.

A push is sent only if the month's quota covers all members of the group. It carries a retry key,
with which LINE takes the same message only once, for 24 hours
(https://developers.line.biz/en/docs/messaging-api/retrying-api-request/). So a message arrives once,
also where the process ends between the push and the note that it was sent, or the note fails
(tests/notify/test_after_sync.py::test_a_digest_arrives_once_though_never_noted).
"""

import logging
import uuid
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import NamedTuple

from bot.chat.access import ChatAccess
from bot.chat.command import Ask, Asker, Catalogue, Command, Question
from bot.chat.feature import Features, News, Unasked, UnaskedMessage, UnaskedWhen
from bot.chat.reach import reachable
from bot.chat.replies import Reply
from bot.dispatch.ahead import FIRST as DRAWN_FIRST, Ahead
from bot.dispatch.pictures import Pictures
from bot.league.repository import LeagueRegistry, LeagueRepository
from bot.league.snapshot import LeagueSnapshot
from bot.line.client import LineClient, LineDown
from bot.line.messages import messages
from bot.runtime.json_log import log_fault
from storage.notices import Notices
from storage.ports import Denied, StorageError

CHART = "charts/rating.png"
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GroupPush:
    access: ChatAccess
    line: LineClient
    notices: Notices
    pictures: Pictures
    catalogue: Catalogue

    def groups(self, folder: str) -> list[str]:
        return [chat for chat, league in self.access.groups().items() if league == folder]

    def once(
        self,
        chat: str,
        key: str,
        reply: Callable[[], Reply],
        subject: str,
        ttl: float | None = None,
    ) -> bool:
        """Push a reply to a chat, unless it was sent under this key. Return False where the quota
        forbids it. The first word of `subject` is for the log; the key is stored for `ttl` seconds
        (None: for ever). Raises LineDown when LINE does not take it, and StorageError."""
        if self.notices.was_sent(key):
            return True
        sent = self.send(chat, reply, subject)
        if sent:
            self.notices.mark_sent(key, ttl)
        return sent

    def tell(self, chat: str, message: UnaskedMessage) -> bool:
        """Push what a feature announces. Return and raise as `once` does."""
        key = ":".join((message.kind, chat, *message.subject))
        subject = " ".join((message.kind, *message.subject))
        return self.once(chat, key, message.reply, subject, message.stored)

    def send(
        self,
        chat: str,
        reply: Callable[[], Reply],
        subject: str,
    ) -> bool:
        """Push a reply to a chat; False where the month's quota does not cover all members. Within
        24 hours LINE takes it only once for the same `subject`. Raises as `once` does."""
        quota = self.line.quota()
        cost = 1
        if chat[:1] in "CR":
            cost = self.line.members(chat)
        if quota is not None and quota.remaining < cost:
            kind = subject.partition(" ")[0]
            log.warning(
                "no %s for a chat of %d: %d pushes are left this month", kind, cost, quota.remaining
            )
            return False
        reached = reachable(reply(), self.catalogue)
        sent = messages(self.pictures.stored(reached))
        self.line.push(chat, sent, str(uuid.uuid5(uuid.NAMESPACE_OID, f"{subject} {chat}")))
        return True


class Step(NamedTuple):
    """What is done after a sync. `name` is for the log."""

    name: str
    work: Callable[[], None]


@dataclass(frozen=True)
class AfterSync:
    registry: LeagueRegistry
    pictures: Pictures
    ahead: Ahead
    push: GroupPush
    features: Features
    now: Callable[[], datetime]

    def __call__(self, folder: str, days: Collection[date]) -> bool:
        """Do what follows for a league's games of these days; False if something should be tried
        again. Errors are logged: the games are already in the log."""
        if not days:
            return True
        self.registry.league(folder).expire()
        done = True
        for name, work in self._steps(folder, days):
            try:
                work()
            except StorageError as error:
                log.warning("after the sync, %s: %s", name, error)
                # What is forbidden now, is forbidden the next time too.
                done = done and isinstance(error, Denied)
            except LineDown as error:
                log.warning("after the sync, %s: %s", name, error)
                # What LINE refuses, it refuses the next time too.
                done = done and not error.later
            except Exception as error:
                log_fault(f"after the sync, {name}", error)
        self.registry.settle(quiet=True)
        return done

    def games_came(self, folder: str) -> None:
        """Draw the first pictures of a league after games in its own room.

        Raises StorageError.
        """
        self.registry.known(folder).expire()
        self.ahead.prepare(folder)
        self.registry.settle()

    def _steps(self, folder: str, days: Collection[date]) -> Iterator[Step]:
        """Yield every step. A step reads the league when its turn comes."""
        for name in DRAWN_FIRST:
            yield Step(f"drawing {name}", partial(self._draw, folder, name))
        for unasked in self.features.unasked(UnaskedWhen.GAMES_CAME):
            for chat in self.push.groups(folder):
                work = partial(self._announce, unasked, folder, chat, frozenset(days))
                yield Step(unasked.name, work)

    def _draw(self, folder: str, name: str) -> None:
        for picture in self.ahead.pictures_of(folder, name):
            if name != Ask.RATING:
                self.pictures.keep(picture)
                continue
            chart = picture.render()  # once, for both places
            self.pictures.keep(picture, chart)
            self.registry.league(folder).logs.overwrite(CHART, chart)

    def _read(self, folder: str) -> LeagueSnapshot:
        """A league's snapshot. Raises StorageError where its folder can't be read now: what was
        read before may lack the new games."""
        league = self.registry.league(folder)
        snapshot = league.snapshot()
        if league.failed is not None:
            raise league.failed
        return snapshot

    def _announce(self, unasked: Unasked, folder: str, chat: str, days: frozenset[date]) -> None:
        """Push a feature's message about the new games to one group."""
        league = self.registry.league(folder)
        snapshot = self._read(folder)
        if self.push.access.hides_names(chat):
            snapshot = snapshot.hidden
        question = open_question(league, snapshot, self.features.catalogue, self.now())
        message = unasked.make(News(question, days))
        if message is not None:
            self.push.tell(chat, message)


def open_question(
    league: LeagueRepository, snapshot: LeagueSnapshot, catalogue: Catalogue, now: datetime
) -> Question:
    """A question of nobody in particular, without a command."""
    ratings = league.ratings(snapshot)
    return Question(Command(""), snapshot, ratings, Asker(""), now, catalogue)
