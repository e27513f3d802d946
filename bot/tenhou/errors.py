"""What can go wrong between Janroku and Tenhou; each message is one line for the admin."""

from __future__ import annotations


class TenhouError(OSError):
    """Tenhou can't be reached, or what it sent can't be used."""


class TenhouNotFound(TenhouError):
    """Tenhou answers, and has no such file."""


class TenhouUnreachable(TenhouError):
    """Tenhou can't be reached, takes too long, or says that it can't or won't answer."""


def excerpt(text: str) -> str:
    """The beginning of a text from outside, quoted for a message."""
    return repr(text.strip()[:80])
