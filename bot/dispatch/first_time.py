"""What a chat gets once: parts of an answer the first time it asks, and a recap offered after a week without a question.

The marks are in the state store, so that it is once for all processes. Where the store can't be reached, the answer goes without.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from bot.answers.common.periods import Period, month_of, week_of
from bot.answers.common.scope import days_of
from bot.chat.command import Question, choice
from bot.chat.replies import MESSAGES, Choice, Reply, Text
from storage.ports import StorageError
from storage.state import State

AWAY = timedelta(days=7)  # without a question, after which a recap is offered
LONG_AWAY = timedelta(days=31)  # after which it is the last month's
RECAP = "recap"
OFFER = "{}日ぶりですね。{}は下のボタンから見られます。"
_SEEN = 7 * 86400.0  # seconds for which a mark of something seen is kept
_ASKED = 400 * 86400.0  # seconds for which the day of a chat's last question is kept
_REMEMBERED = 4096  # marks and days that a process remembers
log = logging.getLogger(__name__)


class FirstTimes:
    """Adds to answers what their chats have not seen. Safe in threads: the store decides."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._known: OrderedDict[str, str] = OrderedDict()  # values known to be in the store
        self._lock = threading.Lock()

    def added(self, question: Question, reply: Reply, event: str = "", offering: bool = True) -> Reply:
        """The reply with what the chat gets once. `event` is the tap's id: answered again after a crash, it gets it again.

        `offering`: a recap may be offered, too.
        """
        try:
            reply = self._with_once(question.asker.chat, reply, event)
            offer = self._offer(question)
        except StorageError as error:
            log.warning("what a chat gets once can't be looked up: %s", error)
            return reply
        return _with_offer(reply, *offer) if offer and offering and question.command.name != RECAP else reply

    def _with_once(self, chat: str, reply: Reply, event: str) -> Reply:
        if reply.once is None:
            return reply
        key = f"once:{chat}:{reply.once.mark}"
        if self._known.get(key, event) != event:
            return reply
        if not self._state.values.add(key, event, _SEEN) and (
            not event or self._state.values.get(key) != event
        ):
            self._remember(key, "seen")
            return reply
        self._remember(key, event or "seen")
        return replace(reply, parts=(*reply.parts, *reply.once.parts)[:MESSAGES])

    def _offer(self, question: Question) -> tuple[str, Choice] | None:
        """The sentence and the button of an offer, where the chat's last question is a week ago; the day is noted."""
        today = question.now.date()
        key = f"asked:{question.asker.chat}"
        if self._known.get(key) == today.isoformat():
            return None
        self._remember(key, today.isoformat())
        last = self._state.values.get(key)
        if last is None:
            self._state.values.put(key, today.isoformat(), _ASKED)
            return None
        if last == today.isoformat() or not self._state.values.replace(key, last, today.isoformat(), _ASKED):
            return None  # another process has seen to it
        return _recap_since(question, _day(last) or today)

    def _remember(self, key: str, value: str) -> None:
        with self._lock:
            self._known[key] = value
            self._known.move_to_end(key)
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _recap_since(question: Question, last: date) -> tuple[str, Choice] | None:
    """The offer of a recap of games since the day `last`; None where that is no week ago, or there are none."""
    today = question.now.date()
    away = today - last
    new = [day for day in days_of(question.snapshot) if last < day <= today] if away >= AWAY else []
    if not new:
        return None
    for label, period in _periods(today, away, new[-1]):
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


def _with_offer(reply: Reply, sentence: str, button: Choice) -> Reply:
    """The reply with the sentence before it, where there is room, and with the button first of those that stay and that go."""
    parts = (Text(sentence), *reply.parts) if len(reply.parts) < MESSAGES else reply.parts
    buttons = (button, *reply.buttons) if reply.buttons else ()
    return replace(reply, parts=parts, choices=(button, *reply.choices), buttons=buttons)
