"""Play the LINE platform in memory: users and groups, what members do, and what the bot sent.

Events are built in LINE's form, and sent signed to the bot
(https://developers.line.biz/en/reference/messaging-api/#webhook-event-objects).
"""

import base64
import hmac
import http.client
import itertools
import json
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from bot import demo_chat
from bot.console.checks import LineProblem, utf16

T = TypeVar("T")

WEBHOOK_SECONDS = 2.0
TOKEN_SECONDS = 60  # https://developers.line.biz/en/reference/messaging-api/#send-reply-message
OPEN = ("/v2/oauth/verify", "/oauth2/v3/token")  # calls without a bearer token
FEED_KEPT = 2000
SENT_KEPT = 2000
CONTENTS_KEPT = 50
TOKENS_KEPT = 5000
Json = dict[str, Any]
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_message_numbers = itertools.count(600_000_000_000_000_001)


def ulid(milliseconds: int) -> str:
    """Return a webhookEventId: a ULID of an epoch time (https://github.com/ulid/spec), 26
    characters.
    """
    number = (milliseconds & (1 << 48) - 1) << 80 | secrets.randbits(80)
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def message_id() -> str:
    return str(next(_message_numbers))


def quote_token() -> str:
    return secrets.token_urlsafe(48)


def event(
    kind: str,
    chat: str,
    user: str | None,
    milliseconds: int,
    token: str | None = None,
    **fields: Any,
) -> Json:
    """Return a new event at an epoch time in milliseconds. A chat id that starts with `C` is a
    group, any other the 1:1 chat with that user."""
    source = {"type": "user"}
    if chat.startswith("C"):
        source = {"type": "group", "groupId": chat}
    if user:
        source["userId"] = user
    content: Json = {
        "type": kind,
        "webhookEventId": ulid(milliseconds),
        "deliveryContext": {"isRedelivery": False},
        "timestamp": milliseconds,
        "source": source,
        "mode": "active",
    }
    if token is not None:
        content["replyToken"] = token
    return content | fields


def text_message(text: str, bot: demo_chat.User) -> Json:
    """Return a text message's content.

    The first `@` and bot's name in it is a mention of the bot.
    """
    content: Json = {"type": "text", "id": message_id(), "quoteToken": quote_token(), "text": text}
    mention = "@" + bot.name
    start = text.find(mention)
    if start >= 0:
        mentionee: Json = {
            "index": utf16(text[:start]),
            "length": utf16(mention),
            "type": "user",
        }
        content["mention"] = {"mentionees": [mentionee | {"userId": bot.id, "isSelf": True}]}
    return content


@dataclass(frozen=True)
class Answer:
    """A webhook's HTTP status, an error by LINE's name, and seconds
    (https://developers.line.biz/en/docs/messaging-api/check-webhook-error-statistics/)."""

    status: int | None
    error: str | None
    seconds: float


def post(
    url: str,
    destination: str,
    events: Sequence[Json],
    secret: str,
    timeout: float,
) -> Answer:
    """Post signed events
    (https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/) to a webhook, and
    return the answer after at most `timeout` seconds. `destination` is the bot's user id."""
    body = json.dumps(
        {"destination": destination, "events": list(events)}, ensure_ascii=False
    ).encode()
    parts = urlsplit(url)
    kind: type[http.client.HTTPConnection] = http.client.HTTPConnection
    if parts.scheme == "https":
        kind = http.client.HTTPSConnection
    connection = kind(parts.hostname or "", parts.port, timeout=timeout)
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "LineBotWebhook/2.0",
        "X-Line-Signature": _signature(secret, body),
    }
    started = time.monotonic()
    status: int | None = None
    error: str | None = None
    try:
        connection.request("POST", parts.path or "/", body=body, headers=headers)
        response = connection.getresponse()
        response.read()
        status = response.status
        if not 200 <= status < 300:
            error = "error_status_code"
    except TimeoutError:
        error = "request_timeout"
    except (OSError, http.client.HTTPException) as problem:
        error = f"could_not_connect: {problem}"
    finally:
        connection.close()
    return Answer(status, error, time.monotonic() - started)


def _signature(secret: str, body: bytes) -> str:
    return base64.b64encode(hmac.digest(secret.encode(), body, "sha256")).decode()


class Refusal(Exception):
    """LINE refuses a call. `chat`: where messages would have gone."""

    def __init__(
        self,
        status: int,
        message: str = "Not found",
        problems: Sequence[LineProblem] = (),
        chat: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.chat = chat
        details = {"details": [vars(problem) for problem in problems]} if problems else {}
        self.body: Json = {"message": message, **details}


@dataclass
class Group:
    id: str
    name: str
    members: list[str]
    bot_inside: bool = True


@dataclass
class Delivery:
    """An event sent to the bot's webhook, and the answer: HTTP status or error."""

    chat: str
    event: Json
    status: int | None = None
    error: str | None = None

    @property
    def token(self) -> str | None:
        return self.event.get("replyToken")

    @property
    def message_id(self) -> str:
        return str(self.event["message"]["id"])


class Quotable(NamedTuple):
    """A message that can be quoted in its chat."""

    message: str
    chat: str


@dataclass
class ReplyToken:
    """A token for a chat: valid once and for a minute from a time of the platform's clock on."""

    chat: str
    issued: float
    used: bool = False


@dataclass
class SentMessages:
    """The messages of one call of the bot: a reply, with its token, or a push. `ids` are those LINE
    gave them."""

    chat: str
    messages: list[Json]
    token: str | None = None
    ids: list[str] = field(default_factory=list)


@dataclass
class RichMenu:
    """A rich menu: the body of the call that made it, and its picture (a PNG) once it is
    uploaded.
    """

    id: str
    body: Json
    image: bytes | None = None

    def shown(self) -> Json:
        return {"richMenuId": self.id} | self.body


@dataclass
class RichMenus:
    """All menus by id; aliases, links (by user) and the default are ids of menus."""

    all: dict[str, RichMenu] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    default: str | None = None

    def delete(self, menu_id: str) -> None:
        """Delete a menu, its links and its being the default.

        Aliases stay and name no menu, as at LINE.
        """
        del self.all[menu_id]
        self.links = {user: linked for user, linked in self.links.items() if linked != menu_id}
        if self.default == menu_id:
            self.default = None

    def shown_to(self, user: str) -> RichMenu | None:
        return self.all.get(self.links.get(user) or self.default or "")


class EntryKind(StrEnum):
    """What happened; the page reads these words."""

    MESSAGE = "message"
    REFUSED = "refused"
    WEBHOOK = "webhook"
    API = "api"
    LOADING = "loading"
    MENU = "menu"
    EVENING = "evening"


@dataclass(frozen=True)
class FeedEntry:
    """One thing that happened."""

    number: int
    kind: str
    chat: str | None
    data: Json

    def as_json(self) -> Json:
        return {"n": self.number, "kind": self.kind, "chat": self.chat} | self.data


class Feed:
    """What happened, in order, at most FEED_KEPT entries. The platform shares the condition: one
    lock guards all."""

    def __init__(self, condition: threading.Condition) -> None:
        self.condition = condition
        self.epoch = secrets.token_hex(4)
        self._entries: deque[FeedEntry] = deque(maxlen=FEED_KEPT)
        self._last = 0

    def add(self, kind: str, chat: str | None = None, **data: Any) -> None:
        with self.condition:
            self._last += 1
            self._entries.append(FeedEntry(self._last, kind, chat, data))
            self.condition.notify_all()

    def entries(self, kind: str | None = None, after: int = 0) -> list[FeedEntry]:
        with self.condition:
            return [
                entry
                for entry in self._entries
                if entry.number > after and kind in (None, entry.kind)
            ]

    def updates(self, after: int, timeout: float) -> list[FeedEntry]:
        def has_newer() -> bool:
            return self._last > after

        self.wait(has_newer, timeout)
        return self.entries(after=after)

    def wait(self, ready: Callable[[], T], timeout: float) -> T:
        """Return what `ready` returns, as soon as it is true; after `timeout` seconds its last
        value.
        """
        with self.condition:
            return self.condition.wait_for(ready, timeout)


class Platform:
    """LINE in memory: a demo group of nine members, every user's 1:1 chat with the bot, and the
    bot's channel. What members do makes an event, signs it, and sends it to `callback_url`. A chat
    is named by its group id, or by the user's id. `clock` returns epoch seconds.

    `condition` guarantees for the server's threads that a call of the bot is checked and carried
    out as a whole: a reply token is used once, and a page that waits for the feed misses no entry.
    Shown by tests/console/test_platform.py (test_reply_token_can_be_used_once) and
    tests/console/test_page.py."""

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
        self.webhook_timeout = webhook_timeout
        self.channel_secret = channel_secret
        self.access_token = access_token
        self.clock = clock
        self.bot = demo_chat.DEMO_BOT
        self.condition = threading.Condition(threading.RLock())
        self.feed = Feed(self.condition)
        self.menus = RichMenus()
        self.users = {user.id: user for user in (*demo_chat.DEMO_USERS, demo_chat.DEMO_STRANGER)}
        self.groups: dict[str, Group] = {}
        self.sent: deque[SentMessages] = deque(maxlen=SENT_KEPT)
        self.contents: OrderedDict[str, bytes] = OrderedDict()
        self.pushed = 0
        self._tokens: OrderedDict[str, ReplyToken] = OrderedDict()
        self._quotes: OrderedDict[str, Quotable] = OrderedDict()  # by quote token
        self._last: Delivery | None = None
        self.add_group(
            demo_chat.GROUP_NAME, [user.id for user in demo_chat.DEMO_USERS], demo_chat.DEMO_GROUP
        )

    def add_group(
        self,
        name: str,
        members: Iterable[str],
        group_id: str | None = None,
    ) -> str:
        new_id = group_id or demo_chat.line_id("C", f"added {len(self.groups)} {name}")
        self.groups[new_id] = Group(new_id, name, list(members))
        return new_id

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
        if display_text:
            self._show(chat, user, text_message(display_text, self.bot))
        postback = {"data": data} | ({"params": params} if params else {})
        return self.act("postback", chat, user, postback=postback)

    def say(
        self,
        chat: str,
        user: str,
        text: str,
        *,
        quoted: str = "",
    ) -> Delivery:
        """Send a text. `@雀録` in it is a mention of the bot; `quoted` is the id of the message it
        quotes. Raises ValueError if that is no message of the chat."""
        message = text_message(text, self.bot)
        if quoted:
            if Quotable(quoted, chat) not in self._quotes.values():
                raise ValueError("only a message of the same chat can be quoted")
            message["quotedMessageId"] = quoted
        self._keep_quotable(message["quoteToken"], message["id"], chat)
        self._show(chat, user, message)
        return self.act("message", chat, user, message=message)

    def send_file(self, chat: str, user: str, name: str, data: bytes) -> Delivery:
        message = {"type": "file", "id": message_id(), "fileName": name, "fileSize": len(data)}
        with self.condition:
            _keep(self.contents, str(message["id"]), data, CONTENTS_KEPT)
        self._show(chat, user, message)
        return self.act("message", chat, user, message=message)

    def follow(self, user: str) -> Delivery:
        return self.act("follow", user, user, follow={"isUnblocked": False})

    def join(self, group: str) -> Delivery:
        self.groups[group].bot_inside = True
        return self.act("join", group, None)

    def redeliver(self, delivery: Delivery | None = None) -> Delivery:
        """Send an event (the last by default) again, as a redelivery.

        Its token's minute begins again.
        """
        delivery = delivery or self._last
        if delivery is None:
            raise ValueError("nothing has been sent yet")
        if delivery.token and delivery.token in self._tokens:
            self._tokens[delivery.token].issued = self.clock()
        redelivered = delivery.event | {"deliveryContext": {"isRedelivery": True}}
        return self.send(Delivery(delivery.chat, redelivered))

    def act(
        self,
        kind: str,
        chat: str,
        user: str | None,
        *,
        reply: bool = True,
        **fields: Any,
    ) -> Delivery:
        return self.send(
            Delivery(
                chat,
                self.new_event(kind, chat, user, reply=reply, **fields),
            )
        )

    def new_event(
        self,
        kind: str,
        chat: str,
        user: str | None,
        *,
        reply: bool = True,
        **fields: Any,
    ) -> Json:
        token = secrets.token_hex(16) if reply else None
        if token:
            with self.condition:
                _keep(self._tokens, token, ReplyToken(chat, self.clock()), TOKENS_KEPT)
        return event(kind, chat, user, int(self.clock() * 1000), token, **fields)

    def send(self, delivery: Delivery) -> Delivery:
        self._last = delivery
        answer = self.post([delivery.event], delivery.chat)
        delivery.status = answer.status
        delivery.error = answer.error
        return delivery

    def post(
        self,
        sent: list[Json],
        chat: str | None,
        url: str = "",
    ) -> Answer:
        """Send a request with these events, or without any to try an address; by default the bot's
        own.
        """
        url = url or self.callback_url
        answer = post(url, self.bot.id, sent, self.channel_secret, self.webhook_timeout)
        self.feed.add(
            EntryKind.WEBHOOK,
            chat,
            path=url,
            at=self.clock(),
            status=answer.status,
            error=answer.error,
            ms=round(answer.seconds * 1000),
            request={"destination": self.bot.id, "events": sent},
        )
        return answer

    def _show(self, chat: str, user: str | None, message: Json) -> None:
        self.feed.add(
            EntryKind.MESSAGE,
            chat,
            sender=user,
            at=self.clock(),
            message=message,
        )

    def _keep_quotable(self, token: str, message: str, chat: str) -> None:
        _keep(self._quotes, token, Quotable(message, chat), TOKENS_KEPT)

    # The bot's calls; the caller has acquired `condition`

    def admit(self, path: str, authorization: str | None) -> None:
        """Raises Refusal for a call that lacks the access token, unless it is OPEN."""
        if path not in OPEN and authorization != f"Bearer {self.access_token}":
            words = "Confirm that the access token in the authorization header is valid."
            raise Refusal(401, f"Authentication failed. {words}")

    def chat_of(self, token: Any) -> str | None:
        if not isinstance(token, str) or token not in self._tokens:
            return None
        return self._tokens[token].chat

    def use(self, token: str) -> None:
        """Use a reply token. Raises Refusal when it is unknown, used or too old."""
        issued = self._tokens.get(token)
        if issued is None:
            raise Refusal(400, "Invalid reply token")
        if issued.used or self.clock() - issued.issued > TOKEN_SECONDS:
            raise Refusal(400, "Invalid reply token", chat=issued.chat)
        issued.used = True

    def check_quotes(self, messages: list[Json], chat: str | None) -> None:
        """Raises Refusal where a message quotes one of another chat, or none."""
        for index, message in enumerate(messages):
            token = message.get("quoteToken")
            if not token:
                continue
            quotable = self._quotes.get(token)
            if quotable is None or quotable.chat != chat:
                problem = LineProblem(f"messages[{index}].quoteToken", "Invalid quote token")
                raise Refusal(400, "The request body has 1 error(s)", [problem], chat)

    def deliver(
        self,
        chat: str,
        messages: list[Json],
        token: str | None = None,
    ) -> Json:
        """Take the bot's messages: a reply, with its token, or a push. Return LINE's answer."""
        sent = [{"id": message_id(), "quoteToken": quote_token()} for _ in messages]
        ids = [entry["id"] for entry in sent]
        self.sent.append(SentMessages(chat, messages, token, ids))
        for entry, message in zip(sent, messages, strict=True):
            self._keep_quotable(entry["quoteToken"], entry["id"], chat)
            self._show(chat, None, message | {"id": entry["id"]})
        return {"sentMessages": sent}


def _keep(
    values: OrderedDict[str, T],
    key: str,
    value: T,
    limit: int,
) -> None:
    """Store a value, and remove the oldest above the limit."""
    values[key] = value
    while len(values) > limit:
        values.popitem(last=False)
