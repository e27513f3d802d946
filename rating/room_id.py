"""The id of a private room's management page at Tenhou (大会ロビー): public digits, then eight
secret ones.

Everybody with the id can change the room, so it is a secret. Only the room's name in results,
`C####`, may be shown.
"""

import re
from dataclasses import dataclass, field
from gettext import gettext as _

_ID = re.compile(r"C[0-9]{4}(?:[0-9]{4})?[0-9]{8}")


@dataclass(frozen=True, slots=True)
class RoomId:
    """A room's id as its management page shows it; `repr` leaves it out. Raises ValueError, without
    the text, for anything but `C` and 12 or 16 digits."""

    text: str = field(repr=False)

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.text):
            raise ValueError(
                _("is no id of a room: C and 12 or 16 digits, the last 8 of them secret")
            )

    @property
    def room(self) -> str:
        """The room's name in day files and league.toml: `C1017`."""
        return self.text[:5]

    @property
    def lobby(self) -> str:
        """The room's number in its own rows: `11017`."""
        return f"1{self.text[1:5]}"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be shown: the whole id, and the secret digits alone."""
        return self.text, self.text[-8:]
