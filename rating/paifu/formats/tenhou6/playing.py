"""Plays a round tile by tile, in the order found: from the words of the seats to events.

A new dora indicator is turned at once after a closed kan, else before the next discard or the next
tile of the dead wall. A riichi is paid for when something follows its discard.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rating.paifu.formats.tenhou6.copies import Copies
from rating.paifu.formats.tenhou6.words import (
    DRAWN,
    NO_TILE,
    CallLetter,
    CallWord,
    DiscardWord,
    SeatTurn,
    kind_of,
)
from rating.paifu.melds import Meld, MeldType
from rating.paifu.record import Call, Discard, Draw, Event, NewDora, Riichi
from rating.paifu.tiles import FIRST_HONOUR, NORTH, PaifuError

_TAKEN_TYPES = {
    CallLetter.CHI: MeldType.CHI,
    CallLetter.PON: MeldType.PON,
    CallLetter.OPEN_KAN: MeldType.OPEN_KAN,
}


class LastTile(NamedTuple):
    """The tile on which others can win: discarded, added to a pon, or set aside."""

    seat: int
    tile: int


class SeatHand:
    """The tiles of a seat: concealed ones, the one just drawn, and calls."""

    def __init__(self, tiles: Sequence[int], copies: Copies) -> None:
        self.tiles = set(tiles)
        self.drawn: int | None = None
        self.melds: list[Meld] = []
        self._copies = copies

    def draw(self, tile: int) -> None:
        self.tiles.add(tile)
        self.drawn = tile

    def take_out(self, face: int) -> int:
        """Remove a tile with this face; the one just drawn only where there is no other."""
        tiles = [tile for tile in sorted(self.tiles) if self._copies.face(tile) == face]
        if not tiles:
            raise PaifuError(f"the tile {face} is not in the hand that it leaves")
        if len(tiles) > 1 and self.drawn in tiles:
            tiles.remove(self.drawn)
        tile = tiles[0]
        self.tiles.remove(tile)
        return tile

    def take_drawn(self) -> int:
        """Remove the tile just drawn."""
        if self.drawn is None:
            raise PaifuError("a tile just drawn is discarded, but none was drawn")
        self.tiles.remove(self.drawn)
        return self.drawn

    def pon_of(self, kind: int) -> Meld:
        for meld in self.melds:
            if meld.type == MeldType.PON and meld.called // 4 == kind:
                return meld
        raise PaifuError("a kan adds to a pon that was not called")


class Playing:
    """A round as it is played. `indicators` are the dora indicators after the first, in order."""

    def __init__(
        self, hands: Sequence[Sequence[int]], copies: Copies, indicators: Sequence[int]
    ) -> None:
        self.events: list[Event] = []
        self.hands = [SeatHand(tiles, copies) for tiles in hands]
        self.riichi_paid: set[int] = set()
        self.last_tile: LastTile | None = None
        self._copies = copies
        self._indicators = list(indicators)
        self._kans_to_reveal = 0
        self._due_before_draw = 0
        self._unpaid_riichi: int | None = None

    def play(self, seat: int, turn: SeatTurn) -> None:
        """Play one turn of a seat."""
        if isinstance(turn.taken, CallWord):
            self._call_discard(seat, turn.taken)
        else:
            self._draw(seat, turn.taken)
        if isinstance(turn.given, CallWord):
            self._call_own(seat, turn.given)
        elif isinstance(turn.given, DiscardWord):
            self._discard(seat, turn.given)
        elif turn.given == NO_TILE:
            self._kans_to_reveal += 1

    def finish(self, last_discard_won: bool) -> None:
        """End the round. The riichi of a discard that was won on is not paid for."""
        is_discard = bool(self.events) and type(self.events[-1]) is Discard
        if not (last_discard_won and is_discard):
            self._pay_riichi()
        self._reveal(len(self._indicators))

    def _add(self, event: Event) -> None:
        self._pay_riichi()
        self.events.append(event)

    def _pay_riichi(self) -> None:
        if self._unpaid_riichi is not None:
            self.events.append(Riichi(self._unpaid_riichi, 2))
            self.riichi_paid.add(self._unpaid_riichi)
            self._unpaid_riichi = None

    def _reveal(self, number: int) -> None:
        """SeatTurn so many further indicators, as far as there are any."""
        for indicator in self._indicators[:number]:
            self._add(NewDora(indicator))
        del self._indicators[:number]

    def _draw(self, seat: int, face: int) -> None:
        self._reveal(self._due_before_draw)
        self._due_before_draw = 0
        tile = self._copies.take(face)
        self._add(Draw(seat, tile))
        self.hands[seat].draw(tile)
        self.last_tile = None

    def _discard(self, seat: int, word: DiscardWord) -> None:
        hand = self.hands[seat]
        if word.face == DRAWN:
            tile = hand.take_drawn()
        else:
            tile = hand.take_out(word.face)
        if word.riichi:
            self._add(Riichi(seat, 1))
        self._reveal(self._kans_to_reveal)
        self._kans_to_reveal = 0
        self._add(Discard(seat, tile, drawn=tile == hand.drawn))
        hand.drawn = None
        self.last_tile = LastTile(seat, tile)
        if word.riichi:
            self._unpaid_riichi = seat

    def _call_discard(self, seat: int, word: CallWord) -> None:
        """A chi, pon or open kan of the last discard."""
        if self.last_tile is None:
            raise PaifuError("a call without a discard")
        called = self.last_tile.tile
        hand = self.hands[seat]
        own = [hand.take_out(face) for face in word.others]
        meld = Meld(
            _TAKEN_TYPES[word.letter],
            tuple(sorted((*own, called))),
            called,
            giver=(self.last_tile.seat - seat) % 4,
        )
        _check_meld(meld)
        hand.melds.append(meld)
        hand.drawn = None
        self._add(Call(seat, meld))
        self.last_tile = None

    def _call_own(self, seat: int, word: CallWord) -> None:
        """A kan of the own hand, an added kan or a north set aside."""
        hand = self.hands[seat]
        if word.letter == CallLetter.ADDED_KAN:
            pon = hand.pon_of(kind_of(word.named))
            added = hand.take_out(word.named)
            tiles = tuple(sorted((*pon.tiles, added)))
            meld = Meld(MeldType.ADDED_KAN, tiles, pon.called, giver=pon.giver, added=added)
            hand.melds[hand.melds.index(pon)] = meld
            tile = added
        else:
            tiles = tuple(sorted(hand.take_out(face) for face in word.faces))
            tile = tiles[0]
            meld_type = MeldType.CLOSED_KAN
            if word.letter == CallLetter.KITA:
                meld_type = MeldType.KITA
            meld = Meld(meld_type, tiles, tile)
            hand.melds.append(meld)
        _check_meld(meld)
        hand.drawn = None
        self._add(Call(seat, meld))
        self.last_tile = LastTile(seat, tile)
        self._note_kan(word.letter)

    def _note_kan(self, letter: CallLetter) -> None:
        """Earlier kans reveal their indicator before the next draw, a closed kan at once."""
        self._due_before_draw = self._kans_to_reveal
        self._kans_to_reveal = 0
        if letter == CallLetter.CLOSED_KAN:
            self._reveal(1)
        elif letter == CallLetter.ADDED_KAN:
            self._kans_to_reveal = 1


def _check_meld(meld: Meld) -> None:
    """A chi is a run of one suit, every other call of one kind; a kita is a north."""
    kinds = sorted(meld.kinds)
    first = kinds[0]
    if meld.type == MeldType.CHI:
        is_run = kinds == [first, first + 1, first + 2] and first % 9 <= 6
        is_right = is_run and first < FIRST_HONOUR
    elif meld.type == MeldType.KITA:
        is_right = kinds == [NORTH]
    else:
        is_right = set(kinds) == {first}
    if not is_right:
        raise PaifuError(f"the tiles of a call ({meld.type}) do not belong together")
