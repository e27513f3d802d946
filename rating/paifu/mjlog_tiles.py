"""Draws T U V W and discards D E F G of seats 0-3, each followed by the tile: every possible element, made once."""

from __future__ import annotations

from rating.paifu.events import Discard, Draw
from rating.paifu.tiles import TILES

LETTERS = "TUVWDEFG"

DRAWS = {f"{letter}{tile}": Draw(seat, tile) for seat, letter in enumerate("TUVW") for tile in range(TILES)}

# (held back, just drawn): which of the two it is depends on the tile drawn before.
DISCARDS = {
    f"{letter}{tile}": (Discard(seat, tile, False), Discard(seat, tile, True))
    for seat, letter in enumerate("DEFG")
    for tile in range(TILES)
}
