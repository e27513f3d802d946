"""What a chat gets with an answer: parts that come the first time, an offer, notices.

The marks of what a chat has had are in the state store, so that each comes once for all processes.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date

from bot.chat.command import Question
from bot.chat.feature import Features, Offer
from bot.chat.replies import MESSAGES, Reply, Text
from bot.runtime.cache import Lru
from storage.ports import StorageError
from storage.state import State

SEEN = 7 * 86400.0  # seconds for which it is known that a chat has had parts
REMEMBERED_FOR = 400 * 86400.0  # seconds for which a chat's last question and its offers are stored
CACHED = 4096  # marks and days of chats that a process knows
log = logging.getLogger(__name__)


class Extras:
    """Adds to answers what features offer. Safe in threads."""

    def __init__(self, features: Features, state: State) -> None:
        self._features = features
        self._state = state
        self._known: Lru[str, str] = Lru(CACHED)  # what this process knows of the store

    def added(
        self,
        question: Question,
        reply: Reply,
        trouble: str,
        event: str = "",
    ) -> Reply:
        """The reply with all that comes with it. `trouble` is the reason why the league's folder
        cannot be read now, "" where it can. `event` is the tap's id: answered again after a crash, it gets
        the same again.
        """
        return self.with_notices(question, self.with_firsts(question, reply, event), trouble)

    def with_firsts(self, question: Question, reply: Reply, event: str = "") -> Reply:
        """The reply with the parts that the chat gets once, and an offer."""
        try:
            once = reply.once
            if once is not None and self._is_first(question, once.mark, SEEN, event):
                reply = replace(reply, parts=(*reply.parts, *once.parts)[:MESSAGES])
            if question.spec.answer is None:
                return reply
            offer = self._offer(question, event)
        except StorageError as error:
            log.warning("what a chat gets once can't be looked up: %s", error)
            return reply
        if offer is None:
            return reply
        return with_offer(reply, offer)

    def with_notices(self, question: Question, reply: Reply, trouble: str) -> Reply:
        """The reply with the notices below it, which take the place of its last parts where there
        are too many.
        """
        notices: Sequence[Text] = ()
        if not question.spec.reports_faults:
            notices = self._notices(question, trouble)
        if not notices:
            return reply
        return replace(
            reply,
            parts=(*reply.parts[: MESSAGES - len(notices)], *notices),
        )

    def _notices(self, question: Question, trouble: str) -> list[Text]:
        """The notices of all features, as in NoticeMaker."""
        notices: list[Text] = []
        for feature in self._features.features:
            for make_notices in feature.notices:
                notices += make_notices(question, trouble, self._state)
        return notices

    def _is_first(self, question: Question, mark: str, ttl: float, event: str) -> bool:
        """Whether no other event has set the chat's mark.

        `values.add` guarantees that of all processes one sets it
        (tests/dispatch/test_first_time.py::test_each_chat_gets_a_first_part_once).
        """
        key = f"once:{question.asker.chat}:{mark}"
        if self._known.get(key) not in (None, event):
            return False
        values = self._state.values
        is_first = values.add(key, event, ttl) or (bool(event) and values.get(key) == event)
        self._known.put(key, event if is_first and event else "seen")
        return is_first

    def _offer(self, question: Question, event: str) -> Offer | None:
        """The first offer that the chat has not had; the day of its question is noted."""
        last = self._last_asked(question)
        if question.spec.without_offers:
            return None
        for offer in self._offers(question, last):
            if not offer.mark or self._is_first(question, offer.mark, REMEMBERED_FOR, event):
                return offer
        return None

    def _offers(self, question: Question, last: date | None) -> Iterator[Offer]:
        """What the features may offer with an answer, as in OfferMaker."""
        for feature in self._features.features:
            for make_offers in feature.offers:
                yield from make_offers(question, last)

    def _last_asked(self, question: Question) -> date | None:
        """The day of the chat's last question before today; None for any but the first question of
        today. Today is noted.
        """
        day = question.now.date().isoformat()
        key = f"asked:{question.asker.chat}"
        if self._known.get(key) == day:
            return None
        values = self._state.values
        last = values.get(key)
        if last is None:
            values.put(key, day, REMEMBERED_FOR)
        # Of several processes one replaces the day, so that one tap gets the offer
        # (tests/dispatch/test_first_time.py::test_a_recap_is_offered_after_a_week).
        is_replaced = last not in (None, day) and values.replace(
            key, str(last), day, REMEMBERED_FOR
        )
        self._known.put(key, day)  # not before it is stored: the store may fail
        if is_replaced:
            with suppress(ValueError):
                return date.fromisoformat(str(last))
        return None


def with_offer(reply: Reply, offer: Offer) -> Reply:
    """The reply with the offer's button first among its choices, and the sentence above it where
    there is room.
    """
    parts = reply.parts
    if offer.sentence and len(parts) < MESSAGES:
        parts = (Text(offer.sentence), *parts)
    buttons = (offer.button, *reply.buttons) if reply.buttons else ()
    return replace(
        reply,
        parts=parts,
        choices=(offer.button, *reply.choices),
        buttons=buttons,
    )
