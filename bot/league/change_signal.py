"""Tell every process of a change of logs."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from bot.league.repository import LeagueRegistry
from storage.state import State

CHANGED = "logs:changed"  # the state's key for the last change announced
TOLD = 24 * 3600.0  # seconds an announcement is kept


class ChangeSignal:
    """Tells every process of a change of logs that one of them heard of.

    `listen` is a background chore.
    """

    def __init__(
        self, state: State, registry: LeagueRegistry, on_change: Callable[[], None] = lambda: None
    ) -> None:
        """`on_change` is called when a change is announced here or by another process."""
        self._state = state
        self._registry = registry
        self._on_change = on_change
        self._heard: str | None = None

    def announce(self) -> None:
        """Have every process look at its logs again on the next question. Raises StorageError when
        the others can't be told."""
        self._registry.expire_all()
        self._heard = secrets.token_hex(8)
        self._state.values.put(CHANGED, self._heard, TOLD)
        self._on_change()

    def listen(self) -> None:
        """Have the logs looked at again if another process has announced a change.

        Raises StorageError.
        """
        told = self._state.values.get(CHANGED)
        if told not in (None, self._heard):
            self._heard = told
            self._registry.expire_all()
            self._on_change()
