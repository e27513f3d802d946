"""Calls of tiles, and their codes in Tenhou's records.

Tiles are 0-135 as in `tiles`. Tenhou describes the 16-bit code `m` of a call in
http://p.tenhou.net/img/mentsu136.txt.
"""

from enum import StrEnum
from typing import NamedTuple

from rating.paifu.tiles import KINDS, TILES, PaifuError

MOST_CODE = 0xFFFF
RUNS = 21  # of three kinds in a row: seven in each of three suits
# The bits that name the kind of a call; a kan has none of them.
_CHI = 0x04
_PON = 0x08
_ADDED_KAN = 0x10
_KITA = 0x20


class MeldType(StrEnum):
    CHI = "chi"
    PON = "pon"
    ADDED_KAN = "kakan"
    OPEN_KAN = "open kan"
    CLOSED_KAN = "closed kan"
    KITA = "kita"


class Meld(NamedTuple):
    """A call. `tiles` are all its tiles (0-135), ascending; `called` is the tile taken from the
    giver. In an added kan `called` is the tile called for the pon and `added` the fourth tile. In a
    closed kan and a kita `called` is the tile that the code names. `giver` is the seat of the
    discarder counted from the caller (0 itself, 1 right, 2 across, 3 left)."""

    type: MeldType
    tiles: tuple[int, ...]
    called: int
    giver: int = 0
    added: int | None = None

    @property
    def kinds(self) -> tuple[int, ...]:
        return tuple(tile // 4 for tile in self.tiles)

    @property
    def is_kan(self) -> bool:
        return self.type in (MeldType.ADDED_KAN, MeldType.OPEN_KAN, MeldType.CLOSED_KAN)

    @property
    def is_open(self) -> bool:
        """Whether it opens the hand; a closed kan and a kita do not."""
        return self.type not in (MeldType.CLOSED_KAN, MeldType.KITA)

    @property
    def is_replaced(self) -> bool:
        """Whether a tile of the dead wall is drawn after it."""
        return self.is_kan or self.type == MeldType.KITA

    @property
    def from_hand(self) -> tuple[int, ...]:
        """The tiles that leave the caller's hand when the call is made."""
        if self.type == MeldType.ADDED_KAN:
            if self.added is None:
                return ()
            return (self.added,)
        if not self.is_open:
            return self.tiles
        return tuple(tile for tile in self.tiles if tile != self.called)


def decode(code: int) -> Meld:
    """The call with the code `m`. Raises PaifuError when no call has it."""
    meld: Meld | None = None
    if 0 <= code <= MOST_CODE:
        giver = code & 3
        if code & _CHI:
            meld = _decode_chi(code, giver)
        elif code & (_PON | _ADDED_KAN):
            meld = _decode_pon(code, giver)
        else:
            meld = _decode_kan(code, giver)
    if meld is None:
        raise PaifuError(f"no call has the code {code}")
    return meld


def _decode_chi(code: int, giver: int) -> Meld | None:
    """Bits from 10: three times the number of the run, and the place of the called tile in it.

    Bits 3-4, 5-6 and 7-8: which copy of its kind each tile is.
    """
    run, called = divmod(code >> 10, 3)
    if run >= RUNS:
        return None
    suit, first_in_suit = divmod(run, 7)
    first = suit * 9 + first_in_suit
    copies = (code >> 3 & 3, code >> 5 & 3, code >> 7 & 3)
    tiles = tuple((first + step) * 4 + copy for step, copy in enumerate(copies))
    return Meld(MeldType.CHI, tiles, tiles[called], giver)


def _decode_pon(code: int, giver: int) -> Meld | None:
    """A pon, or the kan that adds a tile to it. Bits from 9: three times the kind, and the place of
    the called tile among the pon's. Bits 5-6: the copy that is not in the pon."""
    kind, called = divmod(code >> 9, 3)
    if kind >= KINDS:
        return None
    four = tuple(range(kind * 4, kind * 4 + 4))
    fourth = kind * 4 + (code >> 5 & 3)
    three = tuple(tile for tile in four if tile != fourth)
    if code & _PON:
        return Meld(MeldType.PON, three, three[called], giver)
    return Meld(MeldType.ADDED_KAN, four, three[called], giver, fourth)


def _decode_kan(code: int, giver: int) -> Meld | None:
    """An open or closed kan, or a kita. Bits from 8: the called tile."""
    called = code >> 8
    if called >= TILES:
        return None
    if code & _KITA:
        return Meld(MeldType.KITA, (called,), called)
    first = called // 4 * 4
    four = tuple(range(first, first + 4))
    if giver:
        return Meld(MeldType.OPEN_KAN, four, called, giver)
    return Meld(MeldType.CLOSED_KAN, four, called)


def encode(meld: Meld) -> int:
    """The code `m` of a call, so that decode(encode(meld)) == meld."""
    if meld.type == MeldType.CHI:
        return _encode_chi(meld)
    if meld.type in (MeldType.PON, MeldType.ADDED_KAN):
        return _encode_pon(meld)
    if meld.type == MeldType.KITA:
        return meld.called << 8 | _KITA
    return meld.called << 8 | meld.giver


def _encode_chi(meld: Meld) -> int:
    suit, first_in_suit = divmod(meld.kinds[0], 9)
    run = suit * 7 + first_in_suit
    called = run * 3 + meld.tiles.index(meld.called)
    code = called << 10 | _CHI | meld.giver
    for step, tile in enumerate(meld.tiles):
        code |= tile % 4 << (3 + 2 * step)
    return code


def _encode_pon(meld: Meld) -> int:
    kind = meld.kinds[0]
    bit = _PON
    fourth = meld.added
    four = range(kind * 4, kind * 4 + 4)
    if meld.type == MeldType.ADDED_KAN:
        bit = _ADDED_KAN
    if fourth is None:
        fourth = next(tile for tile in four if tile not in meld.tiles)
    three = [tile for tile in four if tile != fourth]
    called = kind * 3 + three.index(meld.called)
    return called << 9 | fourth % 4 << 5 | bit | meld.giver
