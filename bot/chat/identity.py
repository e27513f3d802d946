"""Remember which member a LINE user is. The user says so with 自分, and the state store keeps it."""

from __future__ import annotations

from storage.ports import StateStore, StorageError


class Identities:
    """Members by LINE user and league."""

    def __init__(self, state: StateStore) -> None:
        self._state = state

    def player_of(self, league: str, user: str) -> str:
        """Return the name on Tenhou this user gave.

        It is "" if the user never gave one or the state store cannot be reached.
        """
        try:
            return (user and self._state.get(key_of(league, user))) or ""
        except StorageError:
            return ""

    def remember(self, league: str, user: str, player: str) -> None:
        """Keep who a user is. Raises StorageError when the state store cannot be reached."""
        self._state.put(key_of(league, user), player)

    def forget(self, league: str, user: str) -> None:
        """Forget who a user is. Raises StorageError when the state store cannot be reached."""
        self._state.delete(key_of(league, user))


def key_of(league: str, user: str) -> str:
    """Return the state store's key of the name that a user gave."""
    return f"me:{league}:{user}"
