"""A change of logs that Dropbox announced, told to every process: one hears it, all look again."""

from __future__ import annotations

import secrets

from bot.league.registry import LeagueRegistry
from storage.ports import StateStore

KEY = "logs:changed"
TOLD = 24 * 3600.0  # seconds a change is told


class ChangeSignal:
    """What this process has heard of changes. `listen` is one of the background loop's chores."""

    def __init__(self, state: StateStore, registry: LeagueRegistry) -> None:
        self._state = state
        self._registry = registry
        self._heard: str | None = None

    def announce(self) -> None:
        """The logs have changed: look again here at once, and tell the others.

        Raises StorageError when the others can't be told.
        """
        self._registry.expire_all()
        self._heard = secrets.token_hex(8)
        self._state.put(KEY, self._heard, TOLD)

    def listen(self) -> None:
        """Look again where another process has heard of a change."""
        told = self._state.get(KEY)
        if told is not None and told != self._heard:
            self._heard = told
            self._registry.expire_all()
