"""What a player can see before each discard of a three-player game.

Kinds are 0-33. A sight has what the table shows as small whole numbers: no tile of another hand or
of the wall, and nothing of what comes later in the record.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from rating.paifu.efficiency import DiscardChoice, choices, yakuhai_of
from rating.paifu.melds import MeldType
from rating.paifu.record import Call, Discard, Draw, Event, NewDora, Record, Round
from rating.paifu.table import TableState, WallCount
from rating.paifu.tiles import KINDS, RED_FIVES, dora_of

SEATS = 3
LIVE_TILES = 55
RIICHI_STICK = 1000
NO_KIND = -1
NOT_HELD = 255  # shanten of a kind that is not in the hand

Integers = NDArray[np.integer]
# The figures of one decision are bytes (a figure for each of the 34 kinds) and numbers. Those of
# many decisions are arrays: (decisions, 34) and (decisions,).
ByKind = TypeVar("ByKind", bytes, Integers)
Number = TypeVar("Number", int, Integers)


class SeatSight(NamedTuple, Generic[ByKind, Number]):
    """What everybody can see of one seat.

    By kind: `river` counts its discards, `from_hand` those of them that were not just drawn,
    `first_turn` and `last_turn` are the numbers (from 1) of its first and last discard of the kind,
    `called` counts the tiles of its calls, `safe` and `passed` are 0 or 1: it can't win on the
    kind; the kind was discarded by another seat since its last discard from the hand. `yakuhai`
    counts how often a triplet is a yaku.

    `drawn_run` is the number of its last discards in a row that were just drawn. `riichi_turns`
    counts its discards from the one it declared riichi with, which has the kind `riichi_kind`.
    `score` is in points, without the stick of its riichi."""

    river: ByKind
    from_hand: ByKind
    first_turn: ByKind
    last_turn: ByKind
    called: ByKind
    safe: ByKind
    passed: ByKind
    yakuhai: ByKind
    turns: Number
    drawn_run: Number
    last_from_hand: Number
    norths: Number
    calls: Number
    is_open: Number
    in_riichi: Number
    riichi_turns: Number
    riichi_kind: Number
    is_dealer: Number
    score: Number


class HandSight(NamedTuple, Generic[ByKind, Number]):
    """The hand about to discard, and the table.

    By kind: `held` and `unseen` copies, `red` fives held, `dora` once for each indicator; after the
    discard of the kind its `shanten` (NOT_HELD without it), the number of `tiles` that lower it and
    of their `kinds`; `accepted` is 1 for kinds that lower the shanten after one of the discards with
    the least shanten. `drawn` is the kind just drawn, `pon` the kind just called, which may not be
    discarded (NO_KIND each)."""

    held: ByKind
    red: ByKind
    unseen: ByKind
    dora: ByKind
    shanten: ByKind
    tiles: ByKind
    kinds: ByKind
    accepted: ByKind
    drawn: Number
    pon: Number
    least_shanten: Number
    tiles_left: Number
    number: Number
    honba: Number
    sticks: Number


class Sight(NamedTuple, Generic[ByKind, Number]):
    """What a player can see before a discard. `seats` are the player's own, the next and the one
    after.
    """

    hand: HandSight[ByKind, Number]
    seats: tuple[SeatSight[ByKind, Number], SeatSight[ByKind, Number], SeatSight[ByKind, Number]]


class Decision(NamedTuple):
    """A discard before the own riichi, or the one that declares it, with what the player saw.

    `round` is an index into the rounds of the record, `turn` the number of the own discard from 1,
    `at` that of the round's events before it. `hand` are the concealed tiles (0-135), ascending,
    `tile` the one discarded. `away`: the player was away."""

    round: int
    seat: int
    turn: int
    at: int
    hand: tuple[int, ...]
    tile: int
    away: bool
    sight: Sight[bytes, int]


class SeatHistory:
    """What everybody has seen of a seat since the deal; see SeatSight."""

    __slots__ = (
        "called",
        "calls",
        "drawn_run",
        "first_turn",
        "from_hand",
        "last_from_hand",
        "last_turn",
        "norths",
        "passed",
        "river",
        "turns",
    )

    def __init__(self) -> None:
        self.river = [0] * KINDS
        self.from_hand = [0] * KINDS
        self.first_turn = [0] * KINDS
        self.last_turn = [0] * KINDS
        self.called = [0] * KINDS
        self.passed = [0] * KINDS
        self.turns = 0
        self.drawn_run = 0
        self.last_from_hand = NO_KIND
        self.norths = 0
        self.calls = 0

    def discard(self, kind: int, drawn: bool) -> None:
        self.turns += 1
        self.river[kind] += 1
        self.last_turn[kind] = self.turns
        if self.first_turn[kind] == 0:
            self.first_turn[kind] = self.turns
        if drawn:
            self.drawn_run += 1
        else:
            self.drawn_run = 0
            self.from_hand[kind] += 1
            self.last_from_hand = kind
            self.passed = [0] * KINDS

    def call(self, call: Call) -> None:
        if call.meld.type == MeldType.KITA:
            self.norths += 1
            return
        kind = call.meld.called // 4
        if not self.called[kind]:  # an added kan was counted as a pon
            self.calls += 1
        self.called[kind] = len(call.meld.tiles)


class RoundWatch:
    """Follows a round and gives the sight of the seat that is about to discard."""

    def __init__(self, played: Round) -> None:
        self.played = played
        self.table = TableState(played)
        self.wall = WallCount()
        self.histories = [SeatHistory() for _ in range(SEATS)]
        self.dora = [0] * KINDS
        self.dora[dora_of(played.indicator, SEATS)] += 1
        self.yakuhai = []
        for seat in range(SEATS):
            counts = [0] * KINDS
            for kind in yakuhai_of(seat, played.dealer, played.number, SEATS):
                counts[kind] += 1
            self.yakuhai.append(bytes(counts))

    def apply(self, event: Event) -> None:
        """Play one event."""
        if type(event) is Discard:
            kind = event.tile // 4
            for seat, history in enumerate(self.histories):
                if seat == event.seat:
                    history.discard(kind, event.drawn)
                else:
                    history.passed[kind] = 1
        elif type(event) is Call:
            self.histories[event.seat].call(event)
        elif type(event) is NewDora:
            self.dora[dora_of(event.indicator, SEATS)] += 1
        self.table.apply(event)
        self.wall.apply(event)

    def sight(self, seat: int) -> Sight[bytes, int]:
        """What the seat can see before its discard."""
        seats = (
            self._seat_sight(seat, seat),
            self._seat_sight((seat + 1) % SEATS, seat),
            self._seat_sight((seat + 2) % SEATS, seat),
        )
        return Sight(self._hand_sight(seat), seats)

    def _seat_sight(self, seat: int, viewer: int) -> SeatSight[bytes, int]:
        table = self.table
        history = self.histories[seat]
        score = self.played.start[seat]
        declared = table.riichi[seat]
        riichi_turns = 0
        riichi_kind = NO_KIND
        if declared is not None and seat != viewer:
            score -= RIICHI_STICK
        if declared is not None and table.in_riichi(seat):
            riichi_turns = len(table.rivers[seat]) - declared
            riichi_kind = table.rivers[seat][declared].tile // 4
        return SeatSight(
            river=bytes(history.river),
            from_hand=bytes(history.from_hand),
            first_turn=bytes(history.first_turn),
            last_turn=bytes(history.last_turn),
            called=bytes(history.called),
            safe=bytes(table.safe(seat)),
            passed=bytes(history.passed),
            yakuhai=self.yakuhai[seat],
            turns=history.turns,
            drawn_run=history.drawn_run,
            last_from_hand=history.last_from_hand,
            norths=history.norths,
            calls=history.calls,
            is_open=int(table.is_open(seat)),
            in_riichi=int(table.in_riichi(seat)),
            riichi_turns=riichi_turns,
            riichi_kind=riichi_kind,
            is_dealer=int(seat == self.played.dealer),
            score=score,
        )

    def _hand_sight(self, seat: int) -> HandSight[bytes, int]:
        table = self.table
        held = table.held[seat]
        unseen = table.unseen(seat)
        last = table.last
        drawn = NO_KIND
        pon = NO_KIND
        if type(last) is Draw:
            drawn = last.tile // 4
        elif type(last) is Call:
            pon = last.meld.called // 4
        red = [0] * KINDS
        for tile in RED_FIVES & table.hands[seat]:
            red[tile // 4] = 1
        riichi_sticks = 0
        for opponent in range(SEATS):
            if opponent != seat and table.riichi[opponent] is not None:
                riichi_sticks += 1
        prospects = Prospects(choices(held, unseen, SEATS), unseen, pon)
        return HandSight(
            held=bytes(held),
            red=bytes(red),
            unseen=bytes(unseen),
            dora=bytes(self.dora),
            shanten=bytes(prospects.shanten),
            tiles=bytes(prospects.tiles),
            kinds=bytes(prospects.kinds),
            accepted=bytes(prospects.accepted),
            drawn=drawn,
            pon=pon,
            least_shanten=prospects.least_shanten,
            tiles_left=LIVE_TILES - self.wall.drawn - self.wall.taken,
            number=self.played.number,
            honba=self.played.honba,
            sticks=self.played.sticks + riichi_sticks,
        )


class Prospects:
    """The shanten and the accepted tiles after each discard by kind; see HandSight."""

    __slots__ = ("accepted", "kinds", "least_shanten", "shanten", "tiles")

    def __init__(self, discards: Iterable[DiscardChoice], unseen: Sequence[int], pon: int) -> None:
        self.shanten = [NOT_HELD] * KINDS
        self.tiles = [0] * KINDS
        self.kinds = [0] * KINDS
        self.accepted = [0] * KINDS
        allowed = [discard for discard in discards if discard.kind != pon]
        self.least_shanten = min([discard.shanten for discard in allowed])
        for discard in allowed:
            self.shanten[discard.kind] = discard.shanten
            self.tiles[discard.kind] = discard.tiles
            unseen_kinds = [kind for kind in discard.kinds if unseen[kind]]
            self.kinds[discard.kind] = len(unseen_kinds)
            if discard.shanten == self.least_shanten:
                for kind in discard.kinds:
                    self.accepted[kind] = 1


def decisions(record: Record) -> Iterator[Decision]:
    """Yield the decisions of a three-player record in order of play."""
    for number, played in enumerate(record.rounds):
        watch = RoundWatch(played)
        table = watch.table
        for at, event in enumerate(played.events):
            if type(event) is Discard and not table.in_riichi(event.seat):
                seat = event.seat
                yield Decision(
                    round=number,
                    seat=seat,
                    turn=len(table.rivers[seat]) + 1,
                    at=at,
                    hand=tuple(sorted(table.hands[seat])),
                    tile=event.tile,
                    away=seat in table.away,
                    sight=watch.sight(seat),
                )
            watch.apply(event)


def stacked(sights: Iterable[Sight[bytes, int]]) -> Sight[Integers, Integers]:
    """The sights of many decisions as one sight of arrays."""
    rows = list(sights)
    own, right, left = zip(*(sight.seats for sight in rows), strict=True)
    hand = HandSight(*_columns(sight.hand for sight in rows))
    seats = (
        SeatSight(*_columns(own)),
        SeatSight(*_columns(right)),
        SeatSight(*_columns(left)),
    )
    return Sight(hand, seats)


def _columns(rows: Iterable[tuple[bytes | int, ...]]) -> list[Integers]:
    """The columns of rows as arrays: (rows, 34) of bytes, (rows,) of numbers."""
    columns: list[Integers] = []
    for column in zip(*rows, strict=True):
        if isinstance(column[0], bytes):
            figures = b"".join(cast(tuple[bytes, ...], column))
            columns.append(np.frombuffer(figures, np.uint8).reshape(len(column), KINDS))
        else:
            columns.append(np.array(column, np.int64))
    return columns
