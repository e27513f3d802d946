"""Reads the numbers and words of a seat's tiles: 35, 60, "r35", "c333234", "4242p42", "f44".

A *face* is a tile as this form writes it, which doesn't tell equal tiles from each other: 11-19 man, 21-29 pin, 31-39
sou, 41-47 honours, 51-53 red fives. In a word the letter stands before the tile that was called or
added, and its place tells the seat that discarded it.
"""

import re
from enum import StrEnum
from itertools import chain
from typing import Any, NamedTuple

from rating.paifu.formats.tenhou6.values import listed, shortened
from rating.paifu.tiles import PaifuError, is_whole

DRAWN = 60  # as a discard: the tile just drawn
NO_TILE = 0  # as a discard: none, since an open kan was called
MOST_TURNS = 60  # of one seat in a round; with the whole wall there are fewer than 40
RED_FACES = (51, 52, 53)
# A seat as counted from another, to its right.
RIGHT, ACROSS, LEFT = range(1, 4)


class CallLetter(StrEnum):
    CHI = "c"
    PON = "p"
    OPEN_KAN = "m"
    ADDED_KAN = "k"
    CLOSED_KAN = "a"
    KITA = "f"


class CallWord(NamedTuple):
    """A call. `before` are the faces before the letter, `after` those from the letter on."""

    letter: CallLetter
    before: tuple[int, ...]
    after: tuple[int, ...]

    @property
    def faces(self) -> tuple[int, ...]:
        return (*self.before, *self.after)

    @property
    def named(self) -> int:
        """The face of the tile that was called, added or set aside."""
        return self.after[0]

    @property
    def others(self) -> tuple[int, ...]:
        """The faces of all other tiles."""
        _, *others = self.after
        return (*self.before, *others)

    def giver(self, seat: int) -> int:
        """The seat whose discard the `seat` called, by the place of the letter. A table of three
        has the places of a table of four."""
        last_place = len(self.faces) - 1
        if not self.before:
            side = LEFT
        elif len(self.before) == last_place:
            side = RIGHT
        else:
            side = ACROSS
        return (seat + side) % 4


class DiscardWord(NamedTuple):
    """A discard; its face is DRAWN for the tile just drawn."""

    face: int
    riichi: bool


class SeatTurn(NamedTuple):
    """What a seat took (the face drawn, or a call) and gave: a discard, a call of its own, nothing
    after an open kan (NO_TILE), or None where the round ended before."""

    taken: int | CallWord
    given: DiscardWord | CallWord | int | None

    @property
    def is_draw(self) -> bool:
        return isinstance(self.taken, int)


_WORD = re.compile(r"((?:[0-9]{2})*)([cpmkaf])((?:[0-9]{2})+)")
_RIICHI = re.compile(r"r[0-9]{2}")
_SUITS = (range(11, 20), range(21, 30), range(31, 40))
_FACES = frozenset(chain(*_SUITS, range(41, 48), RED_FACES))
_CALLS_OF_DISCARDS = frozenset((CallLetter.CHI, CallLetter.PON, CallLetter.OPEN_KAN))
# How many tiles a word has before its letter and in all.
_BEFORE = {
    CallLetter.CHI: (0,),
    CallLetter.PON: (0, 1, 2),
    CallLetter.OPEN_KAN: (0, 1, 3),
    CallLetter.ADDED_KAN: (0, 1, 2),
    CallLetter.CLOSED_KAN: (0, 1, 2, 3),
    CallLetter.KITA: (0,),
}
_TILES = {
    CallLetter.CHI: 3,
    CallLetter.PON: 3,
    CallLetter.OPEN_KAN: 4,
    CallLetter.ADDED_KAN: 4,
    CallLetter.CLOSED_KAN: 4,
    CallLetter.KITA: 1,
}


def read_turns(draws: Any, discards: Any) -> tuple[SeatTurn, ...]:
    """The turns of a seat. Each thing taken is answered by one given, but for the last of a round."""
    taken = listed(draws, "the draws of a seat")
    given = listed(discards, "the discards of a seat")
    if len(taken) > MOST_TURNS:
        raise PaifuError(f"a seat has more than {MOST_TURNS} turns")
    if len(given) not in (len(taken), len(taken) - 1):
        raise PaifuError(f"a seat has {len(taken)} draws and {len(given)} discards")
    pairs = zip(taken, given, strict=False)
    turns = [SeatTurn(_read_taken(word), _read_given(reply)) for word, reply in pairs]
    if len(given) < len(taken):
        turns.append(SeatTurn(_read_taken(taken[-1]), None))
    for turn in turns:
        _check_turn(turn)
    return tuple(turns)


def _check_turn(turn: SeatTurn) -> None:
    """An open kan, and nothing else, is followed by no tile given."""
    is_open_kan = isinstance(turn.taken, CallWord) and turn.taken.letter == CallLetter.OPEN_KAN
    if turn.given is not None and is_open_kan != (turn.given == NO_TILE):
        raise PaifuError("a discard that does not fit what the seat took")
    is_own_call = isinstance(turn.given, CallWord)
    is_drawn_tile = isinstance(turn.given, DiscardWord) and turn.given.face == DRAWN
    if not turn.is_draw and (is_own_call or is_drawn_tile):
        raise PaifuError("a kan or the tile just drawn is given after a call")


def _read_taken(word: Any) -> int | CallWord:
    """What a seat took: the face of the tile drawn, or a call of another seat's discard."""
    if isinstance(word, str):
        call = read_call(word)
        if call.letter in _CALLS_OF_DISCARDS:
            return call
        raise PaifuError(f"{shortened(word)} is no draw")
    return read_face(word)


def _read_given(word: Any) -> DiscardWord | CallWord | int:
    """What a seat gave: a discard, with riichi as "r35"; a kan or kita of its own tiles; or
    NO_TILE.
    """
    if isinstance(word, str):
        if _RIICHI.fullmatch(word):
            face = int(word.removeprefix("r"))
            return DiscardWord(_read_discarded_face(face), riichi=True)
        call = read_call(word)
        if call.letter in _CALLS_OF_DISCARDS:
            raise PaifuError(f"{shortened(word)} is no discard")
        return call
    if is_whole(word) and word == NO_TILE:
        return NO_TILE
    return DiscardWord(_read_discarded_face(word), riichi=False)


def _read_discarded_face(face: Any) -> int:
    """The face of a discard, or DRAWN."""
    if is_whole(face) and face == DRAWN:
        return DRAWN
    return read_face(face)


def read_face(face: Any) -> int:
    """The face, which has to be a tile's."""
    if not is_whole(face) or face not in _FACES:
        raise PaifuError(f"there is no tile {shortened(face)}")
    return face


def read_call(word: str) -> CallWord:
    """The call that a word writes."""
    match = _WORD.fullmatch(word)
    if not match:
        raise PaifuError(f"there is no call {shortened(word)}")
    before, letter, after = match.groups()
    call = CallWord(CallLetter(letter), before=_faces(before), after=_faces(after))
    is_right_place = len(call.before) in _BEFORE[call.letter]
    if not is_right_place or len(call.faces) != _TILES[call.letter]:
        raise PaifuError(f"there is no call {shortened(word)}")
    return call


def _faces(digits: str) -> tuple[int, ...]:
    pairs = re.findall("[0-9]{2}", digits)
    return tuple(read_face(int(pair)) for pair in pairs)


def kind_of(face: int) -> int:
    """The kind (0-33) of a face.

    >>> kind_of(11), kind_of(52), kind_of(47)
    (0, 13, 33)
    """
    if face in RED_FACES:
        return 9 * (face - RED_FACES[0]) + 4
    tens, ones = divmod(face, 10)
    return 9 * (tens - 1) + ones - 1
