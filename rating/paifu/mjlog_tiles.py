"""Tables of all draw and discard elements: a letter for the seat (draws T U V W, discards D E F G) and the
tile."""

from __future__ import annotations

from rating.paifu.events import Discard, Draw
from rating.paifu.tiles import TILES

LETTERS = "TUVWDEFG"

DRAWS = {f"{letter}{tile}": Draw(seat, tile) for seat, letter in enumerate("TUVW") for tile in range(TILES)}

# (from the hand, just drawn); the tile drawn before tells which of the two it is.
DISCARDS = {
    f"{letter}{tile}": (Discard(seat, tile, False), Discard(seat, tile, True))
    for seat, letter in enumerate("DEFG")
    for tile in range(TILES)
}
