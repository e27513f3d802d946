"""When a moment shows: how many events of its round have been played."""

from rating.paifu.record import Discard, Draw, Round


def after_draw(played: Round, tile: int) -> int:
    """How many events have been played when the tile is drawn."""
    return next(
        number
        for number, event in enumerate(played.events, 1)
        if type(event) is Draw and event.tile == tile
    )


def after_discard_of(played: Round, tile: int) -> int:
    """How many events have been played when the tile is discarded."""
    return next(
        number
        for number, event in enumerate(played.events, 1)
        if type(event) is Discard and event.tile == tile
    )


def after_discard(played: Round, seat: int, turn: int) -> int:
    """How many events have been played when the seat has made its discard number `turn`."""
    discards = [
        number
        for number, event in enumerate(played.events, 1)
        if type(event) is Discard and event.seat == seat
    ]
    return discards[turn - 1]
