"""Counts what was taken from the two parts of the wall while a round is played."""

from __future__ import annotations

from rating.paifu.events import Call, Draw, Event, NewDora
from rating.paifu.melds import KANS, KITA

REPLACED = KANS | {KITA}  # calls after which a tile of the dead wall is drawn


class WallCount:
    """How many tiles were `drawn` from the live wall and `taken` from the dead wall, and how many indicators
    are `turned`.

    `replacing`: the next tile comes from the dead wall, since a kan or kita was called.
    """

    __slots__ = ("drawn", "replacing", "taken", "turned")

    def __init__(self) -> None:
        self.drawn = self.taken = 0
        self.turned = 1
        self.replacing = False

    def apply(self, event: Event) -> None:
        """Count one event."""
        if type(event) is Draw:
            if self.replacing:
                self.taken += 1
            else:
                self.drawn += 1
            self.replacing = False
        elif type(event) is Call:
            self.replacing = event.meld.type in REPLACED
        elif type(event) is NewDora:
            self.turned += 1
