"""Write log lines for people and programs, with fields of the work under way.

A line is a JSON object on standard error, or at a terminal an aligned line. While a tap is at work
each has its fields (which event, who asks what of which league), and the tap's own line has the
steps' times and the error too. Chats and users appear as a keyed hash. Nothing logs a secret; in a
message it is replaced by *** all the same. The standard library's formatters do this, since
libraries' own lines need the fields and the *** too.
"""

import hmac
import json
import logging
import re
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from gunicorn.glogging import Logger

SLOW = 1.0  # seconds; LINE waits two for its 200


class GunicornLog(Logger):  # type: ignore[misc]
    """Hands gunicorn's lines to the handler of `bot.runtime.json_log`: requests that failed (5xx)
    or were slower than SLOW. Of a path it has the first part alone: the rest of a picture's address
    is a key."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        for logger in (self.error_log, self.access_log):
            logger.handlers.clear()  # its own
            logger.setLevel(self.loglevel)
            logger.propagate = True

    def access(
        self,
        resp: Any,
        req: Any,
        environ: dict[str, Any],
        request_time: timedelta,
    ) -> None:
        seconds = request_time.total_seconds()
        status = int(str(resp.status).split()[0])
        level = logging.DEBUG
        if status >= 500:
            level = logging.WARNING
        elif seconds >= SLOW:
            level = logging.INFO
        if self.access_log.isEnabledFor(level):
            method = environ.get("REQUEST_METHOD", "")
            path = environ.get("PATH_INFO", "")
            place = "/" + path.lstrip("/").partition("/")[0][:40]
            fields = {"status": status, "ms": round(1000 * seconds, 1)}
            self.access_log.log(level, "%s %s", method, place, extra={"fields": fields})


log = logging.getLogger(__name__)
SHORTEST = 6  # characters; a shorter value is no secret, and replacing it would spoil words
NOISY = ("dropbox", "botocore", "boto3", "urllib3", "matplotlib", "werkzeug")
JSON = "json"
TEXT = "text"
FORMS = (JSON, TEXT)
IDS = ("event", "chat", "who")  # which people read last
COLOURS = {"debug": "2", "warning": "33", "error": "31", "critical": "31;1"}  # of ANSI terminals
_SIGNED = re.compile(r"(/images/)[^\s\"'?]+")  # a picture's address is all one needs to see it
STEPS = ("read", "rate", "draw", "upload", "reply")
"""The steps of a tap: the league's folder, its ratings, a picture drawn, a picture stored, LINE's
reply.
"""


@dataclass(slots=True)
class Work:
    """The work under way. `steps` are in milliseconds; `step` is the one that is being timed.
    `error` has the error's name, its cause and the store that failed. `lost`: it cost the member an
    answer."""

    fields: dict[str, object]
    steps: dict[str, float] = field(default_factory=dict)
    step: str = ""
    error: dict[str, object] = field(default_factory=dict)
    lost: bool = False

    def summary(self) -> dict[str, object]:
        """The steps and the error, for the line that ends the work."""
        steps = {name: round(self.steps[name], 1) for name in STEPS if name in self.steps}
        if not steps:
            return self.error
        return {"steps": steps, **self.error}


_WORK: ContextVar[Work | None] = ContextVar("work", default=None)


@contextmanager
def about(
    event_id: str, chat: str, secret: str, user: str = "", command: str = ""
) -> Iterator[Work]:
    """Add the event, the chat and the user (hashed), and the command to every line logged
    meanwhile.
    """
    fields: dict[str, object] = {"event": event_id, "chat": hashed(chat, secret)}
    if user:
        fields["who"] = hashed(user, secret)
    if command:
        fields["command"] = command
    work = Work(fields)
    before = _WORK.set(work)
    try:
        yield work
    finally:
        _WORK.reset(before)


def note(**more: object) -> None:
    """Add fields to the lines of the work under way."""
    work = _WORK.get()
    if work is not None:
        work.fields.update(more)


def blame(
    error: Exception,
    cause: str,
    store: str = "",
    lost: bool = False,
) -> None:
    """Add an error, its cause (no secret) and the store that failed to the line of the work under
    way. The first error stays; others follow from it. `lost`: no answer was possible."""
    work = _WORK.get()
    if work is None:
        return
    work.lost = work.lost or lost
    if not work.error:
        work.error = {"error": type(error).__name__, "cause": cause}
        if store:
            work.error["store"] = store


@contextmanager
def timed(name: str) -> Iterator[None]:
    """Count the time of a block as one step of the work under way; inside another step, as that
    one's.
    """
    work = _WORK.get()
    if work is None or work.step:
        yield
        return
    work.step = name
    began = time.perf_counter()
    try:
        yield
    finally:
        work.steps[name] = work.steps.get(name, 0.0) + 1000 * (time.perf_counter() - began)
        work.step = ""


def hashed(some_id: str, secret: str) -> str:
    """A chat's or user's id as the log shows it: 12 hex digits.

    `secret` is the installation's own.
    """
    return hmac.digest(b"log " + secret.encode(), some_id.encode(), "sha256").hex()[:12]


class _Lines(logging.Formatter):
    """What both forms share: the fields of a record, without secrets."""

    def __init__(self, secrets: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._secrets = sorted(
            (s for s in secrets if len(s) >= SHORTEST),
            key=len,
            reverse=True,
        )

    def fields_of(self, record: logging.LogRecord) -> dict[str, object]:
        work = _WORK.get()
        fields = dict(work.fields) if work else {}
        fields.update(getattr(record, "fields", {}))
        if record.exc_info and record.exc_info[0] is not None:
            fields["error"] = record.exc_info[0].__name__
        if "cause" in fields:
            fields["cause"] = self.clean(str(fields["cause"]))
        return fields

    def clean(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "***")
        if "/images/" in text:
            return _SIGNED.sub(r"\1***", text)
        return text


class JsonLines(_Lines):
    """A record as a JSON object: `time` (UTC), `level`, `logger`, `message`, and its fields."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.clean(record.getMessage()),
            **self.fields_of(record),
        }
        return json.dumps(line, ensure_ascii=False)


class TextLines(_Lines):
    """A record as an aligned line for people: local time, level, logger, message, milliseconds,
    fields.
    """

    def __init__(
        self,
        secrets: tuple[str, ...] = (),
        colour: bool = False,
    ) -> None:
        super().__init__(secrets)
        self._colour = colour

    def format(self, record: logging.LogRecord) -> str:
        level = record.levelname.lower()
        fields = self.fields_of(record)
        when = datetime.fromtimestamp(record.created).astimezone()
        package, *modules = record.name.split(".")
        logger = modules[-1] if package == "bot" and modules else package
        columns = [
            f"{when:%H:%M:%S}",
            f"{level:<8}",
            f"{logger:<14}",
            f"{self.clean(record.getMessage()):<26}",
        ]
        milliseconds = fields.pop("ms", None)
        if milliseconds is not None:
            columns.append(f"{milliseconds:>8} ms")
        for name in sorted(fields, key=_is_id):
            value = fields[name]
            if isinstance(value, dict):
                columns += [f"{step}={number}" for step, number in value.items()]
            else:
                columns.append(f"{name}={value or '-'}")
        text = "  ".join(columns).rstrip()
        # escapes for what would make a line of its own, or move the terminal's cursor
        line = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
        if self._colour and level in COLOURS:
            return f"\x1b[{COLOURS[level]}m{line}\x1b[0m"
        return line


def _is_id(field_name: str) -> bool:
    return field_name in IDS


def configure(
    level: int = logging.INFO,
    secrets: tuple[str, ...] = (),
    form: str = "",
) -> None:
    """Send everything from `level` up to standard error, once; `form`:

    JSON, TEXT, "" (by the terminal).
    """
    root = logging.getLogger()
    if configured():
        return
    terminal = sys.stderr.isatty()
    text = form == TEXT or (not form and terminal)
    handler = logging.StreamHandler(sys.stderr)
    if text:
        handler.setFormatter(TextLines(secrets, colour=terminal))
    else:
        handler.setFormatter(JsonLines(secrets))
    root.addHandler(handler)
    root.setLevel(level)
    for noisy in NOISY:
        logging.getLogger(noisy).setLevel(logging.WARNING)


def configured() -> str:
    """The form of this process's log, JSON or TEXT; "" where nothing was configured."""
    kinds = {type(handler.formatter) for handler in logging.getLogger().handlers}
    if JsonLines in kinds:
        return JSON
    if TextLines in kinds:
        return TEXT
    return ""


def log_fault(failure: str, error: Exception) -> str:
    """Log what failed, with the error's class and place, and return these two. The error's text may
    contain a secret.
    """
    frames = traceback.extract_tb(error.__traceback__)
    place = "?"
    if frames:
        place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}"
    blame(error, place)
    fault = f"{type(error).__name__} at {place}"
    log.error("%s: %s", failure, fault)
    return fault
