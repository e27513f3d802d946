"""When `flask sync` last ran to its end."""

from __future__ import annotations

from datetime import datetime

from storage.ports import StateStore

_KEY = "synced"


def note_sync(state: StateStore, at: datetime) -> None:
    """Remember a sync that has ended. Raises StorageError when the store cannot be reached."""
    state.put(_KEY, at.isoformat())


def last_sync(state: StateStore) -> datetime | None:
    """Return when the last sync ended; None before the first. Raises StorageError when the store cannot be reached."""
    told = state.get(_KEY)
    return datetime.fromisoformat(told) if told else None
