"""The wall (山) of every round of a game, from the seed that its record holds in `<SHUFFLE
seed="…">`.

Tenhou shuffles with the Mersenne Twister (M. Matsumoto, T. Nishimura, ACM TOMACS 8, 1998,
doi:10.1145/272991.272995; key by init_by_array, as numpy's) and SHA-512, as its page tells
(https://blog.tenhou.net/article/30503297.html). `open_walls` compares the walls with what the
record shows: one tile that differs in any round, and nothing is said of the walls of the whole
record.
"""

import binascii
import hashlib
import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rating.paifu.record import Draw, NewDora, Record, Round
from rating.paifu.table import WallCount
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

    `dice` are the two dice, 0-5 as in INIT. `hands` holds the 13 tiles dealt to each seat, in the
    order dealt. `live` holds the tiles to be drawn, in order: 70, or 55 with three seats, drawn or
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
        # A key of this form has 32 words in the records known, so its length does not tell
        # whether it is cut.
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
    """Yield the wall of each round of a game, in order; `dealers` holds the dealer of each.

    >>> next(walls(Key(tuple(range(624))), 3, [0])).dice
    (1, 4)
    """
    # Of an array it would take one word for a number.
    source = np.random.RandomState(list(key.words))
    for dealer in dealers:
        outputs = source.bytes(4 * OUTPUTS)
        starts = range(0, len(outputs), BLOCK)
        blocks = (outputs[start : start + BLOCK] for start in starts)
        numbers = _words(b"".join(hashlib.sha512(block).digest() for block in blocks))
        if seats == 4:
            tiles = [*range(TILES)]
        else:
            tiles = [*range(4), *range(32, TILES)]  # without 2m to 8m
        for place in range(len(tiles) - 1):
            other = place + numbers[place] % (len(tiles) - place)
            tiles[place], tiles[other] = tiles[other], tiles[place]
        dice = (numbers[135] % 6, numbers[136] % 6)
        yield _lay(tiles, dice, seats, dealer, key.old)


def _lay(
    tiles: Sequence[int],
    dice: tuple[int, int],
    seats: int,
    dealer: int,
    old: bool,
) -> RoundWall:
    """The parts of a shuffled wall: dealt from its end, four tiles each three times, then one
    each.
    """
    order = tiles[::-1]
    hands: list[tuple[int, ...]] = [()] * seats
    for step in range(seats):
        fours = [4 * (step + seats * turn) for turn in range(3)]
        dealt = [tile for at in fours for tile in order[at : at + 4]]
        hands[(dealer + step) % seats] = (*dealt, order[12 * seats + step])
    first = 4 if seats == 4 else 8  # the place of the first indicator's pair
    pairs = range(first, first + 10, 2)
    flip = 0 if old else 1
    return RoundWall(
        dice=dice,
        hands=tuple(hands),
        live=tuple(order[13 * seats : len(tiles) - DEAD]),
        rinshan=tuple(tiles[place ^ flip] for place in range(first)),
        dora=tuple(tiles[place + flip] for place in pairs),
        ura=tuple(tiles[place + 1 - flip] for place in pairs),
    )


@dataclass(frozen=True, slots=True)
class CheckedWalls:
    """The walls of a record: one for each of its rounds, or `rounds` is None where they are
    unknown. `problem` says why in one line where the record has a seed that does not fit it, else
    it is "". `draws` counts the draws that were compared."""

    rounds: tuple[RoundWall, ...] | None
    problem: str = ""
    draws: int = 0


def open_walls(record: Record) -> CheckedWalls:
    """The walls of the record; without a seed of a known form they are unknown, without a
    problem.
    """
    try:
        key = read_key(record.seed)
    except PaifuError as error:
        return CheckedWalls(None, str(error))
    if key is None:
        return CheckedWalls(None)
    played = {played_round.deal: played_round for played_round in (*record.rounds, *record.unread)}
    dealers = [0] * (max(played) + 1)
    for deal, dealt in played.items():
        dealers[deal] = dealt.dealer
    found: dict[int, RoundWall] = {}
    draws = 0
    for deal, wall in enumerate(walls(key, record.seats, dealers)):
        if deal not in played:
            continue
        try:
            draws += _compare(played[deal], wall)
        except PaifuError as error:
            return CheckedWalls(None, f"the wall is unknown: {played[deal].name}: {error}")
        found[deal] = wall
    return CheckedWalls(
        tuple(found[played_round.deal] for played_round in record.rounds), draws=draws
    )


def _compare(played: Round, wall: RoundWall) -> int:
    if played.dice not in (None, wall.dice):
        raise PaifuError("its dice are not those of the seed")
    hands = zip(played.hands, wall.hands, strict=True)
    for seat, (dealt, in_wall) in enumerate(hands):
        if set(dealt) != set(in_wall):
            raise PaifuError(f"the tiles dealt to seat {seat} are not those of the seed")
    shown = [
        played.indicator,
        *(event.indicator for event in played.events if type(event) is NewDora),
    ]
    _same("a dora indicator", shown, wall.dora)
    for win in played.wins:
        _same("a dora indicator", win.dora, wall.dora)
        _same("an ura dora indicator", win.ura, wall.ura)
    count = WallCount()
    for event in played.events:
        if type(event) is Draw:
            if count.replacing:
                next_tile = wall.rinshan[count.taken : count.taken + 1]
            else:
                live = wall.rest(0, count.taken)
                next_tile = live[count.drawn : count.drawn + 1]
            if next_tile != (event.tile,):
                raise PaifuError(f"draw {count.drawn + count.taken + 1} is not that of the seed")
        count.apply(event)
    return count.drawn + count.taken


def _same(what: str, shown: Sequence[int], wall: Sequence[int]) -> None:
    if tuple(shown) != tuple(wall[: len(shown)]):
        raise PaifuError(f"{what} is not that of the seed")
