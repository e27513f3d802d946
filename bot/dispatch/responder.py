"""The steps around an answer, as two lists in order: when LINE calls, and when a thread or a worker
answers.

A member who quotes an answer asks its question again with a change. A quoted message comes as its id
alone (https://developers.line.biz/en/reference/messaging-api/#wh-text), so the question of each sent
message is stored for a week. The background loop writes it, not the thread that answers.
"""

import logging
import re
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
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
LEAGUES = 64  # leagues whose members' names are cached
ANSWERS = 2048  # cached answers of all leagues together
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


class TapOutcome(StrEnum):
    """What became of a tap, in the metrics and the log."""

    ANSWERED = "answered"
    SILENT = "silent"
    """There is nothing to reply."""
    FAILED = "failed"
    REPEATED = "repeated"
    """LINE has sent the event again."""
    UNSENT = "taken back"
    IGNORED = "ignored"
    """The member or chat has sent too many."""
    TURNED_AWAY = "turned away"
    """A sentence was sent in place of the answer."""
    ANNOUNCED = "announced"
    """A group was sent a button that shows the answer once it is made."""
    LATE = "late"
    """The answer was made after one of these two had been sent."""
    PUT_OFF = "put off"
    """LINE was out of reach; another process sends the answer."""
    TAKEN_OVER = "taken over"
    """Another process has answered."""
    GIVEN_UP = "given up"
    """The reply token is past."""


@dataclass(slots=True)
class Tap:
    """A tap on its way. Each step reads what the steps before it have set."""

    event: Event
    command: Command = field(init=False)
    refusal: str = ""  # the sentence that it gets in place of an answer
    access: Access = field(init=False)
    league: LeagueRepository = field(init=False)
    question: Question = field(init=False)
    spec: Spec = field(init=False)
    reply: Reply = field(default_factory=lambda: Reply(()))


Step = Callable[[Tap], bool]
"""A step returns False where the way ends with it."""


class AnswerMessages(NamedTuple):
    """LINE's messages that answer an event, and their question as postback data: "" where quoting
    them can't ask it again."""

    messages: list[Json]
    question: str


class Responder:
    """Reads what an event asks, and makes the messages that answer it: from memory where the same
    question was answered for an unchanged league. It sends nothing and starts no thread. Safe in
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
            # before any limit, because nothing is stored of members who left and unsent messages
            self._hear_what_ends,
            self._read_command,  # members' own talk ends here, which is neither stored nor counted
            self._limit_rate,
        )
        self.answering: tuple[Step, ...] = (
            self._let_in,  # to strangers, one polite sentence
            self._look_at_league,
            self._ask,  # the answer itself
            self._make_quotable,
            self._add_extras,
        )

    def hear(self, event: Event) -> Tap | None:
        tap = Tap(event)
        return tap if all(step(tap) for step in self.hearing) else None

    def answer(self, event: Event, command: Command) -> AnswerMessages | None:
        """Return the messages that answer an event, or None for silence and where it can't be
        replied to.

        Never raises: a sentence reports a failure.
        """
        try:
            with metrics.step("answer"):
                reply = self._reply(event, command)
            if reply is None or not event.token:
                return None
            with metrics.step("pictures"):
                return AnswerMessages(
                    messages(self.parts.pictures.stored(reply), event.quotes), reply.question_data
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
        """Note the question of an answer that was sent, for members who quote it. `response` is
        LINE's."""
        self.quotable.note(chat, message_ids(response), question)

    def is_unsent(self, event: Event) -> bool:
        """Whether the event's message was unsent; False without the state store."""
        with suppress(StorageError):
            return self.parts.state.was_unsent(event.message_id)
        return False

    def settle(self) -> None:
        """Do what follows answers: store the good files of the leagues that were read for them, and
        log the files' faults. Never raises."""
        try:
            self.parts.registry.settle()
        except Exception as error:
            log_fault("what follows an answer failed", error)

    def hear_again(self) -> None:
        """Forget what could not be forgotten while the database did not answer."""
        self.memberships.hear_again()

    # The steps when LINE calls

    def _hear_what_ends(self, tap: Tap) -> bool:
        self.memberships.hear(tap.event)
        return True

    def _read_command(self, tap: Tap) -> bool:
        command = self.router.command_of(tap.event)
        if tap.event.text and (command is None or command.name == Ask.UNKNOWN):
            command = self.router.of_label(tap.event, self.parts.now()) or command
        if command is not None:
            tap.command = command
        return command is not None

    def _limit_rate(self, tap: Tap) -> bool:
        verdict = self.limits.ask(tap.event.chat, tap.event.user)
        if verdict is RateVerdict.REFUSE:
            tap.refusal = texts.TOO_MUCH
        elif verdict is RateVerdict.IGNORE:
            metrics.count("taps", outcome=TapOutcome.IGNORED)
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
        """Carry out the command, or answer its question."""
        if tap.spec.action is not None:
            self._show_loading(tap)
            tap.reply = tap.spec.act(tap.question, self._tools(tap))
        elif tap.spec.live:
            tap.reply = self._new_answer(tap)
        else:
            tap.reply = self._cached_answer(tap)
        return bool(tap.reply.parts)

    def _cached_answer(self, tap: Tap) -> Reply:
        """The answer from memory, or a new one, which is cached."""
        key = (tap.access.league, _answer_key(tap.question, tap.spec.daily))
        reply = self._answers.get(key)
        metrics.count("cache", cache="answer", known=str(reply is not None).lower())
        if reply is None:
            reply = self._new_answer(tap)
            self._answers.put(key, reply)
        return reply

    def _new_answer(self, tap: Tap) -> Reply:
        """The answer. A UserError gets a sentence where it comes from a league's former files."""
        assert tap.spec.answer is not None
        self._show_loading(tap)
        try:
            return tap.spec.answer(tap.question)
        except UserError as error:
            if tap.league.trouble:
                parts = (*error.reply.parts, Text(texts.FROM_MEMORY))
                error.reply = replace(error.reply, parts=parts)
            raise

    def _show_loading(self, tap: Tap) -> None:
        """Have LINE show that a slow answer is being made; it does so in 1:1 chats alone."""
        asker = tap.question.asker
        if tap.spec.slow and asker.alone:
            self.parts.line.show_loading(asker.user, LOADING)

    def _tools(self, tap: Tap) -> Tools:
        return Tools(
            folder=tap.access.league,
            league=tap.league,
            parts=self.parts,
            content=self._content,
            member=self._member_name,
        )

    def _content(self, message: str, limit: int) -> bytes | None:
        """A message's file, None while LINE is out of reach."""
        try:
            return self.parts.line.content(message, limit)
        except LineDown as error:
            log.warning("%s", error)
            return None

    def _member_name(self, chat: str, user: str) -> str | None:
        """A member's name on LINE, "" while LINE is out of reach."""
        try:
            return self.parts.line.member_name(chat, user)
        except LineDown as error:
            log.warning("%s", error)
            return ""

    def _make_quotable(self, tap: Tap) -> bool:
        """Add the question as postback data, with the asker's own name on their card, for quoting."""
        if not tap.spec.repeatable:
            return True
        command = tap.question.command
        options = dict(command.options)
        player = tap.question.asker.player
        if tap.spec.of_asker and player and options.keys().isdisjoint(("player", "who")):
            options["player"] = token(player)
        data = data_of(command.name, **options)
        if len(data) > DATA_LIMIT:
            data = ""
        tap.reply = replace(tap.reply, question_data=data)
        return True

    def _add_extras(self, tap: Tap) -> bool:
        tap.reply = self.extras.added(
            tap.question,
            tap.reply,
            trouble=tap.league.trouble,
            event=tap.event.id,
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
        options. Raises UserError for words that are no question.
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
        queried.
        """
        folder = self.parts.access.known_league(chat)
        if folder is None:
            return {}
        snapshot = self.parts.registry.in_memory(folder)
        if snapshot is None:
            return {}
        return self._known_names.made((folder, snapshot.revision), lambda: names_of(snapshot))


def _answer_key(question: Question, daily: bool) -> tuple[Any, ...]:
    """Return what an answer depends on: the folder's revision, the command, who asks, perhaps the
    day.
    """
    command = question.command
    asker = question.asker
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


class SentAnswer(NamedTuple):
    """The ids of the messages that a chat got, and their question as postback data."""

    chat: str
    messages: list[str]
    question: str


class QuotableAnswers:
    """The questions of sent answers.

    Threads add to a deque, whose methods are atomic, and one of them writes. What it has written is
    removed after it is stored, so that an error or a new answer meanwhile loses nothing
    (tests/dispatch/test_quoting.py::test_an_outage_of_the_store_loses_no_question).
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._waiting: deque[SentAnswer] = deque(maxlen=WAITING)

    def note(self, chat: str, messages: list[str], question: str) -> None:
        """Note the question (postback data) that messages answered. Under the name LABELS in place
        of a message, the labels of the chat's last answer are stored."""
        self._waiting.append(SentAnswer(chat, messages, question))

    def question(self, chat: str, message: str) -> str:
        """The postback data of the question that a message of the chat answered; "" where
        unknown.
        """
        for sent in reversed(list(self._waiting)):
            if sent.chat == chat and message in sent.messages:
                return sent.question
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
        for sent in waiting:
            for message in sent.messages:
                questions[sent.chat, message] = sent.question
        self._state.answered(questions)
        for sent in waiting:
            with suppress(ValueError):  # newer ones have displaced it meanwhile
                self._waiting.remove(sent)


def message_ids(response: bytes) -> list[str]:
    """The ids in LINE's response to a reply (`sentMessages`), as far as they are there."""
    with suppress(ValueError, KeyError, TypeError):
        ids = [message["id"] for message in orjson.loads(response)["sentMessages"]]
        return [text for text in ids if isinstance(text, str) and _ID.fullmatch(text)]
    return []
