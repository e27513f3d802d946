"""Messages that are sent once."""

from sqlalchemy import or_

from storage.database import Subject
from storage.schema import NOTICES


class Notices(Subject):
    """Messages that were sent, by key: nobody gets one twice."""

    def was_sent(self, key: str) -> bool:
        lasts = or_(NOTICES.c.until.is_(None), NOTICES.c.until > self._database.clock())
        return self._value(NOTICES.c.key, NOTICES.c.key == key, lasts) is not None

    def sent(self, key: str, ttl: float | None = None) -> None:
        """Note that it was sent; for `ttl` seconds, None: for ever."""
        self._database.put(NOTICES, {"key": key, "until": self._end(ttl)})

    def sweep(self) -> int:
        return self._remove(NOTICES, NOTICES.c.until <= self._database.clock())
