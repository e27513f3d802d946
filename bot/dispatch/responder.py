"""Where an event becomes an answer: what it asks, whether this chat may ask it, what is known already."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot import texts
from bot.answers.admin.faults import with_notice
from bot.chat.access import Access, Leagues
from bot.chat.command import Asker, Command, Question, Spec, from_postback, from_words, me_key, specs
from bot.chat.replies import Reply, Text, UserError
from bot.dispatch import paifu_messages
from bot.line.client import Line
from bot.line.rich_menu import TAB
from bot.line.webhook import Event
from bot.runtime import metrics
from bot.runtime.cache import Shared
from bot.runtime.faults import log_fault
from storage.ports import StateStore, StorageError

LOADING = 40  # seconds the loading animation may last; it ends with the answer
KEPT = 2048  # answers kept, of all leagues together
log = logging.getLogger(__name__)


class Desk:
    """Answers events. `admins` are LINE user ids, `now` gives an aware time."""

    def __init__(
        self,
        leagues: Leagues,
        state: Callable[[], StateStore],
        line: Line,
        admins: frozenset[str],
        now: Callable[[], datetime],
    ) -> None:
        self._leagues, self._state, self._line, self._admins, self._now = leagues, state, line, admins, now
        self._answers: Shared[Reply] = Shared(KEPT)

    def reply(self, event: Event) -> Reply | None:
        """What to say to an event, None for silence. Never raises: what can't be answered is said in a sentence."""
        try:
            return self._reply(event, self._leagues.access(event.chat, event.user))
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
        if command.name == "enrol" and event.user in self._admins:
            return self.answer(command, Access("", True), Asker(event.chat, event.user, True))
        return Reply((Text(texts.STRANGER),))

    def takes_long(self, event: Event) -> bool:
        """Whether the answer may take seconds."""
        command = self.command_of(event)
        return command is not None and specs()[command.name].slow

    def command_of(self, event: Event) -> Command | None:
        """What an event asks for; None for what is no business of the bot's."""
        if event.type == "postback":
            if event.data == TAB:
                return None  # the rich menu has turned its page by itself
            return from_postback(event.data) or Command("unknown")
        if event.type in ("join", "follow", "memberJoined"):
            return Command("menu")
        if event.type == "message" and (record := paifu_messages.command_of(event)):
            return record
        if event.type == "message" and event.message_type == "text":
            found = from_words(event.text)
            if found is None and event.mentioned:
                return Command("menu") if not event.text else Command("unknown", {}, (event.text[:100],))
            if found is None and event.alone:
                return Command("unknown", {}, (event.text[:100],))
            return found
        return None

    def answer(self, command: Command, access: Access, asker: Asker) -> Reply:
        """The answer for a league; the same question of an unchanged league is answered from memory."""
        spec = specs()[command.name]
        library = self._leagues.library(access.league)
        snapshot = library.snapshot()
        player = self._player_of(access.league, asker.user)
        asker = replace(asker, player=snapshot.league.player_of(player))
        question = Question(
            command, library, snapshot, asker, self._now(), self._leagues, self._state(), access.league,
            self._line.content,
        )  # fmt: skip
        if spec.live:
            return with_notice(question, self._made(spec, question))
        key = self._answer_key(question, access, spec.daily)
        known = self._answers.get(access.league, key)
        metrics.count("cache", cache="answer", known=str(known is not None).lower())
        if known is None:
            known = self._made(spec, question)
            self._answers.put(access.league, key, known)
        return with_notice(question, known)

    def _made(self, spec: Spec, question: Question) -> Reply:
        if spec.slow and question.asker.alone:
            self._line.show_loading(question.asker.user, LOADING)
        return spec.answer(question)

    def _player_of(self, league: str, user: str) -> str:
        """The member this user said he is (自分), "" where he never did."""
        try:
            return (user and self._state().get(me_key(league, user))) or ""
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
