"""Called tiles, and the 16-bit code `m` in which an mjlog's N and AGARI elements write them."""

from __future__ import annotations

from typing import NamedTuple

from rating.paifu.tiles import PaifuError

CHI, PON, ADDED_KAN, OPEN_KAN, CLOSED_KAN, KITA = "chi", "pon", "kakan", "open kan", "closed kan", "kita"
KANS = frozenset((ADDED_KAN, OPEN_KAN, CLOSED_KAN))
OPEN = frozenset((CHI, PON, ADDED_KAN, OPEN_KAN))


class Meld(NamedTuple):
    """A call. `tiles` (0-135) ascending, all of the meld's; `called` the tile taken from the giver.

    For kakan `called` is the tile once ponned and `added` the fourth. For a closed kan and kita `called` is the
    tile the code names. `giver` is the seat of the discarder counted from the caller (0 itself, 1 right, 2 across,
    3 left).
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
    """The call written as `m` (0-65535); PaifuError where it is none.

    chi if m & 4; pon or kakan if m & 0x18; kita if m & 0x20; else a kan.
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
    """t = m >> 10: called = t % 3 of the run, t // 3 the run (7 a suit); copies at bits 3, 5 and 7."""
    run, called = divmod(code >> 10, 3)
    if run >= 21:
        raise PaifuError(f"no call has the code {code}")
    first = run // 7 * 9 + run % 7
    tiles = tuple((first + step) * 4 + (code >> (3 + 2 * step) & 3) for step in range(3))
    return Meld(CHI, tiles, tiles[called], giver)


def _pon(code: int, giver: int) -> Meld:
    """t = m >> 9: called = t % 3 of the three, t // 3 the kind; the copy left out (or added) at bit 5; 8 pon, 16 kakan."""
    kind, called = divmod(code >> 9, 3)
    if kind >= 34:
        raise PaifuError(f"no call has the code {code}")
    fourth = kind * 4 + (code >> 5 & 3)
    three = tuple(tile for tile in range(kind * 4, kind * 4 + 4) if tile != fourth)
    if code & 8:
        return Meld(PON, three, three[called], giver)
    return Meld(ADDED_KAN, tuple(sorted((*three, fourth))), three[called], giver, fourth)


def encode(meld: Meld) -> int:
    """The code `m` of a call: decode(encode(meld)) == meld."""
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
