"""A change of logs that Dropbox announced, told to every process: one hears it, all look again."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from bot.chat.access import Leagues
from storage.ports import StateStore

KEY = "logs:changed"
KEPT = 24 * 3600.0  # seconds a change is told


class Changes:
    """What this process has heard of changes. `listen` is one of the keeper's chores."""

    def __init__(self, state: Callable[[], StateStore], leagues: Leagues) -> None:
        self._state = state
        self._leagues = leagues
        self._heard: str | None = None

    def announce(self) -> None:
        """The logs have changed: look again here at once, and tell the others. StorageError where that can't be told."""
        self._look_again()
        self._heard = secrets.token_hex(8)
        self._state().put(KEY, self._heard, KEPT)

    def listen(self) -> None:
        """Look again where another process has heard of a change."""
        told = self._state().get(KEY)
        if told is not None and told != self._heard:
            self._heard = told
            self._look_again()

    def _look_again(self) -> None:
        for library in self._leagues.known():
            library.stale()
