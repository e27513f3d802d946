"""何切る: positions of a record with one best discard by speed, where the player chose another."""

from typing import NamedTuple

from rating.paifu.efficiency import DiscardChoice, TileChoice, choices, tile_choices
from rating.paifu.record import Discard, Draw, Record
from rating.paifu.table import TableState, WallCount
from rating.paifu.wall import RoundWall

TURNS = range(3, 13)
FARTHEST = 2  # shanten after the best discard
MOST_KINDS = 13


def is_clear(choice: TileChoice) -> bool:
    """Whether a discard of a hand without calls has one best choice, without a tie."""
    whole = len(choice.hand) == 14 and len({tile // 4 for tile in choice.hand}) <= MOST_KINDS
    return choice.alone and whole and choice.turn in TURNS and choice.best.shanten <= FARTHEST


def asks(record: Record) -> list[TileChoice]:
    """The clear positions in which the player chose another discard, in order of play."""
    return [choice for choice in tile_choices(record) if choice.loss > 0 and is_clear(choice)]


class Position(NamedTuple):
    """What the seat saw before a discard, and what came: `choices` are all discards, the best first. `hand`
    has 14 tiles with the one `drawn`. `came` are the seat's draws after the discard, `live` the copies of
    each kind (34) then still to be drawn; None without a wall."""

    round: int
    seat: int
    turn: int
    hand: tuple[int, ...]
    drawn: int
    river: tuple[int, ...]
    indicators: tuple[int, ...]
    choices: tuple[DiscardChoice, ...]
    taken: int
    came: tuple[int, ...]
    live: tuple[int, ...] | None


def position(
    record: Record, number: int, seat: int, turn: int, walls: tuple[RoundWall, ...] | None = None
) -> Position | None:
    """The position of a seat before its discard `turn` (from 1) in the round at an index; None without it."""
    if not 0 <= number < len(record.rounds):
        return None
    played = record.rounds[number]
    table, wall, drawn, came, found = TableState(played), WallCount(), -1, list[int](), None
    for event in played.events:
        if type(event) is Draw and event.seat == seat:
            drawn = event.tile
            came += [drawn] * (found is not None)
        here = type(event) is Discard and event.seat == seat and len(table.rivers[seat]) == turn - 1
        if here and type(event) is Discard:
            live = None
            if walls is not None:
                tiles = walls[number].live
                left = tiles[wall.drawn : len(tiles) - wall.taken]
                live = tuple(sum(tile // 4 == kind for tile in left) for kind in range(34))
            found = Position(
                number, seat, turn, tuple(sorted(table.hands[seat])), drawn,
                tuple(thrown.tile for thrown in table.rivers[seat]), tuple(table.indicators),
                tuple(choices(table.held[seat], table.unseen(seat), table.seats)), event.tile, (), live,
            )  # fmt: skip
        table.apply(event)
        wall.apply(event)
    return found and found._replace(came=tuple(came))
