"""A second computation of what rating/paifu/top_table gives its network, straight from the text of
an mjlog of three seats.

It shares no code with rating/: tiles, calls, what is safe and dangerous are computed again, a kind
at a time, and shanten by brute force.
"""

import gzip
import re
from collections.abc import Iterator
from math import exp, log
from typing import NamedTuple

from tests.rating.paifu import brute

KINDS = [0, *range(8, 34)]
EAST = 27
NORTH = 30
DRAGONS = (31, 32, 33)
ENDS = (0, 8, 9, 17, 18, 26)
RED = {52: 13, 88: 22}
NEXT = {0: 8, 8: 0, 17: 9, 26: 18, 30: 27, 33: 31}  # that is not one higher
DRAWS = "TUV"  # by seat
DISCARDS = "DEF"


class Inputs(NamedTuple):
    """Of one decision: 27 rows of 70 numbers, 52 numbers, and the kinds that may be discarded."""

    planes: list[list[float]]
    scalars: list[float]
    legal: set[int]


class Thrown(NamedTuple):
    kind: int
    drawn: bool


class Seat:
    def __init__(self, hand: list[int], points: int) -> None:
        self.hand = hand
        self.points = points
        self.river: list[Thrown] = []
        self.laid: list[int] = []  # tiles that left the hand for a call or as norths
        self.calls: dict[int, int] = {}  # tiles of the call by kind
        self.is_open = False
        self.norths = 0
        self.declared: int | None = None
        self.unwinnable: set[int] = set()
        self.passed: set[int] = set()

    @property
    def in_riichi(self) -> bool:
        return self.declared is not None and len(self.river) > self.declared

    def held(self, kind: int) -> int:
        return sum(tile // 4 == kind for tile in self.hand)

    def copies(self, kind: int) -> int:
        """In the hand and its calls."""
        return self.held(kind) + self.calls.get(kind, 0)

    def turns_of(self, kind: int) -> list[int]:
        return [turn for turn, thrown in enumerate(self.river, 1) if thrown.kind == kind]

    def call(self, code: int) -> bool:
        """Lay the tiles of a call; whether it was a pon."""
        if code & 0x3F == 0x20:
            self.norths += 1
            tiles = [code >> 8]
        elif code & 8:
            kind, called = divmod(code >> 9, 3)
            copies = [4 * kind + copy for copy in range(4) if copy != code >> 5 & 3]
            tiles = copies[:called] + copies[called + 1 :]
            self.calls[kind] = 3
            self.is_open = True
        elif code & 16:
            kind = (code >> 9) // 3
            tiles = [4 * kind + (code >> 5 & 3)]
            self.calls[kind] = 4
        else:
            kind = (code >> 8) // 4
            tiles = list(range(4 * kind, 4 * kind + 4))
            self.calls[kind] = 4
            if code & 3:
                tiles.remove(code >> 8)
                self.is_open = True
        for tile in tiles:
            self.hand.remove(tile)
        self.laid += tiles
        return bool(code & 8) and code & 0x3F != 0x20


class Table:
    def __init__(self, attributes: dict[str, str]) -> None:
        self.number, self.honba, self.sticks, *_, indicator = numbers(attributes["seed"])
        self.indicators = [indicator]
        self.dealer = int(attributes["oya"])
        self.seats: list[Seat] = []
        for seat, points in enumerate(numbers(attributes["ten"])):
            if seat < 3:
                self.seats.append(Seat(numbers(attributes[f"hai{seat}"]), 100 * points))
        self.draws = 0
        self.drawn = -1
        self.pon = -1

    def dora(self, kind: int) -> int:
        turned = [indicator // 4 for indicator in self.indicators]
        return sum(NEXT.get(indicator, indicator + 1) == kind for indicator in turned)

    def yakuhai(self, seat: int, kind: int) -> int:
        own_wind = EAST + (seat - self.dealer) % 3
        round_wind = EAST + self.number // 4
        return [*DRAGONS, own_wind, round_wind].count(kind)

    def unseen(self, viewer: int, kind: int) -> int:
        if not 0 <= kind < 34 or 1 <= kind <= 7:
            return 0
        visible = self.seats[viewer].hand + self.indicators
        for seat in self.seats:
            visible = visible + seat.laid
        copies = 4 - sum(tile // 4 == kind for tile in visible)
        for seat in self.seats:
            copies -= len(seat.turns_of(kind))
        return copies

    def declare(self, name: str, attributes: dict[str, str]) -> None:
        """A call, a riichi or a new indicator."""
        if name == "N":
            caller = self.seats[int(attributes["who"])]
            code = int(attributes["m"])
            self.drawn = -1
            if caller.call(code):
                self.pon = (code >> 9) // 3
        elif name == "DORA":
            self.indicators.append(int(attributes["hai"]))
        elif attributes["step"] == "1":
            declarer = self.seats[int(attributes["who"])]
            declarer.declared = len(declarer.river)

    def draw(self, seat: int, tile: int) -> None:
        self.seats[seat].hand.append(tile)
        self.draws += 1
        self.drawn = tile
        self.pon = -1

    def discard(self, thrower: int, tile: int) -> None:
        kind = tile // 4
        for number, seat in enumerate(self.seats):
            if number == thrower:
                drawn = self.drawn == tile
                seat.hand.remove(tile)
                seat.river.append(Thrown(kind, drawn))
                seat.unwinnable.add(kind)
                if not drawn:
                    seat.passed.clear()
            else:
                seat.passed.add(kind)
                if seat.declared is not None:
                    seat.unwinnable.add(kind)
        self.drawn = -1


def inputs_of(data: bytes, wanted: range) -> Iterator[Inputs]:
    """Yield the inputs of the decisions of a record whose numbers, from 0, are wanted."""
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    text = data.decode()
    number = 0
    table = Table.__new__(Table)
    for name, inside in re.findall(r"<(\w+)([^>]*)>", text):
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', inside))
        action = name[:1]
        tile = name[1:]
        if name == "INIT":
            table = Table(attributes)
        elif name in ("N", "REACH", "DORA"):
            table.declare(name, attributes)
        elif action in DRAWS and tile.isdecimal():
            table.draw(DRAWS.index(action), int(tile))
        elif action in DISCARDS and tile.isdecimal():
            seat_number = DISCARDS.index(action)
            if not table.seats[seat_number].in_riichi:
                if number in wanted:
                    yield Hand(table, seat_number).inputs()
                number += 1
            table.discard(seat_number, int(tile))


class Hand:
    """A hand about to discard."""

    def __init__(self, table: Table, number: int) -> None:
        self.table = table
        self.number = number
        self.own = table.seats[number]
        self.unseen = {kind: table.unseen(number, kind) for kind in range(34)}
        counts = [self.own.held(kind) for kind in range(34)]
        self.legal = {kind for kind in KINDS if counts[kind] and kind != table.pon}
        self.shanten: dict[int, int] = {}
        self.accepts: dict[int, list[int]] = {}
        self.tiles: dict[int, int] = {}
        for kind in self.legal:
            rest = brute.plus(counts, kind, -1)
            self.shanten[kind] = brute.shanten(rest, 3)
            self.accepts[kind] = brute.accepted(rest, 3)
            self.tiles[kind] = sum(self.unseen[accepted] for accepted in self.accepts[kind])
        self.least = min(self.shanten.values())
        self.best = self.kinds_at(self.least)
        self.next = self.kinds_at(self.least + 1)
        self.most = max(self.tiles[kind] for kind in self.best)
        self.most_next = max([self.tiles[kind] for kind in self.next], default=0)
        self.accepted: set[int] = set()
        for kind in self.best:
            self.accepted.update(self.accepts[kind])

    def kinds_at(self, shanten: int) -> set[int]:
        return {kind for kind in self.legal if self.shanten[kind] == shanten}

    def inputs(self) -> Inputs:
        opponents = [(self.number + 1) % 3, (self.number + 2) % 3]
        planes = []
        for kind in KINDS:
            row = self.own_planes(kind) + self.efficiency(kind)
            for opponent in opponents:
                row += self.opponent_planes(opponent, kind)
            planes.append(row + identity(kind))
        scalars = self.table_scalars() + self.hand_scalars()
        for opponent in opponents:
            scalars += self.opponent_scalars(opponent)
        return Inputs(planes, [float(scalar) for scalar in scalars], self.legal)

    def own_planes(self, kind: int) -> list[float]:
        held = self.own.held(kind)
        unseen = self.unseen[kind]
        turns = self.own.turns_of(kind)
        return [
            held >= 1,
            held >= 2,
            held >= 3,
            held >= 4,
            any(tile in RED and RED[tile] == kind for tile in self.own.hand),
            self.table.drawn >= 0 and self.table.drawn // 4 == kind,
            self.table.pon == kind,
            bool(turns),
            kind in self.own.calls,
            recency(self.own, kind, 4),
            unseen / 4,
            unseen == 0,
            unseen == 1,
            self.table.dora(kind),
            self.table.yakuhai(self.number, kind),
        ]

    def efficiency(self, kind: int) -> list[float]:
        is_best = kind in self.best
        is_next = kind in self.next
        tiles = self.tiles.get(kind, 0)
        kinds = sum(self.unseen[accepted] > 0 for accepted in self.accepts.get(kind, []))
        is_accepted = kind in self.accepted
        return [
            is_best,
            is_next,
            kind in self.legal and not is_best and not is_next,
            where(is_best, tiles / max(self.most, 1)),
            where(is_next, tiles / max(self.most_next, 1)),
            where(is_best, log((tiles + 1) / (self.most + 1))),
            where(is_best, tiles / 20),
            where(is_next, tiles / 40),
            where(is_best, kinds / 8),
            is_best and tiles == self.most,
            is_accepted,
            where(is_accepted, self.unseen[kind] / 4),
        ]

    def opponent_planes(self, number: int, kind: int) -> list[float]:
        seat = self.table.seats[number]
        turns = seat.turns_of(kind)
        is_safe = kind in seat.unwinnable
        from_hand = [thrown.kind for thrown in seat.river if not thrown.drawn]
        ryanmen = 0
        danger = 0
        if not is_safe:
            ryanmen = self.ryanmen(seat, kind)
            danger = self.danger(kind, ryanmen)
        in_riichi = seat.in_riichi
        riichi_kind = -1
        if seat.declared is not None and seat.in_riichi:
            riichi_kind = seat.river[seat.declared].kind
        is_honour = kind >= EAST or kind <= 8
        return [
            bool(turns),
            kind in from_hand,
            recency(seat, kind, 3),
            bool(turns) and turns[0] <= 6,
            kind in seat.calls,
            self.table.yakuhai(number, kind),
            is_safe,
            kind in seat.passed and not is_safe,
            is_safe and in_riichi,
            danger / 20,
            where(in_riichi, danger / 20),
            where(seat.is_open, danger / 20),
            ryanmen / 2,
            where(in_riichi, ryanmen / 2),
            where(is_honour and not is_safe and in_riichi, self.unseen[kind] / 3),
            kind == riichi_kind,
            bool(from_hand) and from_hand[-1] == kind,
        ]

    def exists(self, kind: int, *steps: int) -> bool:
        """Whether the numbers so many steps away are in the suit and not all seen."""
        if kind >= EAST or kind <= 8:
            return False
        others = [kind + step for step in steps]
        same_suit = all(9 <= other < EAST and other // 9 == kind // 9 for other in others)
        return same_suit and all(self.unseen[other] for other in others)

    def ryanmen(self, seat: Seat, kind: int) -> int:
        waits = 0
        low = kind - 3
        high = kind + 3
        if kind % 9 >= 3 and self.exists(kind, -2, -1) and low not in seat.unwinnable:
            waits += 1
        if kind % 9 <= 5 and self.exists(kind, 1, 2) and high not in seat.unwinnable:
            waits += 1
        return waits

    def danger(self, kind: int, ryanmen: int) -> int:
        points = 10 * ryanmen
        if self.unseen[kind] >= 1:
            points += 1
        if self.unseen[kind] >= 2:
            points += 2
        if self.exists(kind, -1, 1):
            points += 3
        if kind % 9 == 2 and self.exists(kind, -2, -1):
            points += 3
        if kind % 9 == 6 and self.exists(kind, 1, 2):
            points += 3
        return points

    def table_scalars(self) -> list[float]:
        table = self.table
        turns = len(self.own.river)
        left = 55 - table.draws
        sticks = table.sticks
        for seat in table.seats:
            if seat is not self.own and seat.declared is not None:
                sticks += 1
        return [
            turns / 18,
            turns < 3,
            left / 55,
            left < 9,
            table.pon >= 0,
            table.dealer == self.number,
            min(max((self.own.points - 35000) / 20000, -2), 3),
            table.number >= 4,
            table.number == 5,
            table.number >= 6,
            min(table.honba, 5) / 3,
            min(sticks, 5) / 2,
        ]

    def hand_scalars(self) -> list[float]:
        own = self.own
        all_tiles = {kind: own.copies(kind) for kind in KINDS}
        pin = sum(all_tiles[kind] for kind in range(9, 18))
        sou = sum(all_tiles[kind] for kind in range(18, 27))
        dora = sum(self.table.dora(kind) * copies for kind, copies in all_tiles.items())
        dora += sum(tile in RED for tile in own.hand) + own.norths
        own_kinds = {tile // 4 for tile in own.hand}
        thrown = {thrown.kind for thrown in own.river}
        return [
            self.least == 0,
            self.least == 1,
            self.least == 2,
            self.least == 3,
            self.least >= 4,
            own.norths / 3,
            len(own.calls) / 3,
            own.is_open,
            sum(own.held(kind) >= 2 for kind in own_kinds) / 5,
            self.most / 40,
            dora / 4,
            self.least == 0 and bool(self.accepted & thrown),
            max(pin, sou) / 14,
            abs(pin - sou) / 14,
            sum(tile // 4 >= EAST for tile in own.hand) / 7,
            sum(kind >= EAST or kind in ENDS for kind in own_kinds) / 9,
        ]

    def opponent_scalars(self, number: int) -> list[float]:
        seat = self.table.seats[number]
        run = 0
        for thrown in reversed(seat.river):
            if not thrown.drawn:
                break
            run += 1
        turns = 0
        points = seat.points
        if seat.declared is not None:
            points -= 1000
            turns = len(seat.river) - seat.declared
        dora = 0
        for kind, copies in seat.calls.items():
            dora += self.table.dora(kind) * copies
        safe = len(self.legal & seat.unwinnable)
        return [
            seat.in_riichi,
            turns / 8,
            seat.in_riichi and turns <= 1,
            seat.is_open,
            len(seat.calls) / 3,
            seat.norths / 3,
            self.table.dealer == number,
            min(run, 8) / 8,
            dora / 3,
            min(max((self.own.points - points) / 20000, -3), 3),
            self.own.points < points,
            where(seat.in_riichi, min(safe, 4) / 4),
        ]


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def where(condition: bool, value: float) -> float:
    """The value, or 0 without the condition."""
    if condition:
        return value
    return 0


def recency(seat: Seat, kind: int, turns: int) -> float:
    places = seat.turns_of(kind)
    if not places:
        return 0.0
    return exp(-(len(seat.river) - places[-1]) / turns)


def identity(kind: int) -> list[float]:
    from_end = min(kind % 9, 8 - kind % 9)
    is_suit = 9 <= kind < EAST
    return [
        *(is_suit and from_end == place for place in range(5)),
        kind <= 8,
        EAST <= kind < NORTH,
        kind == NORTH,
        kind in DRAGONS,
    ]
