"""Calls, and the 16-bit code `m` for them in the elements N and AGARI of an mjlog.

Tenhou describes the code in http://p.tenhou.net/img/mentsu136.txt.
"""

from __future__ import annotations

from typing import NamedTuple

from rating.paifu.tiles import PaifuError

CHI, PON, ADDED_KAN, OPEN_KAN, CLOSED_KAN, KITA = "chi", "pon", "kakan", "open kan", "closed kan", "kita"
KANS = frozenset((ADDED_KAN, OPEN_KAN, CLOSED_KAN))
OPEN = frozenset((CHI, PON, ADDED_KAN, OPEN_KAN))


class Meld(NamedTuple):
    """A call. `tiles` holds all its tiles (0-135), ascending; `called` is the tile taken from the giver.

    In a kakan `called` is the tile called for the pon and `added` the fourth tile. In a closed kan and a kita
    `called` is the tile that the code names. `giver` is the seat of the discarder counted from the caller (0
    itself, 1 right, 2 across, 3 left).
    """

    type: str
    tiles: tuple[int, ...]
    called: int
    giver: int = 0
    added: int | None = None

    @property
    def from_hand(self) -> tuple[int, ...]:
        """The tiles that leave the caller's hand when the call is made."""
        if self.type == ADDED_KAN:
            return (self.added,) if self.added is not None else ()
        if self.type in (CLOSED_KAN, KITA):
            return self.tiles
        return tuple(tile for tile in self.tiles if tile != self.called)


def decode(code: int) -> Meld:
    """The call with the code `m`. Raises PaifuError when no call has it.

    A chi has bit 4, a pon 8, a kakan 16, a kita 32; a kan has none of them.
    """
    if not 0 <= code <= 0xFFFF:
        raise PaifuError(f"no call has the code {code}")
    giver = code & 3
    if code & 4:
        return _chi(code, giver)
    if code & 0x18:
        return _pon(code, giver)
    tile = code >> 8
    if tile >= 136:
        raise PaifuError(f"no call has the code {code}")
    if code & 0x20:
        return Meld(KITA, (tile,), tile)
    kind = tile // 4 * 4
    four = (kind, kind + 1, kind + 2, kind + 3)
    return Meld(OPEN_KAN if giver else CLOSED_KAN, four, tile, giver)


def _chi(code: int, giver: int) -> Meld:
    """t = m >> 10: t // 3 is the run (7 a suit), t % 3 the place of the called tile; the copies are at bits
    3, 5 and 7."""
    run, called = divmod(code >> 10, 3)
    if run >= 21:
        raise PaifuError(f"no call has the code {code}")
    first = run // 7 * 9 + run % 7
    tiles = tuple((first + step) * 4 + (code >> (3 + 2 * step) & 3) for step in range(3))
    return Meld(CHI, tiles, tiles[called], giver)


def _pon(code: int, giver: int) -> Meld:
    """t = m >> 9: t // 3 is the kind, t % 3 the place of the called tile; bits 5-6 are the copy left out or
    added."""
    kind, called = divmod(code >> 9, 3)
    if kind >= 34:
        raise PaifuError(f"no call has the code {code}")
    fourth = kind * 4 + (code >> 5 & 3)
    three = tuple(tile for tile in range(kind * 4, kind * 4 + 4) if tile != fourth)
    if code & 8:
        return Meld(PON, three, three[called], giver)
    return Meld(ADDED_KAN, tuple(sorted((*three, fourth))), three[called], giver, fourth)


def encode(meld: Meld) -> int:
    """The code `m` of a call, so that decode(encode(meld)) == meld."""
    first = meld.tiles[0] // 4
    if meld.type == CHI:
        copies = sum(tile % 4 << (3 + 2 * step) for step, tile in enumerate(meld.tiles))
        run = first // 9 * 7 + first % 9
        return (run * 3 + meld.tiles.index(meld.called)) << 10 | copies | 4 | meld.giver
    if meld.type in (PON, ADDED_KAN):
        four = range(first * 4, first * 4 + 4)
        fourth = (
            meld.added if meld.added is not None else next(tile for tile in four if tile not in meld.tiles)
        )
        three = [tile for tile in four if tile != fourth]
        bit = 8 if meld.type == PON else 16
        return (first * 3 + three.index(meld.called)) << 9 | fourth % 4 << 5 | bit | meld.giver
    return meld.called << 8 | (0x20 if meld.type == KITA else meld.giver)
