"""Draw ahead what members request first.

Leagues in use whose logs are in the cloud are looked at every few seconds, so that no tap waits for
the cloud. When Dropbox reports a change, the leagues that were used within a day are looked at. Only
what changed is rated and drawn. One thread of a process does all this. Another one makes the answers
that take seconds, after a start and after a change, of one league in use at a time.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import date, datetime

from bot.chat.command import Ask, Asker, Catalogue, Command, Question
from bot.chat.replies import Animation, Picture, Reply, UserError
from bot.dispatch.pictures import Pictures
from bot.league.repository import LeagueRegistry
from bot.runtime.cache import Lru
from bot.runtime.json_log import log_fault
from bot.runtime.threads import ThreadPool
from storage.ports import StorageError

FIRST = (Ask.RATING, Ask.SUM, Ask.RANK, Ask.TODAY)  # the answers that members request first
SLOW = (Ask.FORECAST, Ask.SUMMARY)  # those that take seconds once in a process
IN_USE = 600.0  # seconds since a league was used, for which it is looked at again and again
OLD = 3.5  # seconds after which a league in use is looked at; a look in the cloud is valid longer
# seconds since a league was used, for which it is looked at when a change is announced
USED = 24 * 3600.0
LEAGUES = 64  # leagues looked at in one go
log = logging.getLogger(__name__)


class Ahead:
    """Prepares answers of one process's leagues. `now` gives an aware time (JST)."""

    def __init__(
        self,
        catalogue: Catalogue,
        registry: LeagueRegistry,
        pictures: Pictures,
        now: Callable[[], datetime],
    ) -> None:
        self._catalogue = catalogue
        self._registry = registry
        self._pictures = pictures
        self._now = now
        # one round under way and one to follow
        self._pool = ThreadPool(workers=1, waiting=2, name="ahead")
        # What the slow answers of a league were last made of: its revision and the day.
        self._slow_ready: Lru[str, tuple[str, date]] = Lru(LEAGUES)

        self._slow_pool = ThreadPool(workers=1, waiting=1, name="ahead")

    def watch(self) -> None:
        """A chore: look at leagues in use that nobody has looked at for a while, and make the slow
        answers of one whose are not ready, as none is after a start.
        """
        leagues = self._registry.used(IN_USE, LEAGUES)
        if any(league.logs.fresh and league.looked_before(OLD) for _, league in leagues):
            self._pool.submit(self.look, IN_USE, OLD)
        unready = next((folder for folder, _ in leagues if not self._is_slow_ready(folder)), None)
        if unready is not None:
            self._slow_pool.submit(self.prepare_slow, unready)

    def _is_slow_ready(self, folder: str) -> bool:
        """Whether the slow answers of a league were made of its snapshot in memory; also where there
        is none yet.
        """
        snapshot = self._registry.in_memory(folder)
        if snapshot is None:
            return True
        return self._slow_ready.get(folder) == (snapshot.revision, self._now().date())

    def prepare_slow(self, folder: str) -> None:
        """Make the slow answers of a league, whose figures the process then has in its caches, and
        store their pictures.
        """
        snapshot = self._registry.in_memory(folder)
        if snapshot is None or self._is_slow_ready(folder):
            return
        # First, so that an answer that fails is not made again and again.
        self._slow_ready.put(folder, (snapshot.revision, self._now().date()))
        self._keep_pictures(folder, SLOW)

    def changed(self) -> None:
        """Look at the leagues used within a day, on a thread, because a change was announced."""
        self._pool.submit(self.look, USED, 0.0)

    def look(self, used: float, old: float) -> None:
        """Prepare what changed in leagues used within `used` seconds and not looked at for `old`
        seconds.
        """
        for folder, league in self._registry.used(used, LEAGUES):
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
        """Draw and store what members of a league request first, unless it is stored already."""
        self._keep_pictures(folder, FIRST)

    def _keep_pictures(self, folder: str, names: Sequence[str]) -> None:
        """Make the answers with these names, and store their pictures and animations."""
        for name in names:
            try:
                for picture in self._drawn_parts(folder, name):
                    self._pictures.keep(picture)
            except StorageError as error:
                log.warning("%s could not be drawn ahead: %s", name, error)
            except Exception as error:  # the other answers are made all the same
                log_fault(f"{name} could not be made ahead", error)

    def _drawn_parts(self, folder: str, name: str) -> list[Picture | Animation]:
        """The pictures and animations of an answer; none where there is nothing to draw yet."""
        try:
            return self.ask(folder, name).drawn
        except UserError:
            return []

    def pictures_of(
        self, folder: str, name: str, hidden: bool = False, **options: str
    ) -> list[Picture]:
        """The pictures of an answer of a league; none where there is nothing to draw yet."""
        try:
            return self.ask(folder, name, hidden, **options).pictures
        except UserError:
            return []

    def ask(
        self,
        folder: str,
        name: str,
        hidden: bool = False,
        **options: str,
    ) -> Reply:
        """The answer to a question of nobody in particular; `hidden`: without names."""
        league = self._registry.known(folder)
        snapshot = league.snapshot()
        if hidden:
            snapshot = snapshot.hidden
        command = Command(name, options)
        ratings = league.ratings(snapshot)
        question = Question(command, snapshot, ratings, Asker(""), self._now(), self._catalogue)
        answer = self._catalogue[name].answer
        assert answer is not None
        return answer(question)

    def close(self) -> None:
        self._pool.close()
        self._slow_pool.close()
