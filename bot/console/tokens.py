"""Issue reply tokens: one for each event, valid once and for a minute.

LINE's rule: https://developers.line.biz/en/reference/messaging-api/#send-reply-message
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from bot.console import ids

GOOD_FOR_SECONDS = 60
TOKENS = 5000


@dataclass
class ReplyToken:
    """A token for a chat, issued at a time of the platform's clock."""

    chat: str
    issued: float
    used: bool = False


class ReplyTokens:
    """The tokens issued. `clock` returns seconds. Not safe in threads without the platform's lock."""

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
        """Start the token's minute anew, as for a redelivered event. A used token stays used."""
        if known := self._tokens.get(token):
            known.issued = self._clock()

    def use(self, token: str) -> str | None:
        """Use the token and return its chat; None when it is unknown, used or too old."""
        known = self._tokens.get(token)
        if known is None or known.used or self._clock() - known.issued > GOOD_FOR_SECONDS:
            return None
        known.used = True
        return known.chat
