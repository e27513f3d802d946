"""What is added to an answer: what its chat gets once, and notices.

A chat gets parts of an answer the first time it asks, and a recap offered after a week without a question.
The marks are in the state store, so that it is once for all processes. Where the store can't be reached, the
answer goes without.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta

from bot.answers.admin.faults import log_sentences, sentence
from bot.answers.common.periods import Period, month_of, week_of
from bot.answers.common.scope import days_of
from bot.chat.command import Question, choice
from bot.chat.replies import MESSAGES, Choice, Reply, Text
from bot.runtime.cache import Lru
from bot.texts import FORMER_LOG, FROM_MEMORY, NO_LOG, moment
from rating.logdates import JST
from storage.ports import StorageError
from storage.state import State

AWAY = timedelta(days=7)  # without a question, after which a recap is offered
LONG_AWAY = timedelta(days=31)  # after which it is the last month's
RECAP = "recap"
OFFER = "{}日ぶりですね。{}は下のボタンから見られます。"
TOLD = 24 * 3600.0  # seconds for which a group is told only once about the same revision
_SEEN = 7 * 86400.0  # seconds for which a mark of something seen is kept
_ASKED = 400 * 86400.0  # seconds for which the day of a chat's last question is kept
_REMEMBERED = 4096  # marks and days that a process remembers
log = logging.getLogger(__name__)


class FirstTimes:
    """Adds to answers what their chats have not seen. Safe in threads: the store decides."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._known: Lru[str, str] = Lru(_REMEMBERED)  # values known to be in the store

    def added(self, question: Question, reply: Reply, event: str = "", offering: bool = True) -> Reply:
        """The reply with what the chat gets once. `event` is the tap's id: answered again after a crash, it
        gets it again.

        `offering`: a recap may be offered, too.
        """
        try:
            if reply.once is not None and self._is_first(
                f"once:{question.asker.chat}:{reply.once.mark}", event
            ):
                reply = replace(reply, parts=(*reply.parts, *reply.once.parts)[:MESSAGES])
            offer = self._offer(question)
        except StorageError as error:
            log.warning("what a chat gets once can't be looked up: %s", error)
            return reply
        if offer is None or not offering or question.command.name == RECAP:
            return reply
        words, button = offer  # the button goes first of those that stay and of those that go
        parts = (Text(words), *reply.parts) if len(reply.parts) < MESSAGES else reply.parts
        buttons = (button, *reply.buttons) if reply.buttons else ()
        return replace(reply, parts=parts, choices=(button, *reply.choices), buttons=buttons)

    def _is_first(self, key: str, event: str) -> bool:
        """Whether nobody but this event has set the mark."""
        if self._known.get(key) not in (None, event):
            return False
        values = self._state.values
        first = values.add(key, event, _SEEN) or (bool(event) and values.get(key) == event)
        self._known.put(key, (event if first else "") or "seen")
        return first

    def _offer(self, question: Question) -> tuple[str, Choice] | None:
        """The sentence and the button of an offer, where the chat's last question is a week ago; the day is
        noted."""
        day, key = question.now.date().isoformat(), f"asked:{question.asker.chat}"
        if self._known.get(key) == day:
            return None
        self._known.put(key, day)
        last = self._state.values.get(key)
        if last is None:
            self._state.values.put(key, day, _ASKED)
            return None
        if last == day or not self._state.values.replace(key, last, day, _ASKED):
            return None  # another process has seen to it
        try:
            return _recap_since(question, date.fromisoformat(last))
        except ValueError:
            return None


def _recap_since(question: Question, last: date) -> tuple[str, Choice] | None:
    """The offer of a recap of games since the day `last`; None where that is no week ago, or there are
    none."""
    today = question.now.date()
    away = today - last
    new = [day for day in days_of(question.snapshot) if last < day <= today] if away >= AWAY else []
    for label, period in _periods(today, away, new[-1]) if new else ():
        if any(day in period for day in new):
            return OFFER.format(away.days, label), choice(label, RECAP, **period.options)
    return None


def _periods(today: date, away: timedelta, latest: date) -> Iterator[tuple[str, Period]]:
    """The periods that may be offered, the likeliest first, and their labels."""
    week, month = week_of(today), month_of(today)
    if away >= LONG_AWAY:
        yield "先月のまとめ", month.moved(-1)
    yield "先週のまとめ", week.moved(-1)
    yield "今週のまとめ", week
    yield "先月のまとめ", month.moved(-1)
    yield f"{month_of(latest).title}のまとめ", month_of(latest)


def with_notices(question: Question, reply: Reply, trouble: str, state: State) -> Reply:
    """Return the reply with its notices. `trouble` says why the folder cannot be read now, and is "" if it
    can.

    Everybody is told which season log cannot be read. An admin is told what is wrong with it or with
    league.toml every time in the 1:1 chat, and in a group once a day until a file changes; without the state
    store a group is not told.
    """
    snapshot, asker = question.snapshot, question.asker
    notices, without = [Text(FROM_MEMORY)] if trouble else [], list[str]()
    for fault in snapshot.refused:
        since = fault.since.astimezone(JST) if fault.since else None
        when = f"{moment(since.date(), since.time())}時点" if since else "前"
        without.append((FORMER_LOG if fault.kept else NO_LOG).format(file=fault.file, when=when))
    if without:
        notices.append(Text("\n".join(without)))
    words = "\n".join(filter(None, (sentence(snapshot), *log_sentences(snapshot))))
    if asker.admin and words:
        with suppress(StorageError):
            if asker.alone or state.values.add(f"told:{asker.chat}:{snapshot.revision}", "1", TOLD):
                notices.append(Text(f"（管理者へ）{words}"))
    return replace(reply, parts=(*reply.parts[: MESSAGES - len(notices)], *notices)) if notices else reply
