"""What lies around an answer, as two lists of steps in order: when LINE calls, and when a thread or
a worker answers.

Whoever quotes an answer asks its question again with a change: a quoted message comes as its id alone
(https://developers.line.biz/en/reference/messaging-api/#wh-text), so what each sent message
answered is kept for a week. Nothing of that is written while an answer is made: the background loop
does.
"""

import logging
import re
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple, Protocol

import orjson

from bot import texts
from bot.answers.common.members import names_of, token
from bot.answers.common.typed import understood
from bot.chat.access import Access
from bot.chat.command import (
    Ask,
    Asker,
    Catalogue,
    Command,
    Parts,
    Question,
    Spec,
    Tools,
    data_of,
)
from bot.chat.feature import Features
from bot.chat.reach import reachable
from bot.chat.replies import Reply, Text, UserError
from bot.dispatch.extras import Extras
from bot.dispatch.failures import report_answer
from bot.dispatch.memberships import Memberships
from bot.dispatch.pictures import Pictures
from bot.dispatch.router import DATA_LIMIT, LABELS, Router, labels_of
from bot.league.repository import LeagueRepository
from bot.league.snapshot import LeagueSnapshot
from bot.line.client import LineClient, LineDown
from bot.line.messages import messages
from bot.line.webhook import Event, Json
from bot.runtime import metrics
from bot.runtime.cache import Lru, SharedLru
from bot.runtime.json_log import log_fault, note, timed
from bot.runtime.rate_limit import RateLimits, RateVerdict
from storage.ports import StorageError
from storage.state import State

LOADING = 40  # seconds the loading animation may last; it ends with the answer
LEAGUES = 64  # whose members' names are kept
ANSWERS = 2048  # answers kept, of all leagues together
WAITING = 2000  # sent answers that wait to be written; what LINE sent first is forgotten first
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
log = logging.getLogger(__name__)


class ServiceParts(Parts, Protocol):
    """The service's parts that answers are made from. `now` gives an aware time (JST)."""

    catalogue: Catalogue
    features: Features
    line: LineClient
    pictures: Pictures
    now: Callable[[], datetime]


@dataclass(slots=True)
class Tap:
    """A tap on its way. Each step finds what those before it have put here."""

    event: Event
    command: Command = field(init=False)
    refusal: str = ""  # why it is not answered
    access: Access = field(init=False)
    league: LeagueRepository = field(init=False)
    question: Question = field(init=False)
    spec: Spec = field(init=False)
    reply: Reply = field(default_factory=lambda: Reply(()))


Step = Callable[[Tap], bool]
"""A step returns False where the way ends with it."""


class AnswerMessages(NamedTuple):
    """LINE's messages that answer an event, and their question as postback data: "" where it can't
    be asked again by quoting them."""

    messages: list[Json]
    question: str


class Responder:
    """Knows what to say: it reads what an event asks, and makes the messages that answer it, the
    same question of an unchanged league from memory. It sends nothing and starts no thread. Safe in
    threads.
    """

    def __init__(self, parts: ServiceParts) -> None:
        self.limits = RateLimits()
        self.quotable = QuotableAnswers(parts.state)
        self.router = Router(parts.features, self._names, self.quotable.question)
        self.parts = parts
        self.memberships = Memberships(parts.features, parts.state, parts.access)
        self.extras = Extras(parts.features, parts.state)
        self._answers: SharedLru[Reply] = SharedLru(ANSWERS)
        self._known_names: Lru[tuple[str, str], Mapping[str, str]] = Lru(LEAGUES)
        self.hearing: tuple[Step, ...] = (
            # before any limit: of who has left and what was taken back nothing is kept
            self._hear_what_ends,
            self._read_command,  # members' own talk ends here, which is neither stored nor counted
            self._limit_rate,
        )
        self.answering: tuple[Step, ...] = (
            self._let_in,  # to strangers, one polite sentence
            self._look_at_league,
            self._ask,  # the answer itself
            self._make_quotable,
            self._add_what_else,
        )

    def hear(self, event: Event) -> Tap | None:
        tap = Tap(event)
        return tap if all(step(tap) for step in self.hearing) else None

    def answer(self, event: Event, command: Command) -> AnswerMessages | None:
        """Return what to say to an event, or None for silence and where it can't be replied to.

        Never raises: a sentence reports a failure.
        """
        try:
            with metrics.step("answer"):
                reply = self._reply(event, command)
            if reply is None or not event.token:
                return None
            with metrics.step("pictures"):
                return AnswerMessages(
                    messages(self.parts.pictures.stored(reply), event.quotes), reply.asked
                )
        except Exception as error:
            return AnswerMessages(messages(report_answer(error), event.quotes), "")

    def _reply(self, event: Event, command: Command) -> Reply | None:
        tap = Tap(event)
        tap.command = command
        try:
            for step in self.answering:
                if not step(tap):
                    break
        except UserError as error:
            overheard = event.type == "message" and not (event.alone or event.mentioned)
            if error.chatter and overheard:
                return None
            return reachable(error.reply, self.parts.catalogue)
        reply = reachable(tap.reply, self.parts.catalogue)
        self.quotable.note(
            event.chat,
            [LABELS],
            labels_of(reply, self.parts.now()),
        )
        return reply if reply.parts else None

    def note_sent(self, chat: str, response: bytes, question: str) -> None:
        """Note the question of an answer that was sent, for who quotes it. `response` is LINE's."""
        self.quotable.note(chat, message_ids(response), question)

    def was_taken_back(self, event: Event) -> bool:
        """Whether the event's message was unsent; False without the state store."""
        with suppress(StorageError):
            return self.parts.state.was_unsent(event.message_id)
        return False

    def settle(self) -> None:
        """Do what follows answers: keep the good files of the leagues that were read for them, and
        log the files' faults. Never raises."""
        try:
            self.parts.registry.settle()
        except Exception as error:
            log_fault("what follows an answer failed", error)

    # The steps when LINE calls

    def _hear_what_ends(self, tap: Tap) -> bool:
        self.memberships.hear(tap.event)
        return True

    def hear_again(self) -> None:
        """Forget what could not be forgotten while the database did not answer."""
        self.memberships.hear_again()

    def _read_command(self, tap: Tap) -> bool:
        command = self.router.command_of(tap.event)
        if tap.event.text and (command is None or command.name == Ask.UNKNOWN):
            command = self.router.of_label(tap.event, self.parts.now()) or command
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
        """See which league this chat may ask of.

        A stranger gets no data; an admin may enrol the chat.
        """
        event = tap.event
        spec = self.parts.catalogue[tap.command.name]
        access = self.parts.access.access(event.chat, event.user)
        if access is None and spec.enrols and self.parts.access.is_admin(event.user):
            access = Access("", True)
        if access is not None:
            tap.access = access
        elif spec.for_strangers is not None:
            tap.reply = spec.for_strangers(event.chat, event.user)
        else:
            tap.reply = Reply((Text(texts.STRANGER),))
        return access is not None

    def _look_at_league(self, tap: Tap) -> bool:
        event = tap.event
        access = tap.access
        player = tap.access.player
        note(league=access.league)
        with timed("read"):
            tap.league = self.parts.registry.league(access.league)
            snapshot = tap.league.snapshot()
            snapshot = snapshot.hidden if access.hidden else snapshot
        if player is None:
            player = self.parts.access.player_of(access.league, event.user)
        player = snapshot.league.player_of(player)
        asker = Asker(event.chat, event.user, admin=access.admin, player=player)
        tap.question = self.question(
            tap.command,
            tap.league,
            snapshot,
            asker,
            at=event.at,
        )
        tap.spec = tap.question.spec
        return True

    def _ask(self, tap: Tap) -> bool:
        """Do what is asked, or answer: from memory where the same was asked of an unchanged
        league.
        """
        spec = tap.spec
        question = tap.question
        parts = self.parts
        key = None if spec.action or spec.live else _answer_key(question, spec.daily)
        known = self._answers.get((tap.access.league, key)) if key is not None else None
        if key is not None:
            metrics.count("cache", cache="answer", known=str(known is not None).lower())
        if known is None and spec.slow and question.asker.alone:
            parts.line.show_loading(question.asker.user, LOADING)
        if spec.action is not None:
            content = partial(_told_or, parts.line.content, None)
            member = partial(_told_or, parts.line.member_name, "")
            tap.reply = spec.act(
                question, Tools(tap.access.league, tap.league, parts, content, member)
            )
        else:
            assert spec.answer is not None
            try:
                tap.reply = known or spec.answer(question)
            except UserError as error:
                if tap.league.trouble:
                    error.reply = replace(
                        error.reply, parts=(*error.reply.parts, Text(texts.FROM_MEMORY))
                    )
                raise
            if key is not None:
                self._answers.put((tap.access.league, key), tap.reply)
        return bool(tap.reply.parts)

    def _make_quotable(self, tap: Tap) -> bool:
        """Note what was asked as postback data, with the asker's own name on their card, for
        quoting.
        """
        command = tap.question.command
        options = dict(tap.question.command.options)
        if tap.spec.repeatable:
            player = tap.question.asker.player
            if tap.spec.of_asker and player and options.keys().isdisjoint(("player", "who")):
                options["player"] = token(player)
            data = data_of(command.name, **options)
            tap.reply = replace(tap.reply, asked=data if len(data) <= DATA_LIMIT else "")
        return True

    def _add_what_else(self, tap: Tap) -> bool:
        trouble = tap.league.trouble
        tap.reply = self.extras.added(
            tap.question,
            tap.reply,
            trouble,
            tap.event.id,
        )
        return True

    # What the steps ask for

    def question(
        self,
        command: Command,
        league: LeagueRepository,
        snapshot: LeagueSnapshot,
        asker: Asker,
        at: float = 0.0,
    ) -> Question:
        """The question that a command asks about a snapshot of the league, with the words typed as
        options. Raises UserError for words that can't be asked.
        """
        question = Question(
            command=command,
            snapshot=snapshot,
            ratings=league.ratings(snapshot),
            asker=asker,
            now=self.parts.now(),
            catalogue=self.parts.catalogue,
            at=at,
        )
        if command.typed:
            return understood(question)
        return question

    def _names(self, chat: str) -> Mapping[str, str]:
        """Names (as `key`) in the chat's league -> names on Tenhou, from memory: no store is
        asked.
        """
        folder = self.parts.access.known_league(chat)
        if folder is None or (snapshot := self.parts.registry.in_memory(folder)) is None:
            return {}
        return self._known_names.made((folder, snapshot.revision), lambda: names_of(snapshot))


def _told_or(
    ask: Callable[..., Any],
    missing: str | None,
    *about: Any,
) -> Any:
    """What LINE tells, or `missing` while it is out of reach."""
    try:
        return ask(*about)
    except LineDown as error:
        log.warning("%s", error)
        return missing


def _answer_key(question: Question, daily: bool) -> tuple[Any, ...]:
    """Return what an answer depends on: the folder's revision, the command, who asks, perhaps the
    day.
    """
    command = question.command
    asker = question.asker
    asked = command.name, tuple(sorted(command.options.items())), command.rest
    day = question.now.date() if daily else None
    return question.snapshot.revision, *asked, asker.player, asker.admin, asker.alone, day


class QuotableAnswers:
    """The questions of sent answers. Safe in threads."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._waiting: deque[tuple[str, list[str], str]] = deque(
            maxlen=WAITING
        )  # chat, messages, question

    def note(self, chat: str, messages: list[str], kept: str) -> None:
        """Note the question (postback data) that messages answered, or what is kept under another
        name.
        """
        self._waiting.append((chat, messages, kept))

    def question(self, chat: str, message: str) -> str:
        """The postback data of the question that a message of the chat answered; "" where
        unknown.
        """
        for own, ids, question in reversed(list(self._waiting)):
            if own == chat and message in ids:
                return question
        try:
            return self._state.chats.question(chat, message)
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            return ""

    def write(self) -> None:
        """Write what was sent since the last call; what a StorageError prevents the next call tries
        again.
        """
        waiting = list(self._waiting)
        questions = {}
        for chat, ids, question in waiting:
            for message in ids:
                questions[chat, message] = question
        self._state.answered(questions)
        for written in waiting:
            with suppress(ValueError):  # it was one too many meanwhile
                self._waiting.remove(written)


def message_ids(response: bytes) -> list[str]:
    """The ids in LINE's response to a reply (`sentMessages`), as far as they are there."""
    with suppress(ValueError, KeyError, TypeError):
        found = [message["id"] for message in orjson.loads(response)["sentMessages"]]
        return [each for each in found if isinstance(each, str) and _ID.fullmatch(each)]
    return []
