"""Restores the order of play between the seats, which this form does not write.

Every turn shows whose turn was before it: a call the seat that discarded, a draw the seat to the
left or, after a kan or north, the same seat. So the order can be followed back from the last turn,
which is that of the only seat with a turn that no other follows. There is never a second order.
"""

from collections import Counter
from collections.abc import Sequence

from rating.paifu.formats.tenhou6.words import DRAWN, CallWord, DiscardWord, SeatTurn
from rating.paifu.tiles import PaifuError

Turns = Sequence[Sequence[SeatTurn]]  # of each seat
FIRST_TURN = -1  # in place of the seat whose turn was before


def play_order(turns: Turns, dealer: int) -> tuple[int, ...]:
    """The seats in the order of their turns. Raises PaifuError where the turns of the seats do not
    fit one another."""
    seats_before = [_seats_before(turns, seat, dealer) for seat in range(len(turns))]
    turns_left = list(map(len, turns))
    seat = _last_seat(turns, seats_before)
    backwards: list[int] = []
    while seat != FIRST_TURN:
        if not turns_left[seat]:
            raise PaifuError("the draws, calls and discards fit no order of play")
        turns_left[seat] -= 1
        place = turns_left[seat]
        backwards.append(seat)
        before = seats_before[seat][place]
        if before not in (seat, FIRST_TURN):
            previous = turns[before][: turns_left[before]]
            _check_passing(turns[seat][place], previous)
        seat = before
    if any(turns_left):
        raise PaifuError("the draws, calls and discards fit no order of play")
    return tuple(reversed(backwards))


def _seats_before(turns: Turns, seat: int, dealer: int) -> list[int]:
    """For each turn of a seat, the seat whose turn was before."""
    seats: list[int] = []
    replaces = False
    seat_to_the_left = (seat - 1) % len(turns)
    for turn in turns[seat]:
        is_first = seat == dealer and not seats
        if isinstance(turn.taken, CallWord):
            before = turn.taken.giver(seat)
        elif replaces:
            before = seat
        elif is_first:
            before = FIRST_TURN
        else:
            before = seat_to_the_left
        if before >= len(turns) or replaces != (before == seat):
            raise PaifuError("a seat takes a tile that it can't have")
        seats.append(before)
        replaces = turn.given is not None and not isinstance(turn.given, DiscardWord)
    return seats


def _last_seat(turns: Turns, seats_before: Sequence[list[int]]) -> int:
    """The seat of the last turn: the one with a turn that no other turn follows."""
    followed: Counter[int] = Counter()
    for seats in seats_before:
        followed.update(seats)
    not_followed = []
    for seat, had in enumerate(turns):
        if len(had) != followed[seat]:
            not_followed.append(seat)
    if len(not_followed) != 1:
        raise PaifuError("the draws, calls and discards fit no order of play")
    return not_followed[0]


def _check_passing(turn: SeatTurn, previous: Sequence[SeatTurn]) -> None:
    """The turn before ended with a discard, and a call takes that tile."""
    if not previous or not isinstance(previous[-1].given, DiscardWord):
        raise PaifuError("the draws, calls and discards fit no order of play")
    if isinstance(turn.taken, CallWord) and turn.taken.named != _discarded(previous[-1]):
        raise PaifuError("a call takes a tile that was not discarded")


def _discarded(turn: SeatTurn) -> int | None:
    """The face of a discard."""
    if isinstance(turn.given, DiscardWord) and turn.given.face != DRAWN:
        return turn.given.face
    if isinstance(turn.taken, int):
        return turn.taken
    return None
