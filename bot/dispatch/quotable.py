"""The answers that members may quote: which question each sent message answered, for a week, by chat.

A quoted message comes as its id alone (https://developers.line.biz/en/reference/messaging-api/#wh-text). What was asked is kept as
postback data, so a quoted answer can be asked again with a change. Nothing is written while an answer is made: the background
loop writes what was sent since its last round, one value a chat, and keeps each chat's newest values only.
"""

from __future__ import annotations

import logging
import re
import secrets
import threading
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable

import orjson

from storage.ports import StateStore, StorageError

WEEK = 7 * 24 * 3600.0
MOST = 300  # values kept of a chat: the answers of one round of the background loop each
WAITING = 2000  # messages that wait to be written; what LINE sent first is forgotten first
LOOK = 50  # values of a chat after which their number is looked at
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
log = logging.getLogger(__name__)


class QuotableAnswers:
    """The questions of sent answers. Safe in threads. `clock` gives epoch seconds."""

    def __init__(self, state: StateStore, clock: Callable[[], float] = time.time) -> None:
        self._state = state
        self._clock = clock
        self._waiting: OrderedDict[tuple[str, bytes], tuple[str, float]] = OrderedDict()
        self._written: Counter[str] = Counter()
        self._lock = threading.Lock()

    def sent(self, chat: str, question: str, told: bytes) -> None:
        """Note that LINE took an answer. `question` is its postback data, `told` LINE's response with the messages' ids."""
        with self._lock:
            self._waiting[chat, told] = (question, self._clock())
            while len(self._waiting) > WAITING:
                self._waiting.popitem(last=False)

    def question(self, chat: str, message: str) -> str:
        """The postback data of the question that a message of the chat answered; "" where it is not known (any more)."""
        with self._lock:
            waiting = [(told, data) for (own, told), (data, _) in self._waiting.items() if own == chat]
        for told, data in waiting:
            if message in message_ids(told):
                return data
        try:
            kept = self._state.items(_prefix(chat))
        except StorageError as error:
            log.warning("the state store can't be read: %s", error)
            return ""
        answers = [answer for key in sorted(kept, reverse=True) for answer in _answers(kept[key])]
        return next((data for ids, data in answers if message in ids), "")

    def write(self) -> None:
        """Write what was sent since the last call. A chore of the background loop.

        Raises StorageError when the state store cannot be reached; the next call then tries again.
        """
        with self._lock:
            waiting = list(self._waiting.items())
        told_by_chat: defaultdict[str, list[tuple[list[str], str]]] = defaultdict(list)
        for (chat, told), (question, _) in waiting:
            if ids := message_ids(told):
                told_by_chat[chat].append((ids, question))
        if told_by_chat:
            mark = f"{self._clock():013.2f}{secrets.token_hex(4)}"
            values = {_prefix(chat) + mark: orjson.dumps(new).decode() for chat, new in told_by_chat.items()}
            self._state.put_all(values, WEEK)
        with self._lock:
            for key, _ in waiting:
                self._waiting.pop(key, None)
        self._written.update(told_by_chat.keys())
        self._bound([chat for chat in told_by_chat if self._written[chat] >= LOOK])

    def _bound(self, chats: Iterable[str]) -> None:
        """Remove all but the newest MOST values of each of the chats."""
        for chat in chats:
            del self._written[chat]
            for key in sorted(self._state.items(_prefix(chat)), reverse=True)[MOST:]:
                self._state.delete(key)


def _prefix(chat: str) -> str:
    return f"answer:{chat}:"


def _answers(kept: str) -> list[tuple[list[str], str]]:
    """The messages' ids and the question of each answer of a value; none where it is anything else."""
    try:
        return [(list(ids), str(data)) for ids, data in orjson.loads(kept)]
    except (ValueError, TypeError):
        return []


def message_ids(told: bytes) -> list[str]:
    """The ids in LINE's response to a reply (`sentMessages`); none where it is anything else."""
    try:
        sent = orjson.loads(told)["sentMessages"]
        found = [message["id"] for message in sent]
    except (ValueError, KeyError, TypeError):
        return []
    return [each for each in found if isinstance(each, str) and _ID.fullmatch(each)]
