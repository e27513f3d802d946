"""The bot whole: stores, leagues, pictures and LINE put together, and the way of a tap through them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from bot import texts
from bot.chat.access import Leagues
from bot.chat.replies import Reply, Stored, Text
from bot.dispatch.pending import Tap, Taps
from bot.dispatch.pictures import Pictures
from bot.dispatch.responder import Desk
from bot.league.change_signal import Changes
from bot.league.repository import Library
from bot.league.snapshot import Snapshot
from bot.line.client import Line, LineDown
from bot.line.messages import messages
from bot.line.webhook import Event, read_event
from bot.runtime import json_log, metrics
from bot.runtime.background import Keeper
from bot.runtime.faults import log_fault
from bot.runtime.rate_limit import Limits, Verdict
from bot.runtime.thread_pool import Queue, Tasks, Threads
from bot.settings import Settings
from bot.stores import BASE, Stores
from storage.ports import ImageStore, LogSource, StateStore, StorageError

LONG, LONG_WAITING = 2, 24  # threads for what takes seconds, and how much of it may wait or be under way
PATIENCE = 2.0  # seconds a thread tries to reach LINE
Json = dict[str, Any]
log = logging.getLogger(__name__)


class Service:
    """One running bot. Stores are opened when first needed."""

    def __init__(
        self,
        settings: Settings,
        tasks: Tasks | None = None,
        now: Callable[[], datetime] = texts.now,
        queue: Queue | None = None,
    ) -> None:
        self.settings = settings
        self.tasks: Tasks = tasks or Threads()
        self.long: Tasks = tasks or Threads(LONG, LONG_WAITING, "long")  # so that taps wait for nobody
        self.aside = Threads(workers=1, name="aside")  # says that all others are busy
        self.queue = queue
        self.now = now
        self.limits = Limits()
        self.stores = Stores(settings)
        self.line = Line(settings.line_api_url, settings.channel_access_token)
        self.taps = Taps(lambda: self.state)
        self.leagues = Leagues(settings, lambda: self.state, self.open_logs, self.line.is_member)
        self.changes = Changes(lambda: self.state, self.leagues)
        self.keeper = Keeper(self.taps.beat, self.recover, self.changes.listen, self.stores.sweep)
        self.desk = Desk(self.leagues, lambda: self.state, self.line, settings.admin_user_ids, now)

    @property
    def state(self) -> StateStore:
        return self.stores.state

    @property
    def images(self) -> ImageStore:
        return self.stores.images

    @property
    def pictures(self) -> Pictures:
        return self.stores.pictures

    def open_logs(self, folder: str = "") -> LogSource:
        """The log source of a league's folder, "" for the root."""
        return self.stores.open_logs(folder)

    def library(self, league: str = "") -> Library:
        return self.leagues.library(league)

    # -- taps ---------------------------------------------------------------------------------------------------

    def receive(self, raw: Json, base_url: str = "") -> None:
        """Take an event of the webhook: remember it, and have it answered. A redelivered one is answered once."""
        event = read_event(raw)
        if event is None or self._is_talk(event):
            return
        self.leagues.hear(raw)  # at once, and however much is asked: who left has no access any more
        verdict = self.limits.ask(event.chat, event.user)
        if verdict is Verdict.IGNORE:
            metrics.count("taps", outcome="ignored")
            return
        queued = self.queue is not None and verdict is Verdict.ANSWER
        with metrics.step("remember"):
            tap = self.taps.take(event, raw, base_url, queued)
        if tap is None:
            metrics.count("taps", outcome="repeated")
        elif verdict is Verdict.TELL:
            self._turn_away(tap, texts.TOO_MUCH)
        elif not self._queue(event, tap) and not self._threads(event).submit(self.handle, tap):
            self._turn_away(tap, texts.BUSY)

    def _queue(self, event: Event, tap: Tap) -> bool:
        """Hand a tap to the workers, if there are any; one the store could not keep stays here."""
        return self.queue is not None and bool(tap.key) and self.queue.send(event.chat, tap)

    def _threads(self, event: Event) -> Tasks:
        return self.long if self.desk.takes_long(event) else self.tasks

    def _is_talk(self, event: Event) -> bool:
        """Members' own talk, which is most of what a group says: nothing is stored or counted of it."""
        return event.type == "message" and self.desk.command_of(event) is None

    def _turn_away(self, tap: Tap, sentence: str) -> None:
        """Say that it is too much, by a thread of its own; where even that is too much, be silent."""
        metrics.count("taps", outcome="turned away")
        if not self.aside.submit(self._say, tap, sentence):
            log.error("too many taps are waiting: one was turned away")

    def _say(self, tap: Tap, sentence: str) -> None:
        with json_log.about(tap.event.id, tap.event.chat, self.settings.channel_secret):
            try:
                if tap.event.token:
                    self.line.reply(tap.event.token, messages(Reply((Text(sentence),)), self._url), tap.until)
            except LineDown as error:
                log.error("%s", error)
            finally:
                self.taps.done(tap)

    def recover(self) -> int:
        """Take up what nobody is at work on, while its reply token lives; how many."""
        taken = 0
        for tap in self.taps.lost():
            if time.time() > tap.until:
                if self.taps.give_up(tap):
                    self._given_up(tap)
            elif tap.messages and not self.line.reachable:
                continue
            elif (threads := self._threads(tap.event)).room > 0 and (mine := self.taps.claim(tap)):
                threads.submit(self.handle, mine)
                taken += 1
        return taken

    @staticmethod
    def _given_up(tap: Tap) -> None:
        metrics.count("taps", outcome="given up")
        log.error("a tap was not answered in time and is given up: %s", tap.event.id)

    def handle(self, tap: Tap) -> None:
        """Answer a tap. Never raises: a member gets the answer, a sentence, or (LINE down) nothing but a log line."""
        event = tap.event
        with json_log.about(event.id, event.chat, self.settings.channel_secret):
            mine = self.taps.claim(tap)
            if mine is not None:
                self._answer_mine(mine, event)

    def _answer_mine(self, mine: Tap, event: Event) -> None:
        if time.time() > mine.until:
            self._given_up(mine)
            self.taps.done(mine)
            return
        began = time.perf_counter()
        try:
            done, outcome = self._handle(mine, event)
        except Exception as error:
            log_fault("a tap could not be answered", error)
            done, outcome = True, "failed"
        if done:
            self.taps.done(mine)
        metrics.count("taps", outcome=outcome)
        spent = round(1000 * (time.perf_counter() - began), 1)
        log.log(
            logging.DEBUG if outcome == "silent" else logging.INFO,
            "%s %s",
            event.type,
            outcome,
            extra={"ms": spent},
        )

    def _handle(self, tap: Tap, event: Event) -> tuple[bool, str]:
        """Whether the tap is done with, and how it ended."""
        BASE.set(tap.base)
        sent = list(tap.messages)
        if not sent:
            with metrics.step("answer"):
                reply = self.desk.reply(event)
            if reply is None or not event.token:
                return True, "silent"
            with metrics.step("pictures"):
                sent = messages(reply, self._url)
        try:
            with metrics.step("send"):
                return self._send(tap, event, sent)
        except LineDown as error:
            log.error("%s", error)
            return True, "failed"

    def _send(self, tap: Tap, event: Event, sent: list[Json]) -> tuple[bool, str]:
        """Reply; where LINE is out of reach, leave the answer to whoever looks next rather than keep a thread waiting."""
        try:
            self.line.reply(event.token, sent, min(tap.until, time.time() + PATIENCE), tap.again)
        except LineDown as error:
            if not error.later or time.time() > tap.until:
                raise
            if self.taps.put_off(tap, sent):
                return False, "put off"
            self.line.reply(event.token, sent, tap.until, again=True, wait=True)
        return True, "answered"

    def _url(self, picture: Stored) -> str:
        try:
            return self.pictures.url(picture)
        except StorageError:
            raise
        except Exception as error:  # a drawing that fails: its figures are sent instead
            log_fault("a picture could not be drawn", error)
            raise StorageError("the picture could not be drawn") from None

    def warm(self) -> None:
        """Show that this process lives (bot/runtime/background.py), then have the slow things ready: the font, the league."""
        from bot.charts.canvas.style import warm

        self.keeper.start()
        warm()
        try:
            self.library().snapshot()
        except StorageError as error:
            log.warning("the logs can't be read yet: %s", error)

    def close(self) -> None:
        """Finish what is under way; others take up the rest."""
        for threads in (self.tasks, self.long):
            if isinstance(threads, Threads):
                threads.close()
        self.aside.close()
        self.keeper.stop()
        self.taps.leave()

    def snapshot(self, league: str = "") -> Snapshot:
        return self.library(league).snapshot()


def preload(service: Service) -> None:
    """Import what taps use, before the web process forks: LINE's SDK, the drawing library, the stores' own SDKs.

    Opening a store asks nobody, and its connections are made anew in each process.
    """
    import linebot.v3.messaging  # noqa: F401

    import bot.answers.catalogue  # noqa: F401
    from bot.charts.canvas.style import warm

    warm()
    try:
        service.stores.open_all()
    except (StorageError, ValueError) as error:
        log.warning("a store can't be opened: %s", error)
