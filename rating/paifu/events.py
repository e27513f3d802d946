"""The events of a round as plain values. Seats are 0-3, tiles 0-135."""

from __future__ import annotations

from typing import NamedTuple

from rating.paifu.melds import Meld


class Draw(NamedTuple):
    """A tile taken from the wall; after a kan or kita, from the dead wall."""

    seat: int
    tile: int


class Discard(NamedTuple):
    """A discarded tile; `drawn`: it is the tile just drawn (tsumogiri)."""

    seat: int
    tile: int
    drawn: bool


class Call(NamedTuple):
    """A chi, pon, kan or kita."""

    seat: int
    meld: Meld


class Riichi(NamedTuple):
    """Riichi declared (step 1, before the discard) or paid for (step 2, nobody won on the discard)."""

    seat: int
    step: int


class NewDora(NamedTuple):
    """A further dora indicator (a tile), turned because of a kan."""

    indicator: int


class Away(NamedTuple):
    """A player lost the connection (`gone`) or came back."""

    seat: int
    gone: bool


Event = Draw | Discard | Call | Riichi | NewDora | Away
