"""The answers that members may quote: which question each sent message answered, for a week, by chat.

A quoted message comes as its id alone (https://developers.line.biz/en/reference/messaging-api/#wh-text). What
was asked is kept as postback data, so a quoted answer can be asked again with a change. Nothing is written
while an answer is made: the background loop writes what was sent since its last round.
"""

from __future__ import annotations

import logging
import re
from collections import deque
from contextlib import suppress

import orjson

from storage.chats import Chats
from storage.ports import StorageError

WAITING = 2000  # answers that wait to be written; what LINE sent first is forgotten first
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
log = logging.getLogger(__name__)


class QuotableAnswers:
    """The questions of sent answers. Safe in threads."""

    def __init__(self, chats: Chats) -> None:
        self._chats = chats
        self._waiting: deque[tuple[str, list[str], str]] = deque(maxlen=WAITING)  # chat, messages, question

    def sent(self, chat: str, question: str, told: bytes) -> None:
        """Note that LINE took an answer. `question` is its postback data, `told` LINE's response with the
        messages' ids."""
        self._waiting.append((chat, message_ids(told), question))

    def question(self, chat: str, message: str) -> str:
        """The postback data of the question that a message of the chat answered; "" where it is not known
        (any more)."""
        for own, ids, question in list(self._waiting):
            if own == chat and message in ids:
                return question
        try:
            return self._chats.question(chat, message)
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            return ""

    def write(self) -> None:
        """Write what was sent since the last call. A chore of the background loop.

        Raises StorageError when the state store cannot be reached; the next call then tries again.
        """
        waiting = list(self._waiting)
        self._chats.answered({(chat, each): asked for chat, ids, asked in waiting for each in ids})
        for written in waiting:
            with suppress(ValueError):  # it was one too many meanwhile
                self._waiting.remove(written)


def message_ids(told: bytes) -> list[str]:
    """The ids in LINE's response to a reply (`sentMessages`); none where it is anything else."""
    try:
        found = [message["id"] for message in orjson.loads(told)["sentMessages"]]
    except (ValueError, KeyError, TypeError):
        return []
    return [each for each in found if isinstance(each, str) and _ID.fullmatch(each)]
