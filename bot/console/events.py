"""Build webhook events in LINE's form
(https://developers.line.biz/en/reference/messaging-api/#webhook-event-objects), and send them signed to the
bot."""

import base64
import hmac
import http.client
import itertools
import json
import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from bot.demo_chat import User

Json = dict[str, Any]

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_message_numbers = itertools.count(600_000_000_000_000_001)
_lock = threading.Lock()


def ulid(milliseconds: int) -> str:
    """Return a webhookEventId: a ULID of an epoch time (https://github.com/ulid/spec), 26 characters."""
    number = (milliseconds & (1 << 48) - 1) << 80 | secrets.randbits(80)
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def message_id() -> str:
    with _lock:
        return str(next(_message_numbers))


def quote_token() -> str:
    return secrets.token_urlsafe(48)


def event(
    kind: str, chat: str, user: str | None, milliseconds: int, token: str | None = None, **fields: Any
) -> Json:
    """Return a new event at an epoch time in milliseconds. A chat id that starts with `C` is a group, any
    other the 1:1 chat with that user."""
    origin = {"type": "group", "groupId": chat} if chat.startswith("C") else {"type": "user"}
    made: Json = {
        "type": kind,
        "webhookEventId": ulid(milliseconds),
        "deliveryContext": {"isRedelivery": False},
        "timestamp": milliseconds,
        "source": origin | ({"userId": user} if user else {}),
        "mode": "active",
    }
    return made | ({} if token is None else {"replyToken": token}) | fields


def text_message(text: str, bot: User) -> Json:
    """Return a text message's content. The first `@` and bot's name in it is a mention of the bot."""
    content: Json = {"type": "text", "id": message_id(), "quoteToken": quote_token(), "text": text}
    mention = "@" + bot.name
    start = text.find(mention)
    if start >= 0:
        mentionee: Json = {"index": utf16(text[:start]), "length": utf16(mention), "type": "user"}
        content["mention"] = {"mentionees": [mentionee | {"userId": bot.id, "isSelf": True}]}
    return content


def utf16(text: str) -> int:
    """Return the text's length in UTF-16 code units, as LINE counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@dataclass(frozen=True)
class Answer:
    """A webhook's HTTP status, an error by LINE's name, and seconds
    (https://developers.line.biz/en/docs/messaging-api/check-webhook-error-statistics/)."""

    status: int | None
    error: str | None
    seconds: float


def post(url: str, destination: str, events: Sequence[Json], secret: str, timeout: float) -> Answer:
    """Post signed events (https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/) to a
    webhook, and return the answer after at most `timeout` seconds. `destination` is the bot's user id."""
    body = json.dumps({"destination": destination, "events": list(events)}, ensure_ascii=False).encode()
    parts = urlsplit(url)
    made = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = made(parts.hostname or "", parts.port, timeout=timeout)
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "LineBotWebhook/2.0",
        "X-Line-Signature": base64.b64encode(hmac.digest(secret.encode(), body, "sha256")).decode(),
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
