"""The console's LINE as tests play it: what else members do, what the bot answered, and calls that
fail.

platform = Platform("http://127.0.0.1:PORT/callback")
app.register_blueprint(create_console(platform))
tapped = platform.tap(DEMO_GROUP, user, "request_rating")    # in the 1:1 chat: platform.tap(user,
user, ...) messages = platform.answers(tapped)                          # waits for the reply;
raises NoAnswer platform.fail_next("/v2/bot/message/reply", status=429)      # also slow_next(path,
seconds) platform.refused()                                           # what LINE would have refused
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.console import platform
from bot.console.platform import Delivery, Json, Refusal, SentMessages

FAULTS = {
    429: "The API rate limit has been exceeded. Try again later.",
    500: "Internal Server Error",
}


class NoAnswer(AssertionError):
    """The bot did not answer in time. The message says what was refused meanwhile."""


@dataclass
class CallFault:
    """A fault of the next `times` calls whose path starts with `path` (LINE's own path).

    The call waits for `delay` seconds or until `release()`. With a `status` it is then refused with
    this HTTP status; without one it is done.
    """

    path: str
    times: int
    status: int | None = None
    delay: float = 0.0
    _released: threading.Event = field(default_factory=threading.Event, repr=False)

    def meet(self) -> None:
        if self.delay:
            self._released.wait(self.delay)
        if self.status is not None:
            raise Refusal(self.status, FAULTS.get(self.status, "fault"))

    def release(self) -> None:
        self._released.set()


class Platform(platform.Platform):
    """The platform with what tests do and ask."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._faults: list[CallFault] = []

    # What members do

    def unsend(self, chat: str, user: str, message_id: str) -> Delivery:
        self.contents.pop(message_id, None)
        return self.act("unsend", chat, user, reply=False, unsend={"messageId": message_id})

    def leave(self, group: str) -> Delivery:
        """Remove the bot from the group."""
        self.groups[group].bot_inside = False
        return self.act("leave", group, None, reply=False)

    def member_joined(self, group: str, *users: str) -> Delivery:
        self.groups[group].members.extend(users)
        return self.act("memberJoined", group, None, joined=_members(users))

    def member_left(self, group: str, *users: str) -> Delivery:
        members = self.groups[group].members
        members[:] = [member for member in members if member not in users]
        return self.act("memberLeft", group, None, reply=False, left=_members(users))

    def send_event(self, chat: str, event: Json) -> Delivery:
        """Send an event that the caller made, such as one of an unknown type."""
        return self.send(Delivery(chat, event))

    # What the bot did

    def answers(self, delivery: Delivery, timeout: float = 20.0) -> list[Json]:
        """The messages with which the bot replied. Raises NoAnswer after `timeout` seconds."""
        if found := self.feed.wait(lambda: self._replies(delivery), timeout):
            return found[0].messages
        heard = f"webhook said {delivery.status or delivery.error}"
        raise NoAnswer(f"no reply within {timeout} s; {heard}; refused: {self.refused()}")

    def replied(self, delivery: Delivery) -> bool:
        with self.condition:
            return bool(self._replies(delivery))

    def _replies(self, delivery: Delivery) -> list[SentMessages]:
        return [
            sent for sent in self.sent if sent.token is not None and sent.token == delivery.token
        ]

    def messages(self, chat: str) -> list[Json]:
        with self.condition:
            return [message for sent in self.sent if sent.chat == chat for message in sent.messages]

    def wait_for(self, ready: Callable[[], Any], timeout: float = 20.0) -> Any:
        """Return what `ready` returns, as soon as it is true.

        It is asked again whenever anything happens.
        """
        return self.feed.wait(ready, timeout)

    def refused(self) -> list[Json]:
        """Return the calls the platform refused to send: request, status and the error body."""
        return [entry.data for entry in self.feed.entries("refused")]

    def calls(self, path: str = "") -> list[Json]:
        """The bot's calls to LINE whose path starts so, oldest first, each with request and
        response.
        """
        calls = [entry.data for entry in self.feed.entries("api")]
        return [call for call in calls if call["path"].startswith(path)]

    # Calls that fail

    def fail_next(self, path: str, status: int = 500, times: int = 1) -> CallFault:
        """Refuse the next calls to a path with this HTTP status."""
        return self._fault(CallFault(path, times, status))

    def heal(self) -> None:
        with self.condition:
            self._faults.clear()

    def slow_next(self, path: str, delay: float, times: int = 1) -> CallFault:
        """Answer the next calls to a path `delay` seconds late."""
        return self._fault(CallFault(path, times, delay=delay))

    def _fault(self, fault: CallFault) -> CallFault:
        with self.condition:
            self._faults.append(fault)
        return fault

    def admit(self, path: str, authorization: str | None) -> None:
        """Let a call in as LINE does, or as the oldest fault for its path wants."""
        super().admit(path, authorization)
        with self.condition:
            fault = next(
                (each for each in self._faults if each.times and path.startswith(each.path)), None
            )
            if fault is not None:
                fault.times -= 1
        if fault is not None:
            fault.meet()

    def close(self) -> None:
        with self.condition:
            for fault in self._faults:
                fault.release()
            self._faults.clear()


def _members(users: tuple[str, ...]) -> Json:
    return {"members": [{"type": "user", "userId": user} for user in users]}
