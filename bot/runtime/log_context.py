"""What the log says of the work under way: which event, who asks what of which league, how long each step takes, what fails.

Every line that is logged meanwhile has the fields, and the line of the tap itself has the steps and the error too. Chats and
users appear as a keyed hash, the same for the same id, from which nobody gets the id back.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

STEPS = ("read", "rate", "draw", "upload", "reply")
"""The steps of a tap: the league's folder, its ratings, a picture drawn, a picture stored, LINE's reply."""


@dataclass(slots=True)
class Work:
    """The work under way. `steps` are in milliseconds; `step` is the one that is being timed.

    `error`, `cause` and `store` tell what failed. `lost`: it cost the member an answer.
    """

    fields: dict[str, object]
    steps: dict[str, float] = field(default_factory=dict)
    step: str = ""
    error: dict[str, object] = field(default_factory=dict)
    lost: bool = False

    def told(self) -> dict[str, object]:
        """Return the steps and the error, for the line that ends the work."""
        steps = {name: round(self.steps[name], 1) for name in STEPS if name in self.steps}
        return {**({"steps": steps} if steps else {}), **self.error}


_WORK: ContextVar[Work | None] = ContextVar("work", default=None)


def fields() -> dict[str, object]:
    """Return the fields of the work under way; none outside of any."""
    work = _WORK.get()
    return work.fields if work is not None else {}


@contextmanager
def about(event_id: str, chat: str, secret: str, user: str = "", command: str = "") -> Iterator[Work]:
    """Add the event, the chat and the user (hashed), and the command's name to every line logged meanwhile."""
    known: dict[str, object] = {"event": event_id, "chat": hashed(chat, secret)}
    if user:
        known["who"] = hashed(user, secret)
    if command:
        known["command"] = command
    work = Work(known)
    before = _WORK.set(work)
    try:
        yield work
    finally:
        _WORK.reset(before)


def note(**more: object) -> None:
    """Add fields to the lines of the work under way, if there is any."""
    work = _WORK.get()
    if work is not None:
        work.fields.update(more)


def blame(error: Exception, cause: str, store: str = "", lost: bool = False) -> None:
    """Have the line of the work under way tell an error: its class, its cause, and the store or service that failed.

    `cause` must hold no secret. The first error stays, because others follow from it. `lost`: no answer was possible.
    """
    work = _WORK.get()
    if work is None:
        return
    work.lost = work.lost or lost
    if not work.error:
        work.error = {"error": type(error).__name__, "cause": cause, **({"store": store} if store else {})}


class timed:
    """Count the time of a block as one step of the work under way. Inside another step it counts as that one's."""

    __slots__ = ("_began", "_name", "_work")

    def __init__(self, name: str) -> None:
        self._name = name
        self._work: Work | None = None

    def __enter__(self) -> None:
        work = _WORK.get()
        if work is not None and not work.step:
            self._work, work.step = work, self._name
            self._began = time.perf_counter()

    def __exit__(self, *raised: object) -> None:
        work = self._work
        if work is not None:
            spent = 1000 * (time.perf_counter() - self._began)
            work.steps[self._name] = work.steps.get(self._name, 0.0) + spent
            work.step = ""


def hashed(some_id: str, secret: str) -> str:
    """Return a chat's or user's id as the log shows it: 12 hex digits. `secret` is the installation's own."""
    return hmac.digest(b"log " + secret.encode(), some_id.encode(), "sha256").hex()[:12]
