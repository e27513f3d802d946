"""What the log says of an error nobody expected."""

from __future__ import annotations

import logging
import traceback

log = logging.getLogger(__name__)


def log_fault(what: str, error: Exception) -> None:
    """One line for the admin: what failed, the error's kind, and where. Never its text, which may hold a secret."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"
    log.error("%s: %s at %s", what, type(error).__name__, place)
