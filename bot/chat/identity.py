"""Remember which member a LINE user is. The user says so with 自分."""

from __future__ import annotations

from storage.chats import Chats
from storage.ports import StorageError


class Identities:
    """Members by LINE user and league."""

    def __init__(self, chats: Chats) -> None:
        self._chats = chats

    def player_of(self, league: str, user: str) -> str:
        """Return the name on Tenhou this user gave.

        It is "" if the user never gave one or the state store cannot be reached.
        """
        try:
            return self._chats.player(league, user) if user else ""
        except StorageError:
            return ""

    def remember(self, league: str, user: str, player: str) -> None:
        """Keep who a user is. Raises StorageError when the state store cannot be reached."""
        self._chats.set_player(league, user, player)

    def forget(self, league: str, user: str) -> None:
        """Forget who a user is. Raises StorageError when the state store cannot be reached."""
        self._chats.forget_player(league, user)
