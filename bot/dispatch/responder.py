"""What lies around an answer, as two lists of steps in order: when LINE calls, and when a thread or a worker
answers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol

from bot import texts
from bot.answers.admin import ident
from bot.answers.common.members import names_of, token
from bot.answers.common.typed import understood
from bot.chat.access import Access, ChatAccess
from bot.chat.command import Ask, Asker, Catalogue, Command, Question, Spec, data_of
from bot.chat.identity import Identities
from bot.chat.replies import Reply, Text, UserError
from bot.chat.tools import Tools
from bot.dispatch.additions import FirstTimes, with_notices
from bot.dispatch.quotable import QuotableAnswers
from bot.dispatch.router import DATA_LIMIT, Router
from bot.league.repository import LeagueRegistry, LeagueRepository
from bot.league.snapshot import LeagueSnapshot
from bot.line.client import LineClient, LineDown
from bot.line.webhook import Event
from bot.runtime import metrics
from bot.runtime.cache import Lru, SharedLru
from bot.runtime.finding import CheckFinding
from bot.runtime.json_log import blame, log_fault, note, timed
from bot.runtime.rate_limit import RateLimits, RateVerdict
from bot.tenhou.throttle import PaifuFetcher
from storage.ports import StorageError
from storage.state import State

LOADING = 40  # seconds the loading animation may last; it ends with the answer
LEAGUES = 64  # whose members' names are kept
ANSWERS = 2048  # answers kept, of all leagues together
log = logging.getLogger(__name__)


class Parts(Protocol):
    """The service's parts that answers are made from. `now` gives an aware time (JST)."""

    catalogue: Catalogue
    registry: LeagueRegistry
    access: ChatAccess
    identities: Identities
    state: State
    line: LineClient
    paifus: PaifuFetcher
    now: Callable[[], datetime]

    def checks(self) -> Sequence[CheckFinding]:
        """Check the set-up with real calls."""


@dataclass(slots=True)
class Tap:
    """A tap on its way. Each step finds what those before it have put here. `refusal` says why it is not
    answered."""

    event: Event
    command: Command = field(init=False)
    refusal: str = ""
    access: Access = field(init=False)
    league: LeagueRepository = field(init=False)
    question: Question = field(init=False)
    spec: Spec = field(init=False)
    reply: Reply = field(default_factory=lambda: Reply(()))


Step = Callable[[Tap], bool]
"""A step returns False where the way ends with it."""


class Responder:
    """Reads and answers taps. The same question of an unchanged league is answered from memory. Safe in
    threads."""

    def __init__(self, parts: Parts) -> None:
        self.limits = RateLimits()
        self.quotable = QuotableAnswers(parts.state.chats)
        self.router = Router(parts.catalogue, self._names, self.quotable.question)
        self._parts = parts
        self._first_times = FirstTimes(parts.state)
        self._answers: SharedLru[Reply] = SharedLru(ANSWERS)
        self._known_names: Lru[int, tuple[LeagueSnapshot, Mapping[str, str]]] = Lru(LEAGUES)
        self.hearing: tuple[Step, ...] = (
            self._hear_who_left,  # before any limit: they have no access any more
            self._read_command,  # members' own talk ends here, which is neither stored nor counted
            self._limit_rate,
        )
        self.answering: tuple[Step, ...] = (
            self._let_in,  # to strangers, one polite sentence
            self._look_at_league,
            self._understand,  # what the command takes is read from typed words
            self._ask,  # the answer itself
            self._make_quotable,
            self._add_first_times,
            self._add_notices,
        )

    def hear(self, event: Event) -> Tap | None:
        """Return what an event of LINE's asks, None where nobody answers it."""
        tap = Tap(event)
        return tap if all(step(tap) for step in self.hearing) else None

    def reply(self, event: Event, command: Command) -> Reply | None:
        """Return what to say to an event, or None for silence. Never raises: failures are told in a
        sentence."""
        try:
            tap = Tap(event)
            tap.command = command
            all(step(tap) for step in self.answering)
            return tap.reply if tap.reply.parts else None
        except UserError as error:
            overheard = event.type == "message" and not (event.alone or event.mentioned)
            return None if error.chatter and overheard else error.reply
        except StorageError as error:
            log.error("the logs can't be read: %s", error)
            blame(error, str(error), error.store or "logs", lost=True)
            return Reply((Text(texts.LOGS_DOWN),))
        except Exception as error:
            log_fault("a tap could not be answered", error)
            blame(error, "", lost=True)
            return Reply((Text(texts.BROKEN),))

    def settle(self) -> None:
        """Do what can wait until the answer is sent."""
        self._parts.registry.settle()

    # The steps when LINE calls

    def _hear_who_left(self, tap: Tap) -> bool:
        """Have LINE asked anew about users who joined or left a group, and about everybody when the bot
        left."""
        if tap.event.type == "leave":
            self._parts.access.bot_left(tap.event.chat)
        elif tap.event.users:
            self._parts.access.members_changed(tap.event.users)
        return True

    def _read_command(self, tap: Tap) -> bool:
        command = self.router.command_of(tap.event)
        if command is not None:
            tap.command = command
        return command is not None

    def _limit_rate(self, tap: Tap) -> bool:
        verdict = self.limits.ask(tap.event.chat, tap.event.user)
        if verdict is RateVerdict.TELL:
            tap.refusal = texts.TOO_MUCH
        elif verdict is RateVerdict.IGNORE:
            metrics.count("taps", outcome="ignored")
        return verdict is not RateVerdict.IGNORE

    # The steps around an answer

    def _let_in(self, tap: Tap) -> bool:
        """See whether this chat may ask, and of which league. A stranger gets no data; an admin may enrol the
        chat."""
        event, access = tap.event, self._parts.access.access(tap.event.chat, tap.event.user)
        if access is None and tap.command.name == "enrol" and self._parts.access.is_admin(event.user):
            access = Access("", True)
        if access is not None:
            tap.access = access
        elif tap.command.name == ident.NAME:
            tap.reply = ident.ids_of(event.chat, event.user)
        else:
            tap.reply = Reply((Text(texts.STRANGER),))
        return access is not None

    def _look_at_league(self, tap: Tap) -> bool:
        """Read the league's folder as it is now, and who asks."""
        event, access = tap.event, tap.access
        note(league=access.league)
        with timed("read"):
            tap.league = self._parts.registry.league(access.league)
            snapshot = tap.league.snapshot()
        player = access.player
        if player is None:
            player = self._parts.identities.player_of(access.league, event.user)
        known = snapshot.league.player_of(player)
        asker = Asker(event.chat, event.user, admin=access.admin, player=known)
        tap.question = Question(tap.command, snapshot, tap.league.ratings(snapshot), asker, self._parts.now())
        return True

    def _understand(self, tap: Tap) -> bool:
        tap.question = understood(tap.question, self._parts.catalogue)
        tap.spec = self._parts.catalogue[tap.question.command.name]
        return True

    def _ask(self, tap: Tap) -> bool:
        """Do what is asked, or answer: from memory where the same was asked of an unchanged league."""
        spec, question, parts = tap.spec, tap.question, self._parts
        key = None if spec.action or spec.live else _answer_key(question, spec.daily)
        known = self._answers.get((tap.access.league, key)) if key is not None else None
        if key is not None:
            metrics.count("cache", cache="answer", known=str(known is not None).lower())
        if known is None and spec.slow and question.asker.alone:
            parts.line.show_loading(question.asker.user, LOADING)
        if spec.action is not None:
            tools = Tools(
                folder=tap.access.league,
                league=tap.league,
                state=parts.state,
                access=parts.access,
                registry=parts.registry,
                identities=parts.identities,
                paifus=parts.paifus,
                content=self._content,
                checks=parts.checks,
            )
            tap.reply = spec.action(question, tools)
        else:
            assert spec.answer is not None
            tap.reply = known or spec.answer(question)
            if key is not None:
                self._answers.put((tap.access.league, key), tap.reply)
        return bool(tap.reply.parts)

    def _make_quotable(self, tap: Tap) -> bool:
        """Note what was asked as postback data, with the asker's own name on their own card: another may
        quote it."""
        command, options = tap.question.command, dict(tap.question.command.options)
        if tap.spec.repeatable:
            player = tap.question.asker.player
            if command.name == Ask.PLAYER and "player" not in options and "who" not in options and player:
                options["player"] = token(player)
            data = data_of(command.name, **options)
            tap.reply = replace(tap.reply, asked=data if len(data) <= DATA_LIMIT else "")
        return True

    def _add_first_times(self, tap: Tap) -> bool:
        offering = tap.spec.answer is not None
        tap.reply = self._first_times.added(tap.question, tap.reply, tap.event.id, offering)
        return True

    def _add_notices(self, tap: Tap) -> bool:
        tap.reply = with_notices(tap.question, tap.reply, tap.league.trouble, self._parts.state)
        return True

    # What the steps ask for

    def _names(self, chat: str) -> Mapping[str, str]:
        """The names (as `key`) of the chat's league -> names on Tenhou, as far as they are in memory: no
        store is asked."""
        folder = self._parts.access.known_league(chat)
        snapshot = None if folder is None else self._parts.registry.in_memory(folder)
        if snapshot is None:
            return {}
        return self._known_names.made(id(snapshot), lambda: (snapshot, names_of(snapshot)))[1]

    def _content(self, message: str, most: int) -> bytes | None:
        """Return a message's file, or None if LINE does not give it."""
        try:
            return self._parts.line.content(message, most)
        except LineDown as error:
            log.warning("%s", error)
            return None


def _answer_key(question: Question, daily: bool) -> tuple[Any, ...]:
    """Return what an answer depends on: the folder's revision, the command, who asks, the day for a `daily`
    one."""
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
