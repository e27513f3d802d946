"""The state of the table during a round: hands, rivers, calls, and what each seat can see.

`replay` plays the events of a round on one TableState and yields it after each. A step takes about
a microsecond, since only the counts that change are updated. The state changes with the next event.
"""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from rating.paifu.melds import Meld, MeldType
from rating.paifu.record import Away, Call, Discard, Draw, Event, NewDora, Riichi, Round
from rating.paifu.tiles import ABSENT_IN_THREE, KINDS, PaifuError


class WallCount:
    """How many tiles were `drawn` from the live wall and `taken` from the dead wall, and how many
    indicators are `turned`. `replacing`: the next tile comes from the dead wall, since a kan or
    kita was called."""

    __slots__ = ("drawn", "replacing", "taken", "turned")

    def __init__(self) -> None:
        self.drawn = self.taken = 0
        self.turned = 1
        self.replacing = False

    def apply(self, event: Event) -> None:
        """Count one event."""
        if type(event) is Draw:
            if self.replacing:
                self.taken += 1
            else:
                self.drawn += 1
            self.replacing = False
        elif type(event) is Call:
            self.replacing = event.meld.is_replaced
        elif type(event) is NewDora:
            self.turned += 1


class RiverTile(NamedTuple):
    """A discard in the river; `drawn`: it was the tile just drawn; `riichi`: riichi was declared
    with it.
    """

    tile: int
    drawn: bool
    riichi: bool


class TableState:
    """The table during a round. `hands`, `held`, `rivers`, `melds`, `riichi` and `safe_bits` are by
    seat (0-3).

    `public` counts by kind (0-33) the tiles everybody sees, `held[seat]` the concealed tiles.
    `riichi[seat]` is the number of discards in the river when the seat declared riichi (the place
    of the riichi tile), else None. `safe_bits[seat]` has bit k set for each kind the seat can't win
    on: its own discards and, after its riichi, those of all seats. `away` are the seats whose
    players are away at the moment: what is discarded for them is no choice."""

    __slots__ = (
        "away",
        "hands",
        "held",
        "indicators",
        "last",
        "melds",
        "public",
        "riichi",
        "rivers",
        "safe_bits",
        "seats",
    )

    def __init__(self, deal: Round) -> None:
        seats = self.seats = deal.seats
        self.hands = [set(hand) for hand in deal.hands]
        self.held = [[0] * KINDS for _ in range(seats)]
        for seat, hand in enumerate(deal.hands):
            for tile in hand:
                self.held[seat][tile >> 2] += 1
        self.public = [0] * KINDS
        if seats == 3:
            for kind in ABSENT_IN_THREE:
                self.public[kind] = 4
        self.public[deal.indicator >> 2] += 1
        self.indicators = [deal.indicator]
        self.rivers: list[list[RiverTile]] = [[] for _ in range(seats)]
        self.melds: list[list[Meld]] = [[] for _ in range(seats)]
        self.riichi: list[int | None] = [None] * seats
        self.safe_bits = [0] * seats
        self.last: Event | None = None
        self.away = set(deal.away)

    def apply(self, event: Event) -> None:
        """Play one event. Raises PaifuError when it can't happen."""
        if type(event) is Discard:
            self._discard(event)
        elif type(event) is Draw:
            seat, tile = event
            hand = self.hands[seat] if seat < self.seats else set()
            if tile in hand or len(hand) % 3 != 1:
                raise PaifuError(
                    f"seat {seat} can't draw tile {tile} with {len(hand)} tiles in hand"
                )
            hand.add(tile)
            self.held[seat][tile >> 2] += 1
        elif type(event) is Call:
            self._call(event)
        elif type(event) is Riichi:
            if event.step == 1:
                self.riichi[event.seat] = len(self.rivers[event.seat])
            return
        elif type(event) is NewDora:
            self.indicators.append(event.indicator)
            self.public[event.indicator >> 2] += 1
            return
        elif type(event) is Away:
            event.update(self.away)
            return
        self.last = event

    def _discard(self, event: Discard) -> None:
        seat, tile, drawn = event
        hand = self.hands[seat] if seat < self.seats else set()
        if tile not in hand or len(hand) % 3 != 2:
            raise PaifuError(f"seat {seat} discards tile {tile}, which is not in its hand")
        hand.remove(tile)
        kind = tile >> 2
        self.held[seat][kind] -= 1
        self.public[kind] += 1
        river = self.rivers[seat]
        river.append(RiverTile(tile, drawn, self.riichi[seat] == len(river)))
        # Nobody can win on what they discarded, nor on what was discarded after their riichi.
        kind_bit = 1 << kind
        safe_bits = self.safe_bits
        safe_bits[seat] |= kind_bit
        for opponent, declared in enumerate(self.riichi):
            if declared is not None:
                safe_bits[opponent] |= kind_bit

    def _call(self, event: Call) -> None:
        """A called tile is the last discard of another seat; a kakan has its pon; own kans and kita
        follow a draw."""
        seat, meld = event
        hand = self.hands[seat]
        held = self.held[seat]
        last = self.last
        if meld.type == MeldType.ADDED_KAN:
            kind = meld.called >> 2
            pons = (meld for meld in self.melds[seat] if meld.type == MeldType.PON)
            pon = next((pon for pon in pons if pon.called >> 2 == kind), None)
            if pon is None:
                raise PaifuError(f"seat {seat} adds to a pon it has not called")
            self.melds[seat].remove(pon)
        if meld.type in (MeldType.ADDED_KAN, MeldType.CLOSED_KAN, MeldType.KITA):
            if len(hand) % 3 != 2:
                raise PaifuError(f"seat {seat} calls {meld.type} out of turn")
        elif type(last) is not Discard or last.tile != meld.called or last.seat == seat:
            raise PaifuError(
                f"seat {seat} calls {meld.type} of tile {meld.called}, which was not discarded"
            )
        for tile in meld.from_hand:
            if tile not in hand:
                raise PaifuError(
                    f"seat {seat} calls {meld.type} with tile {tile}, which is not in its hand"
                )
            hand.remove(tile)
            held[tile >> 2] -= 1
            self.public[tile >> 2] += 1
        self.melds[seat].append(meld)

    def is_open(self, seat: int) -> bool:
        return any(meld.is_open for meld in self.melds[seat])

    def unseen(self, seat: int) -> list[int]:
        """Copies of each kind the seat can't see: 4 less its hand, all rivers, all calls and the
        dora indicators. With three seats it is 0 for the kinds that are not in the wall."""
        copies = zip(self.public, self.held[seat], strict=True)
        return [4 - public - held for public, held in copies]

    def in_riichi(self, seat: int) -> bool:
        """Whether the seat has made the discard it declared riichi with."""
        declared = self.riichi[seat]
        return declared is not None and len(self.rivers[seat]) > declared

    def anybody_in_riichi(self) -> bool:
        return any(map(self.in_riichi, range(self.seats)))

    def left(self) -> list[int]:
        """Copies of each kind that are in no hand, river, call or indicator."""
        copies = zip(self.public, *self.held, strict=True)
        return [4 - sum(located) for located in copies]

    def safe(self, opponent: int) -> list[bool]:
        """By kind, whether the opponent can't win on it: its discards, and all after its riichi."""
        bits = self.safe_bits[opponent]
        return [bool(bits >> kind & 1) for kind in range(KINDS)]


def replay(played: Round) -> Iterator[tuple[Event, TableState]]:
    """Yield (event, the table after it) for each event of the round; it is the same TableState each
    time.
    """
    table = TableState(played)
    for event in played.events:
        table.apply(event)
        yield event, table


def check(played: Round) -> None:
    """Play the round to its end.

    Raises PaifuError at an impossible event or a winning hand that is not on the table.
    """
    dealt = list(chain.from_iterable(played.hands))
    if len(set(dealt)) != len(dealt):
        raise PaifuError("a tile is dealt twice")
    winners = {win.seat for win in played.wins}
    if len(played.endings) > max(1, len(winners)):
        raise PaifuError("the round has two endings")
    table = TableState(played)
    for event in played.events:
        table.apply(event)
    copies = zip(table.public, *table.held, strict=True)
    if max(map(sum, copies)) > 4:
        raise PaifuError("more than four copies of one tile are on the table")
    for win in played.wins:
        if table.hands[win.seat] | {win.tile} != set(win.hand):
            raise PaifuError(f"the winning hand of seat {win.seat} is not the one on the table")
