"""A paifu as plain values: its rules, players, rounds, events and endings.

Seats are 0-3 (seat 0 deals first), tiles 0-135 as in `tiles`, points single points (35600, not 356).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from rating.paifu.events import Event
from rating.paifu.melds import Meld


class Win(NamedTuple):
    """One winning hand. `giver` is the seat that dealt in, on tsumo the winner's.

    `hand` holds the concealed tiles with the winning `tile`. `value` is the hand's own worth in points.
    `yaku` are pairs of (Tenhou's yaku number, han). `dora` and `ura` are indicators (tiles). `liable` is the
    seat that pays for a yakuman by sekinin barai, else None. `before` and `change` are points by seat;
    `change` includes riichi sticks and honba.
    """

    seat: int
    giver: int
    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    tile: int
    fu: int
    value: int
    limit: int
    yaku: tuple[tuple[int, int], ...]
    yakuman: tuple[int, ...]
    dora: tuple[int, ...]
    ura: tuple[int, ...]
    liable: int | None
    before: tuple[int, ...]
    change: tuple[int, ...]

    @property
    def tsumo(self) -> bool:
        return self.seat == self.giver


class NoWin(NamedTuple):
    """A round without a win. `type` is "" for an empty wall, else Tenhou's word (yao9, reach4, ron3, kan4,
    kaze4, nm).

    `shown` holds by seat the tiles of a hand that was shown, else None. `before` and `change` are points by
    seat.
    """

    type: str
    shown: tuple[tuple[int, ...] | None, ...]
    before: tuple[int, ...]
    change: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameRules:
    """The rules, from the bits of the attribute `type` of the element GO."""

    bits: int = 1

    @property
    def seats(self) -> int:
        return 3 if self.bits & 0x10 else 4

    @property
    def red_fives(self) -> bool:
        return not self.bits & 2

    @property
    def open_tanyao(self) -> bool:
        return not self.bits & 4

    @property
    def south_rounds(self) -> bool:
        return bool(self.bits & 8)

    @property
    def chips(self) -> bool:
        return bool(self.bits & 0x600)

    @property
    def name(self) -> str:
        """The rule as Tenhou's result logs (https://tenhou.net/sc/raw/) write it: 四鳳南喰赤－.

        With chips it ends in 祝, and the ranks above 般 have other names and a digit for the worth of a chip
        (四琥南喰赤祝２). Private rooms are 般, without that digit: 三般南喰赤祝.
        """
        rank = (self.bits >> 4 & 2) | (self.bits >> 7 & 1)
        worth = {0x200: "２", 0x400: "０", 0x600: "５"}.get(self.bits & 0x600, "") if rank else ""
        return (
            ("三" if self.seats == 3 else "四")
            + ("般銀琥孔" if self.chips else "般上特鳳")[rank]
            + ("南" if self.south_rounds else "東")
            + ("喰" if self.open_tanyao else "－")
            + ("赤" if self.red_fives else "－")
            + ("祝" if self.chips else "速" if self.bits & 0x40 else "－")
            + worth
        )


@dataclass(frozen=True, slots=True)
class Round:
    """One dealt hand. `number` counts from 0 (east 1), four a wind also with three seats.

    `sticks` is the number of riichi sticks on the table at the start, `indicator` the first dora indicator (a
    tile), `start` the points by seat, `hands` the 13 dealt tiles by seat. `endings` holds the wins (two for a
    double ron) or one NoWin. `dice` are the two dice, 0-5. `deal` counts all deals of the file from 0, those
    that could not be read too.
    """

    number: int
    honba: int
    sticks: int
    dealer: int
    indicator: int
    start: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    events: tuple[Event, ...]
    endings: tuple[Win | NoWin, ...]
    dice: tuple[int, int] = (0, 0)
    deal: int = 0

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def name(self) -> str:
        """The round's name: 東1局, 南3局2本場."""
        wind = "東南西北"[self.number // 4 % 4]
        return f"{wind}{self.number % 4 + 1}局" + (f"{self.honba}本場" if self.honba else "")

    @property
    def wins(self) -> tuple[Win, ...]:
        return tuple(ending for ending in self.endings if isinstance(ending, Win))

    @property
    def after(self) -> tuple[int, ...]:
        """Points by seat after the round."""
        last = self.endings[-1]
        return tuple(before + change for before, change in zip(last.before, last.change, strict=True))

    @property
    def change(self) -> tuple[int, ...]:
        """Points each seat gained or lost in the round; its own riichi stick counts."""
        return tuple(after - start for after, start in zip(self.after, self.start, strict=True))


@dataclass(frozen=True, slots=True)
class Record:
    """One game. `dans`, `rates`, `final` (points), `scores` (with uma, in thousands) and `chips` are by seat.

    `final`, `scores` and `chips` are None, `dans` and `rates` empty, where the record does not hold them.
    `problems` are plain lines about what could not be read; `rounds` are the rounds that could. `unread` are
    the others as far as they could be read, and `seed` is what the record says of its walls ("" for nothing):
    both are there for `wall_check`.
    """

    rules: GameRules
    players: tuple[str, ...]
    rounds: tuple[Round, ...]
    version: str = ""
    lobby: str = ""
    dans: tuple[int, ...] = ()
    rates: tuple[float, ...] = ()
    final: tuple[int, ...] | None = None
    scores: tuple[float, ...] | None = None
    chips: tuple[int, ...] | None = None
    problems: tuple[str, ...] = field(default=())
    seed: str = ""
    unread: tuple[Round, ...] = ()

    @property
    def seats(self) -> int:
        return self.rules.seats

    def points(self) -> tuple[int, ...]:
        """Final points by seat: `final`, or without it the points after the last round."""
        if self.final is not None:
            return self.final
        return self.rounds[-1].after if self.rounds else ()

    def placings(self) -> tuple[int, ...]:
        """Placing by seat, 0 the best. On equal points the seat that dealt earlier is better.

        This is Tenhou's rule (https://tenhou.net/man/#RULE).
        """
        points = self.points()
        order = sorted(range(len(points)), key=lambda seat: (-points[seat], seat))
        return tuple(order.index(seat) for seat in range(len(points)))
