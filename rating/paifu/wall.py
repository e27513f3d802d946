"""The wall (山) of every round of a game, from the seed of its record (`<SHUFFLE seed="…">`).

Tenhou shuffles with the Mersenne Twister (M. Matsumoto, T. Nishimura, ACM TOMACS 8, 1998,
doi:10.1145/272991.272995; key by init_by_array, as numpy's) and SHA-512, as described in
https://blog.tenhou.net/article/30503297.html. Whether a record has the wall of its seed is checked
in `checked_walls`.
"""

import binascii
import hashlib
import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rating.paifu.tiles import TILES, PaifuError

BASE64 = "mt19937ar-sha512-n288-base64"
HEXADECIMAL = "mt19937ar-sha512-n288"
WORDS = 624  # 32-bit words of a key, at most
OUTPUTS = 288  # 32-bit outputs for each round
BLOCK = 128  # bytes of one SHA-512 block of them: 32 outputs give 16 numbers
DEAD = 14  # tiles of the dead wall
_WORD = re.compile("[0-9A-Fa-f]{1,8}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Key:
    """The generator's key: 1 to 624 words of 32 bits.

    `old`: hexadecimal, whose pairs lie the other way.
    """

    words: tuple[int, ...]
    old: bool = False


@dataclass(frozen=True, slots=True)
class RoundWall:
    """The wall of one round; all tiles are 0-135.

    `dice` are the two dice, 0-5 as in INIT. `hands` are the 13 tiles dealt to each seat, in the
    order dealt. `live` are the tiles to be drawn, in order: 70, or 55 with three seats, drawn or
    not; each tile of the dead wall that is taken takes one off its end. `rinshan` are the tiles
    that follow kans and kita (4, or 8 with three seats), `dora` and `ura` the five indicators each,
    all in the order of play."""

    dice: tuple[int, int]
    hands: tuple[tuple[int, ...], ...]
    live: tuple[int, ...]
    rinshan: tuple[int, ...]
    dora: tuple[int, ...]
    ura: tuple[int, ...]

    @property
    def seats(self) -> int:
        return len(self.hands)

    def rest(self, drawn: int, taken: int) -> tuple[int, ...]:
        """The tiles still to be drawn after `drawn` of the live wall and `taken` of the dead
        wall.
        """
        return self.live[drawn : len(self.live) - taken]


def read_key(seed: str) -> Key | None:
    """The key in the attribute `seed`; None where it has no known form (a record without a seed has
    ""). Raises PaifuError where the form is known and the key is cut or broken."""
    form, _, text = seed.partition(",")
    if form == BASE64 and text:
        try:
            data = b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            raise PaifuError("the seed of the wall is cut or broken: it is no base64") from None
        if len(data) != 4 * WORDS:
            raise PaifuError(
                f"the seed of the wall is cut or broken: {len(data)} bytes, not {4 * WORDS}"
            )
        return Key(_words(data))
    if form == HEXADECIMAL and text:
        # The number of words of this form is not fixed (32 in all known records), so a key that
        # is cut can't be recognised by its length.
        texts = text.split(",")
        if len(texts) > WORDS or not all(map(_WORD.fullmatch, texts)):
            raise PaifuError(
                "the seed of the wall is cut or broken: not hexadecimal words of 32 bits"
            )
        return Key(tuple(int(word, 16) for word in texts), old=True)
    return None


def _words(data: bytes) -> tuple[int, ...]:
    starts = range(0, len(data), 4)
    return tuple(int.from_bytes(data[start : start + 4], "little") for start in starts)


def walls(key: Key, seats: int, dealers: Sequence[int]) -> Iterator[RoundWall]:
    """Yield the wall of each round of a game, in order; `dealers` are those of its rounds.

    >>> next(walls(Key(tuple(range(624))), 3, [0])).dice
    (1, 4)
    """
    # numpy reads an array of one word as a number, which is another key; a list it reads as a key.
    source = np.random.RandomState(list(key.words))
    for dealer in dealers:
        numbers = _round_numbers(source.bytes(4 * OUTPUTS))
        tiles = _shuffled_tiles(numbers, seats)
        dice = (numbers[135] % 6, numbers[136] % 6)
        yield _lay(tiles, dice, seats, dealer, key.old)


def _round_numbers(outputs: bytes) -> tuple[int, ...]:
    """The numbers of a round from the generator's outputs: those of the SHA-512 of each block."""
    digests = bytearray()
    for start in range(0, len(outputs), BLOCK):
        block = outputs[start : start + BLOCK]
        digests += hashlib.sha512(block).digest()
    return _words(bytes(digests))


def _shuffled_tiles(numbers: Sequence[int], seats: int) -> list[int]:
    """All tiles in the order of a shuffle (Fisher and Yates) by these numbers."""
    tiles = list(range(TILES))
    if seats == 3:
        tiles = [*range(4), *range(32, TILES)]  # without 2m to 8m
    for place in range(len(tiles) - 1):
        other = place + numbers[place] % (len(tiles) - place)
        tiles[place], tiles[other] = tiles[other], tiles[place]
    return tiles


def _lay(
    tiles: Sequence[int],
    dice: tuple[int, int],
    seats: int,
    dealer: int,
    old: bool,
) -> RoundWall:
    """The parts of a shuffled wall (`tiles`). In the old form the two tiles of
    each pair of the dead wall are the other way round."""
    order = tiles[::-1]
    first_pair = 4  # the place of the first indicator's pair
    if seats == 3:
        first_pair = 8
    pairs = range(first_pair, first_pair + 10, 2)
    flip = 1
    if old:
        flip = 0
    return RoundWall(
        dice=dice,
        hands=_dealt_hands(order, seats, dealer),
        live=tuple(order[13 * seats : len(tiles) - DEAD]),
        rinshan=tuple(tiles[place ^ flip] for place in range(first_pair)),
        dora=tuple(tiles[place + flip] for place in pairs),
        ura=tuple(tiles[place + 1 - flip] for place in pairs),
    )


def _dealt_hands(order: Sequence[int], seats: int, dealer: int) -> tuple[tuple[int, ...], ...]:
    """The hand dealt to each seat: from the dealer on, four tiles each three times, then one
    each."""
    hands: list[tuple[int, ...]] = [()] * seats
    for step in range(seats):
        hand: list[int] = []
        for turn in range(3):
            start = 4 * (step + seats * turn)
            hand += order[start : start + 4]
        hand.append(order[12 * seats + step])
        hands[(dealer + step) % seats] = tuple(hand)
    return tuple(hands)
