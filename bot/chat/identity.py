"""Which member a LINE user is: what he said himself with 自分, kept in the state store."""

from __future__ import annotations

from storage.ports import StateStore, StorageError


class Identities:
    """Members by LINE user and league."""

    def __init__(self, state: StateStore) -> None:
        self._state = state

    def player_of(self, league: str, user: str) -> str:
        """The name on Tenhou this user gave, "" where he never did or the state store is away."""
        try:
            return (user and self._state.get(_key(league, user))) or ""
        except StorageError:
            return ""

    def remember(self, league: str, user: str, player: str) -> None:
        """Keep who a user is. Raises StorageError."""
        self._state.put(_key(league, user), player)

    def forget(self, league: str, user: str) -> None:
        """Raises StorageError."""
        self._state.delete(_key(league, user))


def _key(league: str, user: str) -> str:
    return f"me:{league}:{user}"
