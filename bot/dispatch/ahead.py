"""Read leagues that changed, and draw what members ask for first, before anybody asks.

Leagues in use whose logs are in the cloud are looked at every few seconds, so that no tap waits for the
cloud. When Dropbox tells of a change, the leagues that were used within a day are looked at. Only what
changed is rated and drawn. All this is done by one thread of a process.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime

from bot.chat.command import Ask, Asker, Command, Question, Spec
from bot.chat.replies import Picture, Reply, UserError
from bot.dispatch.pictures import Pictures
from bot.league.repository import LeagueRegistry
from bot.runtime.json_log import log_fault
from bot.runtime.thread_pool import ThreadPool
from storage.ports import StorageError

FIRST = (Ask.RATING, Ask.SUM, Ask.RANK, Ask.TODAY)  # the answers that members ask for first
IN_USE = 600.0  # seconds since a league was used, for which it is looked at again and again
OLD = 3.5  # seconds after which a league in use is looked at; less than a look in the cloud holds
USED = 24 * 3600.0  # seconds since a league was used, for which it is looked at when a change is announced
MOST = 64  # leagues looked at in one go
log = logging.getLogger(__name__)


class Ahead:
    """Prepares answers of one process's leagues. `now` gives an aware time (JST)."""

    def __init__(
        self,
        catalogue: Mapping[str, Spec],
        registry: LeagueRegistry,
        pictures: Pictures,
        now: Callable[[], datetime],
    ) -> None:
        self._catalogue = catalogue
        self._registry = registry
        self._pictures = pictures
        self._now = now
        self._pool = ThreadPool(workers=1, waiting=2, name="ahead")  # one round under way and one to follow

    def watch(self) -> None:
        """Look at the leagues in use that nobody has looked at for some seconds. A chore of the background
        loop."""
        leagues = self._registry.used(IN_USE, MOST)
        if any(league.logs.fresh and league.looked_before(OLD) for _, league in leagues):
            self._pool.submit(self.look, IN_USE, OLD)

    def changed(self) -> None:
        """Look at the leagues used within a day, on a thread, because a change was announced."""
        self._pool.submit(self.look, USED, 0.0)

    def look(self, used: float, old: float) -> None:
        """Look at the leagues used within `used` seconds and not looked at for `old` seconds, and prepare
        what changed."""
        for folder, league in self._registry.used(used, MOST):
            if not league.logs.fresh or not league.looked_before(old):
                continue
            try:
                if league.refresh():
                    self.prepare(folder)
            except StorageError as error:
                log.warning("a league could not be read ahead: %s", error)
            except Exception as error:  # the other leagues are looked at all the same
                log_fault("a league could not be read ahead", error)
        self._registry.settle()

    def prepare(self, folder: str) -> None:
        """Draw and store what members of a league ask for first, as far as it is not there yet."""
        for name in FIRST:
            try:
                for picture in self.pictures_of(folder, name):
                    self._pictures.keep(picture)
            except StorageError as error:
                log.warning("%s could not be drawn ahead: %s", name, error)

    def pictures_of(self, folder: str, name: str, **options: str) -> list[Picture]:
        """The pictures of an answer of a league; none where there is nothing to draw yet."""
        try:
            reply = self.ask(folder, name, **options)
        except UserError:
            return []
        return [part for part in reply.parts if isinstance(part, Picture)]

    def ask(self, folder: str, name: str, **options: str) -> Reply:
        """The answer to a question that nobody in particular asks."""
        league = self._registry.known(folder)
        snapshot = league.snapshot()
        asked = Question(Command(name, options), snapshot, league.ratings(snapshot), Asker(""), self._now())
        answer = self._catalogue[name].answer
        assert answer is not None
        return answer(asked)

    def close(self) -> None:
        """Finish the round under way, and begin no other."""
        self._pool.close()
