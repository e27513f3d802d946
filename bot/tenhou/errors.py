"""The errors between Janroku and Tenhou. Each message is one line for the admin."""

from __future__ import annotations


class TenhouError(OSError):
    """Tenhou cannot be reached, or what it sent cannot be used."""


class TenhouNotFound(TenhouError):
    """Tenhou answers, and has no such file."""


class TenhouUnreachable(TenhouError):
    """Tenhou cannot be reached, takes too long, or says that it cannot or will not answer."""


class TenhouBusy(TenhouError):
    """Tenhou was not asked, because another request of ours is under way or Tenhou is left alone for a
    while."""


def excerpt(text: str) -> str:
    """Return the beginning of a text from outside, quoted for a message."""
    return repr(text.strip()[:80])
