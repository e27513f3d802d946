"""The answers that members may quote: which question each sent message answered, for a week, by chat.

A quoted message comes as its id alone (https://developers.line.biz/en/reference/messaging-api/#wh-text). What was asked is kept as
postback data, so a quoted answer can be asked again with a change. Nothing is written while an answer is made: the background
loop writes what was sent since its last round.
"""

from __future__ import annotations

import logging
import re
import threading
from collections import OrderedDict

import orjson

from storage.chats import Chats
from storage.ports import StorageError

WAITING = 2000  # messages that wait to be written; what LINE sent first is forgotten first
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
log = logging.getLogger(__name__)


class QuotableAnswers:
    """The questions of sent answers. Safe in threads."""

    def __init__(self, chats: Chats) -> None:
        self._chats = chats
        self._waiting: OrderedDict[tuple[str, bytes], str] = OrderedDict()
        self._lock = threading.Lock()

    def sent(self, chat: str, question: str, told: bytes) -> None:
        """Note that LINE took an answer. `question` is its postback data, `told` LINE's response with the messages' ids."""
        with self._lock:
            self._waiting[chat, told] = question
            while len(self._waiting) > WAITING:
                self._waiting.popitem(last=False)

    def question(self, chat: str, message: str) -> str:
        """The postback data of the question that a message of the chat answered; "" where it is not known (any more)."""
        with self._lock:
            waiting = [(told, data) for (own, told), data in self._waiting.items() if own == chat]
        for told, data in waiting:
            if message in message_ids(told):
                return data
        try:
            return self._chats.question(chat, message)
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            return ""

    def write(self) -> None:
        """Write what was sent since the last call. A chore of the background loop.

        Raises StorageError when the state store cannot be reached; the next call then tries again.
        """
        with self._lock:
            waiting = dict(self._waiting)
        self._chats.answered(
            {
                (chat, message): question
                for (chat, told), question in waiting.items()
                for message in message_ids(told)
            }
        )
        with self._lock:
            for key in waiting:
                self._waiting.pop(key, None)


def message_ids(told: bytes) -> list[str]:
    """The ids in LINE's response to a reply (`sentMessages`); none where it is anything else."""
    try:
        sent = orjson.loads(told)["sentMessages"]
        found = [message["id"] for message in sent]
    except (ValueError, KeyError, TypeError):
        return []
    return [each for each in found if isinstance(each, str) and _ID.fullmatch(each)]
