"""A game record (牌譜) as plain values: its rules, players, rounds, events and endings.

Seats are 0-3 (seat 0 deals first), tiles 0-135 as in `tiles`, points whole points (35600, not 356).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from rating.paifu.events import Event
from rating.paifu.melds import Meld


class Win(NamedTuple):
    """One winning hand. `giver` is the winner himself on tsumo.

    `hand` holds the concealed tiles with the winning tile; `before` and `change` are points by seat, riichi sticks
    and honba in `change`. `yaku` are (Tenhou's yaku number, han); `value` is what the hand alone is worth.
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
    """A round nobody won. `type` is "" for an empty wall, else Tenhou's word (yao9, reach4, ron3, kan4, kaze4, nm)."""

    type: str
    shown: tuple[tuple[int, ...] | None, ...]
    before: tuple[int, ...]
    change: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameRules:
    """What the bits of GO's `type` say."""

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
        """As a result log writes it: 四鳳南喰赤－.

        With chips 祝 stands last. The ranks above 般 then have names of their own and say what a chip is worth
        (四琥南喰赤祝２); 般 is what private rooms play, and theirs say no more: 三般南喰赤祝.
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
    """One hand dealt. `number` counts from 0 (east 1), 4 a wind whatever the seats; `sticks` lie on the table."""

    number: int
    honba: int
    sticks: int
    dealer: int
    indicator: int
    start: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    events: tuple[Event, ...]
    endings: tuple[Win | NoWin, ...]

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def name(self) -> str:
        """東1局 or 南3局2本場."""
        wind = "東南西北"[self.number // 4 % 4]
        return f"{wind}{self.number % 4 + 1}局" + (f"{self.honba}本場" if self.honba else "")

    @property
    def wins(self) -> tuple[Win, ...]:
        return tuple(ending for ending in self.endings if isinstance(ending, Win))

    @property
    def after(self) -> tuple[int, ...]:
        """Points by seat when the round is over."""
        last = self.endings[-1]
        return tuple(before + change for before, change in zip(last.before, last.change, strict=True))

    @property
    def change(self) -> tuple[int, ...]:
        """What each seat gained or lost in the round, its own riichi stick included."""
        return tuple(after - start for after, start in zip(self.after, self.start, strict=True))


@dataclass(frozen=True, slots=True)
class Record:
    """One game. `final` and `scores` (with uma, in thousands) are by seat, None where the record does not say.

    `problems` are plain lines about what could not be read; the rounds that could are kept.
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

    @property
    def seats(self) -> int:
        return self.rules.seats

    def points(self) -> tuple[int, ...]:
        """Final points by seat: the record's own, else those after its last round."""
        if self.final is not None:
            return self.final
        return self.rounds[-1].after if self.rounds else ()

    def placings(self) -> tuple[int, ...]:
        """Placing by seat from 0; on equal points the seat that dealt first stands higher."""
        points = self.points()
        order = sorted(range(len(points)), key=lambda seat: (-points[seat], seat))
        return tuple(order.index(seat) for seat in range(len(points)))
