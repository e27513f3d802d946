"""The table `notices`: messages that nobody requested and that are sent once, such as a day's digest.

A row is the key of a message that was sent, and until when this is remembered.

What the table promises: a message that is marked as sent counts as sent in all processes, so nobody
gets it twice. The mark is set after LINE has accepted the message; when a process ends between the two,
LINE's retry key prevents the second message (bot/notify/groups.py).
"""

import sqlalchemy as sa

from storage.database import Subject
from storage.schema import NOTICES


class Notices(Subject):
    """Messages that were sent, by key."""

    def was_sent(self, key: str) -> bool:
        now = self._database.clock()
        is_remembered = sa.or_(NOTICES.c.until.is_(None), NOTICES.c.until > now)
        return self._value(NOTICES.c.key, NOTICES.c.key == key, is_remembered) is not None

    def mark_sent(self, key: str, ttl: float | None = None) -> None:
        """Remember for `ttl` seconds (None: for ever) that a message was sent."""
        self._database.put(NOTICES, {"key": key, "until": self._end(ttl)})

    def sweep(self) -> int:
        """Remove what need not be remembered any longer; return the number of messages."""
        return self._remove(NOTICES, NOTICES.c.until <= self._database.clock())
