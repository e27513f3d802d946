"""What lies around an answer, as two lists of steps in order: when LINE calls, and when a thread or
a worker answers.

A chat gets parts of an answer the first time it asks, and a recap offered after a week without a
question; the marks are in the state store, so that it is once for all processes. Whoever quotes an
answer asks its question again with a change: a quoted message comes as its id alone
(https://developers.line.biz/en/reference/messaging-api/#wh-text), so what each sent message
answered is kept for a week. Nothing of that is written while an answer is made: the background loop
does.
"""

import logging
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, Protocol

import orjson

from bot import texts
from bot.answers.admin import ident
from bot.answers.common.faults import told
from bot.answers.common.members import names_of, token
from bot.answers.common.periods import month_of, week_of, year_of
from bot.answers.common.scope import Scope, days_of, is_over
from bot.answers.common.typed import understood
from bot.answers.privacy import forgetting
from bot.answers.tonight.signup_list import SignUps
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
    choice,
    data_of,
)
from bot.chat.feature import Features
from bot.chat.membership import MembershipOrder
from bot.chat.replies import MESSAGES, Choice, Reply, Text, UserError
from bot.dispatch.router import DATA_LIMIT, LABELS, Router, labels_of
from bot.league.repository import LeagueRepository
from bot.line.client import LineClient, LineDown
from bot.line.webhook import Event
from bot.runtime import metrics
from bot.runtime.cache import Lru, SharedLru
from bot.runtime.json_log import blame, log_fault, note, timed
from bot.runtime.rate_limit import RateLimits, RateVerdict
from rating.logdates import JST
from storage.ports import StorageError
from storage.state import State
from storage.values import Values

MEMBERSHIP = frozenset(
    {"join", "leave", "follow", "unfollow", "memberJoined", "memberLeft", "unsend"}
)
"""Events that begin or end something that is kept."""
LOADING = 40  # seconds the loading animation may last; it ends with the answer
LEAGUES = 64  # whose members' names are kept
ANSWERS = 2048  # answers kept, of all leagues together
AWAY = timedelta(days=7)  # without a question, after which a recap is offered
LONG_AWAY = timedelta(days=31)  # after which it is the last month's
ENDED = timedelta(days=30)  # after a season's last game, in which everybody's own season is offered
TOLD = 24 * 3600.0  # seconds for which a group is told only once about the same revision
WAITING = 2000  # sent answers that wait to be written; what LINE sent first is forgotten first
_SEEN = 7 * 86400.0  # seconds for which a mark of something seen is kept
_ASKED = 400 * 86400.0  # seconds for which the day of a chat's last question is kept
_REMEMBERED = 4096  # marks and days of chats that a process knows
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
log = logging.getLogger(__name__)


class ServiceParts(Parts, Protocol):
    """The service's parts that answers are made from. `now` gives an aware time (JST)."""

    catalogue: Catalogue
    features: Features
    line: LineClient
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


class Responder:
    """Reads and answers taps, the same question of an unchanged league from memory.

    Safe in threads.
    """

    def __init__(self, parts: ServiceParts) -> None:
        self.limits = RateLimits()
        self.quotable = QuotableAnswers(parts.state)
        self.router = Router(parts.features, self._names, self.quotable.question)
        self.parts = parts
        self._order = MembershipOrder(parts.state.values)
        self._known_firsts: Lru[str, str] = Lru(_REMEMBERED)
        self._unheard: deque[Tap] = deque(maxlen=WAITING)  # of what is to be forgotten yet
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

    def reply(self, event: Event, command: Command) -> Reply | None:
        """Return what to say to an event, or None for silence.

        Never raises: a sentence tells of failures.
        """
        try:
            tap = Tap(event)
            tap.command = command
            for step in self.answering:
                if not step(tap):
                    break
            self.quotable.note(
                event.chat,
                [LABELS],
                labels_of(tap.reply, self.parts.now()),
            )
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

    # The steps when LINE calls

    def _hear_what_ends(self, tap: Tap) -> bool:
        """Obey, once, an event that begins or ends a membership, or takes a message back. Nothing
        is kept of who left or blocked the bot, nor of such a message
        (https://developers.line.biz/en/docs/messaging-api/development-guidelines/)."""
        event = tap.event
        if event.type not in MEMBERSHIP:
            return True
        try:
            if not self._order.is_obeyed(event.id):
                self._begin_membership(event)
                self._end_membership(event)
                self._order.obeyed(event.id)
        except StorageError as error:
            log.error("%s: what is to be forgotten could not be: %s", event.type, error)
            self._unheard.append(tap)
        return True

    def _begin_membership(self, event: Event) -> None:
        """Note when the bot, a member or a friend joined. Raises StorageError."""
        if event.type == "join":
            self._order.chat_began(event.chat, event.at)
        elif event.type == "follow":
            self._order.user_began(event.user, event.at)
        elif event.type == "memberJoined":
            for user in event.users:
                self._order.member_began(event.chat, user, event.at)
            self.parts.access.members_changed(event.users)

    def _end_membership(self, event: Event) -> None:
        """Forget who left and what was taken back, unless it has begun again since. Raises
        StorageError."""
        state = self.parts.state
        if event.type == "unsend":
            state.unsent(event.message_id)
        elif event.type == "leave":
            if self._order.chat_ends(event.chat, event.at):
                self.parts.access.bot_left(event.chat)
        elif event.type == "unfollow":
            if self._order.user_ends(event.user, event.at):
                forgetting.forget_everywhere(state, event.user, event.at)
        elif event.type == "memberLeft":
            fixed = "" if self.parts.access.is_fixed(event.chat) else None
            league = state.chats.league_and_player(event.chat, "", fixed).league
            users = [
                user for user in event.users if self._order.member_ends(event.chat, user, event.at)
            ]
            for user in users:
                state.forget_user(user, event.chat, league)
                self._order.forget_name(user)
            signups = SignUps(state.values, event.chat, self.parts.now().timestamp())
            signups.left(users, event.at)  # off the evening's list (募集)

    def hear_again(self) -> None:
        """Forget what could not be forgotten while the database did not answer."""
        for _ in range(len(self._unheard)):
            self._hear_what_ends(self._unheard.popleft())

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
        access = self.parts.access.access(tap.event.chat, tap.event.user)
        if (
            access is None
            and tap.command.name == "enrol"
            and self.parts.access.is_admin(event.user)
        ):
            access = Access("", True)
        if access is not None:
            tap.access = access
        elif tap.command.name == ident.NAME:
            tap.reply = ident.ids_of(event.chat, event.user)
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
        ratings = tap.league.ratings(snapshot)
        now = self.parts.now()
        asked = Question(
            tap.command,
            snapshot,
            ratings,
            asker,
            now,
            self.parts.catalogue,
            event.at,
        )
        tap.question = understood(asked) if tap.command.typed else asked
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
            if (
                command.name == Ask.PLAYER
                and "player" not in options
                and "who" not in options
                and player
            ):
                options["player"] = token(player)
            data = data_of(command.name, **options)
            tap.reply = replace(tap.reply, asked=data if len(data) <= DATA_LIMIT else "")
        return True

    def _add_what_else(self, tap: Tap) -> bool:
        state = self.parts.state
        known = self._known_firsts
        reply = with_firsts(tap.question, tap.reply, state.values, known, tap.event.id)
        tap.reply = with_notices(tap.question, reply, tap.league.trouble, state)
        return True

    # What the steps ask for

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


def with_firsts(
    question: Question, reply: Reply, values: Values, known: Lru[str, str], event: str = ""
) -> Reply:
    """Return the reply with what the chat gets once, and offers. `known` is what this process knows
    to be among `values`. `event` is the tap's id: answered again after a crash, it gets it again.
    """

    def is_first(mark: str, ttl: float = _SEEN) -> bool:
        """Whether nobody but this event has set the chat's mark."""
        key = f"once:{question.asker.chat}:{mark}"
        if known.get(key) not in (None, event):
            return False
        first = values.add(key, event, ttl) or (bool(event) and values.get(key) == event)
        known.put(key, (event if first else "") or "seen")
        return first

    offers = question.spec.answer is not None
    try:
        once = reply.once
        if once is not None and is_first(once.mark):
            reply = replace(reply, parts=(*reply.parts, *once.parts)[:MESSAGES])
        offer = _offer(question, values, known) if offers else None
        for mark, button in own_years(question) if offers and offer is None else ():
            if offer is None and is_first(f"year:{mark}", _ASKED):
                offer = "", button
    except StorageError as error:
        log.warning("what a chat gets once can't be looked up: %s", error)
        return reply
    if offer is None or question.command.name == Ask.RECAP:
        return reply
    words, button = offer  # the button goes first of those that stay and of those that go
    parts = (Text(words), *reply.parts) if words and len(reply.parts) < MESSAGES else reply.parts
    buttons = (button, *reply.buttons) if reply.buttons else ()
    return replace(reply, parts=parts, choices=(button, *reply.choices), buttons=buttons)


def _offer(
    question: Question,
    values: Values,
    known: Lru[str, str],
) -> tuple[str, Choice] | None:
    """The sentence and the button of an offer after a week without a question; the day is noted."""
    day = question.now.date().isoformat()
    key = f"asked:{question.asker.chat}"
    if known.get(key) == day:
        return None
    last = values.get(key)
    mine = last not in (None, day) and values.replace(
        key, str(last), day, _ASKED
    )  # no other has seen to it
    if last is None:
        values.put(key, day, _ASKED)
    known.put(key, day)  # not before it is noted: the store may fail
    if mine:
        with suppress(ValueError):
            return _recap_since(question, date.fromisoformat(str(last)))
    return None


def _recap_since(question: Question, last: date) -> tuple[str, Choice] | None:
    """The offer of a recap of games since the day `last`; None where it is no week ago or there are
    none.
    """
    today = question.now.date()
    away = today - last
    new = [day for day in days_of(question.snapshot) if last < day <= today] if away >= AWAY else []
    if not new:
        return None
    week = week_of(today)
    latest = month_of(new[-1])
    last_month = ("先月のまとめ", month_of(today).moved(-1))
    periods = [  # those that may be offered, the likeliest first, and their labels
        ("先週のまとめ", week.moved(-1)),
        ("今週のまとめ", week),
        last_month,
        (f"{latest.title}のまとめ", latest),
    ]
    if away >= LONG_AWAY:
        periods.insert(0, last_month)
    for label, period in periods:
        if any(day in period for day in new):
            words = f"{away.days}日ぶりですね。{label}は下のボタンから見られます。"
            return words, choice(label, Ask.RECAP, **period.options)
    return None


def own_years(question: Question) -> Iterator[tuple[str, Choice]]:
    """Offered once, with a mark: one's own year in its last week, and a season that ended within a
    month.
    """
    today = question.now.date()
    snapshot = question.snapshot
    newest = snapshot.all_games()[-1:]
    if today >= date(today.year, 12, 25) and newest and newest[0].day in (year := year_of(today)):
        yield year.title, choice(f"自分の{year.title}", Ask.YEAR, **year.options)
    for season in snapshot.seasons[-2:]:
        scope = Scope(season, snapshot.all_games(season.number), 0)
        last = scope.games[-1].day
        if last and today - last <= ENDED and is_over(question, scope):
            title = question.catalogue[Ask.YEAR].title
            yield f"s{season.number}", choice(title, Ask.YEAR, season=season.number)


def with_notices(question: Question, reply: Reply, trouble: str, state: State) -> Reply:
    """Return the reply with its notices. `trouble` says why the folder cannot be read now, and is
    "" if it can. Everybody is told which season log cannot be read. An admin is told what is wrong
    with it or with league.toml every time in the 1:1 chat, and in a group once a day until a file
    changes; without the state store a group is not told. 状態, and the choice that it offers, tell
    it themselves."""
    snapshot = question.snapshot
    asker = question.asker
    if question.command.name in (Ask.STATUS, Ask.LOST):
        return reply
    notices = [Text(texts.FROM_MEMORY)] if trouble else []
    without: list[str] = []
    for fault in snapshot.refused:
        since = fault.since.astimezone(JST) if fault.since else None
        when = f"{texts.moment(since.date(), since.time())}時点" if since else "前"
        without.append(
            (texts.FORMER_LOG if fault.kept else texts.NO_LOG).format(
                file=fault.file,
                when=when,
            )
        )
    if without:
        notices.append(Text("\n".join(without)))
    words = ""
    if asker.admin:
        words = "\n".join(told(snapshot, fault) for fault in snapshot.unusable)
    if words:
        with suppress(StorageError):
            if asker.alone or state.values.add(f"told:{asker.chat}:{snapshot.revision}", "1", TOLD):
                notices.append(Text(f"（管理者へ）{words}"))
    return (
        replace(reply, parts=(*reply.parts[: MESSAGES - len(notices)], *notices))
        if notices
        else reply
    )


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


def message_ids(told: bytes) -> list[str]:
    """The ids in LINE's response to a reply (`sentMessages`), as far as they are there."""
    with suppress(ValueError, KeyError, TypeError):
        found = [message["id"] for message in orjson.loads(told)["sentMessages"]]
        return [each for each in found if isinstance(each, str) and _ID.fullmatch(each)]
    return []
