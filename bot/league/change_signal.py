"""Notify every process of a change of logs."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from bot.league.repository import LeagueRegistry
from storage.state import State

CHANGED = "logs:changed"  # the state's key for the last change announced
ANNOUNCEMENT_LIFE = 24 * 3600.0  # seconds


class ChangeSignal:
    """Notifies every process of a change of logs that one of them was notified of.

    What it guarantees: after an announcement every process that calls `listen` (a background chore)
    looks at its logs once, unless a later announcement replaces it first, which has the same
    effect. Shown by tests/league/test_repository.py
    (test_every_process_looks_again_once_after_a_change).
    """

    def __init__(
        self,
        state: State,
        registry: LeagueRegistry,
        on_change: Callable[[], None] | None = None,
    ) -> None:
        """`on_change` is called when a change is announced here or by another process."""
        self._state = state
        self._registry = registry
        self._on_change = on_change
        self._last_change: str | None = None

    def announce(self) -> None:
        """Have every process look at its logs again on the next request. Raises StorageError if
        the others can't be notified."""
        self._registry.expire_all()
        self._last_change = secrets.token_hex(8)
        self._state.values.put(CHANGED, self._last_change, ANNOUNCEMENT_LIFE)
        if self._on_change is not None:
            self._on_change()

    def listen(self) -> None:
        """Have the logs looked at again if another process has announced a change. Raises
        StorageError.
        """
        announced = self._state.values.get(CHANGED)
        if announced in (None, self._last_change):
            return
        self._last_change = announced
        self._registry.expire_all()
        if self._on_change is not None:
            self._on_change()
