"""Send a league's groups, each once, what features say unasked after a sync that brought games.

After a sync the charts that members ask for first are drawn and stored ahead; the rating chart is
also put into the log folder as `charts/rating.png`. Each message to each group is a step of its
own: one that fails does not stop the others, and is tried again after the next sync.

A push is sent only if the month's quota covers all members of the group. It carries a retry key,
with which LINE takes the same message only once, for 24 hours
(https://developers.line.biz/en/docs/messaging-api/retrying-api-request/).
"""

import logging
import uuid
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial

from bot.chat.access import ChatAccess
from bot.chat.command import Ask, Asker, Catalogue, Command, Question
from bot.chat.feature import Features, News, Unasked, UnaskedMessage, UnaskedWhen
from bot.chat.reach import reachable
from bot.chat.replies import Reply
from bot.dispatch.pictures import FIRST as DRAWN_FIRST, Ahead, Pictures
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
        self, chat: str, key: str, reply: Callable[[], Reply], what: str, ttl: float | None = None
    ) -> bool:
        """Push a reply to a chat, unless it was sent under this key. Return False where the quota
        forbids it. The first word of `what` is for the log; the key is kept for `ttl` seconds
        (None: for ever). Raises LineDown when LINE does not take it, and StorageError."""
        if self.notices.was_sent(key):
            return True
        sent = self.send(chat, reply, what)
        if sent:
            self.notices.mark_sent(key, ttl)
        return sent

    def tell(self, chat: str, message: UnaskedMessage) -> bool:
        """Push what a feature says unasked. Return and raise as `once` does."""
        key = ":".join((message.kind, chat, *message.subject))
        what = " ".join((message.kind, *message.subject))
        return self.once(chat, key, message.reply, what, message.stored)

    def send(
        self,
        chat: str,
        reply: Callable[[], Reply],
        what: str,
    ) -> bool:
        """Push a reply to a chat; False where the month's quota does not cover all members. Within
        24 hours LINE takes it only once for the same `what`. Raises as `once` does."""
        quota = self.line.quota()
        cost = self.line.members(chat) if chat[:1] in "CR" else 1
        if quota is not None and quota.remaining < cost:
            kind = what.partition(" ")[0]
            log.warning(
                "no %s for a chat of %d: %d pushes are left this month", kind, cost, quota.remaining
            )
            return False
        reached = reachable(reply(), self.catalogue)
        sent = messages(self.pictures.stored(reached))
        self.line.push(chat, sent, str(uuid.uuid5(uuid.NAMESPACE_OID, f"{what} {chat}")))
        return True


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
                done = done and isinstance(
                    error, Denied
                )  # what is forbidden now, is so the next time too
            except LineDown as error:
                log.warning("after the sync, %s: %s", name, error)
                done = (
                    done and not error.later
                )  # what LINE refuses, it will refuse the next time too
            except Exception as error:
                log_fault(f"after the sync, {name}", error)
        self.registry.settle(quiet=True)
        return done

    def games_came(self, folder: str) -> None:
        """Draw the first pictures of a league whose own room has told games.

        Raises StorageError.
        """
        self.registry.known(folder).expire()
        self.ahead.prepare(folder)
        self.registry.settle()

    def _steps(
        self, folder: str, days: Collection[date]
    ) -> Iterator[tuple[str, Callable[[], None]]]:
        """Yield every step with its name for the log.

        A step reads the league when its turn comes.
        """
        yield from ((f"drawing {name}", partial(self._draw, folder, name)) for name in DRAWN_FIRST)
        for unasked in self.features.unasked(UnaskedWhen.GAMES_CAME):
            for chat in self.push.groups(folder):
                yield unasked.name, partial(self._tell, unasked, folder, chat, frozenset(days))

    def _draw(self, folder: str, name: str) -> None:
        for picture in self.ahead.pictures_of(folder, name):
            drawn = picture.render() if name == Ask.RATING else None  # once, for both places
            self.pictures.keep(picture, drawn)
            if drawn is not None:
                self.registry.league(folder).logs.overwrite(CHART, drawn)

    def _read(self, folder: str) -> LeagueSnapshot:
        """What is known of a league. Raises StorageError where its folder can't be read now: what
        was read before may lack the new games."""
        league = self.registry.league(folder)
        snapshot = league.snapshot()
        if league.failed is not None:
            raise league.failed
        return snapshot

    def _tell(
        self,
        unasked: Unasked,
        folder: str,
        chat: str,
        days: frozenset[date],
    ) -> None:
        """Push what a feature says of the new games to one group."""
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
    """A question of nobody in particular, which asks no command."""
    ratings = league.ratings(snapshot)
    return Question(Command(""), snapshot, ratings, Asker(""), now, catalogue)
