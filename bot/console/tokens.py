"""Reply tokens: one for each event, good once and for a minute."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from bot.console import ids

GOOD_FOR_SECONDS = 60
TOKENS = 5000


@dataclass
class ReplyToken:
    chat: str
    issued: float
    used: bool = False


class ReplyTokens:
    """Not safe in threads by itself: the platform's lock guards it."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._tokens: OrderedDict[str, ReplyToken] = OrderedDict()

    def issue(self, chat: str) -> str:
        token = ids.reply_token()
        self._tokens[token] = ReplyToken(chat, self._clock())
        while len(self._tokens) > TOKENS:
            self._tokens.popitem(last=False)
        return token

    def chat_of(self, token: str) -> str | None:
        known = self._tokens.get(token)
        return known.chat if known else None

    def renew(self, token: str) -> None:
        """A redelivered event's token can be used from now, unless it has been."""
        if known := self._tokens.get(token):
            known.issued = self._clock()

    def use(self, token: str) -> str | None:
        """The chat the reply goes to; None when the token is unknown, used or too old."""
        known = self._tokens.get(token)
        if known is None or known.used or self._clock() - known.issued > GOOD_FOR_SECONDS:
            return None
        known.used = True
        return known.chat
