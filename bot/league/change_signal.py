"""Tell every process of a change of logs that Dropbox announced to one of them."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from bot.league.registry import LeagueRegistry
from storage.state import State

KEY = "logs:changed"
TOLD = 24 * 3600.0  # seconds an announcement is kept


class ChangeSignal:
    """What this process knows of changes. `listen` is a chore of the background loop."""

    def __init__(
        self, state: State, registry: LeagueRegistry, heard: Callable[[], None] = lambda: None
    ) -> None:
        """`heard` is called when a change is announced here or by another process."""
        self._state = state
        self._registry = registry
        self._then = heard
        self._heard: str | None = None

    def announce(self) -> None:
        """Have every process look at its logs again on the next question, this one included.

        Raises StorageError when the others cannot be told.
        """
        self._registry.expire_all()
        self._heard = secrets.token_hex(8)
        self._state.values.put(KEY, self._heard, TOLD)
        self._then()

    def listen(self) -> None:
        """Have the logs looked at again if another process has announced a change.

        Raises StorageError when the state store cannot be reached.
        """
        told = self._state.values.get(KEY)
        if told is not None and told != self._heard:
            self._heard = told
            self._registry.expire_all()
            self._then()
