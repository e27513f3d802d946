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
            return (user and self._state.get(_key(league, user))) or ""
        except StorageError:
            return ""

    def remember(self, league: str, user: str, player: str) -> None:
        """Keep who a user is. Raises StorageError when the state store cannot be reached."""
        self._state.put(_key(league, user), player)

    def forget(self, league: str, user: str) -> None:
        """Forget who a user is. Raises StorageError when the state store cannot be reached."""
        self._state.delete(_key(league, user))


def _key(league: str, user: str) -> str:
    return f"me:{league}:{user}"
