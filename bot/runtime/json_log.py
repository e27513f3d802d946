"""Write log lines for people and programs: one JSON object a line on standard error, or at a terminal one aligned line.

Nothing logs a secret. If a message holds one all the same, it is replaced by *** (`configure(secrets=...)`).
"""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from datetime import UTC, datetime

from bot.runtime import log_context

log = logging.getLogger(__name__)
SHORTEST = 6  # characters; a shorter value is no secret, and replacing it would spoil words
NOISY = ("dropbox", "botocore", "boto3", "urllib3", "matplotlib", "werkzeug")
JSON, TEXT = "json", "text"
FORMS = (JSON, TEXT)
IDS = ("event", "chat", "who")  # which people read last
COLOURS = {"debug": "2", "warning": "33", "error": "31", "critical": "31;1"}  # of ANSI terminals
_SIGNED = re.compile(r"(/images/)[^\s\"'?]+")  # a picture's address is all one needs to see it


class _Lines(logging.Formatter):
    """What both forms share: the fields of a record, without secrets."""

    def __init__(self, secrets: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._secrets = sorted((s for s in secrets if len(s) >= SHORTEST), key=len, reverse=True)

    def message_of(self, record: logging.LogRecord) -> str:
        return self._clean(record.getMessage())

    def fields_of(self, record: logging.LogRecord) -> dict[str, object]:
        """The fields of the work under way, those of the record (`extra={"fields": …}`, `ms`), and an error's class."""
        found = {**log_context.fields(), **getattr(record, "fields", {})}
        if (spent := getattr(record, "ms", None)) is not None:
            found["ms"] = spent
        if record.exc_info and record.exc_info[0] is not None:
            found["error"] = record.exc_info[0].__name__
        if "cause" in found:
            found["cause"] = self._clean(str(found["cause"]))
        return found

    def _clean(self, text: str) -> str:
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, "***")
        return _SIGNED.sub(r"\1***", text) if "/images/" in text else text


class JsonLines(_Lines):
    """A record as a JSON object: `time` (UTC), `level`, `logger`, `message`, and its fields."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.message_of(record),
            **self.fields_of(record),
        }
        return json.dumps(line, ensure_ascii=False)


class TextLines(_Lines):
    """A record as an aligned line for people: local time, level, logger, message, milliseconds, and its other fields."""

    def __init__(self, secrets: tuple[str, ...] = (), colour: bool = False) -> None:
        super().__init__(secrets)
        self._colour = colour

    def format(self, record: logging.LogRecord) -> str:
        level, found = record.levelname.lower(), self.fields_of(record)
        when = datetime.fromtimestamp(record.created).astimezone()
        ours, _, rest = record.name.partition(".")
        logger = rest.rpartition(".")[2] if ours == "bot" else ours
        spent = found.pop("ms", None)
        words = [f"{when:%H:%M:%S}", f"{level:<8}", f"{logger:<14}", f"{self.message_of(record):<26}"]
        words.append(f"{spent:>8} ms" if spent is not None else "")
        for name, value in sorted(found.items(), key=lambda one: one[0] in IDS):
            if isinstance(value, dict):
                words += [f"{step}={number}" for step, number in value.items()]
            else:
                words.append(f"{name}={value or '-'}")
        line = _one_line("  ".join(filter(None, words)).rstrip())
        code = COLOURS.get(level) if self._colour else None
        return f"\x1b[{code}m{line}\x1b[0m" if code else line


def _one_line(text: str) -> str:
    """The text with escapes for what would make a line of its own, or move the terminal's cursor."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def configure(level: int = logging.INFO, secrets: tuple[str, ...] = (), form: str = "") -> None:
    """Send everything from `level` up to standard error. A second call changes nothing.

    `form` is JSON or TEXT; "" is TEXT at a terminal, JSON elsewhere.
    """
    root = logging.getLogger()
    if configured():
        return
    terminal = sys.stderr.isatty()
    text = form == TEXT or (not form and terminal)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(TextLines(secrets, colour=terminal) if text else JsonLines(secrets))
    root.addHandler(handler)
    root.setLevel(level)
    for noisy in NOISY:
        logging.getLogger(noisy).setLevel(logging.WARNING)


def configured() -> str:
    """Return the form of this process's log, JSON or TEXT; "" where nothing was configured."""
    formatters = [handler.formatter for handler in logging.getLogger().handlers]
    if any(isinstance(formatter, JsonLines) for formatter in formatters):
        return JSON
    return TEXT if any(isinstance(formatter, TextLines) for formatter in formatters) else ""


def log_fault(what: str, error: Exception) -> None:
    """Log one line for the admin: what failed, the error's class, and where. The tap's line tells it too.

    The error's text is left out, because it may hold a secret.
    """
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"
    log_context.blame(error, place)
    log.error("%s: %s at %s", what, type(error).__name__, place)
