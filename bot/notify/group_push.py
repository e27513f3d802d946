"""Push a message to a group, or to a user, once: by a key in the database, and within the month's quota.

A push carries a retry key, with which LINE takes the same message only once, for 24 hours
(https://developers.line.biz/en/docs/messaging-api/retrying-api-request/).
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable

from bot.chat.access import ChatAccess
from bot.chat.replies import Reply
from bot.dispatch.pictures import Pictures
from bot.line.client import LineClient
from bot.line.messages import messages
from storage.notices import Notices

log = logging.getLogger(__name__)


class GroupPush:
    """Pushes replies to the groups of leagues, and to users."""

    def __init__(self, access: ChatAccess, line: LineClient, notices: Notices, pictures: Pictures) -> None:
        self._access = access
        self._line = line
        self._notices = notices
        self._pictures = pictures

    def groups(self, folder: str) -> list[str]:
        """Return the groups of a league. Raises StorageError when the state store cannot be reached."""
        return [chat for chat, league in self._access.groups().items() if league == folder]

    def once(
        self, chat: str, key: str, reply: Callable[[], Reply], what: str, ttl: float | None = None
    ) -> bool:
        """Push a reply to a chat, unless it was sent under this key. Return False where the quota does not
        allow it.

        `what` names the message; its first word is for the log. `ttl`: seconds for which the key is kept,
        None: for ever. Raises LineDown when LINE does not take it, and StorageError when a store cannot be
        reached.
        """
        if self._notices.was_sent(key):
            return True
        sent = self.send(chat, reply, what)
        if sent:
            self._notices.sent(key, ttl)
        return sent

    def send(self, chat: str, reply: Callable[[], Reply], what: str) -> bool:
        """Push a reply to a chat, and return True; False where the month's quota does not cover all members.

        A push costs one message of the quota for each member. Within 24 hours LINE takes it only once for the
        same `what`. Raises as `once` does.
        """
        left = self._line.pushes_left()
        cost = self._line.members(chat) if chat[:1] in "CR" else 1
        if left is not None and left < cost:
            kind = what.partition(" ")[0]
            log.warning("no %s for a chat of %d: %d pushes are left this month", kind, cost, left)
            return False
        sent = messages(reply(), self._pictures.address)
        self._line.push(chat, sent, str(uuid.uuid5(uuid.NAMESPACE_OID, f"{what} {chat}")))
        return True
