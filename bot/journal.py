"""Log lines for people and programs: one JSON object a line on standard error. No secrets: nothing logs a value of one."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
    """time (UTC), level, logger, message; a traceback only as the error's kind and place."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
        return json.dumps(line, ensure_ascii=False)


def configure(level: int = logging.INFO) -> None:
    """Send everything from `level` up to standard error, once."""
    root = logging.getLogger()
    if any(isinstance(h.formatter, JsonLines) for h in root.handlers):
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root.addHandler(handler)
    root.setLevel(level)
    for noisy in ("dropbox", "botocore", "boto3", "urllib3", "matplotlib", "werkzeug"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
