"""Write log lines for people and programs: one JSON object a line on standard error.

Nothing logs a secret. If a message holds one all the same, it is replaced by *** (`configure(secrets=...)`). Chats and
users appear as a keyed hash, the same for the same id, from which nobody gets the id back.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

log = logging.getLogger(__name__)
_CONTEXT: ContextVar[dict[str, str] | None] = ContextVar("json_log", default=None)
SHORTEST = 6  # characters; a shorter value is no secret, and replacing it would spoil words
NOISY = ("dropbox", "botocore", "boto3", "urllib3", "matplotlib", "werkzeug")


class JsonLines(logging.Formatter):
    """Formats a record: time (UTC), level, logger, message, event, chat, `ms` if timed, and the error's class."""

    def __init__(self, secrets: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._secrets = sorted((s for s in secrets if len(s) >= SHORTEST), key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._clean(record.getMessage()),
            **(_CONTEXT.get() or {}),
        }
        if (timed := getattr(record, "ms", None)) is not None:
            line["ms"] = timed
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
        return json.dumps(line, ensure_ascii=False)

    def _clean(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text


@contextmanager
def about(event_id: str, chat: str, secret: str) -> Iterator[None]:
    """Add the event and the chat (hashed) to every line logged meanwhile."""
    before = _CONTEXT.set({"event": event_id, "chat": hashed(chat, secret)})
    try:
        yield
    finally:
        _CONTEXT.reset(before)


def hashed(some_id: str, secret: str) -> str:
    """Return a chat's or user's id as the log shows it: 12 hex digits."""
    return hmac.new(b"log " + secret.encode(), some_id.encode(), hashlib.sha256).hexdigest()[:12]


def configure(level: int = logging.INFO, secrets: tuple[str, ...] = ()) -> None:
    """Send everything from `level` up to standard error. A second call changes nothing."""
    root = logging.getLogger()
    if any(isinstance(h.formatter, JsonLines) for h in root.handlers):
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(secrets))
    root.addHandler(handler)
    root.setLevel(level)
    for noisy in NOISY:
        logging.getLogger(noisy).setLevel(logging.WARNING)


def log_fault(what: str, error: Exception) -> None:
    """Log one line for the admin: what failed, the error's class, and where.

    The error's text is left out, because it may hold a secret.
    """
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"
    log.error("%s: %s at %s", what, type(error).__name__, place)
