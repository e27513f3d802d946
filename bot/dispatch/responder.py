"""Turn a command into an answer: may this chat ask it, is the answer known already, what is added to it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from bot import texts
from bot.answers.admin import ident
from bot.answers.common.members import token
from bot.answers.common.understood import CARD, understood
from bot.chat.access import Access, ChatAccess
from bot.chat.command import Asker, Catalogue, Command, Question, Spec, data_of
from bot.chat.identity import Identities
from bot.chat.replies import Reply, Text, UserError
from bot.chat.tools import Tools
from bot.dispatch.first_time import FirstTimes
from bot.dispatch.notices import with_notices
from bot.dispatch.router import DATA_LIMIT
from bot.league.registry import LeagueRegistry
from bot.league.repository import LeagueRepository
from bot.line.client import LineClient, LineDown
from bot.line.webhook import Event
from bot.runtime import log_context, metrics
from bot.runtime.cache import SharedCache
from bot.runtime.finding import CheckFinding
from bot.runtime.json_log import log_fault
from bot.runtime.log_context import timed
from bot.tenhou.paifu_fetcher import PaifuFetcher
from storage.ports import StorageError
from storage.state import State

LOADING = 40  # seconds the loading animation may last; it ends with the answer
ANSWERS = 2048  # answers kept, of all leagues together
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Parts:
    """The service's parts that answers are made from. `now` gives an aware time (JST)."""

    catalogue: Catalogue
    registry: LeagueRegistry
    access: ChatAccess
    identities: Identities
    state: State
    line: LineClient
    paifus: PaifuFetcher
    now: Callable[[], datetime]
    checks: Callable[[], Sequence[CheckFinding]] = tuple


class Responder:
    """Answers commands. The same question of an unchanged league is answered from memory."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._answers: SharedCache[Reply] = SharedCache(ANSWERS)
        self._first_times = FirstTimes(parts.state)

    def reply(self, event: Event, command: Command) -> Reply | None:
        """Return what to say to an event, or None for silence. Never raises: failures are told in a sentence."""
        try:
            access = self._parts.access.access(event.chat, event.user)
            if access is None:
                return self._to_stranger(event, command)
            reply = self.answer(command, access, event.chat, event.user, event.id)
            return reply if reply.parts else None
        except UserError as error:
            overheard = event.type == "message" and not (event.alone or event.mentioned)
            return None if error.chatter and overheard else error.reply
        except StorageError as error:
            log.error("the logs can't be read: %s", error)
            log_context.blame(error, str(error), error.store or "logs", lost=True)
            return Reply((Text(texts.LOGS_DOWN),))
        except Exception as error:
            log_fault("a tap could not be answered", error)
            log_context.blame(error, "", lost=True)
            return Reply((Text(texts.BROKEN),))

    def settle(self) -> None:
        """Do what can wait until the answer is sent."""
        self._parts.registry.settle()

    def _to_stranger(self, event: Event, command: Command) -> Reply:
        """Return one polite sentence without any data; the ids of chat and user. An admin may enrol the chat from within it."""
        if command.name == ident.NAME:
            return ident.ids_of(event.chat, event.user)
        if command.name == "enrol" and self._parts.access.is_admin(event.user):
            return self.answer(command, Access("", True), event.chat, event.user)
        return Reply((Text(texts.STRANGER),))

    def answer(self, command: Command, access: Access, chat: str, user: str = "", event: str = "") -> Reply:
        """Return a league's answer to whoever asks. `event` is the tap's id.

        Raises UserError when the question cannot be answered, and StorageError when a store cannot be reached.
        """
        log_context.note(league=access.league)
        with timed("read"):
            league = self._parts.registry.league(access.league)
        question = understood(self._question(command, league, access, chat, user), self._parts.catalogue)
        spec = self._parts.catalogue[question.command.name]
        if spec.action is not None:
            reply = self._acted(spec, question, league, access.league)
        else:
            reply = self._known_or_made(spec, question, access.league)
        if not reply.parts:
            return reply
        if spec.takes_words:
            reply = replace(reply, asked=_data_of(question))
        reply = self._first_times.added(question, reply, event, offering=spec.answer is not None)
        return with_notices(question, reply, league.trouble, self._parts.state)

    def _question(
        self, command: Command, league: LeagueRepository, access: Access, chat: str, user: str
    ) -> Question:
        with timed("read"):
            snapshot = league.snapshot()
        player = access.player
        if player is None:
            player = self._parts.identities.player_of(access.league, user)
        asker = Asker(chat, user, admin=access.admin, player=snapshot.league.player_of(player))
        return Question(command, snapshot, league.ratings(snapshot), asker, self._parts.now())

    def _acted(self, spec: Spec, question: Question, league: LeagueRepository, folder: str) -> Reply:
        assert spec.action is not None
        parts = self._parts
        self._show_loading(spec, question.asker)
        tools = Tools(
            folder=folder,
            league=league,
            state=parts.state,
            access=parts.access,
            registry=parts.registry,
            identities=parts.identities,
            paifus=parts.paifus,
            content=self._content,
            checks=parts.checks,
        )
        return spec.action(question, tools)

    def _known_or_made(self, spec: Spec, question: Question, folder: str) -> Reply:
        if spec.live:
            return self._made(spec, question)
        key = _answer_key(question, spec.daily)
        known = self._answers.get(folder, key)
        metrics.count("cache", cache="answer", known=str(known is not None).lower())
        if known is None:
            known = self._made(spec, question)
            self._answers.put(folder, key, known)
        return known

    def _made(self, spec: Spec, question: Question) -> Reply:
        assert spec.answer is not None
        self._show_loading(spec, question.asker)
        return spec.answer(question)

    def _show_loading(self, spec: Spec, asker: Asker) -> None:
        if spec.slow and asker.alone:
            self._parts.line.show_loading(asker.user, LOADING)

    def _content(self, message: str, most: int) -> bytes | None:
        """Return a message's file, or None if LINE does not give it."""
        try:
            return self._parts.line.content(message, most)
        except LineDown as error:
            log.warning("%s", error)
            return None


def _data_of(question: Question) -> str:
    """The postback data of a question, with the asker's own name where the card is theirs: another may quote it."""
    command, options = question.command, dict(question.command.options)
    if command.name == CARD and "player" not in options and "who" not in options and question.asker.player:
        options["player"] = token(question.asker.player)
    data = data_of(command.name, **options)
    return data if len(data) <= DATA_LIMIT else ""


def _answer_key(question: Question, daily: bool) -> tuple[Any, ...]:
    """Return what an answer depends on: the folder's revision, the command, who asks, the day for a `daily` one."""
    command, asker = question.command, question.asker
    return (
        question.snapshot.revision,
        command.name,
        tuple(sorted(command.options.items())),
        command.rest,
        asker.player,
        asker.admin,
        asker.alone,
        question.now.date() if daily else None,
    )
