"""Draw and store pictures (and files) once, sign their addresses for each answer, and draw ahead what
members request first.

Leagues in use whose logs are in the cloud are looked at every few seconds, so that no tap waits for
the cloud. When Dropbox reports a change, the leagues that were used within a day are looked at. Only
what changed is rated and drawn. One thread of a process does all this. Another one makes the answers
that take seconds, after a start and after a change, of one league in use at a time.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime

from bot.chat.command import Ask, Asker, Catalogue, Command, Question
from bot.chat.replies import (
    Animation,
    Download,
    Downloads,
    Part,
    Picture,
    Reply,
    Stored,
    Table,
    UserError,
)
from bot.dispatch.failures import report_picture
from bot.draw.style import RENDERER_VERSION
from bot.league.repository import LeagueRegistry
from bot.runtime.cache import Lru
from bot.runtime.json_log import log_fault, timed
from bot.runtime.threads import ThreadPool
from bot.stores import Stores
from storage.addresses import LIFETIME
from storage.ports import StorageError
from storage.values import Values

REMEMBERED = 20_000  # keys known to be stored
# seconds after which the store is queried again (a bucket's own rules may have removed the picture)
TRUST = 6 * 3600.0
KEPT = float(LIFETIME)  # seconds for which all processes know that a picture was stored
DRAWING = 5.0  # seconds a process may take over a picture before another draws it as well
LOOK = 0.02  # seconds between two looks for the other process's picture
FIRST = (Ask.RATING, Ask.SUM, Ask.RANK, Ask.TODAY)  # the answers that members request first
SLOW = (Ask.FORECAST, Ask.SUMMARY)  # those that take seconds once in a process
IN_USE = 600.0  # seconds since a league was used, for which it is looked at again and again
OLD = 3.5  # seconds after which a league in use is looked at; a look in the cloud is valid longer
# seconds since a league was used, for which it is looked at when a change is announced
USED = 24 * 3600.0
MOST = 64  # leagues looked at in one go
log = logging.getLogger(__name__)


class Pictures:
    """Stores replies' pictures and signs their addresses. Safe in threads and processes.

    The claim of a picture (`drawing:` in `values`) guarantees that, of all callers that want the
    same picture at the same time, one draws it and the others wait for it
    (tests/dispatch/test_pictures.py::test_many_taps_at_once_cost_one_drawing). For LIFETIME it
    shows all processes that the picture is stored, so that the image store is not queried
    (test_a_new_picture_is_not_looked_up_in_the_store). A caller that fails removes its claim and
    another one draws (test_another_process_draws_after_a_failure); the claim of a process that was
    killed ends after DRAWING seconds (test_the_claim_of_a_killed_process_ends).

    `secret` makes the pictures' keys unguessable."""

    def __init__(self, stores: Stores, secret: str, values: Values) -> None:
        self._stores = stores
        self._values = values
        self._renderer = f"{RENDERER_VERSION}|{secret}"
        self._stored: Lru[str, float] = Lru(REMEMBERED)  # and when that was last known; monotonic

    def stored(self, reply: Reply) -> Reply:
        """The reply with the addresses of its pictures and files, which are drawn and stored first
        if needed. One that can't be stored is reported and has no address: the figures are sent as
        text instead."""
        return with_addresses(reply, self._address)

    def _address(self, picture: Stored) -> str:
        """The signed address of the picture (or file), "" where it can't be drawn or stored."""
        try:
            return self._stores.images.url(self.keep(picture))
        except Exception as error:
            report_picture(error)
            return ""

    def keep(self, picture: Stored, drawn: bytes | None = None) -> str:
        """Store the picture (`drawn`, if it is drawn already) and return its key.

        Raises StorageError.
        """
        key = picture.key(self._renderer)
        at = self._stored.get(key)
        if at is None or time.monotonic() - at >= TRUST:
            self._store(key, picture, drawn)
            self._stored.put(key, time.monotonic())
        return key

    def _store(self, key: str, picture: Stored, drawn: bytes | None) -> None:
        """Draw and store a picture, unless it is stored already or another process does it."""
        mark = f"drawing:{key}"
        try:
            is_claimed = self._values.add(mark, "", DRAWING)
            stored = not is_claimed and self._appears(key, mark)
        except StorageError:
            # One of the stores is out of reach: the picture needs only the image store.
            stored = self._stores.images.has(key)
        if stored:
            return
        try:
            if drawn is None:
                with timed("draw"):
                    drawn = picture.render()
            with timed("upload"):
                self._stores.images.put(key, drawn, picture.content_type)
        except BaseException:
            with suppress(StorageError):
                self._values.delete(mark)
            raise
        self._note_stored(mark)

    def _appears(self, key: str, mark: str) -> bool:
        """Whether a picture with a mark is stored. Wait for a process that is drawing it, at most
        DRAWING seconds. The mark's value is the time it was stored, "" while it is being drawn.
        Raises StorageError."""
        give_up = time.monotonic() + DRAWING
        never = threading.Event()
        stored_at = self._values.get(mark)
        while stored_at == "":
            if time.monotonic() > give_up:
                return False
            never.wait(LOOK)
            stored_at = self._values.get(mark)
        if stored_at is None:
            return False
        if time.time() - float(stored_at) < TRUST:
            return True
        is_stored = self._stores.images.has(key)
        if is_stored:
            self._note_stored(mark)
        return is_stored

    def _note_stored(self, mark: str) -> None:
        with suppress(StorageError):
            self._values.put(mark, repr(time.time()), KEPT)


def with_addresses(reply: Reply, address_of: Callable[[Stored], str]) -> Reply:
    """The reply with the address of each of its pictures, animations and files: their `url`. It is
    "" where `address_of` returns none; then the figures are sent in their place."""

    def addressed(part: Part) -> Part:
        if isinstance(part, Picture):
            return replace(part, url=address_of(part))
        if isinstance(part, Table) and part.hero is not None:
            return replace(part, hero=replace(part.hero, url=address_of(part.hero)))
        if isinstance(part, Downloads):
            return replace(part, files=_addressed_files(part.files, address_of))
        return part

    return replace(reply, parts=tuple(addressed(part) for part in reply.parts))


def _addressed_files(
    files: tuple[Download, ...], address_of: Callable[[Stored], str]
) -> tuple[Download, ...]:
    """The files with their addresses, up to the first that has none: then none is sent."""
    addressed: list[Download] = []
    for file in files:
        url = address_of(file)
        if not url:
            return files
        addressed.append(replace(file, url=url))
    return tuple(addressed)


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
        self._pool = ThreadPool(
            workers=1, waiting=2, name="ahead"
        )  # one round under way and one to follow
        # What the slow answers of a league were last made of: its revision and the day.
        self._slow_ready: Lru[str, tuple[str, date]] = Lru(MOST)

        self._slow_pool = ThreadPool(workers=1, waiting=1, name="ahead")

    def watch(self) -> None:
        """A chore: look at leagues in use that nobody has looked at for a while, and make the slow
        answers of one whose are not ready, as none is after a start.
        """
        leagues = self._registry.used(IN_USE, MOST)
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
