"""Know which league has which room's id: TENHOU_ROOM_ID for the root folder's league, others encrypted in the StateStore."""

from __future__ import annotations

import json

from bot.runtime.encryption import Encryption
from rating.room_id import RoomId
from storage.ports import StateStore

_KEY = "tenhou/room-id/"


class RoomIds:
    """The rooms' ids by league ("" for the root folder's). Methods raise StorageError when the store cannot be reached.

    `secret_key` is JANROKU_SECRET_KEY, `own` is TENHOU_ROOM_ID; each may be "". What was put for the root folder's league
    counts only where `own` is "".
    """

    def __init__(self, state: StateStore, secret_key: str = "", own: str = "") -> None:
        self._state = state
        self._secret_key = secret_key
        self._own = RoomId(own) if own else None

    def leagues(self) -> dict[str, str]:
        """Return the name of the room (`C1017`) by league."""
        kept = self._state.items(_KEY)
        rooms = {key.removeprefix(_KEY): str(json.loads(text)["room"]) for key, text in kept.items()}
        return rooms | ({"": self._own.room} if self._own else {})

    def room(self, league: str) -> str:
        """Return the name of a league's room, "" for none."""
        if self._own and not league:
            return self._own.room
        kept = self._state.get(_KEY + league)
        return str(json.loads(kept)["room"]) if kept else ""

    def get(self, league: str) -> RoomId | None:
        """Return a league's id. Raises ValueError, without the id, when it cannot be decrypted."""
        if self._own and not league:
            return self._own
        kept = self._state.get(_KEY + league)
        if not kept:
            return None
        if not self._secret_key:
            raise ValueError("the room's id is encrypted, and JANROKU_SECRET_KEY is missing")
        try:
            return RoomId(Encryption(self._secret_key).decrypt(json.loads(kept)["id"]))
        except ValueError as error:
            raise ValueError(f"the room's id {error}") from None

    def put(self, league: str, room: RoomId) -> None:
        """Keep a league's id, encrypted. Raises ValueError without JANROKU_SECRET_KEY."""
        if not self._secret_key:
            raise ValueError("JANROKU_SECRET_KEY is missing: `flask league key` makes one")
        kept = {"room": room.room, "id": Encryption(self._secret_key).encrypt(room.text)}
        self._state.put(_KEY + league, json.dumps(kept))

    def remove(self, league: str) -> None:
        """Forget a league's id."""
        self._state.delete(_KEY + league)
