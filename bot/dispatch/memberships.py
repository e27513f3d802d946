"""What begins and ends: chats, members, friends and messages. Of who left or blocked the bot
nothing is stored, nor of a message taken back
(https://developers.line.biz/en/docs/messaging-api/development-guidelines/)."""

import logging
from collections import deque

from bot.chat.access import ChatAccess
from bot.chat.feature import Features, Happening, Occurrence
from bot.chat.membership import MembershipOrder
from bot.line.webhook import Event
from storage.ports import StorageError
from storage.state import State

HAPPENINGS = {
    "join": Happening.BOT_JOINED,
    "leave": Happening.BOT_REMOVED,
    "follow": Happening.USER_FOLLOWED,
    "unfollow": Happening.USER_BLOCKED,
    "memberJoined": Happening.MEMBERS_JOINED,
    "memberLeft": Happening.MEMBERS_LEFT,
    "messageEdited": Happening.MESSAGE_EDITED,
    "unsend": Happening.MESSAGE_UNSENT,
}
"""What LINE's types of events mean."""
WAITING = 2000  # events that wait for the state store; the oldest are dropped first
log = logging.getLogger(__name__)


class Memberships:
    """Obeys the events of HAPPENINGS, each once, and reports them to the features' listeners. Safe
    in threads.

    An event is noted as obeyed after it was, so that a killed process or an outage skips none: it
    is obeyed again, which changes nothing (tests/answers/test_membership_order.py).
    """

    def __init__(self, features: Features, state: State, access: ChatAccess) -> None:
        self._features = features
        self._state = state
        self._access = access
        self._order = MembershipOrder(state.values)
        self._waiting: deque[Event] = deque(maxlen=WAITING)

    def hear(self, event: Event) -> None:
        """Obey an event; one that the state store does not take now waits for `hear_again`."""
        happening = HAPPENINGS.get(event.type)
        if happening is None:
            return
        try:
            if not self._order.is_obeyed(event.id):
                self._obey(event, happening)
                self._order.obeyed(event.id)
        except StorageError as error:
            log.error("%s: what is to be forgotten could not be: %s", event.type, error)
            self._waiting.append(event)

    def hear_again(self) -> None:
        """Obey the events that wait, once the database answers."""
        for _ in range(len(self._waiting)):
            self.hear(self._waiting.popleft())

    def _obey(self, event: Event, happening: Happening) -> None:
        """Note what began; forget what ended, unless it has begun again since. Raises
        StorageError.
        """
        users = event.users or (event.user,)
        if happening is Happening.BOT_JOINED:
            self._order.chat_began(event.chat, event.at)
        elif happening is Happening.USER_FOLLOWED:
            self._order.user_began(event.user, event.at)
        elif happening is Happening.MEMBERS_JOINED:
            for user in event.users:
                self._order.member_began(event.chat, user, event.at)
            self._access.members_changed(event.users)
        elif happening is Happening.MESSAGE_UNSENT:
            self._state.unsent(event.message_id)
        elif happening is Happening.BOT_REMOVED:
            if not self._order.chat_ends(event.chat, event.at):
                return
            self._access.bot_left(event.chat)
        elif happening is Happening.USER_BLOCKED:
            if not self._order.user_ends(event.user, event.at):
                return
            self._features.forget_user(self._state, event.user, event.at)
        elif happening is Happening.MEMBERS_LEFT:
            users = self._forget_members(event)
        self._features.report(
            Occurrence(
                happening,
                self._state,
                event.at,
                chat=event.chat,
                users=users,
                message=event.message_id,
                text=event.text,
            )
        )

    def _forget_members(self, event: Event) -> tuple[str, ...]:
        """Forget who left the group and has not joined it again since. Return these users."""
        fixed = "" if self._access.is_fixed(event.chat) else None
        league = self._state.chats.league_and_player(event.chat, "", fixed).league
        users = tuple(
            user for user in event.users if self._order.member_ends(event.chat, user, event.at)
        )
        for user in users:
            self._state.forget_user(user, event.chat, league)
            self._order.forget_name(user)
        return users
