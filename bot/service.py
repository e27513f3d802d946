"""The bot whole: stores, leagues, pictures and LINE put together, and the way of a tap through them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot import commands, texts
from bot.commands import Asker, Command, Question, me_key
from bot.leagues import Access, Leagues
from bot.library import Library, Snapshot
from bot.line import TOKEN_LIFE, Event, Line, LineDown, read_event
from bot.messages import messages
from bot.pictures import Pictures
from bot.replies import Reply, Stored, Text, UserError
from bot.settings import Settings
from bot.tasks import Tasks, Threads
from storage.ports import ImageStore, LogSource, StateStore, StorageError

SEEN = 24 * 3600.0  # seconds an event is remembered; LINE redelivers within minutes
ANSWERS_KEPT = 512
OPEN, CLAIMED, DONE = "open", "claimed", "done"
Json = dict[str, Any]
log = logging.getLogger(__name__)
_BASE: ContextVar[str] = ContextVar(
    "base", default=""
)  # the host LINE called us at: where embedded pictures are


class Service:
    """One running bot. Stores are opened when first needed."""

    def __init__(
        self,
        settings: Settings,
        tasks: Tasks | None = None,
        now: Callable[[], datetime] = texts.now,
    ) -> None:
        self.settings = settings
        self.tasks: Tasks = tasks or Threads()
        self.now = now
        self.line = Line(settings.line_api_url, settings.channel_access_token)
        self.leagues = Leagues(settings, lambda: self.state, self.open_logs, self.line.is_member)
        self._open_lock = threading.RLock()
        self._state: StateStore | None = None
        self._images: ImageStore | None = None
        self._pictures: Pictures | None = None
        self._answers: OrderedDict[tuple[Any, ...], Reply] = OrderedDict()
        self._answers_lock = threading.Lock()
        self._seen: OrderedDict[str, None] = OrderedDict()

    # -- the stores ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> StateStore:
        with self._open_lock:
            if self._state is None:
                from storage.state import open_state

                self._state = open_state(self.settings.database_url)
            return self._state

    @property
    def images(self) -> ImageStore:
        with self._open_lock:
            if self._images is None:
                from storage.images import open_images

                secret = hashlib.sha256(b"images " + self.settings.channel_secret.encode()).digest()
                self._images = open_images(
                    self.settings.images_url,
                    secret=secret,
                    base_url=lambda: self.settings.public_url or _BASE.get(),
                )
            return self._images

    @property
    def pictures(self) -> Pictures:
        with self._open_lock:
            if self._pictures is None:
                self._pictures = Pictures(self.images, self.settings.channel_secret)
            return self._pictures

    def open_logs(self, folder: str = "") -> LogSource:
        """The log source of a league's folder, "" for the root."""
        from storage.logs import open_logs

        url = self.settings.logs_url
        if self.settings.demo and not folder:
            from bot.demo import ensure_demo

            ensure_demo(url.removeprefix("file:"))
        return open_logs(f"{url.rstrip('/')}/{folder}" if folder else url, self.settings.dropbox)

    def library(self, league: str = "") -> Library:
        return self.leagues.library(league)

    # -- taps ---------------------------------------------------------------------------------------------------

    def receive(self, raw: Json, base_url: str = "") -> None:
        """Take an event of the webhook: remember it, and have it answered. A redelivered one is answered once."""
        event = read_event(raw)
        if event is None:
            return
        value = json.dumps({"event": raw, "base": base_url})
        if not self._is_new(event.id, value):
            return
        if not self.tasks.submit(self.handle, raw, base_url):
            log.error("too many taps are waiting: one was turned away")

    def _is_new(self, event_id: str, value: str) -> bool:
        if not event_id:
            return True
        try:
            return self.state.add(f"event:{event_id}", f"{OPEN} {value}", SEEN)
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)
        with self._answers_lock:  # without it, at least this process answers once
            new = event_id not in self._seen
            self._seen[event_id] = None
            while len(self._seen) > 10_000:
                self._seen.popitem(last=False)
        return new

    def recover(self) -> int:
        """Answer what a process that died had taken and not answered, while its reply token lives; how many."""
        taken = 0
        for key, value in self.state.items("event:").items():
            status, _, rest = value.partition(" ")
            if status != OPEN:
                continue
            data = json.loads(rest)
            event = read_event(data["event"])
            if event is None or time.time() - event.at > TOKEN_LIFE:
                log.error("a tap was not answered in time and is given up: %s", key)
                self.state.replace(key, value, DONE, SEEN)
            elif self.tasks.submit(self.handle, data["event"], data["base"]):
                taken += 1
        return taken

    def handle(self, raw: Json, base_url: str = "") -> None:
        """Answer one event. Never raises: a member gets the answer, a sentence, or (LINE down) nothing but a log line."""
        event = read_event(raw)
        if event is None or not self._claim(event, raw, base_url):
            return
        started = time.perf_counter()
        try:
            reply = self._reply_or_sentence(event)
            if reply is not None and event.token:
                _BASE.set(base_url)
                self._send(event, reply)
        finally:
            self._finish(event)
        if reply is not None:
            log.info("answered %s in %.0f ms", event.type, 1000 * (time.perf_counter() - started))

    def _claim(self, event: Event, raw: Json, base_url: str) -> bool:
        """Make the event ours, so that nobody else answers it too."""
        if not event.id:
            return True
        value = json.dumps({"event": raw, "base": base_url})
        try:
            return self.state.replace(f"event:{event.id}", f"{OPEN} {value}", CLAIMED, SEEN)
        except StorageError:
            return True

    def _finish(self, event: Event) -> None:
        if event.id:
            with contextlib.suppress(StorageError):
                self.state.put(f"event:{event.id}", DONE, SEEN)

    def _reply_or_sentence(self, event: Event) -> Reply | None:
        try:
            return self._reply(event, self.leagues.access(event.chat, event.user))
        except UserError as error:
            overheard = event.type == "message" and not (event.alone or event.mentioned)
            return None if error.chatter and overheard else error.reply
        except StorageError as error:
            log.error("the logs can't be read: %s", error)
            return Reply((Text(texts.LOGS_DOWN),))
        except Exception as error:
            log_fault("a tap could not be answered", error)
            return Reply((Text(texts.BROKEN),))

    def _reply(self, event: Event, access: Access | None) -> Reply | None:
        """The answer to an event, None where it asks nothing."""
        command = self.command_of(event)
        if command is None:
            return None
        if access is None:
            return self._to_stranger(event, command)
        return self.answer(command, access, Asker(event.chat, event.user, access.admin))

    def _to_stranger(self, event: Event, command: Command) -> Reply | None:
        """One polite sentence and no data; an admin may enrol the chat from within it."""
        if command.name == "enrol" and event.user in self.settings.admin_user_ids:
            return self.answer(command, Access("", True), Asker(event.chat, event.user, True))
        return Reply((Text(texts.STRANGER),))

    def command_of(self, event: Event) -> Command | None:
        """What an event asks for; None for what is no business of the bot's."""
        if event.type == "postback":
            return commands.from_postback(event.data) or Command("unknown")
        if event.type in ("join", "follow", "memberJoined"):
            return Command("menu")
        if event.type == "message" and event.message_type == "text":
            found = commands.from_words(event.text)
            if found is None and event.mentioned:
                return Command("menu") if not event.text else Command("unknown", {}, (event.text[:100],))
            if found is None and event.alone:
                return Command("unknown", {}, (event.text[:100],))
            return found
        return None

    def answer(self, command: Command, access: Access, asker: Asker) -> Reply:
        """The answer for a league; the same question of an unchanged league is answered from memory."""
        spec = commands.specs()[command.name]
        library = self.leagues.library(access.league)
        snapshot = library.snapshot()
        asker = replace(asker, player=self._player_of(access.league, asker.user))
        question = Question(command, library, snapshot, asker, self.now(), self.leagues, self.state)
        if spec.live:
            return spec.answer(question)
        key = self._answer_key(question, access, spec.daily)
        with self._answers_lock:
            known = self._answers.get(key)
        if known is None:
            known = spec.answer(question)
            with self._answers_lock:
                self._answers[key] = known
                while len(self._answers) > ANSWERS_KEPT:
                    self._answers.popitem(last=False)
        return known

    def _player_of(self, league: str, user: str) -> str:
        """The member this user said he is (自分), "" where he never did."""
        try:
            return (user and self.state.get(me_key(league, user))) or ""
        except StorageError:
            return ""

    @staticmethod
    def _answer_key(question: Question, access: Access, daily: bool) -> tuple[Any, ...]:
        command, asker = question.command, question.asker
        today = question.now.date() if daily else None
        options = tuple(sorted(command.options.items()))
        revision = question.snapshot.revision
        return (
            access.league,
            revision,
            command.name,
            options,
            command.rest,
            asker.player,
            asker.admin,
            asker.alone,
            today,
        )

    def _send(self, event: Event, reply: Reply) -> None:
        until = event.at + TOKEN_LIFE
        try:
            self.line.reply(event.token, messages(reply, self._url), until)
        except LineDown as error:
            log.error("%s", error)
        except Exception as error:
            log_fault("an answer could not be sent", error)

    def _url(self, picture: Stored) -> str:
        try:
            return self.pictures.url(picture)
        except StorageError:
            raise
        except Exception as error:  # a drawing that fails: its figures are sent instead
            log_fault("a picture could not be drawn", error)
            raise StorageError("the picture could not be drawn") from None

    def warm(self) -> None:
        """Have the slow things ready before the first tap: LINE's SDK, the font, the league."""
        from bot.charts.style import warm

        warm()
        try:
            self.library().snapshot()
        except StorageError as error:
            log.warning("the logs can't be read yet: %s", error)
        try:
            self.recover()
        except StorageError as error:
            log.warning("the state store can't be read yet: %s", error)

    def snapshot(self, league: str = "") -> Snapshot:
        return self.library(league).snapshot()


def log_fault(what: str, error: Exception) -> None:
    """One line for the admin: what failed, the error's kind, and where. Never its text, which may hold a secret."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"
    log.error("%s: %s at %s", what, type(error).__name__, place)


def preload() -> None:
    """Import what taps use, before the web process forks: LINE's SDK, the drawing library, the store clients' own parts."""
    import linebot.v3.messaging  # noqa: F401

    import bot.answers  # noqa: F401
    from bot.charts.style import warm

    warm()
