"""Writes a round by hand: hands, draws and discards in players' notation, as a Record and its
wall.
"""

from __future__ import annotations

from rating.paifu.melds import Meld, MeldType
from rating.paifu.record import (
    Call,
    Discard,
    Draw,
    Event,
    GameRules,
    NewDora,
    NoWin,
    Record,
    Riichi,
    Round,
    Win,
)
from rating.paifu.table import check
from rating.paifu.tiles import ABSENT_IN_THREE, parse
from rating.paifu.wall import RoundWall
from tests.rating.paifu.records import NAMES


class Script:
    """A round played in turn from seat 0; what is not given is filled with tiles of no kind in
    `keep`.
    """

    def __init__(
        self,
        *hands: str,
        seats: int = 4,
        indicator: str = "9s",
        honba: int = 0,
        keep: str = "",
    ) -> None:
        self.seats = seats
        self.honba = honba
        self.keep = {tile // 4 for tile in parse(keep)}
        self.pool = [t for t in range(136) if seats == 4 or t // 4 not in ABSENT_IN_THREE]
        self.indicator = self.take(indicator)[0]
        dealt = [self.take(hand) for hand in hands]
        dealt += [[] for _ in range(seats - len(dealt))]
        for hand in dealt:
            while len(hand) < 13:
                hand.append(self.filler())
        self.dealt = list(map(tuple, dealt))
        self.hands = [set(hand) for hand in self.dealt]
        self.start = tuple([35000 if seats == 3 else 25000] * seats)
        self.events: list[Event] = []
        self.endings: list[Win | NoWin] = []
        self.melds: list[list[Meld]] = [[] for _ in range(seats)]
        self.seat = 0
        self.last = -1
        self.replaced: list[int] = []

    def take(self, text: str) -> list[int]:
        """Free tiles of the kinds in the text; a 0 is the red five."""
        tiles = []
        for wanted in parse(text) if text else ():
            copies = [tile for tile in self.pool if tile // 4 == wanted // 4]
            tile = wanted if wanted in copies and wanted in (16, 52, 88) else copies[-1]
            self.pool.remove(tile)
            tiles.append(tile)
        return tiles

    def filler(self) -> int:
        order = sorted(
            self.pool,
            key=lambda tile: (-tile % 4, tile // 4 * 7 % 34),
        )
        tile = next(tile for tile in order if tile // 4 not in self.keep)
        self.pool.remove(tile)
        return tile

    def draw(self, text: str = "") -> int:
        (tile,) = self.take(text) or [self.filler()]
        self.events.append(Draw(self.seat, tile))
        self.hands[self.seat].add(tile)
        return tile

    def throw(
        self,
        text: str = "",
        drawn: int = -1,
        riichi: bool = False,
    ) -> None:
        seat = self.seat
        tile = drawn
        if text:
            kind = parse(text)[0] // 4
            tile = min(tile for tile in self.hands[seat] if tile // 4 == kind)
        if riichi:
            self.events.append(Riichi(seat, 1))
        self.events.append(Discard(seat, tile, tile == drawn))
        self.hands[seat].remove(tile)
        if riichi:
            self.events.append(Riichi(seat, 2))
        self.last = tile
        self.seat = (seat + 1) % self.seats

    def go(
        self,
        draw: str = "",
        throw: str = "",
        riichi: bool = False,
    ) -> Script:
        """One turn: a draw, and a discard (the tile drawn where none is named)."""
        self.throw(throw, self.draw(draw), riichi)
        return self

    def around(self, turns: int) -> Script:
        for _ in range(turns):
            self.go()
        return self

    def pon(self, seat: int, throw: str) -> Script:
        """The seat calls pon of the last discard, and throws a tile."""
        giver = (self.seat - 1 - seat) % self.seats
        kind = self.last // 4
        two = sorted(tile for tile in self.hands[seat] if tile // 4 == kind)[:2]
        three = tuple(sorted((*two, self.last)))
        self._call(seat, Meld(MeldType.PON, three, self.last, giver))
        self.seat = seat
        self.throw(throw)
        return self

    def kan(self, kind: str, draw: str, dora: str = "") -> Script:
        """The seat in turn draws the fourth tile of a kind, makes a closed kan, and draws again."""
        self.draw(kind)
        first = parse(kind)[0] // 4 * 4
        self._call(
            self.seat,
            Meld(MeldType.CLOSED_KAN, tuple(range(first, first + 4)), first),
        )
        if dora:
            self.events.append(NewDora(self.take(dora)[0]))
        self.replaced.append(self.draw(draw))
        return self

    def kita(self, draw: str) -> Script:
        tile = self.draw("4z")
        self._call(self.seat, Meld(MeldType.KITA, (tile,), tile))
        self.replaced.append(self.draw(draw))
        return self

    def _call(self, seat: int, meld: Meld) -> None:
        self.events.append(Call(seat, meld))
        self.melds[seat].append(meld)
        self.hands[seat] -= set(meld.from_hand)

    def tsumo(self, draw: str = "", **more: object) -> Script:
        tile = self.draw(draw) if draw else max(self.replaced)
        self._win(self.seat, self.seat, tile, **more)
        return self

    def ron(self, seat: int, **more: object) -> Script:
        self._win(seat, (self.seat - 1) % self.seats, self.last, **more)
        return self

    def _win(
        self,
        seat: int,
        giver: int,
        tile: int,
        yaku: tuple[tuple[int, int], ...] = ((1, 1),),
        yakuman: tuple[int, ...] = (),
        value: int = 3900,
        limit: int = 0,
        ura: str = "",
    ) -> None:
        payers = (
            [giver] if giver != seat else [other for other in range(self.seats) if other != seat]
        )
        change = [0] * self.seats
        for payer in payers:
            change[payer] = -value // len(payers)
        change[seat] = -sum(change)
        self.endings.append(
            Win(
                seat,
                giver,
                tuple(sorted(self.hands[seat] | {tile})),
                tuple(self.melds[seat]),
                tile,
                fu=30,
                value=value,
                limit=limit,
                yaku=yaku,
                yakuman=yakuman,
                dora=(self.indicator,),
                ura=tuple(self.take(ura)),
                liable=None,
                before=self.start,
                change=tuple(change),
            )
        )

    def end(
        self,
        type: str = "",
        tenpai: tuple[int, ...] = (),
        change: tuple[int, ...] = (),
    ) -> Script:
        hands: list[tuple[int, ...] | None] = [None] * self.seats
        for seat in tenpai:
            hands[seat] = tuple(sorted(self.hands[seat]))
        change = change or (0,) * self.seats
        self.endings.append(NoWin(type, tuple(hands), self.start, change))
        return self

    def round(self, number: int = 0) -> Round:
        made = Round(
            number,
            self.honba,
            sticks=0,
            dealer=0,
            indicator=self.indicator,
            start=self.start,
            hands=self.dealt,
            events=tuple(self.events),
            endings=tuple(self.endings),
        )
        check(made)
        return made

    def record(self, final: tuple[int, ...] | None = None) -> Record:
        rules = GameRules(0x19 if self.seats == 3 else 9)
        return Record(
            rules,
            NAMES[: self.seats],
            (self.round(),),
            final=final,
        )

    def wall(
        self,
        coming: str = "",
        ura: str = "",
        rinshan: str = "",
    ) -> tuple[RoundWall]:
        """The wall: what was drawn, then `coming`, then the rest; `rinshan` follows what was
        replaced.
        """
        dora = [self.indicator]
        replaced = list(self.replaced)
        every = [event.tile for event in self.events if isinstance(event, Draw)]
        drawn = [tile for tile in every if tile not in replaced]
        live = drawn + self.take(coming)
        below = self.take(ura)
        dead_wall = replaced + self.take(rinshan)
        size = 55 if self.seats == 3 else 70
        live += [self.pool.pop() for _ in range(size - len(live))]
        replacements = 8 if self.seats == 3 else 4
        for part, length in ((dora, 5), (below, 5), (dead_wall, replacements)):
            while len(part) < length:
                part.append(self.pool.pop() if self.pool else -1)
        return (
            RoundWall(
                (0, 0),
                self.dealt,
                tuple(live),
                tuple(dead_wall),
                tuple(dora),
                tuple(below),
            ),
        )
