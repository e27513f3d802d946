"""Make ids and tokens in LINE's forms."""

from __future__ import annotations

import itertools
import secrets
import threading
import uuid

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

_message_numbers = itertools.count(600_000_000_000_000_001)
_lock = threading.Lock()


def ulid(milliseconds: int) -> str:
    """Return a webhookEventId, which is a ULID (https://github.com/ulid/spec).

    It has 48 bits of epoch time in milliseconds and 80 random bits, in Crockford's base 32 (26 characters).
    """
    number = (milliseconds & (1 << 48) - 1) << 80 | secrets.randbits(80)
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def message_id() -> str:
    with _lock:
        return str(next(_message_numbers))


def reply_token() -> str:
    return secrets.token_hex(16)


def quote_token() -> str:
    return secrets.token_urlsafe(48)


def rich_menu_id() -> str:
    return "richmenu-" + secrets.token_hex(16)


def request_id() -> str:
    return str(uuid.uuid4())
