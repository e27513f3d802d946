"""Tiles as numbers, and the notation that players type (`123m406p789s11z`).

A *tile* is 0-135, as in an mjlog: man 0-35, pin 36-71, sou 72-107, honours 108-135, four copies of
each kind. A *kind* is 0-33 (tile // 4), in the order m1..m9 p1..p9 s1..s9 z1..z7; z1 to z7 are east
south west north white green red. Red fives are the tiles 16, 52 and 88, written `0`.
"""

from collections.abc import Iterable, Sequence
from typing import TypeGuard

TILES = 136
KINDS = 34
RED_FIVES = frozenset((16, 52, 88))
SUITS = "mpsz"
EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED = range(27, 34)
FIRST_HONOUR = EAST  # kinds below it are numbers of a suit


class PaifuError(ValueError):
    """A paifu, a hand or a state can't be read; the message is one plain line."""


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a JSON value is a whole number, as true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)


KIND_NAMES = tuple(f"{SUITS[kind // 9]}{kind % 9 + 1}" for kind in range(KINDS))
TERMINALS_AND_HONOURS = frozenset((0, 8, 9, 17, 18, 26, *range(27, 34)))
# With three players 2 to 8 of man are not in the wall.
ABSENT_IN_THREE = frozenset(range(1, 8))


def present(unseen: Sequence[int], seats: int) -> Sequence[int]:
    """The copies not seen by kind (34), with none of 2 to 8 of man where three play."""
    if seats != 3:
        return unseen
    return (unseen[0], *(0,) * 7, *unseen[8:])


def copies_of(kind: int) -> range:
    """The four tiles (0-135) of a kind."""
    return range(4 * kind, 4 * kind + 4)


def counts(tiles: Iterable[int]) -> list[int]:
    """The number of tiles of each of the 34 kinds."""
    result = [0] * KINDS
    for tile in tiles:
        result[tile // 4] += 1
    return result


def dora_of(indicator: int, seats: int = 4) -> int:
    """The kind that the indicator (a tile) makes dora. It is the next kind; 1 follows 9, east
    follows north, white follows red. With three players 9 of man follows 1 of man."""
    kind = indicator // 4
    if kind < FIRST_HONOUR:
        if seats == 3 and kind == 0:
            return 8
        return kind // 9 * 9 + (kind % 9 + 1) % 9
    if kind < WHITE:
        return EAST + (kind - EAST + 1) % 4
    return WHITE + (kind - WHITE + 1) % 3


def indicator_of(kind: int, seats: int = 4) -> int:
    """The kind of the indicator that makes a kind, one that `seats` play with, dora."""
    return next(
        other
        for other in range(KINDS)
        if (seats == 4 or other not in ABSENT_IN_THREE) and dora_of(other * 4, seats) == kind
    )


def parse(text: str) -> list[int]:
    """The tiles of a hand in notation, in the order written; each takes the next free copy. Raises
    PaifuError for anything that is not digits followed by m, p, s or z, and for more copies than
    there are."""
    tiles: list[int] = []
    digits = ""
    for letter in "".join(text.split()):
        if "0" <= letter <= "9":
            digits += letter
        elif letter in SUITS and digits:
            for digit in digits:
                tiles.append(_tile(digit, letter, tiles))
            digits = ""
        else:
            raise PaifuError(
                f"{_short(text)}: {letter!r} is not expected here (write 123m406p789s11z)"
            )
    if digits:
        raise PaifuError(f"{_short(text)}: no suit (m, p, s or z) after {_short(digits)}")
    return tiles


def _tile(digit: str, suit: str, before: Sequence[int]) -> int:
    """The next free copy of a tile; a `5` takes the red copy only after the other three."""
    if suit == "z" and digit not in "1234567":
        raise PaifuError(f"{digit}z: honours are 1z to 7z")
    first = (SUITS.index(suit) * 9 + (int(digit) or 5) - 1) * 4
    copies = [first, first + 1, first + 2, first + 3]
    if first in RED_FIVES:
        copies = [first] if digit == "0" else [*copies[1:], first]
    for tile in copies:
        if tile not in before:
            return tile
    raise PaifuError(f"too many {digit}{suit}: there are only {len(copies)}")


def _short(text: str) -> str:
    """The text on one line, cut to 40 characters."""
    line = "".join(letter if letter.isprintable() else " " for letter in text[:41])
    return line if len(line) <= 40 else f"{line[:40]}…"


def notation(tiles: Iterable[int], red: bool = True) -> str:
    """The tiles in notation, sorted; red fives are 0, before the plain fives (5 without `red`)."""
    groups: dict[int, str] = {}
    for tile in sorted(tiles):
        digit = "0" if red and tile in RED_FIVES else str(tile // 4 % 9 + 1)
        groups[tile // 36] = groups.get(tile // 36, "") + digit
    return "".join(digits + SUITS[suit] for suit, digits in sorted(groups.items()))
