"""Tile efficiency (牌効率): the shanten of a hand, the kinds that lower it, its worth, a game's
discards.

A hand is a list of 34 counts of concealed tiles, its calls left out. The package `xiangting`
computes shanten and accepted kinds in 2 to 3 microseconds: seven pairs and thirteen orphans need 13
or 14 concealed tiles, and a kind of which all four are concealed is never accepted. No yaku is
needed.

The value of an unfinished hand is an estimate by the han of the tiles already there; the exact
value of a finished one is in its record. Discards are judged while nobody is in riichi, by
speed alone, not by the hand's value; against a riichi `review` judges. The ban on swap-calling
(喰い替え) is ignored.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from typing import NamedTuple

from xiangting import PlayerCount, calculate_necessary_tiles, calculate_replacement_number, to_array

from rating.paifu.record import Discard, Record
from rating.paifu.reference import grade_bounds
from rating.paifu.table import TableState
from rating.paifu.tiles import EAST, GREEN, KINDS, RED, TERMINALS_AND_HONOURS, WHITE

# Rough points of a child's win by han, 0 to 8; parts of a han are interpolated.
POINTS_BY_HAN = (0, 1200, 2300, 4600, 7700, 8000, 12000, 12000, 16000)
# Han of a riichi, with the usual share of ippatsu, tsumo and ura dora.
RIICHI_HAN = 1.6
DEALER = 1.5  # the dealer wins half as much again


class Holding(NamedTuple):
    """A hand as its owner sees it. Kinds are 0-33. `held` has 34 counts of concealed tiles,
    `called` the kinds of each call. `open`: a tile of another seat was called. `red` is the number
    of red fives in the hand and its calls. `dora` lists the dora kinds, once per indicator.
    `yakuhai` lists the kinds whose triplet is a yaku, a double wind twice."""

    held: Sequence[int]
    called: tuple[tuple[int, ...], ...] = ()
    open: bool = False
    red: int = 0
    dora: tuple[int, ...] = ()
    yakuhai: tuple[int, ...] = (WHITE, GREEN, RED)
    dealer: bool = False


def yakuhai_of(
    seat: int,
    dealer: int,
    number: int,
    seats: int,
) -> tuple[int, ...]:
    """The yakuhai of a seat in round `number` (0 is east 1, four a wind); a double wind twice."""
    return (
        WHITE,
        GREEN,
        RED,
        EAST + number // 4 % 4,
        EAST + (seat - dealer) % seats,
    )


def points(holding: Holding) -> float:
    """The estimated points of the finished hand; 0 for an open hand with no yaku in sight.

    The han are an expectation and need not be whole: between whole numbers the points are
    interpolated.
    """
    tiles_by_kind = _all(holding)
    han = yaku(holding)
    if holding.open and han < 0.5:
        return 0.0
    han += holding.red + sum(tiles_by_kind[kind] for kind in holding.dora)
    if not holding.open:
        han += RIICHI_HAN
    whole = min(int(han), len(POINTS_BY_HAN) - 1)
    above = min(whole + 1, len(POINTS_BY_HAN) - 1)
    worth = POINTS_BY_HAN[whole] + (han - whole) * (POINTS_BY_HAN[above] - POINTS_BY_HAN[whole])
    if holding.dealer:
        worth *= DEALER
    return worth


def yaku(holding: Holding) -> float:
    """The estimated han of yakuhai, tanyao and half-flush, without riichi; unfinished ones count
    half.
    """
    tiles_by_kind = _all(holding)
    han = 0.0
    for kind in holding.yakuhai:
        if tiles_by_kind[kind] >= 3:
            han += 1.0
        elif tiles_by_kind[kind] == 2:
            han += 0.5
    # Tanyao: 1 han without a terminal or honour, half with at most two of them; none when one is
    # called.
    if TERMINALS_AND_HONOURS.isdisjoint(chain.from_iterable(holding.called)):
        in_the_way = sum(tiles_by_kind[kind] for kind in TERMINALS_AND_HONOURS)
        if in_the_way == 0:
            han += 1.0
        elif in_the_way <= 2:
            han += 0.5
    # Half-flush: 3 han closed, 2 open, with at most one tile of other suits; half as much with
    # two or three.
    suits = (sum(tiles_by_kind[:9]), sum(tiles_by_kind[9:18]), sum(tiles_by_kind[18:27]))
    in_the_way = sum(suits) - max(suits)
    flush = 2.0 if holding.open else 3.0
    if in_the_way <= 1:
        han += flush
    elif in_the_way <= 3:
        han += flush / 2
    return han


def _all(holding: Holding) -> list[int]:
    tiles_by_kind = list(holding.held)
    for call in holding.called:
        for kind in call:
            tiles_by_kind[kind] += 1
    return tiles_by_kind


def expectation(value: float, accepted: int, shanten: int) -> float:
    """The expected value of a hand in points: `value` times a rough chance to win. `accepted` is
    the number of unseen tiles that lower the shanten. The chance is 1 with twelve such tiles at
    tenpai; each shanten more needs six times as many for the same chance."""
    return value * min(1.0, accepted / (12 * 6.0 ** max(shanten, 0)))


_PLAYERS = {3: PlayerCount.THREE, 4: PlayerCount.FOUR}


class DiscardChoice(NamedTuple):
    """A discard of a hand: its kind, the shanten after it, and what then lowers the shanten.
    `kinds` are all accepted kinds, ascending, those with no copy left too; `tiles` is the number of
    their copies left."""

    kind: int
    shanten: int
    tiles: int
    kinds: tuple[int, ...]


def shanten_of(held: list[int], seats: int = 4) -> int:
    """The shanten (0 tenpai, -1 complete) of 1 to 14 concealed tiles, no multiple of three."""
    return calculate_replacement_number(held, _PLAYERS[seats]) - 1


class Acceptance(NamedTuple):
    """The shanten of a hand before its draw, and the kinds that lower it, ascending: its waits when
    it is tenpai."""

    shanten: int
    kinds: tuple[int, ...]


def acceptance(held: list[int], seats: int = 4) -> Acceptance:
    """The acceptance of 13 concealed tiles, less 3 a call, by kind.

    >>> acceptance([3, 1, 1, 1, 1, 1, 1, 1, 3] + [0] * 25).shanten
    0
    """
    number, bits = calculate_necessary_tiles(held, _PLAYERS[seats])
    return Acceptance(number - 1, tuple(compress(range(KINDS), to_array(bits))))


def after_discards(
    held: list[int],
    kinds: Iterable[int],
    seats: int = 4,
) -> dict[int, int]:
    """{kind: shanten after discarding it} for each of `kinds`, all of which are in the hand."""
    shantens = {}
    for kind in kinds:
        held[kind] -= 1
        shantens[kind] = shanten_of(held, seats)
        held[kind] += 1
    return shantens


def choices(
    held: list[int],
    left: Sequence[int],
    seats: int = 4,
) -> list[DiscardChoice]:
    """Every discard of a hand of 14 tiles less 3 a call: least shanten first, then most tiles
    `left`.
    """
    discards = []
    for kind in range(len(held)):
        if held[kind]:
            held[kind] -= 1
            number, kinds = acceptance(held, seats)
            held[kind] += 1
            tiles = sum([left[other] for other in kinds])
            discards.append(DiscardChoice(kind, number, tiles, kinds))
    return sorted(discards, key=lambda choice: (choice.shanten, -choice.tiles))


class Outlook(NamedTuple):
    """The shanten and the expected value (points) of a hand after its best discard."""

    shanten: int
    value: float


def outlook(
    holding: Holding,
    unseen: Sequence[int],
    seats: int = 4,
) -> Outlook:
    """The outlook of a hand about to discard. The shanten and the chance to win are those after its
    best discard; the points count the tiles before it."""
    best = choices(list(holding.held), unseen, seats)[0]
    return Outlook(best.shanten, expectation(points(holding), best.tiles, best.shanten))


GRADES = "SABCD"


class TileChoice(NamedTuple):
    """One discard (tile 0-135) while nobody is in riichi, and what it could have been.

    `turn` counts the seat's discards from 1. `hand` are the concealed tiles before it. `best` is
    the best discard (of equal ones the one made, else the lowest kind), `taken` the one made.
    `loss` is 0 for the best and those equal to it, 1 where the shanten is higher than after the
    best, else the share of the best's accepted tiles that was given up. `alone`: no other discard
    is as good as the best."""

    round: int
    seat: int
    turn: int
    tile: int
    hand: tuple[int, ...]
    taken: DiscardChoice
    best: DiscardChoice
    loss: float
    alone: bool = False


@dataclass(frozen=True, slots=True)
class EfficiencyRating:
    """Tile efficiency in one game or, with `+`, many:

    `best` of `decisions` had no loss, `losses` add up.
    """

    decisions: int = 0
    best: int = 0
    losses: float = 0.0

    @property
    def share(self) -> float | None:
        """The share (0-1) of decisions without loss; None without decisions."""
        if not self.decisions:
            return None
        return self.best / self.decisions

    @property
    def mean_loss(self) -> float | None:
        """The mean loss of a decision (0-1); None without decisions."""
        if not self.decisions:
            return None
        return self.losses / self.decisions

    def grade(self, seats: int, games: int = 1) -> str | None:
        """S, A, B, C or D by the mean loss over so many games; None without decisions."""
        loss = self.mean_loss
        if loss is None:
            return None
        return GRADES[bisect_left(grade_bounds(seats, games), loss)]

    def __add__(self, other: EfficiencyRating) -> EfficiencyRating:
        return EfficiencyRating(
            self.decisions + other.decisions, self.best + other.best, self.losses + other.losses
        )


def tile_choices(record: Record) -> Iterator[TileChoice]:
    """Yield the discards of the record that tile efficiency judges, in order of play: none of an
    absent player."""
    for number, played in enumerate(record.rounds):
        table = TableState(played)
        for event in played.events:
            if type(event) is Discard and table.anybody_in_riichi():
                break
            if type(event) is Discard and event.seat not in table.away:
                seat = event.seat
                ranked = choices(table.held[seat], table.unseen(seat), table.seats)
                taken = next(choice for choice in ranked if choice.kind == event.tile // 4)
                loss = loss_of(taken, ranked[0])
                yield TileChoice(
                    round=number,
                    seat=seat,
                    turn=len(table.rivers[seat]) + 1,
                    tile=event.tile,
                    hand=tuple(sorted(table.hands[seat])),
                    taken=taken,
                    best=ranked[0] if loss else taken,
                    loss=loss,
                    alone=_has_one_best(ranked),
                )
            table.apply(event)


def _has_one_best(ranked: Sequence[DiscardChoice]) -> bool:
    """Whether the first of at least two discards, best first, is better than the second."""
    if len(ranked) < 2:
        return False
    first, second = ranked[:2]
    return (first.shanten, first.tiles) != (second.shanten, second.tiles)


def loss_of(taken: DiscardChoice, best: DiscardChoice) -> float:
    """What a discard gives up compared with the best one: 0 to 1."""
    if taken.shanten > best.shanten:
        return 1.0
    if not best.tiles:
        return 0.0
    return 1 - taken.tiles / best.tiles


def efficiency_of(record: Record) -> tuple[EfficiencyRating, ...]:
    """The tile efficiency of each seat in a record, in seat order."""
    ratings = [EfficiencyRating()] * record.seats
    for choice in tile_choices(record):
        ratings[choice.seat] += EfficiencyRating(1, int(choice.loss == 0), choice.loss)
    return tuple(ratings)


def efficiency_row(
    rating: EfficiencyRating, seats: int, games: int = 1
) -> dict[str, float | str | None]:
    """Tile efficiency by name, for JSON:

    `best` is a share, `mean_loss` 0 to 1; null without decisions.
    """
    return {
        "decisions": rating.decisions,
        "best": rating.share,
        "mean_loss": rating.mean_loss,
        "grade": rating.grade(seats, games),
    }
