"""Play the LINE platform in memory: users and groups, what members do, and what the bot answers. No Flask
here."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from typing import Any

from bot import demo_chat
from bot.console import events, webhook
from bot.console.faults import CallFault, CallFaults
from bot.console.feed import Feed
from bot.console.records import Content, Delivery, Directory, Group, NoAnswer, Quotes, SentMessages
from bot.console.richmenus import RichMenus
from bot.console.tokens import ReplyTokens
from bot.demo_chat import User

__all__ = ["Content", "Delivery", "Group", "NoAnswer", "Platform", "SentMessages"]

Json = dict[str, Any]

WEBHOOK_SECONDS = 2.0
ANSWER_SECONDS = 20.0
CONTENTS_KEPT = 50
QUOTES_KEPT = 5000


class Platform:
    """LINE in memory: a demo group of nine members, every user's 1:1 chat with the bot, and the bot's
    channel.

    Members act through `tap`, `say`, `send_file`, `follow`, `join` and others: each makes an event, signs it,
    sends it to `callback_url` and returns the `Delivery`. `answers(delivery)` waits for the messages the bot
    replied with. A chat is named by its group id, or by the user's id for the 1:1 chat. `clock` returns epoch
    seconds; `webhook_timeout` is in seconds.
    """

    def __init__(
        self,
        callback_url: str = "",
        *,
        channel_secret: str = demo_chat.DEMO_CHANNEL_SECRET,
        access_token: str = demo_chat.DEMO_ACCESS_TOKEN,
        clock: Callable[[], float] = time.time,
        webhook_timeout: float = WEBHOOK_SECONDS,
    ) -> None:
        self.callback_url = callback_url
        self.webhook_active = True
        self.channel_secret = channel_secret
        self.access_token = access_token
        self.clock = clock
        self.webhook_timeout = webhook_timeout
        self.bot = demo_chat.DEMO_BOT
        self.condition = threading.Condition(threading.RLock())
        self.feed = Feed(self.condition)
        self.tokens = ReplyTokens(clock)
        self.menus = RichMenus()
        self.faults = CallFaults()
        self.directory = Directory()
        self.sent: deque[SentMessages] = deque(maxlen=2000)
        self.contents: OrderedDict[str, Content] = OrderedDict()
        self.quotes = Quotes(QUOTES_KEPT)
        self.pushed = 0
        self._last: Delivery | None = None
        for user in (*demo_chat.DEMO_USERS, demo_chat.DEMO_STRANGER):
            self.directory.users[user.id] = user
        self.add_group(demo_chat.GROUP_NAME, [user.id for user in demo_chat.DEMO_USERS], demo_chat.DEMO_GROUP)

    # Who there is

    def add_user(self, name: str) -> str:
        user = User(demo_chat.line_id("U", f"added {len(self.directory.users)} {name}"), name)
        self.directory.users[user.id] = user
        return user.id

    def add_group(self, name: str, members: Iterable[str], group_id: str | None = None) -> str:
        made = group_id or demo_chat.line_id("C", f"added {len(self.directory.groups)} {name}")
        self.directory.groups[made] = Group(made, name, list(members))
        return made

    def is_user(self, some_id: str) -> bool:
        return some_id in self.directory.users

    # What members do

    def tap(
        self,
        chat: str,
        user: str,
        data: str,
        *,
        params: Json | None = None,
        display_text: str | None = None,
    ) -> Delivery:
        """Send a postback, as a tap on a button, a quick reply or a rich menu's area does."""
        if display_text:
            self._show(chat, user, events.text_message(display_text, self.bot))
        postback = {"data": data} | ({"params": params} if params else {})
        return self._act("postback", chat, user, postback=postback)

    def say(self, chat: str, user: str, text: str, *, quoted: str = "") -> Delivery:
        """Send a text message. `@雀録` in it is a mention of the bot; `quoted` is the id of the message it
        quotes.

        Raises ValueError where that is no message of the chat.
        """
        message = events.text_message(text, self.bot)
        if quoted:
            if self.quotes.chat_of(quoted) != chat:
                raise ValueError("only a message of the same chat can be quoted")
            message["quotedMessageId"] = quoted
        return self._message(chat, user, message)

    def send_file(self, chat: str, user: str, name: str, data: bytes) -> Delivery:
        message = events.file_message(name, len(data))
        self._keep(message["id"], Content(data, "application/octet-stream"))
        return self._message(chat, user, message)

    def send_image(self, chat: str, user: str, data: bytes, mimetype: str = "image/jpeg") -> Delivery:
        message = events.image_message()
        self._keep(message["id"], Content(data, mimetype))
        return self._message(chat, user, message)

    def send_sticker(self, chat: str, user: str, package: str = "446", sticker: str = "1988") -> Delivery:
        return self._message(chat, user, events.sticker_message(package, sticker))

    def unsend(self, chat: str, user: str, message_id: str) -> Delivery:
        self.contents.pop(message_id, None)
        self.feed.add("unsend", chat, message=message_id)
        return self._act("unsend", chat, user, reply=False, unsend={"messageId": message_id})

    def follow(self, user: str, *, unblocked: bool = False) -> Delivery:
        return self._act("follow", user, user, follow={"isUnblocked": unblocked})

    def unfollow(self, user: str) -> Delivery:
        return self._act("unfollow", user, user, reply=False)

    def join(self, group: str) -> Delivery:
        """Invite the bot into the group."""
        self.directory.groups[group].bot_inside = True
        return self._act("join", group, None)

    def leave(self, group: str) -> Delivery:
        """Remove the bot from the group."""
        self.directory.groups[group].bot_inside = False
        return self._act("leave", group, None, reply=False)

    def member_joined(self, group: str, *users: str) -> Delivery:
        self.directory.groups[group].members.extend(users)
        return self._act("memberJoined", group, None, joined=events.members(users))

    def member_left(self, group: str, *users: str) -> Delivery:
        members = self.directory.groups[group].members
        members[:] = [member for member in members if member not in users]
        return self._act("memberLeft", group, None, reply=False, left=events.members(users))

    def redeliver(self, delivery: Delivery | None = None) -> Delivery:
        """Send an event again (the last one by default), with the same webhookEventId, marked as a
        redelivery."""
        again = delivery or self._last
        if again is None:
            raise ValueError("nothing has been sent yet")
        if again.token:
            self.tokens.renew(again.token)
        return self._send(Delivery(again.chat, events.redelivered(again.event)))

    def send_event(self, chat: str, event: Json) -> Delivery:
        """Send an event that the caller made, such as one of an unknown type."""
        return self._send(Delivery(chat, event))

    def new_event(self, kind: str, chat: str, user: str | None, *, reply: bool = True, **fields: Any) -> Json:
        """Return a new event, with a reply token if `reply`, without sending it."""
        with self.condition:
            token = self.tokens.issue(chat) if reply else None
        origin = events.source(chat, user)
        return events.event(kind, origin, int(self.clock() * 1000), token, **fields)

    def ping(self) -> int | None:
        """Send a request without events, as LINE does to verify a webhook, and return the HTTP status."""
        return self.test_webhook(self.callback_url).status

    def test_webhook(self, url: str) -> webhook.Answer:
        """Send a request without events to an address, and return the answer."""
        return self._post([], None, url)

    def _act(self, kind: str, chat: str, user: str | None, *, reply: bool = True, **fields: Any) -> Delivery:
        return self._send(Delivery(chat, self.new_event(kind, chat, user, reply=reply, **fields)))

    def _message(self, chat: str, user: str, message: Json) -> Delivery:
        if "quoteToken" in message:
            self.quotes.add(message["quoteToken"], message["id"], chat)
        self._show(chat, user, message)
        return self._act("message", chat, user, message=message)

    def _show(self, chat: str, user: str, message: Json) -> None:
        self.feed.add("message", chat, sender=user, at=self.clock(), message=message)

    def _keep(self, message_id: str, content: Content) -> None:
        with self.condition:
            self.contents[message_id] = content
            while len(self.contents) > CONTENTS_KEPT:
                self.contents.popitem(last=False)

    def _send(self, delivery: Delivery) -> Delivery:
        self._last = delivery
        answer = self._post([delivery.event], delivery.chat)
        delivery.status = answer.status
        delivery.error = answer.error
        delivery.seconds = answer.seconds
        return delivery

    def _post(self, sent: list[Json], chat: str | None, url: str = "") -> webhook.Answer:
        raw = events.body(self.bot.id, sent)
        signature = events.signature(self.channel_secret, raw)
        url = url or self.callback_url
        answer = webhook.post(url, raw, signature, self.webhook_timeout)
        self.feed.add(
            "webhook",
            chat,
            path=url,
            at=self.clock(),
            status=answer.status,
            error=answer.error,
            ms=round(answer.seconds * 1000),
            request={"destination": self.bot.id, "events": sent},
        )
        return answer

    # What the bot did

    def answers(self, delivery: Delivery, timeout: float = ANSWER_SECONDS) -> list[Json]:
        """Return the messages with which the bot replied to the event. Raises NoAnswer after `timeout`
        seconds."""
        found = self.feed.wait(lambda: self._replies(delivery), timeout)
        if found:
            return found[0].messages
        heard = f"webhook said {delivery.status or delivery.error}"
        raise NoAnswer(f"no reply within {timeout} s; {heard}; refused: {self.refused()}")

    def _replies(self, delivery: Delivery) -> list[SentMessages]:
        return [sent for sent in self.sent if sent.token is not None and sent.token == delivery.token]

    def replied(self, delivery: Delivery) -> bool:
        with self.condition:
            return bool(self._replies(delivery))

    def messages(self, chat: str) -> list[Json]:
        """Return every message the bot has sent to the chat, oldest first."""
        with self.condition:
            return [message for sent in self.sent if sent.chat == chat for message in sent.messages]

    def wait_for(self, ready: Callable[[], Any], timeout: float = ANSWER_SECONDS) -> Any:
        """Return what `ready` returns, as soon as it is true. It is called again whenever anything
        happens."""
        return self.feed.wait(ready, timeout)

    def refused(self) -> list[Json]:
        """Return the calls the platform refused to send: request, status and the error body."""
        return [entry.data for entry in self.feed.entries("refused")]

    def calls(self, path: str = "") -> list[Json]:
        """Return the bot's calls to LINE whose path starts so, oldest first: method, path, status, request,
        response."""
        return [entry.data for entry in self.feed.entries("api") if entry.data["path"].startswith(path)]

    def fail_next(self, path: str, status: int = 500, times: int = 1) -> CallFault:
        """Refuse the next calls to a path with this HTTP status."""
        return self.faults.add(CallFault(path, times, status))

    def slow_next(self, path: str, delay: float, times: int = 1) -> CallFault:
        """Answer the next calls to a path `delay` seconds late."""
        return self.faults.add(CallFault(path, times, None, delay))

    def close(self) -> None:
        """End every wait."""
        self.faults.clear()
        self.feed.close()
