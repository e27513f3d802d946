"""The ids of leagues' own rooms: which league has which.

TENHOU_ROOM_ID is the root folder's league's, others are encrypted in the database.
"""

from bot.runtime.encryption import Encryption
from rating.room_id import RoomId
from storage.rooms import RoomKey, Rooms


class RoomIds:
    """The rooms' ids by league ("" for the root folder's). Methods raise StorageError when the
    store cannot be reached. `secret_key` is JANROKU_SECRET_KEY, `own` is TENHOU_ROOM_ID; each may
    be "". What was put for the root folder's league counts only where `own` is ""."""

    def __init__(self, rooms: Rooms, secret_key: str = "", own: str = "") -> None:
        self._rooms = rooms
        self._secret_key = secret_key
        self._own = RoomId(own) if own else None

    def leagues(self) -> dict[str, str]:
        """The name of the room (`C1017`) by league."""
        rooms = {}
        for league, key in self._rooms.all().items():
            if key.id:
                rooms[league] = key.room
        if self._own:
            rooms[""] = self._own.room
        return rooms

    def room(self, league: str) -> str:
        """The name of a league's room, "" for none."""
        return self.leagues().get(league, "")

    def get(self, league: str) -> RoomId | None:
        """A league's id. Raises ValueError, without the id, when it cannot be decrypted."""
        if self._own and not league:
            return self._own
        key = self._rooms.key(league)
        if key is None or not key.id:
            return None
        if not self._secret_key:
            raise ValueError("the room's id is encrypted, and JANROKU_SECRET_KEY is missing")
        try:
            return RoomId(Encryption(self._secret_key).decrypt(key.id))
        except ValueError as error:
            raise ValueError(f"the room's id {error}") from None

    def put(self, league: str, room: RoomId) -> None:
        """Store a league's id, encrypted. Raises ValueError without JANROKU_SECRET_KEY."""
        if not self._secret_key:
            raise ValueError("JANROKU_SECRET_KEY is missing: `flask league key` makes one")
        self._rooms.set(
            league,
            RoomKey(room.room, Encryption(self._secret_key).encrypt(room.text)),
        )
